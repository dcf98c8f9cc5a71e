// The sweep over operations as the report embedded it: inflated when its view is first opened.

let SWEEP = null;

// Verdicts that say that something is wrong.
const FLAGS = new Set(["fail", "raises", "crash", "timeout", "error"]);
const LAWLESS = new Set(["not offered", "not applicable"]);
// How bad: what a mark shows of several laws is the worst.
const SEVERITY = ["crash", "timeout", "error", "fail", "raises", "pass", "engine-wide", "not applicable", "not offered"];

/** Read the block, once. */
async function readSweep() {
  const found = await inflated("operations-data");
  found.columns = new Map(found.engines.map((engine, column) => [engine.column, column]));
  found.lawOf = new Map(found.laws.map((law, number) => [law.id, number]));
  found.named = new Map(found.operations.map((operation) => [operation.name, operation]));
  found.families = [...new Set(found.operations.map((operation) => operation.family))];
  found.lower = found.strings.map(plain);
  found.laws.forEach((law) => (law.text = plain(`${law.id} ${inWords(law.id)} ${law.statement}`)));
  found.operations.forEach((operation) => {
    operation.text = plain([operation.name, inWords(operation.name), operation.family, operation.meaning, ...operation.names].join("\n"));
    const every = flagsOf(operation, found);
    operation.flags = every.filter((flag) => !flag.wide);
    operation.wide = every.filter((flag) => flag.wide);
  });
  SWEEP ||= found;
}

/** The cells of an operation in which something is wrong; `wide`: for a cause that the head of the column has. */
function flagsOf(operation, found) {
  return operation.on.flatMap(([letters, said, , , , wide], column) => {
    const flags = [];
    let place = 0;
    [...letters].forEach((letter, law) => {
      const verdict = found.verdicts[letter];
      if (!verdict || verdict === "pass") return;
      if (FLAGS.has(verdict)) flags.push({ column, law, verdict, said: said[place], wide: wide.includes(law) });
      place += 1;
    });
    return flags;
  });
}

const outcomeOf = (operation, column, law) => SWEEP.verdicts[operation.on[column][0][law]] || NOT_RUN;

const isWide = (operation, column, law) => operation.on[column][5].includes(law);

/** The outcome that a row shows: an engine-wide cause concerns its column instead. */
const markedAs = (operation, column, law) => (isWide(operation, column, law) ? "engine-wide" : outcomeOf(operation, column, law));

/** The witness of a cell; or why there is no outcome. */
function witnessOf(operation, column, law) {
  const [letters, said] = operation.on[column];
  const before = [...letters.slice(0, law)].filter((letter) => letter !== "-" && SWEEP.verdicts[letter] !== "pass").length;
  return outcomeOf(operation, column, law) === "pass" ? "" : SWEEP.strings[said[before]] || "";
}

/** The known failure that lists a cell, or null. */
function causeOf(operation, column, law) {
  const numbers = operation.on[column][2][law];
  return numbers ? knownAs(numbers, SWEEP.strings) : null;
}

const isPromised = (operation, column, law) => !operation.on[column][3].includes(law);

/** Which convention an engine follows where a law leaves it free; or empty. */
const followedBy = (operation, column, law) => SWEEP.strings[operation.on[column][4][law] || 0];

let plots = null;

/** A promise of the plot of a cell, as `plotted` takes it; or null. Plots are a block of their own. */
function plotOf(operation, column, law) {
  const place = `${operation.name}/${SWEEP.engines[column].column}/${SWEEP.laws[law].id}`;
  if (!(place in SWEEP.plot)) return null;
  plots ||= inflated("operations-plots");
  return plots.then((every) => every[SWEEP.plot[place]]);
}

/** A test of operations for a state: filters hold of one and the same cell, and so do the words that only a cell has. */
function concerning(state) {
  const words = searched(state.q).map(ofTheTable);
  const columns = state.engine ? [SWEEP.columns.get(state.engine)] : SWEEP.engines.map((_, column) => column);
  const laws = new Set(lawsOf(state.law));
  const saying = words.map((word) => new Set(SWEEP.lower.flatMap((text, number) => (text.includes(word) ? [number] : []))));
  return (operation) => {
    if (state.family && operation.family !== state.family) return false;
    if (state.differs && ![...laws].some((law) => differs(operation, law))) return false;
    const missing = words.flatMap((word, place) => (operation.text.includes(word) ? [] : [[word, saying[place]]]));
    if (missing.length || state.known || (state.verdict && FLAGS.has(state.verdict)) || state.verdict === "flagged") {
      // Who asks for a law, or for words of a cell, asks for engine-wide causes too.
      const flags = missing.length || state.law ? [...operation.flags, ...operation.wide] : operation.flags;
      return flags.some((flag) => columns.includes(flag.column) && laws.has(flag.law) &&
        ["", "flagged", flag.verdict].includes(state.verdict) && isListed(operation, flag, state.known) && mentions(operation, flag, missing));
    }
    return columns.some((column) => [...laws].some((law) =>
      state.verdict ? outcomeOf(operation, column, law) === state.verdict : outcomeOf(operation, column, law) !== NOT_RUN));
  };
}

/** A word of a search. Of a dotted name that no operation has, such as that of an alias, the last part. */
function ofTheTable(word) {
  const has = !word.includes(".") || SWEEP.operations.some((operation) => operation.text.includes(word));
  return has ? word : word.slice(word.lastIndexOf(".") + 1) || word;
}

/** The laws that a filter means: all, one by its id, or those of an aspect by its title. */
function lawsOf(filter) {
  if (!filter) return SWEEP.laws.map((_, number) => number);
  if (SWEEP.lawOf.has(filter)) return [SWEEP.lawOf.get(filter)];
  return SWEEP.aspects.find(([, title]) => title === filter)?.[2] || [];
}

const isListed = (operation, flag, known) => !known || (known === "known") === Boolean(operation.on[flag.column][2][flag.law]);

function mentions(operation, flag, missing) {
  const known = operation.on[flag.column][2][flag.law] || [];
  return missing.every(([word, strings]) =>
    SWEEP.laws[flag.law].text.includes(word) || flag.verdict.includes(word) || [flag.said, ...known].some((number) => strings.has(number)));
}

/** Whether a law holds on one engine and not on another. */
function differs(operation, law) {
  const outcomes = operation.on.map((_, column) => markedAs(operation, column, law));
  return outcomes.includes("pass") && outcomes.some((verdict) => FLAGS.has(verdict));
}
