// Operations that do not block (requests of MPI, asynchronous I/O), below the row of the threads that start them: each is drawn from its start
// to the end of the call that finds it complete. Those that overlap lie below one another; folded, one lane shows how many are under way.

const MOST_TRACKS = 12, MOST_LISTED_OPERATIONS = 1000;

let operationsPainted = [];

/** The operations on the time line: {link: index into run.links.requests, fromCall, toCall, track, left, right, top}; of folded rows none. */
export const operationsOnTimeline = () => operationsPainted;

/** Has the page operations to show? */
export const hasOperations = run => Boolean(run.links?.requests.count);

function operationsOf(run, row) {
    if (!run.operationsOf) {
        run.operationsOf = new Map();
        const {requests} = run.links;
        for (let link = 0; link < requests.count; link++) {
            const of = rowOfThread(run, requests.fromProc[link], requests.fromThread[link]);
            if (of === undefined) continue;
            if (!run.operationsOf.has(of)) run.operationsOf.set(of, []);
            run.operationsOf.get(of).push(link);
        }
    }
    return run.operationsOf.get(row) || [];
}

// On the time line.
const startOf = (run, state, link) => run.links.requests.start[link] + offsetOfProcess(state, run.links.requests.fromProc[link]);

const layerOfLink = (run, link) => run.links.requests.function[link] ? run.names.functions[run.links.requests.function[link] - 1].layer : -1;

// Each takes the first track that is free when it starts: {list: [{link, track}], tracks, beyond: how many found none, most: at a time}.
function inTracks(run, links) {
    const {requests} = run.links, ends = [], list = [], over = [];
    let beyond = 0;
    for (const link of links) {
        const start = requests.start[link], end = start + Math.max(0, requests.took[link]);
        over.push(end);
        let track = ends.findIndex(busy => busy <= start);
        if (track < 0) track = ends.length < MOST_TRACKS ? ends.length : -1;
        if (track < 0) beyond++;
        else ends[track] = end;
        list.push({link, track});
    }
    return {list, tracks: ends.length, beyond, most: mostAtATime(links.map(link => requests.start[link]), over.sort((a, b) => a - b))};
}

function mostAtATime(starts, ends) {
    let most = 0, over = 0;
    starts.forEach((start, i) => {
        while (ends[over] <= start && over < i) over++;
        most = Math.max(most, i + 1 - over);
    });
    return most;
}

/** What stands below a row of the time line for the operations of its threads; null: there are none. */
export function operationsRow(run, state, {row, members}) {
    const {proc, thread} = run.names.rows[row], key = `o${proc}.${thread}`, cache = run.operationRows ||= new Map();
    const hidden = [...state.hidden].join(), known = `${key} ${members.length} ${hidden}`;
    if (!cache.has(known)) {
        const links = members.flatMap(member => operationsOf(run, member)).filter(link => !state.hidden.has(layerOfLink(run, link)));
        cache.set(known, inTracks(run, links.sort((a, b) => a - b)));
    }
    const operations = cache.get(known), folded = isFolded(state, key);
    if (!operations.list.length) return null;
    return {row, lanes: [], members: [], operations, label: `up to ${count(operations.most)} operation${operations.most > 1 ? "s" : ""}`, key, folded, lines: folded ? 1 : operations.tracks};
}

// ---- painting ----

// For each pixel the mean number under way.
function underWay(run, {list}, state, plot) {
    const {begin, end} = state, {requests} = run.links, counts = new Float32Array(Math.ceil(plot)), scale = plot / (end - begin);
    for (const {link} of list) {
        const start = startOf(run, state, link), left = Math.max(0, (start - begin) * scale), right = Math.min(counts.length, (start + Math.max(0, requests.took[link]) - begin) * scale);
        for (let x = Math.floor(left); x < right; x++) counts[x] += Math.min(right, x + 1) - Math.max(left, x);
    }
    return counts;
}

function paintFolded(view, context, row, top, plot) {
    const high = view.lane - 1, counts = underWay(view.run, row.operations, view.state, plot);
    context.fillStyle = OTHERS;
    counts.forEach((share, x) => {
        const tall = share ? Math.max(1, share / row.operations.most * high) : 0;
        if (tall) context.fillRect(LABEL + x, top + high - tall, 1, tall);
    });
}

