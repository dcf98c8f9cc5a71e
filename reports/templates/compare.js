// What changes when code moves from one engine to another.

const LACKING = new Set(["absent", "unsupported"]);
const BROKEN = new Set(["fail", "crash", "timeout"]);
const UNKNOWN = new Set([NOT_RUN, "error"]);

/** The kinds of change, the most important first: a name, a title, what it means, and which pairs of cells are of it. */
const KINDS = [
  ["breaks", () => "Breaks", (from, to) => `${from} does what the statement says; ${to} does not, although its documentation promised.`,
    (one, other) => one.verdict === "pass" && BROKEN.has(other.verdict)],
  ["otherwise", () => "Behaves differently", (from, to) => `${to} follows another documented convention than ${from}, or does otherwise where no documentation promised.`,
    (one, other) => one.verdict === "pass" && (other.verdict === "differs" || (other.verdict === "pass" && one.convention !== other.convention))],
  ["both", () => "Neither does as stated", () => "Both deviate from the statement, in different ways: compare what was observed.",
    (one, other) => isOff(one) && isOff(other) && !(one.verdict === other.verdict && one.message === other.message)],
  ["lacks", (from, to) => `Not in ${to}`, (from, to) => `${from} has the feature; ${to} does not, by design, or its adapter says nothing about it.`,
    (one, other) => !LACKING.has(one.verdict) && LACKING.has(other.verdict)],
  ["gains", (from, to) => `Works in ${to} only`, (from, to) => `${to} does what the statement says; ${from} does not, or lacks the feature.`,
    (one, other) => one.verdict !== "pass" && other.verdict === "pass"],
  ["off", (from, to) => `Only in ${to}, not as stated`, (from, to) => `${from} lacks the feature; ${to} has it, and does not do what the statement says.`,
    (one, other) => LACKING.has(one.verdict) && isOff(other)],
];

const isOk = (one, other) => one.verdict === "pass" && other.verdict === "pass";
const isOff = (cell) => BROKEN.has(cell.verdict) || cell.verdict === "differs";

/** Rows by kind of change, of those that fit the search. */
function compared(from, to, found) {
  const groups = KINDS.map(([name, title, means]) => ({ name, title: title(from, to), means: means(from, to), rows: [] }));
  const same = [];
  let unknown = 0;
  for (const row of found) {
    const [one, other] = [from, to].map((engine) => cellOf(row, COLUMNS.get(engine)));
    if (UNKNOWN.has(one.verdict) || UNKNOWN.has(other.verdict)) unknown += 1;
    else {
      const kind = KINDS.findIndex(([, , , holds]) => holds(one, other));
      (kind >= 0 ? groups[kind].rows : same).push({ row, one, other });
    }
  }
  return { groups: groups.filter(({ rows }) => rows.length), same, unknown };
}

const cellOf = (row, column) => ({ verdict: verdictOf(row, column), convention: conventionOf(row, column), message: messageOf(row, column), known: knownOf(row, column) });

/** The engines of a comparison; where the address names none, the first engine, and one held to other documentations. */
function pair(state) {
  const from = COLUMNS.has(state.from) ? state.from : ENGINES[0]?.column;
  const start = ENGINES[COLUMNS.get(from)];
  const others = ENGINES.filter((engine) => engine.column !== from);
  const stranger = ({ sources }) => !sources.some((name) => start.sources.includes(name));
  const other = others.find(stranger) || others.find(({ name }) => name !== start.name) || others[0];
  return [from, COLUMNS.has(state.to) ? state.to : other?.column];
}

function showComparison(state) {
  const [from, to] = pair(state);
  byId("from").value = from;
  byId("to").value = to;
  if (document.activeElement !== byId("compare-search")) byId("compare-search").value = state.q;
  const place = byId("comparison");
  if (!from || !to) return place.replaceChildren("There is only one engine: nothing to compare.");
  const found = ROWS.filter(fits({ ...state, why: "" }));
  const { groups, same, unknown } = compared(from, to, found);
  const total = groups.reduce((sum, { rows }) => sum + rows.length, 0);
  const outcome = `${total.toLocaleString("en")} of ${plural(found.length, "row")} ${total === 1 ? "differs" : "differ"} between ${from} and ${to}.`;
  const summary = found.length ? outcome : "No row fits.";
  const rest = unknown ? ` ${plural(unknown, "row")} left out: not run, or in error, on one of them.` : "";
  const sections = groups.map((group) => section(group, from, to));
  place.replaceChildren(make("p", { class: "quiet" }, summary + rest), tally(groups), ...likely(found.length && found.length <= BEST ? [] : best(state), from, to), ...sections, ...alike(same, from, to));
  announce(summary);
}

