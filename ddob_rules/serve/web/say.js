// What is told to those who listen: outcomes politely, "your turn" at once. One region of each, for the whole page.

/** @type {Record<"polite" | "assertive", HTMLElement | null>} */
const regions = { polite: null, assertive: null };

/**
 * @param {string} text
 * @param {"polite" | "assertive"} [how]
 */
export function say(text, how = "polite") {
  const region = (regions[how] ??= document.getElementById(`say-${how}`));
  if (region === null || text === "") return;
  // A node of its own for each text, so that the same text is told twice; the last few stay for slow readers.
  const line = document.createElement("p");
  line.textContent = text;
  region.append(line);
  while (region.childElementCount > 4) region.firstElementChild?.remove();
}

/** Nothing of one person's table is left for the next. */
export function hush() {
  for (const how of /** @type {const} */ (["polite", "assertive"])) {
    (regions[how] ??= document.getElementById(`say-${how}`))?.replaceChildren();
  }
}
