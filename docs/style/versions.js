// The switch between versions of the documentation: hidden where no versions.json lies above, as in a local build.
addEventListener("DOMContentLoaded", async () => {
  const box = document.querySelector(".versions");
  if (!box || !location.protocol.startsWith("http")) return;
  const root = new URL(box.dataset.root, location.href);
  const answer = await fetch(new URL("versions.json", root)).catch(() => null);
  if (!answer?.ok) return;
  const own = decodeURI(location.pathname.slice(root.pathname.length)).split("/")[0];
  const select = box.querySelector("select");
  for (const name of await answer.json()) select.append(new Option(name, name, false, name === own));
  select.addEventListener("change", async () => {
    const page = new URL(`${select.value}/${box.dataset.page}`, root);
    const same = await fetch(page, { method: "HEAD" }).catch(() => null);
    location.assign(same?.ok ? page : new URL(`${select.value}/`, root));
  });
  box.hidden = false;
});
