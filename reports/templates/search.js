// Which rows fit: words in statement, id, sources and messages, and the filters.

// "in-place" also finds "in place": hyphens are spelled both ways.
const plain = (text) => text.toLowerCase().replaceAll("-", " ");
const LOWER = STRINGS.map(plain);
const INDEX = ROWS.map((row) =>
  plain([
    row.statement, row.id, inWords(row.id), row.level,
    ...row.cited.map(citation).flatMap((cited) => [cited.source, cited.page, cited.title, cited.section, cited.says]),
    ...Object.values(row.conventions).map((number) => inWords(STRINGS[number])),
  ].join("\n")),
);
const COUNTED = new Set(["fail", "crash", "timeout", "error"]);

/** A test of rows for a state. Messages recur, so each different one is looked at once, not once for each cell. */
function fits(state) {
  const words = searched(state.q);
  const saying = words.map((word) => new Set(LOWER.flatMap((text, number) => (text.includes(word) ? [number] : []))));
  const engines = byEngine(state.cells);
  return (row) =>
    inFilters(row, state) &&
    engines.every(([columns, verdicts]) => columns.some((column) => verdicts.has(verdictOf(row, column)))) &&
    words.every((word, place) => INDEX[row.number].includes(word) || row.said.some((said) => saying[place].has(said)));
}

/** What is looked for: words, and phrases in quotation marks. */
function searched(text) {
  const parts = text.match(/"[^"]*"?|[^\s"]+/g) || [];
  return parts.map((part) => plain(part.replaceAll('"', ""))).filter((part) => part.trim());
}

/** Verdicts asked of one engine are alternatives; what is asked of several engines must hold of each. */
function byEngine(cells) {
  const wanted = new Map();
  for (const [engine, verdict] of cells) wanted.set(engine, (wanted.get(engine) || new Set()).add(verdict));
  const all = ENGINES.map((_, column) => column);
  return [...wanted].map(([engine, verdicts]) => [engine === "*" ? all : [COLUMNS.get(engine)], verdicts]);
}

function inFilters(row, state) {
  return (
    (!state.chapter || row.chapter === state.chapter) &&
    (!state.level || row.level === state.level) &&
    (!state.source || row.cited.some((number) => isFrom(citation(number), state.source))) &&
    (!state.known || (state.known === "known" ? Object.keys(row.known).length > 0 : unexpected(row))) &&
    (!state.changed || Object.keys(row.old).length > 0) &&
    (state.view !== "highlights" || isHighlighted(row, state.why))
  );
}

/** A source is a documentation (`jax`), or a page of it (`jax/jax.grad`). */
const isFrom = (cited, source) => cited.source === source || `${cited.source}/${cited.page}` === source;

/** Whether a row is highlighted: for the reason of that number, or for any. */
const isHighlighted = (row, why) => row.why !== undefined && (why === "" || String(row.why) === why);

function unexpected(row) {
  return [...row.cells].some((letter, column) => COUNTED.has(DATA.verdicts[letter]) && !(column in row.known));
}

/** All documentations, each with its pages. */
function sources() {
  const found = new Map();
  for (const row of ROWS) {
    for (const { source, page } of row.cited.map(citation)) {
      found.set(source, (found.get(source) || new Set()).add(page));
    }
  }
  return [...found].map(([source, pages]) => [source, [...pages].sort()]);
}
