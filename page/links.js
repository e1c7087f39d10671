// Arrows of the time line on demand: messages, and other calls that belong together: who came last to a collective call and the others, an
// operation and the call that found it complete, the call that makes a process or thread and that, a call and those that it makes of another
// layer, a handle and the one below it. A table says the same.

const ARROW_KINDS = [["messages", "messages"], ["collectives", "collective calls"], ["requests", "requests"], ["creations", "processes and threads"], ["calls", "calls of other layers"], ["handles", "handles"]];

const MOST_ARROWS = 200; // of a kind

/** How many of a kind there are; 0: none, or they are not known. */
function howMany(run, kind) {
    if (kind === "messages") return hasMessages(run) ? run.messages.count : 0;
    if (kind === "calls") return run.calls.count;
    if (kind === "handles") return run.handles ? handlePairs(run).length || (run.handles.list.length ? 0 : run.handles.whole) : 0;
    return run.links?.[kind].whole || 0;
}

function isHere(run, kind) {
    if (kind === "messages") return Boolean(run.messages.listed);
    if (kind === "handles") return run.handles.list.length > 0;
    return kind === "calls" || run.links[kind].count > 0;
}

/** The row of the run; undefined: it has none. */
export function rowOfThread(run, proc, thread) {
    run.rowOf ||= new Map(run.names.rows.map((row, number) => [`${row.proc} ${row.thread}`, number]));
    return run.rowOf.get(`${proc} ${thread}`);
}

const callNamed = (proc, thread, call) => call ? `${proc}.${thread}.${call - 1}` : "";

function linkText(run, kind, i) {
    const list = run.links[kind], functionName = list.function[i] ? run.names.functions[list.function[i] - 1].name : "a call", took = duration(list.took[i]);
    const from = rowName(run, {proc: list.fromProc[i], thread: list.fromThread[i]}), to = rowName(run, {proc: list.toProc[i], thread: list.toThread[i]});
    if (kind === "collectives") return `${functionName}: ${from} came last, ${duration(list.earlier[i])} after ${to}, whose call ended ${took} later`;
    if (kind === "requests") return `${functionName} of ${from}: found complete ${took} after its begin`;
    return `${functionName} of ${from}: ${to} begins ${took} later`;
}

// From the first one that may still be under way at `begin`.
function firstAt(starts, longest, begin) {
    let low = 0, high = starts.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (starts[middle] < begin - longest) low = middle + 1;
        else high = middle;
    }
    return low;
}

function linksIn(run, kind, begin, end) {
    const list = run.links[kind], found = [];
    for (let i = firstAt(list.start, list.longest, begin); i < list.count && list.start[i] <= end; i++) {
        if (list.start[i] + Math.max(0, list.took[i]) < begin) continue;
        if (found.length === MOST_ARROWS) return null;
        found.push({
            kind, text: linkText(run, kind, i), start: list.start[i], end: list.start[i] + list.took[i],
            fromRow: rowOfThread(run, list.fromProc[i], list.fromThread[i]), toRow: rowOfThread(run, list.toProc[i], list.toThread[i]),
            fromCall: callNamed(list.fromProc[i], list.fromThread[i], list.fromCall[i]), toCall: callNamed(list.toProc[i], list.toThread[i], list.toCall[i]),
            layer: list.function[i] ? run.names.functions[list.function[i] - 1].layer : -1,
        });
    }
    return found;
}

// ---- calls of other layers ----

// Calls that are drawn, with the one around each where it is drawn, too, and of another layer. In a row depth and time tell which that is: the
// page may not have it.
function callsBelow(run, state, drawn) {
    const {calls, names} = run, found = [], isDrawn = new Set(drawn), layerOf = call => names.functions[calls.function[call]].layer, nameOf = call => names.functions[calls.function[call]].name;
    for (const row of new Set(drawn.map(call => calls.row[call]))) {
        const around = [];
        for (const call of run.callsOf[row]) {
            if (calls.start[call] > state.end) break;
            const depth = calls.depth[call], caller = depth ? around[depth - 1] : undefined;
            around[depth] = call;
            if (caller === undefined || !isDrawn.has(call) || !isDrawn.has(caller) || layerOf(call) === layerOf(caller) || calls.start[call] < state.begin) continue;
            if (calls.start[caller] > calls.start[call] || calls.start[caller] + calls.length[caller] < calls.start[call] + calls.length[call]) continue;
            if (found.length === MOST_ARROWS) return null;
            found.push({
                kind: "calls", text: `${nameOf(caller)} (${names.layers[layerOf(caller)]}) calls ${nameOf(call)} (${names.layers[layerOf(call)]}): ${duration(calls.length[call])} of ${duration(calls.length[caller])}`,
                start: calls.start[call], end: calls.start[call], fromRow: row, toRow: row, fromCall: callName(run, caller), toCall: callName(run, call), layer: layerOf(caller), toLayer: layerOf(call),
            });
        }
    }
    return found;
}

