// A picture of two conflicting accesses: which bytes each of them has and which they share, when they were, and which calls of their
// processes stand between them that open, close or sync the file, or order processes. What these mean is what the words beside it say.

const PAIR_LEFT = 100, PAIR_BAR = 16, PAIR_LINE = 24, MOST_BETWEEN = 40;
const OF_FILE = ["open", "close", "sync"], OF_ORDER = ["send", "recv", "exchange", "probe", "start", "wait", "test", "lock", "mutex", "process", "collective"];

let pairPictures = [];

/** What is painted: [{accesses: [{id, groups}], range, between: [{call, name, first}]}]. */
export const pairsOnPage = () => pairPictures;

// Bytes of an access to the file as groups (extents.js): from the map of the file, or from the server; null: they are not known.
async function bytesOf(run, {id, start}, paths) {
    const parts = run.server ? accessesIn(await fetchCall(run, id, Math.round(start * 1e9), true).catch(() => []), id) : accessInMaps(run, id)?.parts;
    const found = (parts || []).filter(part => paths.includes(part.path));
    return found.length ? alike(found.flatMap(part => part.ranges).sort((a, b) => a[0] - b[0])) : null;
}

function accessesIn(calls, id) {
    const it = calls.findIndex(call => call.id === id);
    return it < 0 ? [] : accessesOf(calls, it).parts;
}

// Calls of the thread of `access` from `begin` to `end` that have to do with the order, of those that the page has.
function orderingCalls(run, access, begin, end, paths) {
    const row = run.names.rows.findIndex(one => one.proc === access.proc && one.thread === access.thread), {calls, names} = run, found = [];
    for (const call of run.callsOf[row] || []) {
        const from = calls.start[call], to = from + calls.length[call], kind = names.functions[calls.function[call]].kind;
        const isOfFile = OF_FILE.includes(kind) && paths.includes(names.files[calls.file[call] - 1]);
        if (to >= begin && from <= end && (isOfFile || OF_ORDER.includes(kind)) && callName(run, call) !== access.id) found.push({call, start: from, end: to, name: names.functions[calls.function[call]].name, id: callName(run, call)});
    }
    return found;
}

// From the end of the first access to the begin of the second one; where they overlap in time, nothing is between them.
function between(run, {first, second, file, renamed}) {
    const begin = first.end * 1e9, end = second.start * 1e9, paths = [file, renamed].filter(Boolean);
    if (end < begin) return [[], []];
    return [first, second].map(access => orderingCalls(run, access, begin, end, paths).slice(0, MOST_BETWEEN));
}

const accessColour = ({access}) => access === "read" ? READS : WRITES;

function paintBytes(context, plot, facts, groups) {
    const low = Math.min(facts.range[0], ...groups.map(one => one ? beginOf(one) : Infinity)), high = Math.max(facts.range[1] ?? low + 1, ...groups.map(one => one ? behindOf(one) : 0));
    const scale = plot / Math.max(1, high - low), at = byte => PAIR_LEFT + (byte - low) * scale;
    [facts.first, facts.second].forEach((access, i) => {
        const top = 18 + i * PAIR_LINE;
        context.fillStyle = themeColour("--soft");
        context.fillRect(PAIR_LEFT, top, plot, PAIR_BAR);
        context.fillStyle = accessColour(access);
        for (const {offset, length, times, every} of groups[i] || []) for (let k = 0; k < Math.min(times, 2000); k++) context.fillRect(at(offset + k * (every || 0)), top, Math.max(1, length * scale), PAIR_BAR);
        context.fillStyle = themeColour("--text");
        context.fillText(`${i + 1} ${access.access}${groups[i] ? "" : " (not known)"}`, 2, top + 12);
    });
    context.strokeStyle = themeColour("--bad");
    context.lineWidth = 2;
    const [from, behind] = [facts.range[0], facts.range[1] ?? high];
    context.strokeRect(at(from), 15, Math.max(2, (behind - from) * scale), 2 * PAIR_LINE - 2);
    context.fillStyle = themeColour("--quiet");
    context.fillText(`bytes ${count(low)}`, PAIR_LEFT, 11);
    const end = `to ${count(high - 1)}`;
    context.fillText(end, PAIR_LEFT + plot - context.measureText(end).width, 11);
}

