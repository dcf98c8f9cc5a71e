// What the page shows, as an address: `#/matrix?q=ties&v=torch:fail`, `#/compare?from=torch&to=jax`, `#/b/ID?view=matrix`,
// `#operations/det/torch/LAW`.

const VIEWS = ["highlights", "matrix", "compare", "spec", "about", ...(byId("operations-data") ? ["operations"] : []), ...(byId("/programs") ? ["programs"] : [])];
const FILTERS = ["q", "chapter", "level", "source", "known", "changed", "why", "engine", "verdict", "family", "law", "differs"];
// A page of operations alone begins with them.
const START = document.documentElement.dataset.start || "highlights";

const EMPTY = Object.freeze({
  view: START, id: "", at: "", cells: [], from: "", to: "", part: "", operation: "", under: "",
  q: "", chapter: "", level: "", source: "", known: "", changed: "", why: "", engine: "", verdict: "", family: "", law: "", differs: "",
});
const CLOSED = Object.freeze({ id: "", at: "", operation: "", under: "" });

/** The state that an address names. What it does not know, it leaves out. */
function parse(address) {
  const [path, query = ""] = split(address.replace(/^#(?=operations\b)/, "#/").replace(/^#/, ""));
  const given = new URLSearchParams(query);
  const state = { ...EMPTY, cells: conditions(given.getAll("v")) };
  for (const name of [...FILTERS, "from", "to", "at"]) state[name] = given.get(name) || "";
  const [, first = "", rest = ""] = /^\/([^/]*)\/?(.*)$/s.exec(path) || [];
  if (first === "b") {
    state.id = decoded(rest);
    state.view = VIEWS.includes(given.get("view")) ? given.get("view") : "matrix";
  } else if (first === "operations" && VIEWS.includes(first)) {
    const [operation = "", at = "", under = ""] = rest.split("/").map(decoded);
    Object.assign(state, { view: first, operation, at, under });
  } else if (VIEWS.includes(first)) {
    state.view = first;
    state.part = decoded(rest);
  } else if (path && !path.startsWith("/")) {
    older(decoded(path), state);
  }
  return state;
}

function split(address) {
  const at = address.indexOf("?");
  return at < 0 ? [address] : [address.slice(0, at), address.slice(at + 1)];
}

/** Addresses of earlier reports were bare ids. */
function older(id, state) {
  if (rowOf(id)) Object.assign(state, { id, view: "matrix" });
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // not encoded: tried as it is
  }
}

/** `engine:verdict` for each; an engine's name may hold colons, a verdict holds none. */
function conditions(given) {
  return given
    .map((text) => [text.slice(0, Math.max(0, text.lastIndexOf(":"))), text.slice(text.lastIndexOf(":") + 1)])
    .filter(([engine, verdict]) => (engine === "*" || COLUMNS.has(engine)) && DATA.verdicts.includes(verdict));
}

/** The address of a state; `parse` gives the state back. */
function format(state) {
  const query = new URLSearchParams();
  if (state.view === "operations" && !state.id) return ofOperations(state, query);
  if (state.id && state.view !== "matrix") query.set("view", state.view);
  for (const name of [...FILTERS, "from", "to", "at"]) if (state[name]) query.set(name, state[name]);
  for (const [engine, verdict] of state.cells) query.append("v", `${engine}:${verdict}`);
  const path = state.id ? `b/${encoded(state.id)}` : state.view === "highlights" ? "" : withPart(state);
  return `#/${path}${query.size ? `?${query}` : ""}`;
}

/** `#operations/det/torch/LAW?family=Norms`: an operation, then an engine, then a law. */
function ofOperations(state, query) {
  for (const name of FILTERS) if (state[name]) query.set(name, state[name]);
  const places = ["operations", state.operation, state.at, state.under, ""];
  const path = places.slice(0, places.indexOf("")).map(encodeURIComponent).join("/");
  return `#${path}${query.size ? `?${query}` : ""}`;
}

const encoded = (id) => encodeURIComponent(id).replaceAll("%2F", "/");
const withPart = (state) => (state.part ? `${state.view}/${encoded(state.part)}` : state.view);

const TABLES = ["highlights", "matrix"];

/** What another view keeps of the state: what was searched for, and between the two tables the filters too. */
function carried(state, view) {
  if (TABLES.includes(view) && TABLES.includes(state.view)) return { ...state, view, id: "", at: "", part: "", why: "" };
  return { ...EMPTY, view, q: ["about", "spec"].includes(view) ? "" : state.q };
}

let STATE = EMPTY;

/** Go to a state: a new entry of the history, or a replacement of the last one while the user types. */
function go(changes, { replace = false } = {}) {
  const next = { ...STATE, ...changes };
  const address = format(next);
  if (address === location.hash || (address === "#/" && !location.hash)) return show(next);
  history[replace ? "replaceState" : "pushState"](null, "", address);
  return show(next);
}
