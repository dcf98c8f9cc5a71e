// Keyboard shortcuts.

const KEYS = [
  ["/", "search"], ["j  k", "next and previous behaviour or operation"], ["↓  ↑", "the same, while a statement has the focus"],
  ["→  ←", "the same, while a behaviour is open"], ["Enter", "open the behaviour"], ["Esc", "close what is open"], ["?", "this list"],
];

/** Links to behaviours that the view shows, in document order. */
function links() {
  return [...document.querySelectorAll("main a.statement")].filter((link) => link.checkVisibility());
}

const idOf = (link) => link.dataset.id || link.closest("tr").id.slice("/b/".length);

const isOpen = () => Boolean(STATE.id || STATE.operation);

/** Whether a link is to what is open. */
const isMine = (link) => (link.dataset.operation === undefined ? Boolean(STATE.id) && idOf(link) === rowOf(STATE.id)?.id : link.dataset.operation === STATE.operation);

/** What opening a link changes: a behaviour, or an operation on the engine that is looked at. */
const openingOf = (link) => (link.dataset.operation === undefined ? { ...CLOSED, id: idOf(link) } : { operation: link.dataset.operation, under: "" });

/** Move to the next statement, or the one before; the details follow if they are open. */
function step(by) {
  const all = links();
  if (!all.length) return;
  const here = all.findIndex((link) => (isOpen() ? isMine(link) : link === document.activeElement));
  const next = all[here < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, here + by))];
  next.scrollIntoView({ block: "nearest" });
  if (isOpen()) go(openingOf(next), { replace: true });
  else next.focus();
}

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
  if (event.key === "Escape") return escape_(event);
  if (event.target.closest("input, select, textarea")) return typed(event);
  const onRow = event.target.matches("a.statement");
  const open = isOpen();
  const by = { j: 1, k: -1, ArrowDown: onRow && 1, ArrowUp: onRow && -1, ArrowRight: open && 1, ArrowLeft: open && -1 }[event.key];
  if (by) step(by);
  else if (event.key === "/") searchField()?.focus();
  else if (event.key === "?") openHelp();
  else return;
  event.preventDefault();
}

/** Down from the search goes to the first row that was found. */
function typed(event) {
  if (event.target.type !== "search" || !["ArrowDown", "Enter"].includes(event.key)) return;
  links()[0]?.focus();
  event.preventDefault();
}

function escape_(event) {
  if (isOpen()) go(CLOSED);
  else if (event.target.type === "search" && event.target.value) go({ q: (event.target.value = "") });
  else event.target.blur?.();
}

function searchField() {
  if (STATE.view === "compare") return byId("compare-search");
  if (STATE.view === "operations") return byId("operations-search");
  if (!["highlights", "matrix"].includes(STATE.view)) go({ ...EMPTY, view: "matrix" });
  return byId("search");
}

function openHelp() {
  const help = byId("help");
  const lines = KEYS.map(([keys, does]) => make("div", {}, make("dt", {}, keys.split("  ").map((key) => [make("kbd", {}, key), " "])), make("dd", {}, does)));
  help.replaceChildren(make("h2", { id: "help-title" }, "Keys"), make("dl", { class: "keys" }, lines), button("Close", () => help.close()));
  help.showModal();
}
