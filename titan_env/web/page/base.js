// What every part of the page needs: elements, questions to the server, complaints.

export const at = id => document.getElementById(id);

export const theme = () => document.documentElement.dataset.theme;

const phone = matchMedia("(max-width: 40rem)");

// Called when the screen becomes narrow, or wide again: pictures are drawn otherwise then.
export const onNarrow = redraw => phone.addEventListener("change", redraw);

export async function ask(name, data = {}) {
  const answer = await fetch(`/api/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...data, theme: theme(), narrow: phone.matches }),
  });
  const said = await answer.json().catch(() => ({ error: `The server answered ${answer.status}; try again` }));
  if (said.error) throw new Error(said.error);
  return said;
}

export function complain(error) {
  at("complaint").textContent = error ? error.message ?? error : "";
}

// What was wrong stays to be read until the person does something else.
for (const deed of ["click", "keydown", "input", "change", "drop"]) {
  document.addEventListener(deed, () => complain(""), { capture: true });
}

// Do something that may fail, and say so if it does.
export async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    complain(error);
    return null;
  }
}

export function element(kind, text, more = {}) {
  const made = Object.assign(document.createElement(kind), more);
  if (text !== undefined) made.textContent = text;
  return made;
}

export function show(tab) {
  for (const section of document.querySelectorAll("body > section")) section.hidden = section.id !== tab;
  for (const button of document.querySelectorAll("[data-tab]")) {
    if (button.dataset.tab === tab) button.setAttribute("aria-current", "page");
    else button.removeAttribute("aria-current");
  }
}

export function save(name, text, type) {
  const link = element("a", "", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
