// The table of operations: marks for modes and orders of derivatives, and the filters above it.

const NARROWING = ["engine", "verdict", "family", "law", "known", "differs"];
const LINES = new Map(); // operation to its row
const STRIPS = new Map(); // outcomes of an operation on an engine to its marks: most recur

/** Show the view; the first time, read its block and build its table. */
async function showOperations(state) {
  if (!SWEEP) {
    byId("operations-found").textContent = "Reading the operations …";
    await readSweep();
    if (!LINES.size) buildOperations();
    if (STATE.view !== "operations") return;
    showNarrowing(STATE);
    showLines(STATE);
    showDetail(STATE);
    return;
  }
  showNarrowing(state);
  showLines(state);
}

function buildOperations() {
  const table = byId("operations-table");
  table.style.setProperty("--marks", SWEEP.aspects.length);
  table.style.setProperty("--engines", SWEEP.engines.length);
  byId("marks").replaceChildren(...legend());
  // Where it fits into the window the page itself scrolls, and the head stays in sight.
  const fitting = matchMedia(`(min-width: ${18 + SWEEP.engines.length * (3.6 + 0.65 * SWEEP.aspects.length)}rem)`);
  const fit = () => [table, table.parentElement].forEach((one) => one.classList.toggle("few", fitting.matches));
  fitting.addEventListener("change", fit);
  fit();
  table.append(headOfOperations(), ...engineWide(), ...SWEEP.families.map(familyBody));
  // Marks are tens of thousands of elements: those of a family are made when it comes near.
  const near = new IntersectionObserver((found) => found.filter((one) => one.isIntersecting).forEach((one) => fill(one.target)), { rootMargin: "600px" });
  for (const body of table.tBodies) near.observe(body);
  addEventListener("beforeprint", () => [...table.tBodies].forEach(fill));
  const groups = SWEEP.aspects.map(([, title, laws]) => make("optgroup", { label: title },
    laws.length > 1 && make("option", { value: title }, `${title}, any law`), laws.map((law) => make("option", { value: SWEEP.laws[law].id }, nameOfLaw(law)))));
  byId("op-law").append(...groups);
  byId("op-family").append(...SWEEP.families.map((name) => make("option", {}, name)));
}

const nameOfLaw = (law) => capital(inWords(SWEEP.laws[law].id.replace(/^[^.]*\./, "")));

/** What the letters and the shapes mean. */
function legend() {
  const letters = SWEEP.aspects.map(([letter, title]) => make("span", {}, make("b", {}, letter), ` ${title}`));
  const shapes = [["pass", "holds"], ["fail", "fails"], ["raises", "raises an error"], ["error", "crash, timeout or error"], ["na", "not applicable"]];
  if (SWEEP.wide.length) shapes.push(["wide", "engine-wide: named below the head"]);
  return [make("p", { class: "marks" }, letters), make("p", { class: "marks" }, shapes.map(([kind, text]) => make("span", {}, make("i", { class: `m ${kind}` }), ` ${text}`)),
    make("span", {}, make("i", { class: "m fail news" }), " not a known failure"), make("span", {}, make("small", {}, "23/28"), " laws that hold, of those that were tried"))];
}

function headOfOperations() {
  const letters = make("span", { class: "strip letters", "aria-hidden": "true" }, SWEEP.aspects.map(([letter, title]) => make("i", { title }, letter)));
  const heads = SWEEP.engines.map((engine) => make("th", { scope: "col" }, engine.column, " ",
    make("small", {}, engine.column.endsWith(`@${engine.version}`) ? "" : engine.version), letters.cloneNode(true)));
  return make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Operation"), heads));
}

/** Causes that concern a law with any operation, with their cells below the heads of the columns: they flag no row. */
function engineWide() {
  const causes = Object.groupBy(SWEEP.wide, ([, , numbers]) => knownAs(numbers, SWEEP.strings).cause);
  const lines = Object.entries(causes).map(([cause, its]) => {
    const { title, kind } = knownAs(its[0][2], SWEEP.strings);
    const cells = SWEEP.engines.map((engine, column) => make("td", { "data-engine": engine.column }, its.filter(([where]) => where === column).map(([, count]) =>
      make("a", { href: format({ ...EMPTY, view: "operations", engine: engine.column, q: cause }) }, plural(count, "cell")))));
    return make("tr", {}, make("th", { scope: "row" }, make("span", {}, prose(title), " ", make("span", { class: "known" }, kind))), cells);
  });
  const head = make("tr", { class: "group" }, make("th", { scope: "row" }, make("div", {}, "Engine-wide causes")), SWEEP.engines.map(() => make("td", { class: "none" })));
  return lines.length ? [make("tbody", { class: "whole" }, head, lines)] : [];
}

