// Pieces glide along the way on which they came in the latest step.

const still = matchMedia("(prefers-reduced-motion: reduce)");
const LONGEST = 900; // milliseconds
const SHARE = .8; // of the time until the next moment

// Let what has moved glide into its place, in time before the next moment; whoever prefers stillness sees it there.
export function animate(figure, until) {
  if (still.matches || !until) return;
  const duration = Math.min(LONGEST, SHARE * until);
  for (const part of figure.querySelectorAll("[data-along]")) {
    part.animate(frames(part.dataset.along), { duration, easing: "linear" });
  }
}

// "-30,0:0,0 ...": straight ways, each as long as the others; between two that do not meet there is a jump.
function frames(along) {
  const ways = along.split(" ");
  return ways.flatMap((way, place) => way.split(":").map((point, end) => {
    const [x, y] = point.split(",");
    return { transform: `translate(${x}px, ${y}px)`, offset: (place + end) / ways.length };
  }));
}
