// The bytes that one call accesses, as `fathom dump --ranges` has them: as strips, as a picture of what repeats (a block, a hole), in words,
// and as a table.

const EXTENT_HIGH = 26, EXTENT_TEXT = 18, EXTENT_LEFT = 90, MOST_EXTENT_FILES = 8;

/** From [[offset, length]] to [{offset, length, times, every}]: more than two of one length at equal distances are one, as in `dump --ranges`. */
export function alike(ranges) {
    const groups = [];
    let some = [];
    const close = () => {
        if (!some.length) return;
        const [[offset, length]] = some, times = some.length;
        if (times > 2) groups.push({offset, length, times, every: (some.at(-1)[0] - offset) / (times - 1)});
        else groups.push(...some.map(([place, size]) => ({offset: place, length: size, times: 1, every: null})));
    };
    for (const range of ranges) {
        const first = some[0], last = some.at(-1);
        const goes = first && range[1] === first[1] && range[0] > last[0] && (some.length === 1 || range[0] - last[0] === (last[0] - first[0]) / (some.length - 1));
        if (!goes) {
            close();
            some = [];
        }
        some.push(range);
    }
    close();
    return groups;
}

/** "bytes 0 to 7, and 99 times more, every 4096", as `dump --ranges` says it. */
export function groupText({offset, length, times, every}) {
    return `bytes ${offset} to ${offset + length - 1}${times > 1 ? `, and ${times - 1} times more, every ${every}` : ""}`;
}

/** The first three of them in words. */
export const groupsText = groups => `${groups.slice(0, 3).map(groupText).join("; ")}${groups.length > 3 ? `; and ${count(groups.length - 3)} more` : ""}`;

const mostRepeated = groups => groups.reduce((best, one) => one.times > (best?.times || 2) ? one : best, null);

const behindOf = groups => groups.reduce((most, {offset, length, times, every}) => Math.max(most, offset + length + (times - 1) * (every || 0)), 0);
const beginOf = groups => groups.reduce((least, {offset}) => Math.min(least, offset), Infinity);

// One line of the picture: the bytes from `low` to `high`, and which of them are accessed.
function paintStripOf(context, {top, plot, name, colour}, groups, low, high, about = "") {
    const scale = plot / Math.max(1, high - low);
    context.fillStyle = themeColour("--soft");
    context.fillRect(EXTENT_LEFT, top, plot, EXTENT_HIGH);
    for (const {offset, length, times, every} of groups) {
        const left = EXTENT_LEFT + (offset - low) * scale, wide = Math.max(1, length * scale);
        context.fillStyle = colour;
        if (times > 1 && every * scale < 2) { // too close to be seen one by one: as dense as they are
            context.globalAlpha = Math.max(0.25, length / every);
            context.fillRect(left, top, Math.max(1, ((times - 1) * every + length) * scale), EXTENT_HIGH);
            context.globalAlpha = 1;
        } else for (let i = 0; i < times; i++) context.fillRect(left + i * (every || 0) * scale, top, wide, EXTENT_HIGH);
    }
    context.strokeStyle = themeColour("--line");
    context.strokeRect(EXTENT_LEFT + 0.5, top + 0.5, plot - 1, EXTENT_HIGH - 1);
    context.fillStyle = themeColour("--quiet");
    context.fillText(name, 2, top + 17);
    context.fillText(count(low), EXTENT_LEFT, top + EXTENT_HIGH + 13);
    const end = `${about}${count(high)}`;
    context.fillText(end, EXTENT_LEFT + plot - context.measureText(end).width, top + EXTENT_HIGH + 13);
}

/** A strip of a datatype or a view, and below it what repeats most. */
export function paintStrips(canvas, groups, low, high, name, colour) {
    const wide = canvas.parentElement.clientWidth, plot = wide - EXTENT_LEFT - 4, most = mostRepeated(groups), line = EXTENT_HIGH + EXTENT_TEXT;
    if (plot < 20) return;
    const context = sharpen(canvas, wide, (most ? 2 : 1) * line);
    context.clearRect(0, 0, wide, 2 * line);
    context.font = "12px system-ui, sans-serif";
    paintStripOf(context, {top: 0, plot, name, colour}, groups, low, high);
    if (most) paintPattern(context, line, plot, most, colour);
}

// What repeats: three blocks with what is between them, as far as both can be seen in proportion.
function paintPattern(context, top, plot, {length, every, times}, colour) {
    const hole = every - length, part = Math.min(plot / 3.5, 240), least = Math.min(40, part / 3);
    const wide = hole > 0 ? Math.min(part - least, Math.max(least, part * length / every)) : part - 1;
    context.fillStyle = themeColour("--quiet");
    context.fillText("what repeats", 2, top + 17);
    for (let i = 0; i < 3; i++) {
        context.fillStyle = colour;
        context.fillRect(EXTENT_LEFT + i * part, top, wide, EXTENT_HIGH);
        context.strokeStyle = themeColour("--line");
        context.strokeRect(EXTENT_LEFT + i * part + 0.5, top + 0.5, part - 1, EXTENT_HIGH - 1);
    }
    context.fillStyle = themeColour("--quiet");
    context.fillText(times > 3 ? "..." : "", EXTENT_LEFT + 3 * part + 4, top + 17);
    context.fillText(patternText({length, every, times}), EXTENT_LEFT, top + EXTENT_HIGH + 13);
}