function paintUnfolded(view, context, row, top, plot) {
    const {run, state} = view, {requests} = run.links, scale = plot / (state.end - state.begin), drawnTo = new Float64Array(row.lines).fill(LABEL - 1);
    for (const {link, track} of row.operations.list) {
        const left = LABEL + (startOf(run, state, link) - state.begin) * scale, right = left + Math.max(0, requests.took[link]) * scale;
        if (track < 0 || right < LABEL || left > LABEL + plot) continue;
        const box = {link, track, left: Math.max(LABEL, left), right: Math.min(LABEL + plot, Math.max(right, left + 1)), top: top + track * view.lane};
        operationsPainted.push({...box, fromCall: callNamed(requests.fromProc[link], requests.fromThread[link], requests.fromCall[link]), toCall: callNamed(requests.toProc[link], requests.toThread[link], requests.toCall[link])});
        if (box.right <= drawnTo[track]) continue; // within a pixel that is drawn
        drawnTo[track] = Math.ceil(box.right);
        paintOperation(view, context, box);
    }
}

function paintOperation({run, lane}, context, {link, left, right, top}) {
    const high = lane - 2, width = Math.max(1, right - left - 0.5), layer = layerOfLink(run, link);
    context.fillStyle = layer < 0 ? OTHERS : layerColour(layer);
    context.globalAlpha = width < 4 ? 0.7 : 0.3;
    context.fillRect(left, top, width, high);
    context.globalAlpha = 1;
    if (width < 4) return;
    context.fillRect(left, top, 2, high); // where it starts
    context.fillRect(left, top + high - 1, width, 1);
    const name = layer < 0 ? "" : run.names.functions[run.links.requests.function[link] - 1].name;
    context.fillStyle = themeColour("--text");
    if (name && context.measureText(name).width < width - 6) context.fillText(name, left + 4, top + high / 2 + 3);
}

/** Of the rows that are visible; `top`: what is scrolled off. */
export function paintOperations(view, context, visible, top, plot) {
    operationsPainted = [];
    context.save();
    context.beginPath();
    context.rect(LABEL, AXIS, plot, 1e6);
    context.clip();
    context.font = "9px system-ui, sans-serif";
    for (const row of visible.filter(({operations}) => operations)) (row.folded ? paintFolded : paintUnfolded)(view, context, row, AXIS + row.top - top, plot);
    context.restore();
    fillOperations(view, visible.filter(({operations}) => operations));
}

/** The operation at this place, or undefined. */
export const operationAt = (view, x, y) => operationsPainted.findLast(box => x >= box.left - 1 && x <= box.right + 1 && y >= box.top && y < box.top + view.lane);

/** What is said of one that is pointed at. */
export const operationText = (run, {link}) => linkText(run, "requests", link);

// ---- the table behind it ----

function fillOperations(view, rows) {
    const {run, state, operationList: list} = view, {requests} = run.links || {};
    const seen = rows.flatMap(({operations}) => operations.list.map(({link}) => link)).filter(link => startOf(run, state, link) <= state.end && startOf(run, state, link) + Math.max(0, requests.took[link]) >= state.begin);
    const beyond = rows.reduce((sum, {operations, folded}) => sum + (folded ? 0 : operations.beyond), 0);
    titleBehind(list, seen.length, `Operations in view: ${count(seen.length)}${beyond ? `. Not drawn, as they overlap more than ${MOST_TRACKS - 1} others of their row: ${count(beyond)}` : ""}`);
    const text = (name, title) => ({name, title, type: "text"}), time = (name, title) => ({name, title, type: "number", unit: "plain"});
    fillBehind(list, seen.join(), () => tableElement("operations", {
        title: seen.length > MOST_LISTED_OPERATIONS ? `The first ${count(MOST_LISTED_OPERATIONS)} operations in view` : "Operations in view",
        columns: [text("what"), text("from", "started by"), text("to", "found complete by"), time("start", "start (s)"), time("end", "complete (s)")],
        rows: seen.slice(0, MOST_LISTED_OPERATIONS).map(link => ({
            what: linkText(run, "requests", link), from: callNamed(requests.fromProc[link], requests.fromThread[link], requests.fromCall[link]), to: callNamed(requests.toProc[link], requests.toThread[link], requests.toCall[link]),
            start: requests.start[link] / 1e9, end: (requests.start[link] + requests.took[link]) / 1e9,
        })),
    }));
}
