// Programs as they are shown: lightly coloured, and to be copied as they are.

const PYTHON = new RegExp(
  [
    /(?<comment>#[^\n]*)/,
    /(?<string>[rbfRBF]{0,2}(?:"""[^]*?"""|'''[^]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'))/,
    /(?<decorator>^[ \t]*@[\w.]+)/,
    /(?<keyword>\b(?:and|as|assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|nonlocal|not|or|pass|raise|return|try|while|with|yield|None|True|False)\b)/,
    /(?<number>\b\d[\d_.]*(?:e[+-]?\d+)?j?\b)/,
  ].map((part) => part.source).join("|"),
  "gm",
);

/** The text of a program in spans; text between tokens stays plain. */
function coloured(source) {
  const parts = [];
  let at = 0;
  for (const found of source.matchAll(PYTHON)) {
    const [kind] = Object.entries(found.groups).find(([, text]) => text !== undefined);
    parts.push(source.slice(at, found.index), make("span", { class: `t-${kind}` }, found[0]));
    at = found.index + found[0].length;
  }
  return [...parts, source.slice(at)];
}

/** A program with a button that copies it. `name` says which, to those who hear the button; `parts` are what is shown. */
function program(source, name, parts = coloured(source)) {
  const copy = button("Copy", () => copied(source, copy), { class: "copy", "aria-label": `Copy ${name}` });
  return make("div", { class: "program" }, copy, make("pre", { tabindex: "0", role: "region", "aria-label": name }, make("code", {}, parts)));
}

async function copied(source, copy) {
  const done = await taken(source);
  copy.textContent = done ? "Copied" : "Press Ctrl+C";
  announce(done ? "Copied" : "Could not copy: the text is selected");
  if (!done) getSelection().selectAllChildren(copy.parentElement.querySelector("pre"));
  setTimeout(() => (copy.textContent = "Copy"), 2000);
}

/** Whether the clipboard took the text: a page from disk may not be allowed to ask. */
async function taken(source) {
  try {
    await navigator.clipboard.writeText(source.endsWith("\n") ? source : `${source}\n`);
    return true;
  } catch {
    return false;
  }
}
