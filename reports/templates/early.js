// Before anything is painted: say that there is a script, which view the address asks for, and which colours were chosen.
{
  const root = document.documentElement;
  const view = /^#\/(matrix|compare|spec|about)\b/.exec(location.hash) || /^#\/?(operations)\b/.exec(location.hash);
  const below = /[?&]view=(matrix|compare|spec|about|highlights)\b/.exec(location.hash);
  const place = /^#\/b\//.test(location.hash) && (below ? below[1] : "matrix");
  root.classList.add("js");
  // A page of changes begins with them.
  root.dataset.view = place || (view ? view[1] : !location.hash && "changed" in root.dataset ? "matrix" : root.dataset.start || "highlights");
  try {
    const theme = localStorage.getItem("autograd-conformance/theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  } catch {
    // Storage may be forbidden to pages from disk: the colours are then those of the system.
  }
}
