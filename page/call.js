// One call: in a line, and with all that the page has of it.

/** "MPI_File_open, 11.9 ms, checkpoint/rod.20". */
export function callText(run, call) {
    const {calls, names} = run;
    const words = [names.functions[calls.function[call]].name, duration(calls.length[call])];
    if (calls.bytes[call]) words.push(bytes(calls.bytes[call]));
    if (calls.file[call]) words.push(names.files[calls.file[call] - 1]);
    if (calls.failed[call]) words.push("failed");
    return words.join(", ");
}

const MOST_PARTS = 1000; // of the path in the table

// How much of the call is on the critical path, and where that goes on: the table `critical_parts`, which has its longest parts.
export function pathText(run, call) {
    const {calls, names} = run, {proc, thread} = names.rows[calls.row[call]], begin = calls.start[call], end = begin + calls.length[call];
    const parts = run.report.tables.critical_parts?.rows || [], near = (a, b) => Math.abs(a - b) < 1e-9;
    let time = 0, goesOn = "";
    parts.forEach((part, i) => {
        const from = part.start * 1e9, to = from + part.duration * 1e9, next = parts[i + 1];
        const within = Math.min(to, end) - Math.max(from, begin);
        if (part.proc !== proc || part.thread !== thread || within <= 0) return;
        time += within;
        if (to > end || !next || !near(part.start + part.duration, next.start) || (next.proc === proc && next.thread === thread)) return;
        goesOn = `; it goes on in ${rowName(run, next)}, which waited for this thread or was started by it`;
    });
    return time ? `${parts.length < MOST_PARTS ? "" : "at least "}${duration(time)} of this call${goesOn}` : "";
}

const rowName = (run, {proc, thread}) => run.names.rows.find(row => row.proc === proc && row.thread === thread)?.label ?? `proc ${proc}, thread ${thread}`;

function facts(run, call) {
    const {calls, names} = run, what = names.functions[calls.function[call]];
    return [
        ["function", what.name],
        ["layer", names.layers[what.layer]],
        ["kind", what.kind],
        ["source", sourceOf(run, call)],
        ["thread", names.rows[calls.row[call]].label],
        ["begins", `${(calls.start[call] / 1e9).toFixed(7)} s`],
        ["takes", duration(calls.length[call])],
        ["bytes", calls.bytes[call] ? `${bytes(calls.bytes[call])} (${count(calls.bytes[call])})` : ""],
        ["file", calls.file[call] ? names.files[calls.file[call] - 1] : ""],
        ["depth", String(calls.depth[call])],
        ["failed", calls.failed[call] ? "yes" : ""],
        ["call", callName(run, call)],
        ["critical path", pathText(run, call)],
    ].filter(([, value]) => value !== "");
}

// A value of a call as text.
const shown = value => value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);

// Which bytes it accesses: the server may have to read its process for that.
async function fillExtents(run, name, place) {
    try {
        const calls = await fetchCall(run, name, undefined, true), it = calls.findIndex(one => one.id === name);
        if (it >= 0) place.append(...extentElements(run, accessesOf(calls, it)), ...otherPlaces(calls[it]), ...datatypeElements(calls[it]));
    } catch (error) {
        place.append(element("p", {class: "bad"}, error.message));
    }
}

// What `dump --ranges` has of a call beside ranges of a file: where a seek went, and elements of datasets and variables.
function otherPlaces({position, selected}) {
    const parts = [];
    if (position !== undefined) parts.push(element("p", {}, `Now at ${count(position)}.`));
    const words = one => Object.entries(one).filter(([, value]) => value !== null).map(([key, value]) => `${key} ${shown(value)}`).join(", ");
    for (const {object, variable, file, memory} of selected || [])
        parts.push(element("h3", {}, `Elements of ${object ?? `variable ${variable}`}`), element("dl", {}, element("dt", {}, "in the file"), element("dd", {}, words(file)),
            ...memory ? [element("dt", {}, "in memory"), element("dd", {}, words(memory))] : []));
    return parts;
}

// What the server says of it: each parameter, the result, the calls around it and inside of it.
async function fillMore(run, call, place) {
    const name = callName(run, call);
    const calls = await fetchCall(run, name, run.calls.start[call]).catch(error => {
        place.append(element("p", {class: "bad"}, error.message));
        return [];
    });
    const it = calls.findIndex(one => one.id === name);
    if (it < 0) return;
    const list = element("dl"), extents = element("div", {class: "extents"}), {args, ret} = calls[it];
    for (const [key, value] of [...Object.entries(args), ["result", ret], ["error", calls[it].error], ["source", sourceOf(run, call) ? "" : calls[it].source ?? ""]])
        if (shown(value) !== "") list.append(element("dt", {}, key), element("dd", {}, shown(value), calls[it].names[key] ? ` (${shown(calls[it].names[key])})` : ""));
    place.append(element("h3", {}, "Parameters"), list, extents);
    fillExtents(run, name, extents);
    for (const [title, some] of [["Around it", calls.slice(0, it)], ["Inside of it", calls.slice(it + 1)]]) {
        if (!some.length) continue;
        place.append(element("h3", {}, title), element("ul", {}, ...some.slice(0, 100).map(one =>
            element("li", {}, element("button", {type: "button", onclick: () => { show("timeline"); seek(one.id); }}, `${one.func}, ${duration((one.end - one.start) * 1e9)}`)))));
        if (some.length > 100) place.append(element("p", {class: "quiet"}, `and ${count(some.length - 100)} more`));
    }
}

/** The panel of the chosen call; empty without one. */
export function makeCall(run, state, place) {
    function fill() {
        place.replaceChildren();
        if (state.call < 0) return;
        const list = element("dl"), more = element("div", {class: "parameters"});
        for (const [name, value] of facts(run, state.call)) list.append(element("dt", {}, name), element("dd", {}, value));
        place.append(element("h2", {}, "One call"), list, ...linkedElements(run, callName(run, state.call)), more,
            element("p", {}, "All its parameters: ", element("code", {}, `fathom dump --call ${callName(run, state.call)} ${run.report.run.trace}`)));
        if (run.server) return fillMore(run, state.call, more);
        const access = accessInMaps(run, callName(run, state.call));
        if (access) more.append(...extentElements(run, access));
    }
    fill();
    return {changed: what => { if (what === "call") fill(); }, paint() {}};
}
