// The matrix as the report embedded it: rows with a cell per engine, and texts referred to by number.

const DATA = await inflated("data");
const ENGINES = DATA.engines || [];
const ROWS = DATA.rows || [];
const STRINGS = DATA.strings || [""];
const COLUMNS = new Map(ENGINES.map((engine, column) => [engine.column, column]));
const CHAPTERS = [...new Set(ROWS.map((row) => row.chapter))];
const TITLES_OF = new Map(ROWS.map((row) => [row.chapter, row.title || capital(inWords(row.chapter))]));
const titleOf = (chapter) => TITLES_OF.get(chapter);
// Chapters by the part of the contents that they belong to, in order.
const GROUPS = Object.entries(Object.groupBy(CHAPTERS, (name) => ROWS.find((row) => row.chapter === name).group || "Others"));

// Fields that are empty were left out of the block.
ROWS.forEach((row, number) => {
  row.number = number;
  row.case = inWords((/\[(.*)\]$/s.exec(row.id) || ["", ""])[1]);
  for (const field of ["cited", "was", "aliases", "mutants", "said", "took"]) row[field] ||= [];
  for (const field of ["conventions", "known", "old"]) row[field] ||= {};
});
const ROW_OF = new Map(ROWS.map((row) => [row.id, row]));

const verdictOf = (row, column) => (row.cells[column] === "-" ? NOT_RUN : DATA.verdicts[row.cells[column]]);
const messageOf = (row, column) => STRINGS[row.said[column] || 0] || "";
const conventionOf = (row, column) => (column in row.conventions ? STRINGS[row.conventions[column]] : "");

/** The known failure that lists a cell, or null. */
function knownOf(row, column) {
  if (!(column in row.known)) return null;
  return knownAs(row.known[column], STRINGS);
}

/** A known failure, of the numbers of its texts. */
function knownAs(numbers, strings) {
  const [reason, review, cause, title, kind, ...issues] = numbers.map((number) => strings[number] || "");
  return { reason, review, cause, title, kind, issues };
}

/** What an earlier matrix had in a cell that has changed. */
function oldOf(row, column) {
  if (!(column in row.old)) return null;
  const [verdict, convention] = row.old[column];
  return { verdict: DATA.verdicts[verdict], convention: STRINGS[convention] || "" };
}

function citation(number, from = DATA.citations) {
  const fields = ["source", "page", "title", "section", "address", "since", "until", "raises", "warns", "says", "convention", "evidence"];
  const values = from[number];
  return Object.fromEntries(fields.map((field, place) => [field, values[place]]));
}

/** The row of an id, which may be one that it had earlier; a behaviour is renamed with all its cases. */
function rowOf(id) {
  if (ROW_OF.has(id)) return ROW_OF.get(id);
  const [, name, cased] = /^([^[]*)(.*)$/s.exec(id);
  const renamed = ROWS.find((row) => row.was.includes(id) || (row.was.includes(name) && row.id.endsWith(cased)));
  return renamed || ROWS.find((row) => row.id.startsWith(`${id}[`)) || null;
}

/** The first line of a message, as a hint of what the whole says. */
function excerpt(message, limit = 110) {
  const line = message.slice(0, 20 * limit).trim().split("\n")[0].replace(/\s+/g, " ");
  return line.length <= limit ? line : `${line.slice(0, limit - 1).trimEnd()}…`;
}

/** The JSON of a block: base64 of what was deflated without a header. */
async function inflated(block) {
  const bytes = Uint8Array.from(atob(byId(block).textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).json();
}

let asked = null;

/** Checks and native scripts; inflated when the first of them is needed. */
function programs() {
  asked ||= inflated("programs").then(({ checks, scripts, paragraphs }) => {
    const whole = (numbers) => numbers.map((number) => paragraphs[number]).join("\n\n");
    return { check: (row) => whole(checks[row.number]), script: (row, column) => whole(scripts[row.number][column]) };
  });
  return asked;
}
