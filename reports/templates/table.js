// The main table: which of its rows are shown, in which order, and the filters above it.

const BODIES = [...byId("table").tBodies].map((body) => {
  const lines = [...body.rows].slice(1).map((line) => ({ line, row: ROW_OF.get(line.id.slice("/b/".length)) }));
  return { body, lines: lines.filter(({ row }) => row), first: Math.min(...lines.map(({ row }) => row?.number ?? Infinity)) };
});
const REASONS = ["a promise is broken", "the check broke", "not promised", "conventions differ"];

// More rows than a screen has; to bring all of a thousand back before the next frame would keep a keystroke waiting.
const AT_ONCE = 50;

const BEST_ROWS = make("tbody", { class: "highlight best", hidden: true });

let order = "highlights";
let awaited = 0;

/** Show the rows that fit; a state of the address says which. */
function showTable(state) {
  arrange(state.view === "matrix" ? "reading" : "highlights");
  const fit = fits({ ...state, why: "" });
  const found = REASONS.map(() => 0);
  const limit = document.activeElement === byId("search") ? AT_ONCE : Infinity;
  const later = [];
  let shown = 0;
  for (const { body, lines } of BODIES) {
    let inside = 0;
    for (const { line, row } of lines) {
      const fitting = fit(row);
      if (fitting && row.why !== undefined) found[row.why] += 1;
      const hidden = !fitting || (state.view === "highlights" && !isHighlighted(row, state.why));
      if (line.hidden && !hidden && shown + inside >= limit) later.push(line);
      else if (line.hidden !== hidden) line.hidden = hidden;
      inside += !hidden;
    }
    if (body.hidden !== !inside) body.hidden = !inside;
    asHighAs(inside, body);
    shown += inside;
  }
  bring(later);
  // Few rows are read as they are.
  showBest(shown && shown <= BEST ? [] : best(state));
  say(shown, state);
  byId("reasons").replaceChildren(...reasons(found, state.why));
}

/** Copies of the rows that fit a search best, above all others. */
function showBest(rows) {
  const lines = rows.map((row) => {
    const line = byId(`/b/${row.id}`).cloneNode(true);
    line.hidden = false;
    line.classList.add("highlight"); // shown in each view
    line.removeAttribute("id");
    line.querySelector("a.statement").dataset.id = row.id;
    return line;
  });
  const head = make("tr", { class: "group" }, make("th", { scope: "rowgroup", colspan: ENGINES.length + 1 }, make("div", {}, "Best matches")));
  BEST_ROWS.replaceChildren(...(lines.length ? [head, ...lines] : []));
  BEST_ROWS.hidden = !lines.length;
  byId("table").tHead.after(BEST_ROWS);
}

/** Show the rest of the rows, some after each frame; another search takes the place of what is left. */
function bring(lines) {
  clearTimeout(awaited);
  if (!lines.length) return;
  awaited = setTimeout(() => {
    for (const line of lines.slice(0, 4 * AT_ONCE)) line.hidden = false;
    bring(lines.slice(4 * AT_ONCE));
  });
}

/** The report wrote highlighted rows first; the matrix view has the order of the specification. */
function arrange(wanted) {
  if (order === wanted) return;
  order = wanted;
  const reading = wanted === "reading";
  const bodies = reading ? [...BODIES].sort((one, other) => one.first - other.first) : BODIES;
  for (const { body, lines } of bodies) {
    const sorted = reading ? [...lines].sort((one, other) => one.row.number - other.row.number) : lines;
    body.append(...sorted.map(({ line }) => line));
  }
  byId("table").append(...bodies.map(({ body }) => body));
}

function say(shown, state) {
  const total = state.view === "highlights" ? ROWS.filter((row) => row.why !== undefined).length : ROWS.length;
  byId("found").textContent = shown === total ? plural(total, "row") : `${shown} of ${plural(total, "row")}`;
  const nothing = byId("nothing");
  nothing.hidden = shown > 0;
  nothing.textContent = "";
  if (!shown) nothing.append(...explained(state, total));
}

function explained(state, total) {
  if (!total) return [state.view === "highlights" ? "Nowhere: every engine that has an outcome passes, and all gave the same conventions." : "No behaviour was run."];
  const elsewhere = state.view === "highlights" ? ROWS.filter(fits({ ...state, view: "matrix", why: "" })).length : 0;
  const more = elsewhere ? [" ", make("a", { href: format({ ...state, view: "matrix", why: "" }) }, `${plural(elsewhere, "row")} of the whole matrix ${elsewhere === 1 ? "fits" : "fit"}.`)] : [];
  return ["No row fits.", ...more];
}

/** The filters as the state has them. */
function showFilters(state) {
  if (document.activeElement !== byId("search")) byId("search").value = state.q;
  for (const name of ["chapter", "level", "source", "known", "changed"]) choose(byId(name), state[name]);
  if (!drafting) showLast(state.cells.at(-1));
  byId("chips").replaceChildren(...chips(state));
}

function showLast(condition) {
  if (condition) choose(byId("engine"), condition[0]);
  choose(byId("verdict"), condition ? condition[1] : "");
}

function choose(select, value) {
  if (!select) return;
  select.value = value;
  if (select.selectedIndex < 0) select.selectedIndex = 0;
}

// The two choices of engine and verdict change the last condition, unless another one is being added.
let drafting = false;

function chips(state) {
  const made = state.cells.map(([engine, verdict], place) =>
    chip(`${engine === "*" ? "any engine" : engine}: ${verdict}`, { cells: state.cells.filter((_, other) => other !== place) }));
  for (const name of ["chapter", "level", "source", "known", "changed"]) {
    if (state[name]) made.push(chip(`${name}: ${name === "changed" ? "yes" : inWords(state[name])}`, { [name]: "" }));
  }
  if (state.cells.length) made.push(make("li", {}, button("and another engine …", another, { class: "plain" })));
  if (made.length > 1 || state.q) made.push(make("li", {}, button("Clear all", () => go({ ...EMPTY, view: state.view }), { class: "plain" })));
  return made;
}

function chip(text, without) {
  const remove = button("×", () => go({ ...without, id: "" }), { "aria-label": `Remove ${text}` });
  return make("li", { class: "chip" }, text, remove);
}

function another() {
  drafting = true;
  showLast(["*", ""]);
  byId("engine").focus();
}

/** Why rows are highlighted, each with its count; a pressed one filters by it. */
function reasons(found, why) {
  return found.flatMap((count, number) => {
    const pressed = why === String(number);
    const act = () => go({ why: pressed ? "" : String(number), id: "" });
    return count || pressed ? [button(`${capital(REASONS[number])} ${count}`, act, { "aria-pressed": String(pressed) })] : [];
  });
}

function fillFilters() {
  const options = (names) => names.map((name) => make("option", { value: name }, titleOf(name)));
  byId("chapter").append(...GROUPS.map(([group, names]) => make("optgroup", { label: group }, options(names))));
  for (const [source, pages] of sources()) {
    const options = pages.map((page) => make("option", { value: `${source}/${page}` }, page));
    byId("source").append(make("optgroup", { label: source }, make("option", { value: source }, `${source}, any page`), options));
  }
}

/** A choice of engine or verdict, taken into the conditions. */
function chosen() {
  const kept = drafting ? STATE.cells : STATE.cells.slice(0, -1);
  const verdict = byId("verdict").value;
  if (verdict) drafting = false;
  go({ cells: verdict ? [...kept, [byId("engine").value, verdict]] : kept, id: "" });
}
