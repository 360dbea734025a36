// What if: a game is left at a past moment and played on in a branch; the tree of branches leads to any of them and back.

import { _, post, byId, element, withErrors } from "./dom.js";

let table = null; // what the page has on the table: its `id()`, its `view()`, and `sit(shown, runs)` for another game
let drawn = ""; // of which game, and whether anything has been decided in it, the tree is shown

export function prepareBranches(found) {
  table = found;
  byId("what-if").onclick = () => leaveHere();
}

// Whether the moment that is shown is one from which its visitor may play on in a branch.
export const canLeave = ({ together, fully_visible, asked, finished, practice, at, last }) =>
  together.owner && fully_visible && asked !== null && (finished || (practice && !together.shared && at < last));

// Play on in a branch from the moment that is shown, with another action if there is one.
export async function leaveHere(action = null) {
  const begun = await withErrors(() => post("branch", { id: table.id(), at: table.view().at, action }));
  if (begun) table.sit(begun);
}

export async function showBranches(view) {
  byId("what-if").hidden = !canLeave(view);
  const [id, about] = [table.id(), `${table.id()} ${view.last > 0}`];
  if (about === drawn) return;
  drawn = about;
  byId("branches").hidden = true;
  if (!view.finished && !view.practice) return;
  const { tree } = await post("branches", { id }).catch(() => ({ tree: null })); // another visit asks again
  if (drawn !== about || !tree?.branches.length) return;
  byId("branches").hidden = false;
  byId("branches").querySelector("ul").replaceChildren(line(tree, id));
}

// A game and its branches; who goes back to the game above comes to the moment where it was left.
function line({ id, at, say, branches }, here) {
  const left = branches.find(other => isOn(other, here));
  const title = at === null ? _("Main line") : _("{at}: {say}", { at, say: say ?? "…" });
  const button = element("button", title, { className: "moment", onclick: () => go(id, left?.at) });
  if (id === here) button.setAttribute("aria-current", "true");
  const item = element("li");
  item.append(button);
  if (branches.length) {
    const list = element("ul");
    list.append(...branches.map(other => line(other, here)));
    item.append(list);
  }
  return item;
}

const isOn = ({ id, branches }, here) => id === here || branches.some(other => isOn(other, here));

async function go(id, at) {
  const shown = await withErrors(() => post("show", { id, at }));
  if (shown) table.sit({ ...shown, id }, shown.live && at === undefined);
}
