// Which rows fit: words in statement, aliases, id, sources and messages, and the filters. Which of them fit best.

// "in-place", "in place" and "inplace" find the same, and "retain_graph" also finds "retain graph".
const plain = (text) => text.toLowerCase().replaceAll(/[-_]/g, " ").replaceAll("in place", "inplace");
const LOWER = STRINGS.map(plain);
const INDEX = ROWS.map((row) =>
  plain([
    row.statement, row.aliases.join("\n"), row.id, inWords(row.id), row.level,
    ...row.cited.map((number) => citation(number)).flatMap((cited) => [cited.source, cited.page, cited.title, cited.section, cited.says]),
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

// What a row says, the most telling first, and how much a word counts in each.
const TELLING = [6, 4, 2, 1];
// One row for each behaviour: its first case.
const FIRST = ROWS.filter((row, number) => !number || wholeOf(row) !== wholeOf(ROWS[number - 1])).map((row) => ({
  row,
  aliases: row.aliases.map(plain),
  fields: [
    row.aliases.join("\n"), `${row.statement}\n${inWords(wholeOf(row))}`,
    row.cited.map((number) => citation(number)).map((cited) => `${cited.page} ${cited.section} ${cited.says}`).join("\n"), INDEX[row.number],
  ].map((text) => ` ${plain(text)}`.replaceAll("\n", " \n ")),
}));
const BEST = 5;

/** The behaviours that fit a search best: rare words count more, and a phrase that people type for it counts most. */
function best(state) {
  const words = searched(state.q);
  const engines = byEngine(state.cells);
  const total = words.map((word) => Math.log(1 + FIRST.length / (1 + FIRST.filter(({ fields }) => fields[3].includes(word)).length)));
  const enough = 0.6 * total.reduce((sum, one) => sum + one, 0);
  const found = [];
  for (const one of words.length ? FIRST : []) {
    const wanted = inFilters(one.row, { ...state, view: "matrix" }) && engines.every(([columns, verdicts]) => columns.some((column) => verdicts.has(verdictOf(one.row, column))));
    const [score, share] = wanted ? scored(one, words, total, plain(state.q.trim())) : [0, 0];
    if (share >= enough) found.push([score, one.row]);
  }
  return found.sort(([one], [other]) => other - one).slice(0, BEST).map(([, row]) => row);
}

/** How well a row fits, and how much of what is looked for it has. */
function scored({ aliases, fields }, words, rarity, whole) {
  let score = 0;
  let share = 0;
  words.forEach((word, place) => {
    const field = fields.findIndex((text) => text.includes(word));
    if (field < 0) return;
    share += rarity[place];
    // A word that only ends or continues another one counts half.
    score += rarity[place] * TELLING[field] * (fields[field].includes(` ${word}`) ? 1 : 0.5);
  });
  const typed = aliases.some((alias) => alias === whole) ? 2 : aliases.some((alias) => whole.includes(alias) || (whole.length > 3 && alias.includes(whole))) ? 1 : 0;
  return [score + 50 * typed, typed ? Infinity : share];
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
    for (const { source, page } of row.cited.map((number) => citation(number))) {
      found.set(source, (found.get(source) || new Set()).add(page));
    }
  }
  return [...found].map(([source, pages]) => [source, [...pages].sort()]);
}
