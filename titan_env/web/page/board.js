// A drawn board on which legal things can be clicked, or chosen with the keyboard.

import { at, element } from "./base.js";

// The things of a picture under the pointer, the uppermost first: a Titan stands on a space, both can be meant.
export const thingsAt = (event, kind) =>
  document.elementsFromPoint(event.clientX, event.clientY).map(found => found.closest(kind)).filter(Boolean);

// Put a picture into its frame, at the top of it, however high it is: nothing below moves.
export function hang(figure, svg) {
  figure.innerHTML = svg;
  figure.firstElementChild?.setAttribute("preserveAspectRatio", "xMidYMin");
}

// Draw a picture; `choose` is called with the action that the person means, if it is theirs to decide.
export function drawBoard(figure, view, choose) {
  hang(figure, view.svg);
  figure.classList.toggle("mine", view.mine);
  figure.onclick = event => {
    const offered = thingsAt(event, "[data-action]").find(thing => thing.offered)?.offered;
    if (offered) pick(offered, choose);
  };
  if (!view.mine) return;
  for (const thing of figure.querySelectorAll("[data-action]")) {
    const numbers = thing.dataset.action.split(" ").map(Number);
    const offered = view.actions.filter(action => action.say && numbers.includes(action.number));
    thing.setAttribute("role", "button");
    thing.setAttribute("tabindex", "0");
    thing.setAttribute("aria-label", offered.map(action => action.say).join(", or "));
    thing.offered = offered;
    thing.onkeydown = event => {
      if (event.key === "Enter") pick(offered, choose);
    };
  }
}

// Choose at once where there is one way, else ask which.
function pick(offered, choose) {
  if (offered.length === 1) return choose(offered[0].number);
  const dialog = at("choose");
  dialog.querySelector("div").replaceChildren(...offered.map(action => {
    const button = element("button", action.say);
    button.onclick = () => { dialog.close(); choose(action.number); };
    return button;
  }));
  dialog.showModal();
}

// Buttons for what is asked: every action of a kind of which one is legal; the illegal ones are off and say why.
export function listActions(view, choose, refuse) {
  const kind = action => action.text.split(":")[0];
  const kinds = new Set(view.mine ? view.actions.filter(action => action.say).map(kind) : []);
  let key = 0;
  at("actions").replaceChildren(...[...kinds].flatMap(name => [
    element("h2", name),
    ...view.actions.filter(action => kind(action) === name).map(action => {
      const button = element("button", action.say ?? action.text.split(":")[1] ?? action.text);
      if (action.say) {
        if (++key < 10) button.prepend(element("kbd", `${key} `));
        button.onclick = () => choose(action.number);
      } else {
        button.className = "off";
        button.setAttribute("aria-disabled", "true");
        button.title = action.why;
        button.onclick = () => refuse(action.why);
      }
      return button;
    }),
  ]));
  const barred = view.actions.filter(action => action.why);
  at("barred").hidden = !barred.length;
  at("barred").querySelector("ul").replaceChildren(
    ...barred.map(action => element("li", `${action.text}: ${action.why}`)));
}