/** "block 8 B, hole 4.00 KiB, 100 times". */
export function patternText({length, every, times}) {
    return `block ${bytes(length)}, ${every > length ? `hole ${bytes(every - length)}` : every < length ? `each ${bytes(length - every)} over the one before` : "no hole"}, ${count(times)} times`;
}

function paintExtents(canvas, groups, {size, exact}, colour) {
    const wide = canvas.parentElement.clientWidth, plot = wide - EXTENT_LEFT - 4;
    if (plot < 20) return;
    const [low, high] = [beginOf(groups), behindOf(groups)], most = mostRepeated(groups);
    const lines = 1 + (groups.length > 1 || most ? 1 : 0) + (most ? 1 : 0), line = EXTENT_HIGH + EXTENT_TEXT;
    const context = sharpen(canvas, wide, lines * line);
    context.clearRect(0, 0, wide, lines * line);
    context.font = "12px system-ui, sans-serif";
    paintStripOf(context, {top: 0, plot, name: "file", colour}, groups, 0, Math.max(size, high), size > high && !exact ? "up to " : "");
    if (lines > 1) paintStripOf(context, {top: line, plot, name: "this part of it", colour}, groups, low, high);
    if (most) paintPattern(context, 2 * line, plot, most, colour);
}

const rangesTable = groups => ({
    title: "Ranges", columns: [{name: "offset", type: "number", unit: "count"}, {name: "length", type: "number", unit: "count"}, {name: "times", type: "number", unit: "count"}, {name: "every", type: "number", unit: "count"}, {name: "hole", type: "number", unit: "count"}],
    rows: groups.map(group => ({...group, hole: group.every === null ? null : Math.max(0, group.every - group.length)})),
});

// Of one file: {path, ranges, writes}, and its size.
function extentElement({path, ranges, writes, size, exact}) {
    const groups = alike(ranges), canvas = element("canvas", {class: "extent", role: "img", "aria-label": `Bytes of ${path} that the call ${writes ? "writes" : "reads"}; the table below has them.`});
    const paint = () => paintExtents(canvas, groups, {size, exact}, writes ? WRITES : READS);
    const holder = element("div", {}, canvas);
    new ResizeObserver(paint).observe(holder);
    return element("figure", {}, element("figcaption", {}, path), element("p", {class: "ranges"}, `${writes ? "writes" : "reads"} ${groupsText(groups)}`),
        holder, pictureButtons(canvas, "bytes", paint), tableElement("ranges", rangesTable(groups)));
}

// How long the file is, as far as its map knows: to the end of the last access, or of the last row.
function sizeInMap(run, path) {
    const map = run.maps?.files.find(one => one.path === path);
    if (!map) return {size: 0, exact: false};
    return map.all ? {size: map.kept.reduce((most, one) => Math.max(most, one.first + one.bytes), 0), exact: true} : {size: extentOf(run, map), exact: false};
}

// Of a call that moves bytes of a buffer, its bytes are those of the calls inside of it: of the outermost ones that have some.
function outermost(calls) {
    const found = [];
    let below = Infinity;
    for (const call of calls) {
        if (call.depth > below) continue;
        below = call.ranges ? call.depth : Infinity;
        if (call.ranges) found.push(call);
    }
    return found;
}

/** Of the call at `it` among those that `dump --call --ranges` lists: {parts: [{path, ranges, writes}], inside, why}. */
export function accessesOf(calls, it) {
    const own = calls[it], inside = !own.ranges, parts = new Map(), list = inside ? outermost(calls.slice(it + 1).filter(one => one.depth > own.depth)) : [own];
    for (const call of list) {
        const writes = call.kind === "write", key = `${writes} ${call.file}`;
        if (!call.ranges.length) continue;
        if (!parts.has(key)) parts.set(key, {path: call.file || "an unknown file", ranges: [], writes});
        for (const range of call.ranges) parts.get(key).ranges.push(range);
    }
    for (const {file, writes, range} of own.blocks || []) parts.set(`block ${parts.size}`, {path: file || "an unknown file", ranges: [range], writes});
    if (own.second_file && own.second_range) parts.set("second", {path: own.second_file, ranges: [own.second_range], writes: own.kind !== "write"});
    return {parts: [...parts.values()], inside, why: own.ranges_unknown};
}

/** What is shown of the bytes of a call; empty if it has none. */
export function extentElements(run, {parts, inside, why}) {
    if (why) return [element("h3", {}, "Bytes"), element("p", {}, `Which bytes it accesses is not known, because: ${why}.`)];
    if (!parts.length) return [];
    return [element("h3", {}, "Bytes"), inside ? element("p", {class: "quiet"}, "It accesses files only by the calls inside of it. These are their bytes.") : null,
        ...parts.slice(0, MOST_EXTENT_FILES).map(part => extentElement({...part, ...sizeInMap(run, part.path)})),
        parts.length > MOST_EXTENT_FILES ? element("p", {class: "quiet"}, `and ${count(parts.length - MOST_EXTENT_FILES)} more files or blocks`) : null].filter(Boolean);
}

/** The same from the maps of files, where a page that is a file has this access one by one. */
export function accessInMaps(run, name) {
    for (const map of run.maps?.files || []) {
        const found = map.kept.find(one => `${one.proc}.${one.thread}.${one.number}` === name);
        if (found) return {parts: [{path: map.path, ranges: [[found.first, found.bytes]], writes: found.writes}], inside: false, why: null};
    }
    return null;
}
