// The data of the page: three parts (docs/page.md): the report as `fathom report --json` has it, names, and numbers in columns of
// varints. In a file each of them is base64 of what gzip deflated; a page without them gets them from its server (server.js).

async function part(name, run) {
    const element = document.getElementById(run ? `data-${name}-${run}` : `data-${name}`);
    if (!element) return null;
    const text = atob(element.textContent);
    const packed = Uint8Array.from(text, letter => letter.charCodeAt(0));
    element.textContent = "";
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Takes varints from bytes, one after the other. Numbers beyond 2^53 are rounded.
class Numbers {
    constructor(from) {
        this.from = from;
        this.at = 0;
    }
    next() {
        let value = 0, scale = 1, byte;
        do {
            if (this.at >= this.from.length) throw new Error(`the data ends in a number, at byte ${this.at}`);
            byte = this.from[this.at++];
            value += (byte & 127) * scale;
            scale *= 128;
        } while (byte > 127);
        return value;
    }
    column(count, type = Float64Array) {
        const values = new type(count);
        for (let i = 0; i < count; i++) values[i] = this.next();
        return values;
    }
}

// Which of many equal parts have something in them, and what: `places`, and a column for each of what is counted.
function readPlaces(numbers, into) {
    into.count = numbers.next();
    const gaps = numbers.column(into.count, Uint32Array);
    into.places = new Uint32Array(into.count);
    let next = 0;
    for (let i = 0; i < into.count; i++) {
        into.places[i] = next + gaps[i];
        next = into.places[i] + 1;
    }
    for (const column of ["busy", "calls", "longest", "read", "written"]) into[column] = numbers.column(into.count);
    return into;
}

/** How much of a bin lies within the run, in ns; `size`: of so many bins that go together. */
export const binWithin = ({begin, bin_width: width, end}, bin, size = 1) => Math.max(0, Math.min(width * size, end - begin - bin * width * size));

// A layer of a thread, in bins of the run or of a window: `busy` of each level is the share of its bins in which calls were under way, 0
// to 1. Level 0 has all bins, each further one half as many.
function readLane(numbers, names) {
    const lane = readPlaces(numbers, {row: numbers.next(), layer: numbers.next()});
    lane.levels = sharesOfBins(names, lane.places, lane.busy);
    return lane;
}

/** Levels of a lane: the share of each bin that is busy, of what of it lies within the run. */
export function sharesOfBins(names, places, busy) {
    let level = new Float32Array(names.bins);
    places.forEach((place, i) => { level[place] = Math.min(1, busy[i] / (binWithin(names, place) || Infinity)); });
    const levels = [level];
    for (let size = 1; level.length > 64 && level.length % 2 === 0; size *= 2) {
        const half = new Float32Array(level.length / 2);
        for (let i = 0; i < half.length; i++) {
            const one = binWithin(names, 2 * i, size), other = binWithin(names, 2 * i + 1, size);
            half[i] = (level[2 * i] * one + level[2 * i + 1] * other) / (one + other || 1);
        }
        levels.push(level = half);
    }
    return levels;
}

function readCalls(numbers, names) {
    const count = numbers.next();
    const calls = {count, row: numbers.column(count, Uint32Array)};
    calls.number = numbers.column(count);
    calls.start = numbers.column(count);
    calls.length = numbers.column(count);
    calls.function = numbers.column(count, Uint32Array);
    calls.file = numbers.column(count, Uint32Array);
    calls.bytes = numbers.column(count);
    calls.depth = numbers.column(count, Uint32Array);
    calls.failed = calls.depth.map(value => value & 1);
    calls.depth = calls.depth.map(value => value >> 1);
    for (let i = 0; i < count; i++) {
        if (i) calls.row[i] += calls.row[i - 1];
        const follows = i && calls.row[i] === calls.row[i - 1];
        if (follows) calls.number[i] += calls.number[i - 1];
        calls.start[i] += follows ? calls.start[i - 1] : names.begin;
    }
    return calls;
}

// A function in the calls around it; `children` are nodes. Its places are parts of the run.
function readNodes(numbers) {
    const nodes = [];
    for (let left = numbers.next(); left > 0; left--) {
        const node = {parent: numbers.next() - 1, function: numbers.next(), source: numbers.next(), failed: numbers.next(), children: []};
        readPlaces(numbers, node);
        const shares = numbers.next();
        node.procs = numbers.column(shares, Uint32Array);
        for (let i = 1; i < shares; i++) node.procs[i] += node.procs[i - 1];
        node.shareCalls = numbers.column(shares);
        node.shareTimes = numbers.column(shares);
        node.depth = node.parent < 0 ? 0 : nodes[node.parent].depth + 1;
        if (node.parent >= 0) nodes[node.parent].children.push(nodes.length);
        nodes.push(node);
    }
    return nodes;
}

// Classes that are not empty: [[class, calls]].
function readClasses(numbers) {
    const classes = [];
    let next = 0;
    for (let left = numbers.next(); left > 0; left--) {
        next += numbers.next();
        classes.push([next++, numbers.next()]);
    }
    return classes;
}

function readHistograms(numbers) {
    const list = [];
    for (let left = numbers.next(); left > 0; left--) list.push({durations: readClasses(numbers), sizes: readClasses(numbers), offsets: readClasses(numbers)});
    return list;
}

// By layer: [{part, classes}], of the durations of calls that began in that part of the run.
function readLatencies(numbers) {
    const layers = [];
    for (let left = numbers.next(); left > 0; left--) {
        const parts = [];
        for (let some = numbers.next(), next = 0; some > 0; some--) {
            const part = next + numbers.next();
            parts.push({part, classes: readClasses(numbers)});
            next = part + 1;
        }
        layers.push(parts);
    }
    return layers;
}

function readCells(numbers) {
    const count = numbers.next(), places = numbers.column(count, Uint32Array);
    for (let i = 0, next = 0; i < count; i++) next = (places[i] += next) + 1;
    return {count, places, read: numbers.column(count), written: numbers.column(count)};
}

function readMap(numbers, map, begin) {
    map.cells = readCells(numbers);
    map.shares = [];
    for (let left = numbers.next(); left > 0; left--) map.shares.push({proc: numbers.next(), cells: readCells(numbers)});
    map.kept = [];
    for (let left = numbers.next(); left > 0; left--) {
        const proc = numbers.next(), whose = numbers.next(), number = numbers.next(), start = begin + numbers.next();
        const access = {proc, thread: Math.floor(whose / 2), writes: whose % 2 === 1, number, start, length: numbers.next(), first: numbers.next()};
        access.bytes = numbers.next();
        map.kept.push(access);
    }
}

const signed = value => value % 2 ? -(value + 1) / 2 : value / 2;

/** In place of a process in messages. */
export const NOT_RECORDED = -2, NOT_KNOWN = -1;

// {tooMany: how many there are, if none of them is here; listed: are they here one by one, or in sums by part of the time; places, count, and
// columns}. Sums have what rows of the table `messages` have.
function readMessages(numbers, names) {
    const messages = {tooMany: numbers.next(), listed: false, places: [], count: 0};
    if (messages.tooMany) return messages;
    messages.listed = numbers.next() === 1;
    const length = numbers.next();
    messages.places = readJson(new TextDecoder().decode(numbers.from.subarray(numbers.at, numbers.at + length)));
    numbers.at += length;
    const count = messages.count = numbers.next();
    if (!messages.listed) {
        const keys = ["oneSided", "from", "to", "part", "count", "bytes", "unsized", "timed", "timed_bytes", "time", "error"];
        messages.sums = Array.from({length: count}, () => Object.fromEntries(keys.map(key => [key, numbers.next()])));
        for (const sum of messages.sums) Object.assign(sum, {from: sum.from - 2, to: sum.to - 2, time: signed(sum.time), start: names.begin + sum.part * names.part_width});
        return messages;
    }
    for (const key of ["oneSided", "from", "to", "start", "took", "bytes", "error", "caller", "thread", "call", "receiveThread", "receiveCall", "tag", "place"]) messages[key] = numbers.column(count);
    for (let i = 0; i < count; i++) {
        messages.from[i] -= 2;
        messages.to[i] -= 2;
        messages.start[i] += i ? messages.start[i - 1] : names.begin;
        messages.took[i] = messages.took[i] ? signed(messages.took[i] - 1) : NaN;
        messages.tag[i] = signed(messages.tag[i]);
    }
    return messages;
}

export const LINK_KINDS = ["collectives", "requests", "creations"];

// By kind {whole: how many there are, count: those that are here, and columns}, sorted by start.
function readLinks(numbers, names) {
    const links = {};
    for (const kind of LINK_KINDS) {
        const whole = numbers.next(), count = numbers.next() ? whole : 0;
        const list = links[kind] = {whole, count};
        for (const key of ["start", "took", "fromProc", "fromThread", "fromCall", "toProc", "toThread", "toCall", "function", "earlier"]) list[key] = numbers.column(count);
        for (let i = 0; i < count; i++) {
            list.start[i] += i ? list.start[i - 1] : names.begin;
            list.took[i] = signed(list.took[i]);
        }
        list.longest = list.took.reduce((longest, took) => Math.max(longest, took), 0);
    }
    return links;
}

// {whole: how many there are, list: [{proc, number, parent: a handle or null, type, layer, path, name, value, maker, from, closer, to, duplicate,
// below: handles}], by process and number}; empty if they are too many. `from` and `to` are NaN where they are not known, or there was none.
function readHandles(numbers, names) {
    const handles = {whole: numbers.next(), list: []};
    if (!numbers.next()) return handles;
    const length = numbers.next(), texts = readJson(new TextDecoder().decode(numbers.from.subarray(numbers.at, numbers.at + length)));
    numbers.at += length;
    const keys = ["proc", "number", "parent", "type", "layer", "path", "name", "value", "madeThread", "madeBy", "made", "closedThread", "closedBy", "closed", "duplicate"];
    const columns = Object.fromEntries(keys.map(key => [key, numbers.column(handles.whole)])), known = new Map();
    const text = number => number ? texts[number - 1] : "", time = value => value ? names.begin + value - 1 : NaN;
    const call = (proc, thread, number) => number ? `${proc}.${thread}.${number - 1}` : "";
    for (let i = 0; i < handles.whole; i++) {
        const one = Object.fromEntries(keys.map(key => [key, columns[key][i]]));
        handles.list.push({
            proc: one.proc, number: one.number, parent: one.parent, type: text(one.type), layer: text(one.layer), path: text(one.path), name: text(one.name), value: one.value - 1,
            maker: call(one.proc, one.madeThread, one.madeBy), makerThread: one.madeThread, from: time(one.made), closer: call(one.proc, one.closedThread, one.closedBy), to: time(one.closed), duplicate: one.duplicate === 1, below: [],
        });
        known.set(`${one.proc} ${one.number}`, handles.list[i]);
    }
    for (const handle of handles.list) {
        handle.parent = handle.parent ? known.get(`${handle.proc} ${handle.parent - 1}`) || null : null;
        handle.parent?.below.push(handle);
    }
    return handles;
}

// Rows of one process are threads; only the first one has what is true of the process.
function nameRows(names) {
    let process = null;
    for (const row of names.rows) {
        if (row.program !== undefined) process = row;
        row.process = process;
        const who = process.rank !== undefined ? `rank ${process.world ? `${process.world}.` : ""}${process.rank}` : `proc ${row.proc}`;
        row.label = row.thread ? `${who}, thread ${row.thread}` : `${who} ${process.program}`;
    }
}

/** Ranks by number, in the places of the list that ranks have; what is of other processes stays. `of`: whose world and rank one has. */
export function ranksInOrder(list, of) {
    const isRank = one => Number.isInteger(of(one).rank), world = one => of(one).world || 0;
    const ranks = list.filter(isRank).sort((a, b) => world(a) - world(b) || of(a).rank - of(b).rank);
    let next = 0;
    return list.map(one => isRank(one) ? ranks[next++] : one);
}

/** Is the data in the page itself? */
export const isFile = () => document.getElementById("data-report") !== null;

export const PARTS = ["report", "names", "numbers", "maps", "cells", "messages", "links", "handles", "samples"];

/** The runs of a page that is a file. */
export async function readRuns() {
    const runs = [];
    for (let number = 0; ; number++) {
        const parts = await Promise.all(PARTS.map(name => part(name, number)));
        if (!parts[0]) return runs;
        const [verdict, workflow] = (await Promise.all(["verify", "workflow"].map(name => part(name, number)))).map(bytes => bytes && readJson(new TextDecoder().decode(bytes)));
        runs.push(Object.assign(decodeRun(parts), {number, verdict, workflow}));
    }
}

/** From the bytes of the parts, which are null or empty where there is none, to {report, names, lanes, calls, lanesOf, callsOf: by row ...}. */
export function decodeRun([report, names, packed, maps, packedCells, messages, links, handles, samples]) {
    const decoder = new TextDecoder();
    const run = {report: readJson(decoder.decode(report)), number: 0};
    run.samples = samples && samples.length ? readJson(decoder.decode(samples)) : null;
    if (!names) return run;
    run.names = readJson(decoder.decode(names));
    nameRows(run.names);
    const numbers = new Numbers(packed);
    run.lanes = [];
    for (let left = numbers.next(); left > 0; left--) run.lanes.push(readLane(numbers, run.names));
    run.calls = readCalls(numbers, run.names);
    run.nodes = readNodes(numbers);
    run.histograms = readHistograms(numbers);
    run.latencies = readLatencies(numbers);
    run.sourcesOfCalls = numbers.column(numbers.next(), Uint32Array);
    if (maps && maps.length) {
        run.maps = readJson(decoder.decode(maps));
        const cells = new Numbers(packedCells);
        for (const map of run.maps.files) readMap(cells, map, run.maps.begin);
    }
    run.messages = messages && messages.length ? readMessages(new Numbers(messages), run.names) : null;
    run.links = links && links.length ? readLinks(new Numbers(links), run.names) : null;
    run.handles = handles && handles.length ? readHandles(new Numbers(handles), run.names) : null;
    run.lanesOf = run.names.rows.map(() => []);
    for (const lane of run.lanes) run.lanesOf[lane.row].push(lane);
    run.callsOf = run.names.rows.map(() => []);
    for (let i = 0; i < run.calls.count; i++) run.callsOf[run.calls.row[i]].push(i);
    return run;
}

/** Where in the program the call is made, "io.c:12 put"; "": in another call, or that is not known. Server windows add calls behind those. */
export const sourceOf = (run, call) => run.sourcesOfCalls[call] ? run.names.sources[run.sourcesOfCalls[call] - 1] : "";

/** "3.0.531": process, thread, number. */
export function callName(run, call) {
    const row = run.names.rows[run.calls.row[call]];
    return `${row.proc}.${row.thread}.${run.calls.number[call]}`;
}

/** The call of this name, or -1: it is not among those of the page. */
export function findCall(run, name) {
    const [proc, thread, number] = name.split(".").map(Number);
    const row = run.names.rows.findIndex(one => one.proc === proc && one.thread === thread);
    if (row < 0) return -1;
    const found = run.callsOf[row].find(call => run.calls.number[call] === number);
    return found === undefined ? -1 : found;
}
