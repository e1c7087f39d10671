// The page from `fathom view`: what is looked at is asked for in windows, which the server reads from the trace. One request is under
// way at a time; what came stays for a while, so that going back asks nobody.

const MOST_WINDOWS = 8, MOST_MORE = 400000, PATIENCE = 3000;

/** Bytes of this name, inflated by the browser. */
async function ask(name, words = {}, signal = undefined) {
    const query = new URLSearchParams(words).toString();
    const answer = await fetch(query ? `${name}?${query}` : name, {signal});
    const got = new Uint8Array(await answer.arrayBuffer());
    if (answer.ok) return got;
    throw Object.assign(new Error(visible(new TextDecoder().decode(got).trim())), {status: answer.status});
}

const askText = async (name, words) => new TextDecoder().decode(await ask(name, words));

/** The calls of a run for which the expression is true, as another run; what is wrong with the expression is thrown. */
export async function fetchFiltered(whole, where) {
    const filter = await askText("filter", {picture: whole.server.picture, where});
    const run = await readPicture(whole.number, Number(filter), whole.server.goes_on);
    run.server.first = whole.server.first;
    return Object.assign(run, {where, unfiltered: whole});
}

async function readPicture(number, picture, goesOn) {
    const run = Object.assign(decodeRun(await Promise.all(PARTS.map(name => ask(name, {picture})))), {number});
    run.server = {
        picture, first: picture, goes_on: goesOn, page: Math.random().toString(36).slice(2), windows: [], wanted: null, asking: null,
        turn: 0, failure: "", failed: {key: "", at: 0}, kept: run.calls.count, lists: run.callsOf.map(list => [...list]), files: new Map(run.names.files.map((path, i) => [path, i + 1])),
    };
    return run;
}

/** The runs, when the server has a picture of each; `after`: the number of one that is not wanted again. */
export async function readServed(wait, after = 0) {
    for (;;) {
        const state = readJson(await askText("state"));
        if (state.picture > after) return Promise.all(state.runs.map((picture, number) => readPicture(number, picture, state.goes_on)));
        wait();
        await new Promise(resolve => setTimeout(resolve, 200));
    }
}

/** Asks again and again, so that the server stays, until there is another picture: then `changed` takes over. `tell(is there a server?)`. */
export function keepInTouch(run, changed, tell) {
    const {server} = run;
    setTimeout(async () => {
        try {
            const state = readJson(await askText("state"));
            server.goes_on = state.goes_on;
            tell(true);
            if (state.picture !== server.first) return await changed();
        } catch (error) {
            tell(error.status !== undefined);
        }
        return keepInTouch(run, changed, tell);
    }, PATIENCE);
}

// ---- windows ----

// Bins and calls of a part of the run, as docs/page.md has them.
function readWindow(run, bytes, rows, wanted) {
    const numbers = new Numbers(bytes), {names} = run;
    const window = {exact: numbers.next() === 1, all_calls: numbers.next() === 1, begin: names.begin + numbers.next(), bin_width: numbers.next(), bins: numbers.next(), rows, wanted, bytesKnown: true};
    const length = numbers.next();
    const files = readJson(new TextDecoder().decode(bytes.subarray(numbers.at, numbers.at + length)));
    numbers.at += length;
    window.end = window.begin + window.bins * window.bin_width;
    window.lanes = new Map();
    for (let left = numbers.next(); left > 0; left--) {
        const lane = readLane(numbers, {...window, end: Math.min(window.end, names.end)});
        window.lanes.set(`${lane.row} ${lane.layer}`, lane);
    }
    addCalls(run, readCalls(numbers, names), files);
    return window;
}

const windowsOf = (run, begin, end, perPixel) => run.server ? run.server.windows : exactWindows(run, begin, end, perPixel);

const covers = (window, begin, end) => window.begin <= begin && end <= window.end;

/** The lane as finely as it is known from `begin` to `end`: {lane, begin, bin_width, exact}. Nothing is finer than a nanosecond. */
export function finest(run, lane, begin, end, nsPerPixel) {
    const {names} = run, perPixel = Math.max(1, nsPerPixel);
    const coarse = {lane, begin: names.begin, bin_width: names.bin_width, exact: names.bin_width <= perPixel};
    if (coarse.exact) return coarse;
    let best = coarse;
    for (const window of windowsOf(run, begin, end, perPixel)) {
        if (!covers(window, begin, Math.min(end, names.end)) || !window.rows.has(lane.row)) continue;
        const better = window.bin_width <= perPixel ? best.bin_width > perPixel || window.bin_width > best.bin_width : window.bin_width < best.bin_width;
        if (better) best = {lane: window.lanes.get(`${lane.row} ${lane.layer}`) || null, begin: window.begin, bin_width: window.bin_width, exact: window.exact && window.bin_width <= perPixel};
    }
    return best;
}