/** The rows that fit a search best, of any kind. */
function likely(rows, from, to) {
  if (!rows.length) return [];
  const found = rows.map((row) => {
    const [one, other] = [from, to].map((engine) => cellOf(row, COLUMNS.get(engine)));
    return { row, one, other };
  });
  return [make("section", { class: "best", "aria-labelledby": "best" }, make("h3", { id: "best" }, "Best matches"), pairs(found, from, to, "Best matches", false))];
}

/** How many rows of each kind; leads to them. */
function tally(groups) {
  const jump = ({ name, title, rows }) => {
    const act = () => byId(`kind-${name}`).scrollIntoView({ block: "start" });
    return button(`${title} ${rows.length}`, act, { class: `kind ${name}` });
  };
  return make("div", { class: "tally" }, groups.map(jump));
}

function section({ name, title, means, rows }, from, to) {
  const heading = make("h3", { id: `kind-${name}` }, `${title} `, make("span", { class: "quiet" }, String(rows.length)));
  // Of a thousand rows that an engine lacks, people read the few reasons, which say what to write instead.
  const content = name === "lacks" ? byReason(rows, from, to) : [pairs(rows, from, to, `${title}: ${means}`)];
  return make("section", { "aria-labelledby": `kind-${name}` }, heading, make("p", { class: "quiet" }, means), content);
}

/** Rows by the reason why the other engine lacks them, those of most rows first; each opens to its rows. */
function byReason(rows, from, to) {
  const groups = Object.entries(Object.groupBy(rows, ({ other }) => other.message));
  groups.sort(([, some], [, others]) => others.length - some.length);
  return groups.map(([reason, its]) => {
    const title = [make("b", {}, plural(its.length, "row")), " ", prose(reason || "Its adapter says nothing about it.")];
    return onDemand("reason", title, () => pairs(its, from, to, reason));
  });
}

/** A closed part whose content is built when it is opened first. */
function onDemand(name, title, content) {
  const details = make("details", { class: name }, make("summary", {}, title));
  details.addEventListener("toggle", () => details.append(content()), { once: true });
  return details;
}

/** Rows on which both do the same: many, so they are built on demand. */
function alike(rows, from, to) {
  if (!rows.length) return [];
  const title = `The same on both ${rows.length}`;
  return [onDemand("same", title, () => pairs(rows, from, to, title))];
}

function pairs(rows, from, to, caption, byChapter = true) {
  const head = make("tr", {}, ["Behaviour", from, to].map((text) => make("th", { scope: "col" }, text)));
  const titled = (chapter) => make("tr", { class: "group" }, make("th", { scope: "rowgroup", colspan: 3 }, make("div", {}, titleOf(chapter))));
  const bodies = Object.entries(Object.groupBy(rows, ({ row }) => (byChapter ? row.chapter : ""))).map(([chapter, inside]) =>
    asHighAs(inside.length, make("tbody", {}, chapter && titled(chapter), inside.map((found) => pairLine(found, from, to)))));
  return make("table", { class: "grid pair" }, make("caption", { class: "unseen" }, caption), make("thead", {}, head), bodies);
}

function pairLine({ row, one, other }, from, to) {
  return make("tr", {}, statement(row), [[one, from], [other, to]].map(([cell, engine]) =>
    make("td", { class: one.convention !== other.convention && isOk(one, other) ? "convention" : cell.verdict, "data-engine": engine },
      cell.convention && isOk(one, other) ? make("i", {}, inWords(cell.convention)) : [cell.verdict, cell.convention && [" ", make("i", {}, inWords(cell.convention))]],
      cell.known && [" ", make("b", {}, "known")],
      cell.verdict !== "pass" && cell.message && make("small", {}, excerpt(cell.message, 150)))));
}

/** The head of a row: its statement leads to the behaviour, and the address keeps what is behind it. */
function statement(row) {
  const link = make("a", { class: "statement", href: format({ ...STATE, id: row.id }), "data-id": row.id }, prose(row.statement));
  return make("th", { scope: "row" }, link, " ", make("small", {}, make("em", {}, row.level), row.case && `, case ${row.case}`));
}
