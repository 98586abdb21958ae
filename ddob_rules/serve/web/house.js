// What the start page asks of the server: what can be played, and a new table.

import { call } from "./server.js";

/**
 * @typedef {import("./table").Book} Book
 * @typedef {import("./table").Table} Table
 */

/** What the start page shows. @returns {Promise<import("./table").Listed & {why?: string} | null>} */
export const fetchGames = () => call("/games");

/**
 * One scenario with what was chosen for it.
 * @param {string} scenario
 * @param {readonly string[]} [options]
 * @param {readonly string[]} [overlays]
 * @returns {Promise<(import("./table").Details & {why?: string, findings?: import("./table").Finding[]}) | null>}
 */
export function fetchDetails(scenario, options = [], overlays = []) {
  const asked = new URLSearchParams([...options.map((one) => ["option", one]), ...overlays.map((one) => ["overlay", one])]);
  return call(`/games/${encodeURIComponent(scenario)}${asked.size > 0 ? `?${asked}` : ""}`);
}

/**
 * The same for a picture of it, which may take its time.
 * @param {string} scenario
 * @returns {Promise<import("./table").Details | null>}
 */
export const fetchSmall = (scenario) => call(`/games/${encodeURIComponent(scenario)}?small=1`);

/**
 * Where a kept game stands.
 * @param {string} table
 * @returns {Promise<{book: Book, table: Table} | null>}
 */
export const fetchKept = (table) => call(`/kept/${encodeURIComponent(table)}`);

/**
 * Sets up a new table.
 * @param {import("./table").Wish} wish
 * @returns {Promise<{table?: string, links?: Record<string, string>, why?: string, findings?: import("./table").Finding[]} | null>}
 */
export const newTable = (wish) => call("/tables", wish);
