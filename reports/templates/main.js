// From the address to the page, and from what people do to the address.

const TITLES = { highlights: "Highlights", matrix: "Matrix", compare: "Compare", spec: "Specification", about: "How to read", operations: "Operations", programs: "Programs" };
const SUITE = "Autograd conformance";

/** Show a state: the view, what is in it, and the details of a behaviour. */
function show(state) {
  const moved = state.view !== STATE.view || state.part !== STATE.part;
  const search = ["cells", "from", "to", ...FILTERS].some((name) => String(state[name]) !== String(STATE[name]));
  const first = STATE === EMPTY;
  STATE = state;
  document.documentElement.dataset.view = state.view;
  for (const link of document.querySelectorAll(".views a")) {
    if (link.dataset.view === state.view) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
    if (link.dataset.view !== "about") link.href = format(carried(state, link.dataset.view));
  }
  if (moved || search || first) drawn(state);
  if (moved || first) revealTab();
  showDetail(state);
  if (moved && !first && !state.part && !state.id && !state.operation) scrollTo(0, 0);
  document.title = `${titled(state)} · ${SUITE}`;
}

/** On a phone the views do not all fit into the bar: that of the current one comes into sight, and the page stays. */
function revealTab() {
  const tab = document.querySelector(".views [aria-current]");
  const [inner, outer] = [tab, tab.parentElement].map((element) => element.getBoundingClientRect());
  tab.parentElement.scrollLeft += Math.max(0, inner.right - outer.right) - Math.max(0, outer.left - inner.left);
}

function drawn(state) {
  if (state.view === "compare") showComparison(state);
  else if (state.view === "spec") showSpecification(state);
  else if (state.view === "operations") showOperations(state);
  else if (state.view === "programs") showPrograms(state);
  else if (state.view !== "about") {
    showFilters(state);
    showTable(state);
  }
}

function titled(state) {
  const row = state.id && rowOf(state.id);
  if (row) return row.statement;
  if (state.operation) return [state.operation, state.at].filter(Boolean).join(" on ");
  if (state.view === "compare") return pair(state).join(" → ");
  return state.q ? `${TITLES[state.view]}: ${state.q}` : TITLES[state.view];
}

const THEMES = ["", "dark", "light"];

/** The colours of the system, dark or light; kept where the browser lets a page keep something. */
function turnTheme(by) {
  const root = document.documentElement;
  const next = THEMES[(THEMES.indexOf(root.dataset.theme || "") + by) % THEMES.length];
  if (next) root.dataset.theme = next;
  else delete root.dataset.theme;
  byId("theme").textContent = { "": "◐", dark: "●", light: "○" }[next];
  for (const name of ["aria-label", "title"]) byId("theme").setAttribute(name, `Colours: ${next || "as the system"}`);
  try {
    localStorage.setItem("autograd-conformance/theme", next);
  } catch {
    // Then it holds until the page is closed.
  }
}

/** Counts lead to the rows that they count. */
function linkCounts() {
  const table = document.querySelector(".counts");
  [...table.tBodies[0].rows].forEach((line, column) => {
    for (const cell of line.querySelectorAll("td[data-count]")) {
      const verdict = cell.dataset.count;
      const href = format({ ...EMPTY, view: "matrix", cells: [[ENGINES[column].column, verdict]] });
      const counted = cell.textContent !== "0" && DATA.verdicts.includes(verdict);
      if (counted) cell.replaceChildren(make("a", { href, "aria-label": `${cell.textContent} ${verdict}` }, cell.textContent));
    }
  });
}

function listen() {
  for (const id of ["search", "compare-search", "operations-search", "programs-search"]) {
    byId(id)?.addEventListener("input", (event) => go({ q: event.target.value.trim() ? event.target.value : "" }, { replace: true }));
  }
  for (const name of ["chapter", "level", "source", "known", "changed"]) {
    byId(name)?.addEventListener("change", (event) => go({ [name]: event.target.value, id: "" }));
  }
  for (const id of ["engine", "verdict"]) byId(id).addEventListener("change", chosen);
  for (const id of ["from", "to"]) byId(id).addEventListener("change", () => go({ from: byId("from").value, to: byId("to").value, id: "" }));
  byId("swap").addEventListener("click", () => go({ from: byId("to").value, to: byId("from").value, id: "" }));
  for (const name of NARROWING) byId(`op-${name}`)?.addEventListener("change", (event) => go({ [name]: event.target.value }));
  for (const form of document.querySelectorAll("form")) form.addEventListener("submit", (event) => event.preventDefault());
  for (const more of document.querySelectorAll("button.more")) {
    more.addEventListener("click", () => more.setAttribute("aria-expanded", String(more.form.classList.toggle("all"))));
  }
  byId("theme").addEventListener("click", () => turnTheme(1));
  byId("keys").addEventListener("click", openHelp);
  addEventListener("click", clicked);
  addEventListener("keydown", pressed);
  addEventListener("hashchange", restore);
}

/** Links within the page lead to states; a statement opens beside the rows that are shown, a cell at its engine. */
function clicked(event) {
  if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const link = event.target.closest('a[href^="#"]');
  const cell = event.target.closest("#table td, .pair td, #operations-table td:not(:has(a))");
  if (!link && !cell) return;
  event.preventDefault();
  if (cell?.closest("#operations-table")) openOutcome(cell, event.target);
  else if (cell) openCell(cell);
  else if (link.matches(".statement")) go(openingOf(link));
  else if (link.matches(".placed")) go(placeIn(parse(link.getAttribute("href"))));
  else if (link.matches(".skip")) skipTo(link.getAttribute("href")); // a place, not a state: the address stays
  else go(parse(link.getAttribute("href")));
}

/** Where in the operations a state is; its filters are those of the table. */
const placeIn = ({ operation, at, under }) => ({ ...CLOSED, operation, at, under });

function skipTo(place) {
  if (place === "#search") searchField().focus();
  else byId(place.slice(1)).focus();
}

function openCell(cell) {
  const link = cell.parentElement.querySelector("a.statement");
  link.focus({ preventScroll: true });
  go({ id: idOf(link), at: engineAt(cell) });
}

function engineAt(cell) {
  const columns = cell.closest(".pair") ? pair(STATE) : ENGINES.map((engine) => engine.column);
  return columns[cell.cellIndex - 1];
}

/** The address has changed; one that names an earlier id, or an older form, is put right. */
function restore() {
  const begins = !location.hash && "changed" in document.documentElement.dataset;
  const state = begins ? { ...EMPTY, view: "matrix", changed: "1" } : parse(location.hash);
  const row = state.id ? rowOf(state.id) : null;
  const right = row && row.id !== state.id ? { ...state, id: row.id } : state;
  const address = format(right);
  if (address !== location.hash && (right.id || begins || location.hash)) history.replaceState(null, "", address);
  show(right);
}

fillFilters();
linkCounts();
turnTheme(0);
listen();
restore();