// ---- handles ----

// [upper, lower]: an object of a file lies above the file that it was opened in, a file of a library above the one that it is stored in.
function handlePairs(run) {
    const within = ({parent, maker}) => parent && parent.maker && maker;
    run.handlePairs ||= run.handles.list.filter(within).map(handle => handle.layer === handle.parent.layer ? [handle, handle.parent] : [handle.parent, handle]);
    return run.handlePairs;
}

function handlesBelow(run, begin, end) {
    const found = [], layer = ({layer: name}) => run.names.layers.indexOf(name), words = handle => `${handle.layer} ${handleName(handle, "")}`;
    for (const [upper, lower] of handlePairs(run)) {
        if (Math.max(upper.from, lower.from) < begin || Math.min(upper.from, lower.from) > end) continue;
        if (found.length === MOST_ARROWS) return null;
        found.push({
            kind: "handles", text: `${words(upper)} ${upper.duplicate ? "is a duplicate of" : "uses"} ${words(lower)}`, start: upper.from, end: lower.from,
            fromRow: rowOfThread(run, upper.proc, upper.makerThread), toRow: rowOfThread(run, lower.proc, lower.makerThread), fromCall: upper.maker, toCall: lower.maker, layer: layer(upper), toLayer: layer(lower),
        });
    }
    return found;
}

/** Arrows of the chosen kinds of which something is in the window: [{kind, text, fromRow, toRow, start, end, layer, toLayer: undefined if that is
    the same}]; kinds with too many have none. `drawn`: the calls that are. */
export function arrowsOf(run, state, drawn) {
    const arrows = [], crowded = [];
    for (const [kind, name] of ARROW_KINDS) {
        if (!state.arrows.has(kind) || !howMany(run, kind) || !isHere(run, kind)) continue;
        const found = kind === "messages" ? arrowsIn(run, state.begin, state.end, MOST_ARROWS) : kind === "calls" ? callsBelow(run, state, drawn)
            : kind === "handles" ? handlesBelow(run, state.begin, state.end) : linksIn(run, kind, state.begin, state.end);
        if (found) arrows.push(...found);
        else crowded.push(name);
    }
    return {arrows, crowded};
}

/** The boxes that choose kinds of arrows; null: the run has none. */
export function arrowControls(run, state) {
    const kinds = ARROW_KINDS.filter(([kind]) => howMany(run, kind));
    if (!kinds.length) return null;
    return element("span", {class: "legend", role: "group", "aria-label": "Arrows"}, "Arrows: ", ...kinds.map(([kind, name]) => element("label", {},
        element("input", {type: "checkbox", "data-arrows": kind, checked: state.arrows.has(kind), onchange: () => toggleArrows(kind)}), ` ${name}${kind === "calls" ? "" : ` ${count(howMany(run, kind))}`}`)));
}

/** Which kinds cannot be drawn, and why. */
export function arrowsSaid(run, state, crowded) {
    const missing = ARROW_KINDS.filter(([kind]) => state.arrows.has(kind) && howMany(run, kind) && !isHere(run, kind)).map(([, name]) => name);
    const words = [];
    if (crowded.length) words.push(`More than ${MOST_ARROWS} arrows in view of ${crowded.join(" and ")}: zoom in.`);
    if (missing.length) words.push(run.server ? `There are too many arrows of ${missing.join(" and ")} for a page.` : `There are too many arrows of ${missing.join(" and ")} for a file: fathom view ${run.report.run.trace} may have them.`);
    return words.join(" ");
}

export function arrowsTable(run, arrows) {
    const text = name => ({name, type: "text"}), time = name => ({name, type: "number", unit: "plain"});
    return {
        title: "Arrows in view", columns: [text("what"), {...text("from"), title: "from call"}, {...text("to"), title: "to call"}, {...time("start"), title: "from (s)"}, {...time("end"), title: "to (s)"}],
        rows: arrows.map(arrow => ({what: arrow.text, from: arrow.fromCall, to: arrow.toCall, start: arrow.start / 1e9, end: arrow.end / 1e9})),
    };
}
