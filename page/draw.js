// What pictures have in common: colours, elements, axes of time.

export function layerColour(layer) {
    return COLOURS[placeOfLayer(layer) % COLOURS.length];
}

/** What can be read on this colour: black or white, by its luminance (WCAG 2). */
export function inkOn(colour) {
    const linear = at => {
        const value = parseInt(colour.slice(at, at + 2), 16) / 255;
        return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    };
    return 0.2126 * linear(1) + 0.7152 * linear(3) + 0.0722 * linear(5) > 0.18 ? "#000" : "#fff";
}

/** "#0072b2" as a pixel of ImageData seen as 32 bits, lowest byte first, mixed with `ground` by `share`. */
export function pixel(colour, share, ground) {
    const channel = (text, at) => parseInt(text.slice(at, at + 2), 16);
    const mixed = at => Math.round(channel(colour, at) * share + channel(ground, at) * (1 - share));
    return (255 << 24 | mixed(5) << 16 | mixed(3) << 8 | mixed(1)) >>> 0;
}

/** An element with attributes and children; texts are texts, never markup. */
export function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
        if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
        else if (value === true) made.setAttribute(key, "");
        else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
    }
    made.append(...children.filter(child => child !== null && child !== undefined));
    return made;
}

const darkScheme = matchMedia("(prefers-color-scheme: dark)"), themes = new Map();

/** A style's colour now: of light or dark. Each is asked for once, since that may make the browser lay the page out. */
export function themeColour(name) {
    const root = document.documentElement, key = `${name} ${darkScheme.matches} ${root.hasAttribute("data-paper")}`;
    if (!themes.has(key)) themes.set(key, getComputedStyle(root).getPropertyValue(name).trim());
    return themes.get(key);
}

/** Round times between two, `most` at most. */
export function ticks(begin, end, most) {
    const length = end - begin;
    let step = 10 ** Math.ceil(Math.log10(Math.max(length / most, 1e-3)));
    for (const smaller of [5, 2]) if (length / (step / smaller) <= most) { step /= smaller; break; }
    const list = [];
    for (let at = Math.ceil(begin / step) * step; at <= end; at += step) list.push(at);
    return {list, step};
}

/** A tick in a unit that fits the step: "1.2503 s". */
export function tickText(time, step) {
    const units = [["s", 1e9], ["ms", 1e6], ["us", 1e3], ["ns", 1]];
    const [name, size] = units.find(unit => Math.abs(time) >= unit[1]) || units[3];
    const digits = Math.max(0, Math.ceil(Math.log10(size / step)));
    return `${(time / size).toFixed(Math.min(digits, 9))} ${name}`;
}

/** Writes round times below or above a picture that is `plot` pixels wide, from `left` on: behind where they are, or in front of that at the
    right edge; without room for either, not at all. `mark(x)` comes before each text. */
export function paintTimeAxis(context, {begin, end}, {left, plot, base}, mark) {
    const {list, step} = ticks(begin, end, Math.max(2, plot / 130)), right = left + plot;
    let used = 0;
    context.font = "12px system-ui, sans-serif";
    for (const time of list) {
        const x = left + (time - begin) / (end - begin) * plot, text = tickText(time, step), wide = context.measureText(text).width;
        const from = x + 3 + wide <= right ? x + 3 : x - 3 - wide;
        mark(x);
        if (from < used) continue;
        context.fillStyle = themeColour("--quiet");
        context.fillText(text, from, base);
        used = from + wide + 6;
    }
}

/** As much of a text as is no wider than that. */
export function fitText(context, text, room) {
    while (text.length > 1 && context.measureText(text).width > room) text = `${text.replace("…", "").slice(0, -1)}…`;
    return text;
}

/** A canvas that is as sharp as the screen: its context, in CSS pixels. */
export function sharpen(canvas, width, height) {
    const other = drawingOf(canvas, width, height);
    if (other) return other;
    const ratio = devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round(height * ratio);
        canvas.style.width = `${width}px`;
        canvas.style.height = `${height}px`;
    }
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    return context;
}