function paintTimes(context, plot, facts, calls, top) {
    const times = [facts.first, facts.second].flatMap(({start, end}) => [start * 1e9, end * 1e9]), begin = Math.min(...times), end = Math.max(...times, begin + 1);
    const scale = plot / (end - begin), at = time => PAIR_LEFT + Math.max(0, Math.min(plot, (time - begin) * scale));
    [facts.first, facts.second].forEach((access, i) => {
        const y = top + 16 + i * PAIR_LINE;
        context.fillStyle = themeColour("--soft");
        context.fillRect(PAIR_LEFT, y, plot, PAIR_BAR);
        context.fillStyle = OTHERS;
        for (const call of calls[i]) context.fillRect(at(call.start), y + 4, Math.max(2, at(call.end) - at(call.start)), PAIR_BAR - 8);
        context.fillStyle = accessColour(access);
        context.fillRect(at(access.start * 1e9), y, Math.max(3, (access.end - access.start) * 1e9 * scale), PAIR_BAR);
        context.fillStyle = themeColour("--text");
        context.fillText(`${i + 1} ${access.rank === null ? `process ${access.proc}` : `rank ${access.rank}`}`, 2, y + 12);
    });
    context.fillStyle = themeColour("--quiet");
    context.fillText(`${duration(end - begin)} from the begin of the one to the end of the other`, PAIR_LEFT, top + 9);
}

function paintPairPicture(canvas, facts, groups, calls) {
    const wide = canvas.parentElement.clientWidth, plot = wide - PAIR_LEFT - 6, top = 2 * PAIR_LINE + 26, high = top + 2 * PAIR_LINE + 18;
    if (plot < 40) return;
    const context = sharpen(canvas, wide, high);
    context.clearRect(0, 0, wide, high);
    context.font = "12px system-ui, sans-serif";
    paintBytes(context, plot, facts, groups);
    paintTimes(context, plot, facts, calls, top);
}

const bytesText = groups => groups ? groups.slice(0, 3).map(groupText).join("; ") + (groups.length > 3 ? `; and ${count(groups.length - 3)} more` : "") : "not known to this page";

function sharedText({range: [low, behind], finds_end: findsEnd, leaves_out: leavesOut}) {
    if (leavesOut) return `no byte: the write makes the file longer, so that bytes ${low} to ${behind - 1}, which it does not write, are zeros`;
    if (findsEnd) return `no byte: a read finds the end of the file at byte ${low}, behind which the other one writes`;
    return behind === null ? `bytes ${low} to the end` : groupText({offset: low, length: behind - low, times: 1});
}

function betweenText(run, calls) {
    const all = run.names.all_calls ? "none" : "none of those that the page has";
    return calls.length ? calls.map(call => `${call.name} at ${(call.start / 1e9).toFixed(6)} s`).join(", ") : all;
}

/** A picture of the two accesses of a group of pairs, made when it is looked at, and the same in words. */
export function pairPicture(run, facts) {
    if (!run.names || !facts.range || !facts.first.access || !facts.second.access) return null;
    const inside = element("div"), fold = element("details", {class: "accesses"}, element("summary", {}, "Picture of the two accesses"), inside);
    fold.addEventListener("toggle", async () => {
        if (!fold.open || inside.childElementCount) return;
        const paths = [facts.file, facts.renamed].filter(Boolean), canvas = element("canvas", {role: "img", "aria-label": "Bytes and times of the two accesses; the list below says the same."}), holder = element("div", {}, canvas);
        inside.append(holder);
        const groups = await Promise.all([facts.first, facts.second].map(access => bytesOf(run, access, paths))), calls = between(run, facts);
        const paint = () => paintPairPicture(canvas, facts, groups, calls);
        pairPictures.push({accesses: [facts.first, facts.second].map((access, i) => ({id: access.id, groups: groups[i]})), range: facts.range, between: calls.flatMap((list, i) => list.map(call => ({call: call.id, name: call.name, first: i === 0})))});
        new ResizeObserver(paint).observe(holder);
        const words = [["bytes of the first", bytesText(groups[0])], ["bytes of the second", bytesText(groups[1])], ["both have", sharedText(facts)],
            ["between, in the first's thread", betweenText(run, calls[0])], ["between, in the second's", betweenText(run, calls[1])]];
        inside.append(pictureButtons(canvas, "accesses", paint), element("dl", {}, ...words.flatMap(([title, text]) => [element("dt", {}, title), element("dd", {}, text)])),
            element("p", {class: "quiet"}, "The frame is around the bytes that both have. Grey are calls between the two that open, close or sync the file, or send, receive, wait, lock or make a process: they need not order the two."));
    });
    return fold;
}
