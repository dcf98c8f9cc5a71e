// Generated programs: signatures are in the page; the script searches them, and opens the one of the address.

/** Show the signatures that have all words of the search, and open that of the address. */
function showPrograms(state) {
  const field = byId("programs-search");
  if (document.activeElement !== field) field.value = state.q;
  const words = searched(state.q);
  const all = [...document.querySelectorAll(".signature")];
  for (const one of all) one.hidden = !words.every((word) => plain(one.dataset.text).includes(word));
  const shown = all.filter((one) => !one.hidden).length;
  byId("programs-found").textContent = shown === all.length ? plural(shown, "signature") : `${shown} of ${plural(all.length, "signature")}`;
  const opened = all.find((one) => one.dataset.part === state.part);
  if (!opened) return;
  [opened.hidden, opened.open] = [false, true];
  opened.scrollIntoView({ block: "start" });
}

/** A signature that is opened gets its address, and buttons that copy its programs. */
function openedSignature(event) {
  const one = event.target;
  if (!one.open) return;
  for (const source of one.querySelectorAll("pre[data-source]")) source.replaceWith(program(source.textContent, source.dataset.source));
  if (STATE.view === "programs" && STATE.part !== one.dataset.part) go({ part: one.dataset.part }, { replace: true });
}

for (const one of document.querySelectorAll(".signature")) one.addEventListener("toggle", openedSignature);
