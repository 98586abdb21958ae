// Small makers of SVG nodes. Texts of a ruleset get in as text alone.

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {string} name
 * @param {Record<string, string | number | null | undefined>} [attributes]
 * @param {...(SVGElement | string | null)} children
 * @returns {SVGElement}
 */
export function svg(name, attributes = {}, ...children) {
  const made = /** @type {SVGElement} */ (document.createElementNS(SVG, name));
  set(made, attributes);
  for (const child of children) if (child !== null) made.append(child);
  return made;
}

/**
 * @param {Element} node
 * @param {Record<string, string | number | null | undefined>} attributes
 */
export function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined) node.removeAttribute(name);
    else node.setAttribute(name, String(value));
  }
}
