// Parts of the run of which a page that is a file has all calls: a window in each phase, or the whole of a small run. What a server would send
// of a window is made of these calls, so the picture is exact there at every zoom.

const MOST_EXACT = 8;

/** [[begin, end]] in ns, of a page that is a file. */
export const exactSpans = ({server, names}) => server || !names ? [] : names.all_calls ? [[names.begin, names.end]] : names.exact;

/** Windows like those of a server (server.js) for what is seen; none, where calls are missing. */
export function exactWindows(run, begin, end, nsPerPixel) {
    const first = Math.max(begin, run.names.begin), last = Math.min(end, run.names.end), known = run.exactWindows ||= [];
    const span = exactSpans(run).find(([from, to]) => from <= first && last <= to);
    if (!span) return [];
    let width = 1;
    while (width * 2 <= Math.max(1, nsPerPixel)) width *= 2;
    const found = known.find(window => window.bin_width === width && window.begin <= first && last <= window.end);
    if (found) return [found];
    const margin = (last - first) / 2, from = Math.floor(Math.max(span[0], first - margin)), to = Math.ceil(Math.min(span[1], last + margin));
    known.unshift(makeWindow(run, from, width, Math.ceil(Math.max(1, (to - from) / width) / 64) * 64));
    known.length = Math.min(known.length, MOST_EXACT);
    return [known[0]];
}

function makeWindow(run, begin, width, bins) {
    const {names} = run, window = {begin, bin_width: width, bins, end: begin + bins * width, exact: true, wanted: width, bytesKnown: true, rows: new Set(names.rows.keys()), lanes: new Map()};
    run.callsOf.forEach((list, row) => addRow(run, window, row, list));
    for (const lane of window.lanes.values()) {
        const places = [...lane.sums.keys()].sort((a, b) => a - b);
        lane.count = places.length;
        lane.places = Uint32Array.from(places);
        for (const column of ["busy", "calls", "longest", "read", "written"]) lane[column] = Float64Array.from(places, place => lane.sums.get(place)[column]);
        lane.levels = sharesOfBins({...window, end: Math.min(window.end, names.end)}, lane.places, lane.busy);
    }
    return window;
}

// Time and bytes of a call inside another one of its layer are part of that. Calls are in order of entry, and around one in the window all are here.
function addRow(run, window, row, list) {
    const {calls, names} = run, around = [];
    for (const call of list) {
        const start = calls.start[call], depth = calls.depth[call], {layer, kind} = names.functions[calls.function[call]];
        if (start >= window.end) break;
        around.length = Math.min(around.length, depth);
        const inside = around.includes(layer);
        around[depth] = layer;
        if (start + calls.length[call] < window.begin) continue;
        const key = `${row} ${layer}`;
        if (!window.lanes.has(key)) window.lanes.set(key, {row, layer, sums: new Map()});
        addCall(window, window.lanes.get(key), {start, length: calls.length[call], bytes: inside ? 0 : calls.bytes[call], kind}, inside);
    }
}

function addCall(window, lane, {start, length, bytes, kind}, inside) {
    const {begin, end, bin_width: width, bins} = window, bin = time => Math.min(bins - 1, Math.floor((time - begin) / width));
    const sumsAt = place => {
        if (!lane.sums.has(place)) lane.sums.set(place, {busy: 0, calls: 0, longest: 0, read: 0, written: 0});
        return lane.sums.get(place);
    };
    if (start >= begin) {
        const sums = sumsAt(bin(start));
        sums.calls++;
        sums.longest = Math.max(sums.longest, length);
    }
    if (inside) return;
    if (bytes && kind !== "read" && kind !== "write") window.bytesKnown = false; // both ways, or which way is not known
    const from = Math.max(start, begin), to = Math.min(start + length, end), moved = kind === "read" ? "read" : "written";
    if (!length && start >= begin) sumsAt(bin(start))[moved] += bytes;
    for (let place = bin(from); place < bins && begin + place * width < to; place++) {
        const part = Math.min(to, begin + (place + 1) * width) - Math.max(from, begin + place * width), sums = sumsAt(place);
        sums.busy += part;
        sums[moved] += bytes * part / length;
    }
}

/** Buttons that lead to these parts; null: there are none, or it is all of the run. */
export function exactButtons(run) {
    const spans = exactSpans(run);
    if (!spans.length || run.names.all_calls) return null;
    const step = (run.names.end - run.names.begin) / 200;
    return element("p", {class: "quiet exact-parts"}, "The page has all calls of these parts: ", ...spans.flatMap(([begin, end]) => [element("button", {type: "button", onclick: () => look(begin, end)}, `${tickText(begin, step)} + ${duration(end - begin)}`), " "]));
}
