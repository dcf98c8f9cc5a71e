// The details of one behaviour: built when it is opened, beside the view that it was opened from.

let opener = null;

/** Open the details of the state's behaviour, or close them. */
function showDetail(state) {
  const panel = byId("panel");
  const row = state.id ? rowOf(state.id) : null;
  if (!state.id && !state.operation) return closeDetail(panel);
  if (panel.hidden) opener = document.activeElement;
  document.documentElement.classList.add("open");
  panel.hidden = false;
  panel.replaceChildren(...(state.operation ? operationPart(state) : row ? part(row, state) : unknown(state.id)));
  panel.setAttribute("aria-label", state.operation ? "Operation" : "Behaviour");
  panel.scrollTop = 0;
  byId("main").inert = matchMedia("(max-width: 60rem)").matches;
  const line = mine(isMine);
  if (opener === document.body) line?.scrollIntoView({ block: "center" });
  byId("panel-title").focus({ preventScroll: true });
  if (row && state.at) byId(`at-${COLUMNS.get(state.at)}`)?.scrollIntoView({ block: "start" });
}

function closeDetail(panel) {
  document.documentElement.classList.remove("open");
  byId("main").inert = false;
  mine(() => false);
  if (panel.hidden) return;
  panel.hidden = true;
  panel.replaceChildren();
  if (opener?.isConnected) opener.focus({ preventScroll: true });
}

/** Mark the row that is open in the current view; returns it if it is a row of a table. */
function mine(opened) {
  for (const marked of document.querySelectorAll("tr.here")) marked.classList.remove("here");
  // Asked of few: to find out what is visible, the browser lays out what it had left for later.
  const line = [...document.querySelectorAll("main a.statement")].find((link) => opened(link) && link.checkVisibility())?.closest("tr");
  line?.classList.add("here");
  return line;
}

function unknown(id) {
  return [bar([close()]), make("h2", { id: "panel-title", tabindex: "-1" }, "No such behaviour"),
    make("p", {}, "This matrix has no row ", make("code", {}, id), ". It may have been renamed or withdrawn; the search may find its successor.")];
}

const close = () => button("×", () => go(CLOSED), { class: "close", "aria-label": "Close" });
const bar = (children) => make("div", { class: "panel-bar" }, children);

function part(row, state) {
  const steps = [["‹", -1, "Previous behaviour"], ["›", 1, "Next behaviour"]].map(([text, by, name]) =>
    button(text, () => step(by), { "aria-label": name }));
  const copy = button("Copy link", () => copied(location.href, copy), { class: "plain" });
  const where = make("a", { class: "where", href: format({ ...EMPTY, view: "spec", part: row.chapter }) }, titleOf(row.chapter));
  return [
    bar([where, make("span", { class: "space" }), copy, steps, close()]),
    make("h2", { id: "panel-title", tabindex: "-1" }, prose(row.statement)),
    make("p", { class: "facts" }, make("em", {}, row.level), row.case && `, case ${row.case} `, " ", make("code", {}, row.id)),
    row.was.length > 0 && make("p", { class: "quiet" }, "Earlier: ", row.was.join(", ")),
    ...cited(row),
    heading("What engines do"), make("div", { class: "seen" }, ordered(row, state).map((column) => seen(row, column))),
    history_(row),
    heading("The check"), later((found) => (found.check(row) ? program(found.check(row), "the check") : quiet("The source of this check was not recorded."))),
    proof(row),
  ].filter(Boolean);
}

const heading = (text) => make("h3", {}, text);
const quiet = (text) => make("p", { class: "quiet" }, text);

/** A placeholder, replaced when the programs are inflated. */
function later(build) {
  const place = make("div", { class: "later" }, quiet("…"));
  programs().then((found) => place.replaceChildren(build(found)), () => place.replaceChildren(quiet("The programs could not be read.")));
  return place;
}

/** The documentations that promise, and apart from them the articles. */
const cited = (row) => citedBy(row.cited.map((number) => citation(number)));

function citedBy(all) {
  const articles = (from) => from.source === "document";
  return [["Promised by", all.filter((from) => !articles(from))], ["Described in an article", all.filter(articles)]]
    .flatMap(([title, some]) => (some.length ? [heading(title), make("ul", { class: "cited" }, some.map(source))] : []));
}

function source(from) {
  const [raises, warns] = ["raises", "warns"].map((name) => from[name] && [`, ${name} `, make("code", {}, from[name])]);
  return make("li", {},
    make("b", {}, from.source), " ", anchor(from.address, from.title),
    from.section && `, section “${from.section}”`, from.since && `, since ${from.since}`, from.until && `, until ${from.until}`,
    raises, warns, from.says && `, saying “${from.says}”`, from.convention && [", promises ", make("i", {}, inWords(from.convention))],
    from.evidence && make("span", { class: "quiet" }, ` (${from.evidence})`));
}

