// Files: records that are opened, games that are saved.

import { _, byId, post, save, withErrors } from "./dom.js";

const FIGURES = { ".svg": "image/svg+xml", ".pdf": "application/pdf" };

// `sitDown` shows a record that was opened, `shown()` says which moment of which game is on the table, to whom.
export function prepareFiles(sitDown, shown) {
  const open = async file => {
    if (!file) return;
    const shown = await withErrors(async () => post("open", { record: await file.text() }));
    if (shown) sitDown(shown);
  };
  const download = async film => {
    const answer = await withErrors(() => post("record", { id: shown().id, film }));
    if (answer) save(film ? "game.html" : "game.jsonl", answer.text, film ? "text/html" : "application/jsonl");
  };
  const draw = async form => {
    const answer = await withErrors(() => post("figure", { ...shown(), form }));
    if (answer) save(`figure${form}`, Uint8Array.from(atob(answer.file), sign => sign.charCodeAt(0)), FIGURES[form]);
  };
  for (const button of document.querySelectorAll("[data-figure]")) button.onclick = () => draw(button.dataset.figure);
  byId("save").onclick = () => download(false);
  byId("film").onclick = () => download(true);
  byId("file").onchange = event => open(event.target.files[0]);
  byId("drop").ondragover = event => { event.preventDefault(); byId("drop").classList.add("over"); };
  byId("drop").ondragleave = () => byId("drop").classList.remove("over");
  byId("drop").ondrop = event => {
    event.preventDefault();
    byId("drop").classList.remove("over");
    open(event.dataTransfer.files[0]);
  };
}

// What can be saved of the moment that is shown.
export function showSaving(view) {
  for (const name of ["save", "film", "edit"]) {
    byId(name).disabled = !view.fully_visible;
    byId(name).title = view.fully_visible ? "" : _("Possible when the game is over: it shows every hand");
  }
  if (!view.result) return;
  byId("edit").disabled = true;
  byId("edit").title = _("The game is over at this moment; go back to an earlier one");
}
