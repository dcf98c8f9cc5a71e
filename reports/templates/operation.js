// The page of an operation, and of one law on it: what was observed, why, and what other engines do.

/** What the panel shows for an operation, an engine and a law of the state; nothing before the block is read. */
function operationPart(state) {
  if (!SWEEP) return [bar([close()]), make("h2", { id: "panel-title", tabindex: "-1" }, state.operation)];
  const operation = SWEEP.named.get(state.operation);
  if (!operation) return unfound("No such operation", "This sweep has no operation ", state.operation);
  const column = state.at ? SWEEP.columns.get(state.at) : undefined;
  const law = state.under ? SWEEP.lawOf.get(state.under) : undefined;
  if (state.at && column === undefined) return unfound("No such engine", "This sweep has no engine ", state.at);
  if (state.under && law === undefined) return unfound("No such law", "This sweep has no law ", state.under);
  return law === undefined ? ofOperation(operation, column) : ofCell(operation, column, law);
}

function unfound(title, text, name) {
  return [bar([close()]), make("h2", { id: "panel-title", tabindex: "-1" }, title), make("p", {}, text, make("code", {}, name), ". The search may find what is meant.")];
}

/** A link to a place of the panel; the filters of the table behind it stay. */
function placed(changes, text, attributes = {}) {
  const state = { ...EMPTY, view: "operations", ...changes };
  return make("a", { href: format(state), class: "placed", ...attributes }, text);
}

function operationBar(operation, where) {
  const steps = [["‹", -1, "Previous operation"], ["›", 1, "Next operation"]].map(([text, by, name]) =>
    button(text, () => step(by), { "aria-label": name }));
  const copy = button("Copy link", () => copied(location.href, copy), { class: "plain" });
  return bar([make("nav", { class: "where", "aria-label": "Where this is" }, where), make("span", { class: "space" }), copy, steps, close()]);
}

const familyLink = (operation) => make("a", { href: format({ ...EMPTY, view: "operations", family: operation.family }) }, operation.family);

/** All laws on an operation: first what is flagged, then every outcome. */
function ofOperation(operation, column) {
  const columns = SWEEP.engines.map((_, place) => place);
  const flagged = columns.filter((place) => operation.flags.some((flag) => flag.column === place));
  const first = column === undefined ? flagged : [column, ...flagged.filter((place) => place !== column)];
  return [
    operationBar(operation, familyLink(operation)),
    make("h2", { id: "panel-title", tabindex: "-1" }, make("code", {}, operation.name)),
    make("p", {}, prose(operation.meaning)),
    make("p", { class: "quiet" }, operation.points),
    operation.names.length > 0 && make("p", { class: "quiet" }, operation.names.map((name, place) => [place ? ", " : "", make("code", {}, name)])),
    first.length > 0 && heading("What engines do"),
    ...first.map((place) => onEngine(operation, place)),
    heading("Every law"), lawTable(operation),
  ].filter(Boolean);
}

/** The flagged laws of an operation on an engine, each with its witness; or that there are none. */
function onEngine(operation, column) {
  const engine = SWEEP.engines[column];
  const flags = operation.flags.filter((flag) => flag.column === column);
  const passed = SWEEP.laws.filter((_, law) => outcomeOf(operation, column, law) === "pass").length;
  const lacking = SWEEP.laws.findIndex((_, law) => outcomeOf(operation, column, law) === "not offered");
  const summary = lacking >= 0 ? witnessOf(operation, column, lacking) : `${plural(passed, "law")} ${passed === 1 ? "holds" : "hold"}, ${flags.length} ${flags.length === 1 ? "does" : "do"} not.`;
  return make("section", { class: "engine", "aria-label": engine.column },
    make("p", { class: "who" }, make("b", {}, engine.column), " ", make("span", { class: "quiet" }, engine.version), " ", summary),
    make("ul", { class: "flags" }, Object.values(Object.groupBy([...flags, ...operation.wide.filter((flag) => flag.column === column)], (flag) => `${flag.verdict} ${flag.wide} ${becauseOf(operation, flag)}`)).map((alike) => flagLine(operation, alike))));
}

/** What a flag is told by: the title of its known cause, or the beginning of its witness. */
const becauseOf = (operation, flag) => causeOf(operation, flag.column, flag.law)?.title || excerpt(SWEEP.strings[flag.said], 160);

/** Flags of one verdict and one cause, with a link to each of their laws. */
function flagLine(operation, flags) {
  const [first] = flags;
  const known = causeOf(operation, first.column, first.law);
  const links = flags.map((flag, place) => [place ? ", " : "", placed({ operation: operation.name, at: SWEEP.engines[flag.column].column, under: SWEEP.laws[flag.law].id }, nameOfLaw(flag.law))]);
  return make("li", {}, mark(first.verdict), " ", make("span", {}, prose(becauseOf(operation, first))), known && [" ", make("span", { class: "known" }, first.wide ? "engine-wide" : "known")],
    make("p", {}, links));
}

const SHORT = { "not applicable": "n/a", "not offered": "–", [NOT_RUN]: "" };

/** Laws down, engines across: every outcome of an operation. */
function lawTable(operation) {
  const concerned = SWEEP.aspects.map(([, title, laws]) => [title, laws.filter((law) => SWEEP.engines.some((_, column) => outcomeOf(operation, column, law) !== NOT_RUN))]);
  const rows = concerned.flatMap(([, laws]) => laws.map((law) => make("tr", {}, make("th", { scope: "row", title: SWEEP.laws[law].statement }, nameOfLaw(law)),
    SWEEP.engines.map((engine, column) => make("td", {}, outcomeLink(operation, engine, column, law))))));
  const head = make("tr", {}, make("th", { scope: "col" }, "Law"), SWEEP.engines.map((engine) => make("th", { scope: "col" }, engine.column)));
  return make("div", { class: "scroll", role: "region", "aria-label": "Every law", tabindex: "0" }, make("table", { class: "plain laws" }, make("thead", {}, head), make("tbody", {}, rows)));
}