/** Columns as they are shown: the requested one first, then those that deviate, then the others. */
function ordered(row, state) {
  const rank = (column) => (ENGINES[column].column === state.at ? 0 : isOff({ verdict: verdictOf(row, column) }) ? 1 : verdictOf(row, column) === NOT_RUN ? 3 : 2);
  return ENGINES.map((_, column) => column).sort((one, other) => rank(one) - rank(other) || one - other);
}

/** What one engine does: verdict, convention, duration, message, known failure, and native script. */
function seen(row, column) {
  const engine = ENGINES[column];
  const verdict = verdictOf(row, column);
  const [convention, message, known, old] = [conventionOf, messageOf, knownOf, oldOf].map((ask) => ask(row, column));
  const took = verdict === NOT_RUN ? null : make("span", { class: "quiet" }, duration(row.took[column] || 0));
  return make("section", { id: `at-${column}`, class: "engine", "aria-label": engine.column },
    make("p", { class: "who" }, make("b", {}, engine.column), " ", make("span", { class: "quiet" }, engine.column.endsWith(`@${engine.version}`) ? "" : engine.version), " ", mark(verdict),
      convention && [" ", make("i", {}, inWords(convention))], " ", took,
      old && make("s", {}, ` was ${old.verdict}${old.convention ? `, ${inWords(old.convention)}` : ""}`)),
    message && make("pre", { class: "message" }, message),
    known && make("p", { class: "known" }, make("span", { class: "known" }, "known"), " ",
      known.title && [make("b", {}, prose(known.title)), " "], prose(known.reason),
      known.issues.map((address) => [" ", anchor(address, issueName(address))]), known.review && ` To be reviewed after ${known.review}.`),
    verdict !== NOT_RUN && native(row, column, verdict));
}

const duration = (milliseconds) => (milliseconds >= 1000 ? `${(milliseconds / 1000).toFixed(1)} s` : `${milliseconds} ms`);

// Nothing that could be shown in the engine's own interface.
const UNSCRIPTED = new Set([...LACKING, "error"]);

/** The native script, closed at first; without one, the command that prints it. */
function native(row, column, verdict) {
  const name = `the program in ${ENGINES[column].column}'s own interface`;
  return later((found) => {
    const source = found.script(row, column);
    if (!source) return UNSCRIPTED.has(verdict) ? "" : printing(row, ENGINES[column]);
    const shown = make("details", {}, make("summary", {}, `The same program for ${ENGINES[column].name}`), program(source, name));
    shown.addEventListener("toggle", () => toCheck(shown.querySelector("pre"), source), { once: true });
    return shown;
  });
}

/** The command that prints the script of a cell, to be pasted into a shell. */
function printing(row, engine) {
  const command = `autograd-conformance show ${quoted(row.id)} --engine ${quoted(engine.spec)} --script`;
  return make("div", { class: "command" }, quiet(`The same program for ${engine.name} is printed by:`), program(command, `the command for ${engine.column}`, [command]));
}

/** Any text as one word for a shell: the name of an engine comes from a file. */
const quoted = (text) => (/^[\w.:=,@/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** A script begins with what it is and what it imports; what it is about comes after that. */
function toCheck(place, source) {
  const line = source.split("\n").findIndex((text) => text.startsWith("def check("));
  if (line > 0) place.scrollTop = (place.scrollHeight * line) / source.trimEnd().split("\n").length;
}

/** Engines of which several versions were run: what became of the behaviour from one to the next. */
function history_(row) {
  const several = Object.values(Object.groupBy(ENGINES, (engine) => engine.spec)).filter((versions) => versions.length > 1);
  if (!several.length) return null;
  const age = (one, other) => one.version.localeCompare(other.version, "en", { numeric: true });
  const lines = several.map((versions) => make("li", {}, make("b", {}, versions[0].spec), " ", [...versions].sort(age).map((engine, place) => {
    const column = COLUMNS.get(engine.column);
    return [place ? " → " : "", engine.version, " ", mark(verdictOf(row, column)), conventionOf(row, column) && make("i", {}, ` ${inWords(conventionOf(row, column))}`)];
  })));
  return make("div", {}, heading("Over versions"), make("ul", { class: "cited" }, lines));
}

function proof(row) {
  const shown = row.mutants.map((number) => DATA.mutants[number]);
  if (!shown.length) return null;
  const entry = (mutant) => make("li", {}, prose(mutant));
  return make("div", {}, heading("Mutants this check kills"), quiet("Engines that are wrong in one way, on which the check fails, as it must:"), make("ul", { class: "cited" }, shown.map(entry)));
}
