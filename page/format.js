// Numbers in words, as the commands print them: three digits and a unit.

function threeDigits(value) {
    if (value >= 100) return value.toFixed(0);
    if (value >= 10) return value.toFixed(1);
    return value.toFixed(2);
}

// A unit of the list, each `step` times the one before: [value in it, its name].
function inUnits(value, units, step) {
    let at = 0;
    while (value >= 999.5 && at + 1 < units.length) {
        value /= step;
        at++;
    }
    return [value, units[at]];
}

/** Nanoseconds: "1.21 ms". */
export function duration(ns) {
    if (!ns) return "0";
    const sign = ns < 0 ? "-" : "";
    ns = Math.abs(ns);
    const seconds = Math.round(ns / 1e9), two = number => String(number).padStart(2, "0");
    if (seconds >= 3600) return `${sign}${Math.floor(seconds / 3600)} h ${two(Math.floor(seconds / 60) % 60)} min`;
    if (seconds >= 120) return `${sign}${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`;
    const [value, unit] = inUnits(ns, ["ns", "us", "ms", "s"], 1000);
    return `${sign}${unit === "ns" ? value.toFixed(0) : threeDigits(value)} ${unit}`;
}

/** Bytes: "39.1 KiB". */
export function bytes(count) {
    const [value, unit] = inUnits(count, ["B", "KiB", "MiB", "GiB", "TiB", "PiB"], 1024);
    return `${unit === "B" ? value.toFixed(0) : threeDigits(value)} ${unit}`;
}

/** "1,234,567". */
export function count(number) {
    return Math.round(number).toLocaleString("en-US");
}

/** "95.7 %". */
export function percent(share) {
    return share > 0 && share < 0.1 ? "<0.1 %" : `${share.toFixed(1)} %`;
}

/** A cell of a table, by the unit of its column (`fathom report --json`: times are seconds). */
export function cell(value, unit) {
    if (value === null || value === undefined) return "";
    if (typeof value !== "number") return Array.isArray(value) ? value.join(", ") : String(value);
    switch (unit) {
    case "s": return duration(value * 1e9);
    case "byte": case "bytes": case "B": return bytes(value);
    case "bytes/s": return `${bytes(value)}/s`;
    case "percent": return percent(value);
    case "count": return count(value);
    case "plain": return String(Number(value.toPrecision(6)));
    default: return Number.isInteger(value) ? String(value) : threeDigits(value);
    }
}

// Control characters, those that set the direction of writing, and those of no width: the ones of `fth_is_hidden` (src/base/visible.c).
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** A text of the trace as the commands print it: hidden characters are escaped (\n, \x1b), each of their bytes by itself. */
export function visible(text) {
    const short = {"\n": "\\n", "\t": "\\t", "\r": "\\r"};
    return text.replace(HIDDEN, hidden => short[hidden] || [...new TextEncoder().encode(hidden)].map(byte => `\\x${byte.toString(16).padStart(2, "0")}`).join(""));
}

/** What JSON says, with texts as they are shown: no name of a trace reaches the page otherwise. */
export const readJson = text => JSON.parse(text, (key, value) => typeof value === "string" ? visible(value) : value);