function outcomeLink(operation, engine, column, law) {
  const verdict = outcomeOf(operation, column, law);
  if (verdict === NOT_RUN) return "";
  const name = `${verdict}: ${nameOfLaw(law)}, ${engine.column}`;
  return placed({ operation: operation.name, at: engine.column, under: SWEEP.laws[law].id }, SHORT[verdict] || verdict,
    { class: `placed v ${LAWLESS.has(verdict) || isWide(operation, column, law) ? "none" : verdict}`, "aria-label": name, title: verdict });
}

/** One law on one operation of one engine. */
function ofCell(operation, column, law) {
  const [engine, verdict, its] = [SWEEP.engines[column], outcomeOf(operation, column, law), SWEEP.laws[law]];
  const where = [familyLink(operation), " › ", placed({ operation: operation.name }, operation.name), " › ", placed({ operation: operation.name, at: engine.column }, engine.column)];
  return [
    operationBar(operation, where),
    make("h2", { id: "panel-title", tabindex: "-1" }, make("code", {}, operation.name), ": ", prose(its.statement)),
    make("p", { class: "facts" }, make("b", {}, engine.column), ` ${engine.version} `, mark(verdict), " ", make("em", {}, its.level), " ", make("code", {}, its.id)),
    make("p", { class: "quiet" }, operation.meaning),
    ...observed(operation, column, law, verdict),
    ...why(operation, column, law, verdict),
    heading("The same law on each engine"), make("div", { class: "seen" }, SWEEP.engines.map((_, other) => elsewhere(operation, other, law, column))),
    ...citedBy(its.cited.map((number) => citation(number, SWEEP.citations))),
    heading("To run it again"), command(operation, engine, its),
    its.check && heading("The check"), its.check && program(its.check, "the check"),
  ].filter(Boolean);
}

/** The witness, the plot, and whether a documentation promised otherwise. */
function observed(operation, column, law, verdict) {
  const witness = witnessOf(operation, column, law);
  const title = FLAGS.has(verdict) ? "Witness" : "Why there is no outcome";
  const told = verdict === "fail" ? witness.replaceAll("; ", "\n") : witness;
  return [
    witness && heading(title), witness && make("pre", { class: "message witness" }, told),
    verdict === NOT_RUN && quiet("This law was not tried here, or does not concern the operation."),
    FLAGS.has(verdict) && !isPromised(operation, column, law) && quiet("No documentation that this engine is held to promises it."),
    figure(plotOf(operation, column, law)),
  ];
}

/** The place of a plot, which comes when it has been read. */
function figure(plot) {
  if (!plot) return null;
  const place = make("figure", { class: "plot" });
  plot.then((numbers) => place.replaceChildren(...plotted(numbers)));
  return place;
}

/** The known failure that lists a cell: title, class, reason, issues, and the program that shows it in the engine's own interface. */
function why(operation, column, law, verdict) {
  if (!FLAGS.has(verdict)) return [];
  const known = causeOf(operation, column, law);
  if (!known) return [heading("Cause"), quiet("Not known: no known failure lists this.")];
  const script = SWEEP.programs[known.cause];
  return [
    heading("Known cause"),
    make("p", {}, known.title && make("b", {}, prose(known.title)), known.title && " ", known.kind && make("span", { class: "known" }, known.kind)),
    make("p", {}, prose(known.reason)),
    isWide(operation, column, law) && quiet("It concerns the law with any operation: the table has it below the head of the column, and flags no row for it."),
    known.issues.length > 0 && make("p", { class: "cited" }, known.issues.map((address, place) => [place ? ", " : "Issues: ", anchor(address, issueName(address))])),
    known.review && quiet(`To be reviewed after ${known.review}.`),
    script && make("details", { open: true }, make("summary", {}, `The program that shows it in ${SWEEP.engines[column].name}'s own interface`), program(script, "the native program")),
  ];
}

/** `pytorch#123` for an issue or a pull request of GitHub; else the address. */
function issueName(address) {
  const found = /github\.com\/[^/]+\/([^/]+)\/(?:issues|pull)\/(\d+)$/.exec(address);
  return found ? `${found[1]}#${found[2]}` : address;
}

/** What another engine does with the same law on the same operation. */
function elsewhere(operation, column, law, here) {
  const [engine, verdict] = [SWEEP.engines[column], outcomeOf(operation, column, law)];
  const name = column === here ? make("b", { "aria-current": "true" }, engine.column) : placed({ operation: operation.name, at: engine.column, under: SWEEP.laws[law].id }, engine.column);
  const [known, follows] = [causeOf(operation, column, law), followedBy(operation, column, law)];
  return make("section", { class: "engine", "aria-label": engine.column },
    make("p", { class: "who" }, name, " ", make("span", { class: "quiet" }, engine.version), " ", mark(verdict), known && [" ", make("span", { class: "known" }, "known")]),
    follows && quiet(`Convention: ${follows}.`),
    column !== here && witnessOf(operation, column, law) && make("p", { class: "quiet" }, excerpt(witnessOf(operation, column, law), 200)));
}

function command(operation, engine, law) {
  const text = `autograd-conformance operations --engine ${quoted(engine.column.replace(`@${engine.version}`, ""))} ${quoted(operation.name)} --law ${quoted(law.id)}`;
  return make("div", { class: "command" }, program(text, "the command", [text]));
}