/** The bins of all these rows, as finely as they are known for what is seen: {begin, end, bin_width, bins, lanes}. */
export function finestOfAll(run, state, rows, nsPerPixel) {
    const {names} = run, perPixel = Math.max(1, nsPerPixel), {begin, end, bin_width, bins} = names;
    let best = {begin, end, bin_width, bins, lanes: run.lanes};
    for (const window of bin_width > perPixel ? windowsOf(run, state.begin, state.end, perPixel) : []) {
        if (!window.bytesKnown || !covers(window, state.begin, Math.min(state.end, end)) || !rows.every(row => window.rows.has(row))) continue;
        const better = window.bin_width <= perPixel ? best.bin_width > perPixel || window.bin_width > best.bin_width : window.bin_width < best.bin_width;
        if (better) best = {begin: window.begin, end: Math.min(window.end, end), bin_width: window.bin_width, bins: window.bins, lanes: [...window.lanes.values()]};
    }
    return best;
}

// Of what is seen, and a quarter more on each side; begins are round, so that little ways ask for nothing.
function windowFor(run, state, rows, perPixel) {
    const {names} = run, length = state.end - state.begin;
    let width = 1;
    while (width * 2 <= perPixel) width *= 2;
    const step = width * 64, margin = length / 4;
    const first = Math.max(0, Math.floor((state.begin - margin - names.begin) / step));
    const behind = Math.ceil((Math.min(state.end + margin, names.end + 1) - names.begin) / step);
    return {begin: names.begin + first * step, width, count: Math.max(1, behind - first) * 64, rows: new Set(rows)};
}

// "0-3,7"
function ranges(rows) {
    const list = [...rows].sort((a, b) => a - b), parts = [];
    for (let i = 0, j; i < list.length; i = j) {
        for (j = i + 1; j < list.length && list[j] === list[j - 1] + 1;) j++;
        parts.push(j - i > 1 ? `${list[i]}-${list[j - 1]}` : `${list[i]}`);
    }
    return parts.join(",");
}

const isKnown = (run, state, rows, perPixel) => run.server.windows.some(window =>
    window.wanted <= Math.max(1, perPixel) && covers(window, state.begin, Math.min(state.end, run.names.end)) && rows.every(row => window.rows.has(row)));

/** What is seen, with so many nanoseconds in a pixel, is asked for, unless it is known. */
export function wantWindow(run, state, rows, perPixel) {
    const {server, names} = run;
    if (!server || !rows.length || names.bin_width <= perPixel || isKnown(run, state, rows, perPixel)) return;
    const wanted = windowFor(run, state, rows, perPixel), key = keyOf(wanted);
    if (server.asking?.key === key || (server.failed.key === key && Date.now() - server.failed.at < PATIENCE)) return;
    server.wanted = wanted;
    if (server.asking) server.asking.abort();
    else fetchWanted(run, state);
}

const keyOf = wanted => `${wanted.begin} ${wanted.width} ${wanted.count} ${ranges(wanted.rows)}`;

async function fetchWanted(run, state) {
    const {server} = run;
    while (server.wanted) {
        const wanted = server.wanted, control = new AbortController();
        server.wanted = null;
        server.asking = {key: keyOf(wanted), abort: () => control.abort()};
        try {
            const bytes = await ask("window", {picture: server.picture, page: server.page, turn: ++server.turn, begin: wanted.begin, width: wanted.width, count: wanted.count, rows: ranges(wanted.rows)}, control.signal);
            if (run !== chosenRun() && run !== chosenRun().marks?.run) { // another run is shown meanwhile
                server.asking = server.wanted = null;
                return;
            }
            forgetCalls(run, state);
            server.windows.unshift(readWindow(run, bytes, wanted.rows, wanted.width));
            server.windows.length = Math.min(server.windows.length, MOST_WINDOWS);
            server.failure = "";
        } catch (error) {
            if (error.name !== "AbortError" && error.status !== 409) {
                server.failure = error.message;
                server.failed = {key: keyOf(wanted), at: Date.now()};
            }
        }
        server.asking = null;
        if (!server.wanted) arrived();
    }
}

