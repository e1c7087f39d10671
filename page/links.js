// Arrows of the time line on demand: messages, and other calls that belong together: who came last to a collective call and the others, an
// operation and the call that found it complete, the call that makes a process or thread and that. A table says the same.

const ARROW_KINDS = [["messages", "messages"], ["collectives", "collective calls"], ["requests", "requests"], ["creations", "processes and threads"]];

const MOST_ARROWS = 200; // of a kind

/** How many of a kind there are; 0: none, or they are not known. */
const howMany = (run, kind) => kind === "messages" ? (hasMessages(run) ? run.messages.count : 0) : run.links?.[kind].whole || 0;

const isHere = (run, kind) => kind === "messages" ? Boolean(run.messages.listed) : run.links[kind].count > 0;

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

/** Arrows of the chosen kinds of which something is in the window: [{kind, text, fromRow, toRow, start, end}]; kinds with too many have none. */
export function arrowsOf(run, state) {
    const arrows = [], crowded = [];
    for (const [kind, name] of ARROW_KINDS) {
        if (!state.arrows.has(kind) || !howMany(run, kind) || !isHere(run, kind)) continue;
        const found = kind === "messages" ? arrowsIn(run, state.begin, state.end, MOST_ARROWS) : linksIn(run, kind, state.begin, state.end);
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
        element("input", {type: "checkbox", "data-arrows": kind, checked: state.arrows.has(kind), onchange: () => toggleArrows(kind)}), ` ${name} ${count(howMany(run, kind))}`)));
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