function familyBody(family) {
  const its = SWEEP.operations.filter((operation) => operation.family === family);
  const counts = SWEEP.engines.map((_, column) => make("td", { class: "none" }, counted(its, column)));
  const lines = its.map((operation) => {
    const line = lineOf(operation);
    LINES.set(operation, line);
    return line;
  });
  const head = make("tr", { class: "group" }, make("th", { scope: "row" }, make("div", {}, family, " ", make("span", { class: "quiet" }, String(its.length)))), counts);
  return make("tbody", {}, head, lines);
}

/** How many operations of a family are flagged on an engine. */
function counted(operations, column) {
  const flagged = operations.filter((operation) => operation.flags.some((flag) => flag.column === column)).length;
  const lacking = operations.filter((operation) => isLacking(operation, column)).length;
  if (lacking === operations.length) return "not offered";
  return flagged ? `${flagged} flagged` : "";
}

/** Whether an engine has no such function: some laws could not be asked of it, and no law was tried. */
function isLacking(operation, column) {
  const verdicts = new Set(SWEEP.laws.map((_, law) => outcomeOf(operation, column, law)));
  return verdicts.has("not offered") && [...verdicts].every((verdict) => LAWLESS.has(verdict) || verdict === NOT_RUN);
}

function lineOf(operation) {
  const href = `#operations/${encodeURIComponent(operation.name)}`;
  const link = make("a", { class: "statement", href, "data-operation": operation.name }, operation.name);
  const cells = SWEEP.engines.map((engine) => make("td", { "data-engine": engine.column }));
  const head = make("th", { scope: "row" }, link, " ", make("small", { title: operation.meaning }, operation.meaning));
  return make("tr", { class: operation.flags.length ? "flagged" : null, "data-bare": true }, head, cells);
}

/** Make the marks of a family, once. */
function fill(body) {
  for (const line of body.querySelectorAll("tr[data-bare]")) {
    line.removeAttribute("data-bare");
    const operation = SWEEP.named.get(line.querySelector("a").dataset.operation);
    [...line.querySelectorAll("td")].forEach((cell, column) => cell.append(strip(operation, column)));
  }
}

/** The marks of an operation on an engine, with how many laws hold; or that there is no such function. */
function strip(operation, column) {
  if (isLacking(operation, column)) return make("span", { class: "lacking" }, "not offered");
  const [letters, , known, , , wide] = operation.on[column];
  const key = `${letters} ${Object.keys(known)} ${wide}`;
  if (!STRIPS.has(key)) STRIPS.set(key, marksOf(operation, column));
  return STRIPS.get(key).cloneNode(true);
}

function marksOf(operation, column) {
  const verdicts = SWEEP.laws.map((_, law) => markedAs(operation, column, law));
  const worst = SWEEP.aspects.map(([, , laws]) => worstOf(laws.map((law) => verdicts[law])));
  const held = verdicts.filter((verdict) => verdict === "pass").length;
  const tried = held + verdicts.filter((verdict) => FLAGS.has(verdict)).length;
  const words = inAspects(worst);
  return make("span", { class: "cell", title: words },
    make("span", { class: "strip", role: "img", "aria-label": words }, worst.map((verdict, place) => make("i", { class: `m ${shapeOf(verdict)}${isNews(operation, column, place) ? " news" : ""}` }))),
    make("small", { class: held < tried ? "off" : "quiet" }, tried ? `${held}/${tried}` : ""));
}

/** Whether a flag of an aspect is not a known failure. */
function isNews(operation, column, place) {
  const laws = SWEEP.aspects[place][2];
  return operation.flags.some((flag) => flag.column === column && laws.includes(flag.law) && !(flag.law in operation.on[column][2]));
}

