// Elements made from text: nothing here, or anywhere in the script, parses HTML.

const byId = (id) => document.getElementById(id);

/** An element with attributes (`false`, `null`, `undefined` leave one out) and children, of which strings stay text. */
const make = (tag, attributes, ...children) => filled(document.createElement(tag), attributes, children);

function filled(element, attributes = {}, children = []) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** A button that does something; its text is its name. */
function button(text, action, attributes = {}) {
  const made = make("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", action);
  return made;
}

/** A link to the web if the address is one that the report let through, else its text. */
function anchor(address, text) {
  return address ? make("a", { href: address, rel: "noreferrer", target: "_blank" }, text) : make("span", {}, text);
}

/** A verdict as word, shape and colour. */
function mark(verdict) {
  return make("span", { class: `v ${verdict === NOT_RUN ? "none" : verdict}` }, verdict);
}

/** A statement, in which `backticks` set off code; where they do not pair up they are shown as they are. */
function prose(text) {
  const parts = text.split("`");
  return parts.length % 2 ? parts.map((part, place) => (place % 2 ? make("code", {}, part) : part)) : text;
}

/** A part of a table which, while it is out of sight and not laid out, is given the height of this number of rows. */
function asHighAs(rows, body) {
  if (Number(body.style.getPropertyValue("--rows")) !== rows) body.style.setProperty("--rows", rows);
  return body;
}

const inWords = (name) => name.replaceAll("_", " ");
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const plural = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

/** Tell those who listen to the page instead of looking at it. */
function announce(text) {
  byId("status").textContent = text;
}

const NOT_RUN = "not run";

/** The id of a behaviour without its case. */
const wholeOf = (row) => row.id.replace(/\[.*\]$/s, "");
