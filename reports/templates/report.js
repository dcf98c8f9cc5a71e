// Search and filter for the main table. Without this script the page is whole; with it, its state is in the address.
"use strict";
(() => {
  const form = document.getElementById("filters");
  const search = document.getElementById("search");
  const verdict = document.getElementById("verdict");
  const found = document.getElementById("found");
  const chapters = [...document.getElementById("table").tBodies].map((body) => ({
    body,
    rows: [...body.rows].slice(1).map(describe),
  }));
  const total = chapters.reduce((sum, chapter) => sum + chapter.rows.length, 0);

  // Text and verdicts are read once: a keystroke then touches no layout but that of rows which change.
  function describe(row) {
    const marks = [...row.cells].slice(1).map((cell) => cell.querySelector(".v").textContent);
    return { row, text: row.textContent.toLowerCase(), verdicts: new Set(marks) };
  }

  function apply() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = verdict.value;
    let shown = 0;
    for (const { body, rows } of chapters) {
      let inside = 0;
      for (const { row, text, verdicts } of rows) {
        const fits = (!wanted || verdicts.has(wanted)) && words.every((word) => text.includes(word));
        row.hidden = !fits;
        inside += fits;
      }
      body.hidden = !inside;
      shown += inside;
    }
    found.textContent = shown === total ? `${total} behaviours` : `${shown} of ${total} behaviours`;
  }

  function remember() {
    const state = new URLSearchParams();
    if (search.value.trim()) state.set("q", search.value.trim());
    if (verdict.value) state.set("verdict", verdict.value);
    history.replaceState(null, "", String(state) ? `#${state}` : "#matrix");
  }

  // The address holds either a filter (`#q=ties&verdict=fail`) or the id of a place, which is then shown and opened.
  function restore() {
    const address = location.hash.slice(1);
    const state = new URLSearchParams(address.includes("=") ? address : "");
    search.value = state.get("q") || "";
    verdict.value = state.get("verdict") || "";
    if (verdict.selectedIndex < 0) verdict.value = "";
    apply();
    if (!address.includes("=")) reveal(address);
    else form.scrollIntoView();
  }

  function reveal(address) {
    let id = address;
    try {
      id = decodeURIComponent(address);
    } catch {
      // Not an encoded id: it is then tried as it stands.
    }
    const place = document.getElementById(id);
    const details = place && place.closest("tr") && place.querySelector("details");
    if (details) details.open = true;
    if (place) place.scrollIntoView();
  }

  function changed() {
    apply();
    remember();
  }

  form.addEventListener("input", changed);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(changed));
  window.addEventListener("hashchange", restore);
  form.hidden = false;
  restore();
})();
