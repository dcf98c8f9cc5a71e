// All statements as a numbered document.

/** Statements by chapter, each once, with its cases. */
function statements(chapter) {
  const found = new Map();
  for (const row of ROWS.filter((row) => row.chapter === chapter)) {
    const id = wholeOf(row);
    if (!found.has(id)) found.set(id, []);
    found.get(id).push(row);
  }
  return [...found.values()];
}

function showSpecification(state) {
  const place = byId("document");
  if (!place.childElementCount) place.append(contents(), ...CHAPTERS.map(chapter));
  const part = state.part && byId(`spec-${state.part}`);
  if (part) part.scrollIntoView();
}

function contents() {
  const entry = (name) => make("li", {}, make("a", { href: format({ ...EMPTY, view: "spec", part: name }) }, titleOf(name)));
  const part = ([group, names]) => make("li", {}, make("b", {}, group), make("ul", {}, names.map(entry)));
  return make("nav", { "aria-label": "Contents" }, make("ol", { class: "contents" }, GROUPS.map(part)));
}

function chapter(name, place) {
  const heading = make("h3", { id: `spec-${name}` }, `${place + 1} ${titleOf(name)}`);
  const items = statements(name).map((rows, number) => item(rows, `${place + 1}.${number + 1}`));
  return make("section", { "aria-labelledby": `spec-${name}` }, heading, items);
}

function item(rows, number) {
  const [row] = rows;
  const link = make("a", { class: "statement", href: format({ ...EMPTY, view: "spec", id: row.id }), "data-id": row.id }, prose(row.statement));
  const cases = rows.length > 1 && make("span", { class: "quiet" }, ` Cases: ${rows.map((one) => one.case).join(", ")}.`);
  const text = [make("p", {}, link, cases), make("p", { class: "sources" }, make("em", {}, row.level), cites(row))];
  return make("div", { class: "item" }, make("span", { class: "number" }, number), make("div", {}, text));
}

/** The pages that promise a statement, by documentation. */
function cites(row) {
  const found = Object.entries(Object.groupBy(row.cited.map((number) => citation(number)), (cited) => cited.source));
  return found.map(([source, pages]) => [` ${source}: `, pages.map((cited, place) => [place ? ", " : "", anchor(cited.address, cited.title)])]);
}