const onlySummary = run => `summary: for finer sums, run fathom view ${run.report.run.trace}`;

/** How true are the rates that are seen? */
export function qualityOfRates(run, state, rows, perPixel) {
    const known = run.server || run.names.bin_width <= perPixel || exactWindows(run, state.begin, state.end, perPixel).every(({bytesKnown}) => bytesKnown);
    return known ? quality(run, state, rows, perPixel) : onlySummary(run);
}

/** How true is what is seen? */
export function quality(run, state, rows, perPixel) {
    const {names, server} = run;
    if (names.bin_width <= perPixel) return "exact";
    const of = rows.flatMap(row => run.lanesOf[row]);
    if (of.every(lane => finest(run, lane, state.begin, state.end, perPixel).exact)) return "exact";
    if (!server) return onlySummary(run);
    if (server.failure) return `summary: ${server.failure}`;
    return isKnown(run, state, rows, perPixel) ? "summary: too many calls to read at once; zoom in for exact sums" : "summary, reading ...";
}

// ---- calls ----

function appendCall(calls, from, i, file) {
    if (calls.count === calls.row.length) {
        for (const [name, column] of Object.entries(calls)) {
            if (name === "count") continue;
            calls[name] = new column.constructor(Math.max(1024, column.length * 2));
            calls[name].set(column);
        }
    }
    for (const name of Object.keys(calls)) if (name !== "count") calls[name][calls.count] = from[name][i];
    calls.file[calls.count] = file;
    return calls.count++;
}

// Those that are new, into the lists of their rows, which are by number.
function addCalls(run, more, paths) {
    const {calls, names, server} = run;
    const files = paths.map(path => {
        if (!server.files.has(path)) server.files.set(path, names.files.push(path));
        return server.files.get(path);
    });
    for (let i = 0; i < more.count;) {
        const row = more.row[i], old = run.callsOf[row], list = [];
        let at = 0;
        for (; i < more.count && more.row[i] === row; i++) {
            while (at < old.length && calls.number[old[at]] < more.number[i]) list.push(old[at++]);
            if (at < old.length && calls.number[old[at]] === more.number[i]) list.push(old[at++]);
            else list.push(appendCall(calls, more, i, more.file[i] ? files[more.file[i] - 1] : 0));
        }
        while (at < old.length) list.push(old[at++]);
        run.callsOf[row] = list;
    }
}

// When there are too many: back to those of the whole run, and the one that is chosen.
function forgetCalls(run, state) {
    const {calls, server} = run;
    if (calls.count < server.kept + MOST_MORE) return;
    const chosen = run === chosenRun() ? state.call : -1; // else they are marks
    run.callsOf = server.lists.map(list => [...list]);
    server.windows = [];
    calls.count = server.kept;
    if (chosen < server.kept) return;
    state.call = appendCall(calls, calls, chosen, calls.file[chosen]);
    const list = run.callsOf[calls.row[state.call]], place = list.findIndex(call => calls.number[call] > calls.number[state.call]);
    list.splice(place < 0 ? list.length : place, 0, state.call);
}

/** The call of this name with those around it and inside of it, as `fathom dump --call --json` has them, or, with `ranges`, as
    `--ranges` does, for which the server reads its process from the beginning. */
export async function fetchCall(run, name, start = undefined, ranges = false) {
    const words = {picture: run.server.picture, id: name};
    if (start !== undefined) words.start = start;
    if (ranges) words.ranges = "yes";
    return (await askText("call", words)).split("\n").filter(Boolean).map(line => readJson(line));
}

/** The verdict on the run (docs/page.md), which takes the server as long as `fathom verify`. */
export async function fetchVerdict(run) {
    return readJson(await askText("verify", {picture: run.server.picture}));
}

/** The server gives it up; whoever waits for it gets an error whose status is 409. */
export const stopVerdict = run => ask("stop", {picture: run.server.picture});

/** How far the server is with it, in words. */
export async function verdictProgress(run) {
    const {verifying} = readJson(await askText("state"));
    if (!verifying || verifying.picture !== run.server.picture) return "waits for another run that is verified";
    if (!verifying.total || verifying.read < verifying.total) return `has read ${Math.floor(100 * verifying.read / (verifying.total || 1))} % of the calls`;
    return "has read all calls and compares accesses";
}