/** The worst outcome of the laws of an aspect; empty where none of them concerns the operation. */
function worstOf(outcomes) {
  return SEVERITY.find((verdict) => outcomes.includes(verdict)) || "";
}

const SHAPES = { pass: "pass", fail: "fail", raises: "raises", "engine-wide": "wide", "not applicable": "na", "not offered": "na", "": "blank" };
const shapeOf = (verdict) => SHAPES[verdict] || "error";

/** The marks in words, what is wrong first. */
function inAspects(worst) {
  const by = SEVERITY.map((verdict) => [verdict, SWEEP.aspects.filter((_, place) => worst[place] === verdict).map(([, title]) => title)]);
  return by.filter(([, titles]) => titles.length).map(([verdict, titles]) => `${verdict}: ${titles.join(", ")}`).join("; ");
}

/** Show the rows that fit. */
function showLines(state) {
  const fit = concerning(state);
  const inside = new Map();
  let shown = 0;
  document.querySelector("#operations-table .best")?.remove();
  for (const [operation, line] of LINES) {
    const hidden = !fit(operation);
    if (line.hidden !== hidden) line.hidden = hidden;
    inside.set(line.parentElement, (inside.get(line.parentElement) || 0) + !hidden);
    shown += !hidden;
  }
  for (const [body, count] of inside) {
    if (body.hidden !== !count) body.hidden = !count;
    asHighAs(count + 1, body);
  }
  const total = LINES.size;
  byId("operations-found").textContent = shown === total ? plural(total, "operation") : `${shown} of ${plural(total, "operation")}`;
  byId("operations-nothing").hidden = shown > 0;
  byId("operations-nothing").textContent = shown ? "" : "No operation fits.";
  showNamed(state, shown);
}

/** Copies of the operations that are called as the search is, above all that only mention it. */
function showNamed(state, shown) {
  const typed = ofTheTable(plain(state.q.trim()));
  const isCalled = (operation) => [operation.name, ...operation.names].some((name) => plain(name).includes(typed));
  const named = typed ? [...LINES].filter(([operation, line]) => !line.hidden && isCalled(operation)) : [];
  if (!named.length || named.length === shown || named.length > AT_ONCE) return;
  const lines = named.sort(([one], [other]) => one.name.length - other.name.length).map(([, line]) => {
    fill(line.parentElement);
    return line.cloneNode(true);
  });
  const head = make("tr", { class: "group" }, make("th", { scope: "row" }, make("div", {}, "Best matches")));
  byId("operations-table").tHead.after(make("tbody", { class: "best" }, head, lines));
}

function showNarrowing(state) {
  if (document.activeElement !== byId("operations-search")) byId("operations-search").value = state.q;
  for (const name of NARROWING) choose(byId(`op-${name}`), state[name]);
  const used = NARROWING.filter((name) => state[name]);
  const made = used.map((name) => chip(chipText(name, state[name]), { [name]: "" }));
  if (used.length > 1 || state.q) made.push(make("li", {}, button("Clear all", () => go({ ...EMPTY, view: "operations" }), { class: "plain" })));
  byId("operations-chips").replaceChildren(...made);
}

const chipText = (name, value) => (name === "differs" ? "engines differ" : `${name}: ${SWEEP.lawOf.has(value) ? nameOfLaw(SWEEP.lawOf.get(value)) : value}`);

/** A cell of the table leads to the operation on the engine; a mark that is a flag, to the first law that is flagged. */
function openOutcome(cell, target) {
  const link = cell.parentElement.querySelector("a.statement");
  if (!link) return;
  const operation = SWEEP.named.get(link.dataset.operation);
  const column = SWEEP.columns.get(cell.dataset.engine);
  const marked = target.matches(".m") ? [...target.parentElement.children].indexOf(target) : -1;
  const laws = marked < 0 ? [] : SWEEP.aspects[marked][2];
  const flag = [...operation.flags, ...operation.wide].find((one) => one.column === column && laws.includes(one.law));
  link.focus({ preventScroll: true });
  go({ ...CLOSED, operation: operation.name, at: cell.dataset.engine, under: flag ? SWEEP.laws[flag.law].id : "" });
}
