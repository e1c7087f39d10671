// What is looked at: one selection that all views follow. It stands in the address behind '#', so that a link shows what was seen.

const state = {view: "overview", begin: 0, end: 1, hidden: new Set(), call: -1, search: "", procs: [], file: "", model: "", formula: "", of: "", colour: "layer", mark: "", find: "", rows: "", level: "", folds: new Set(), only: "", path: false, operations: true, arrows: new Set(["messages"]), pair: [], where: "", run: 0, shifts: [], offsets: new Map(), axis: null, choices: new Map()};
const CHOICE = "choice."; // begins what single controls of views are set to
const followers = [];
let whole = [0, 1], runOfState = null, writing = 0, sought = "", listens = false, toOtherRun = () => {}, lastAddress = "";

/** `follow(state, what)` is called when something has changed; what: "view", "time", "layers", "call", "search", "file", "formula", "colour", "arrows", "offsets", "data", "axis", "where", "choices". */
export function follow(follower) {
    followers.push(follower);
}

/** More of the run has come from the server. */
export function arrived() {
    if (sought && findCall(runOfState, sought) >= 0) choose(findCall(runOfState, sought));
    for (const follower of followers) follower(state, "data");
}

function tell(what) {
    for (const follower of followers) follower(state, what);
    touchAddress();
}

/** What stands in the address has changed, and nobody else need know. */
export function touchAddress() {
    clearTimeout(writing);
    writing = setTimeout(writeAddress, 150);
}

// Not over an address that has just been typed, which is read next.
function writeAddress() {
    if (location.hash !== lastAddress) return;
    history.replaceState(null, "", `#${address()}`);
    lastAddress = location.hash;
}

function address() {
    const words = new URLSearchParams({view: state.view});
    if (state.begin !== whole[0] || state.end !== whole[1]) words.set("time", `${Math.round(state.begin)}-${Math.round(state.end)}`);
    if (state.hidden.size) words.set("hidden", [...state.hidden].map(layer => runOfState.names.layers[layer]).join(","));
    if (state.call >= 0 || sought) words.set("call", sought || callName(runOfState, state.call));
    if (state.search) words.set("search", state.search);
    if (state.procs.length) words.set("procs", rangesText(state.procs));
    if (state.file) words.set("file", state.file);
    if (state.model) words.set("model", state.model);
    if (state.formula) words.set("formula", state.formula);
    if (state.of) words.set("of", state.of);
    if (state.colour !== "layer") words.set("colour", state.colour);
    if (state.mark) words.set("mark", state.mark);
    if (state.find) words.set("find", state.find);
    if (state.rows) words.set("rows", state.rows);
    if (state.level) words.set("level", state.level);
    if (state.folds.size) words.set("folds", [...state.folds].join(","));
    if (state.only) words.set("only", state.only);
    if (state.path) words.set("path", "yes");
    if (!state.operations) words.set("operations", "no");
    if ([...state.arrows].join() !== "messages") words.set("arrows", [...state.arrows].join(","));
    if (state.where) words.set("where", state.where);
    if (state.pair.length) words.set("pair", state.pair.map(({id, start, end}) => `${id}:${Math.round(start)}-${Math.round(end)}`).join(","));
    if (state.run) words.set("run", state.run);
    if (state.shifts.some(shift => shift)) words.set("shifts", state.shifts.map(shift => Math.round(shift || 0)).join(","));
    if (state.offsets.size) words.set("offsets", [...state.offsets].map(([proc, offset]) => `${proc}:${Math.round(offset)}`).join(","));
    if (state.axis) words.set("axis", state.axis.map(Math.round).join(".."));
    for (const [name, value] of state.choices) words.set(`${CHOICE}${name}`, value);
    return words.toString();
}

/** Takes the selection from the address; whoever followed another run does so no more. */
export function openState(run) {
    runOfState = run;
    followers.length = 0;
    state.offsets = offsetsInAddress();
    fitWhole();
    [state.begin, state.end] = whole;
    readAddress();
    if (!listens) addEventListener("hashchange", () => {
        if (runInAddress() !== state.run) return toOtherRun(runInAddress());
        readAddress();
        for (const what of ["view", "time", "layers", "search", "file", "formula", "colour", "arrows", "offsets", "call", "where", "choices"]) tell(what);
    });
    listens = true;
    return state;
}

/** The number of the run that the address names; `change(number)` is called when it becomes another one. */
export function runInAddress(change = toOtherRun) {
    toOtherRun = change;
    return Number(new URLSearchParams(location.hash.slice(1)).get("run")) || 0;
}

/** What is looked at of this run, as far as others have it, too. */
export function addressOf(run) {
    const words = new URLSearchParams(address());
    for (const key of ["time", "call", "offsets", "only", "procs", "folds", "pair", "where", "run", `${CHOICE}profile-call`, `${CHOICE}profile-below`, `${CHOICE}samples-of`]) words.delete(key);
    if (run) words.set("run", run);
    return `#${words}`;
}

function readAddress() {
    const words = new URLSearchParams(location.hash.slice(1));
    lastAddress = location.hash;
    state.run = runOfState.number;
    state.offsets = offsetsInAddress();
    fitWhole();
    state.shifts = (words.get("shifts") || "").split(",").map(Number).map(shift => Number.isFinite(shift) ? shift : 0);
    const axis = /^(-?\d+)\.\.(-?\d+)$/.exec(words.get("axis") || "");
    state.axis = axis && +axis[2] > +axis[1] ? [+axis[1], +axis[2]] : null;
    state.view = words.get("view") || "overview";
    state.search = words.get("search") || "";
    state.procs = rangesIn(words.get("procs") || "");
    state.file = words.get("file") || "";
    state.model = words.get("model") || "";
    state.formula = words.get("formula") || "";
    state.of = words.get("of") || "";
    state.colour = words.get("colour") || "layer";
    state.mark = words.get("mark") || "";
    state.find = words.get("find") || "";
    state.rows = words.get("rows") || "";
    state.level = words.get("level") || "";
    state.folds = new Set((words.get("folds") || "").split(",").filter(key => /^(?:[np]\d+|o\d+\.\d+)$/.test(key)));
    state.only = words.get("only") || "";
    state.path = words.get("path") === "yes";
    state.operations = words.get("operations") !== "no";
    state.arrows = new Set((words.get("arrows") ?? "messages").split(",").filter(Boolean));
    state.where = words.get("where") || "";
    state.pair = pairIn(words.get("pair") || "");
    state.choices = new Map([...words].filter(([key]) => key.startsWith(CHOICE)).map(([key, value]) => [key.slice(CHOICE.length), value]));
    const time = /^(-?\d+)-(-?\d+)$/.exec(words.get("time") || "");
    if (time && +time[2] > +time[1]) [state.begin, state.end] = [+time[1], +time[2]];
    if (!runOfState.names) return;
    const hidden = (words.get("hidden") || "").split(",").map(name => runOfState.names.layers.indexOf(name));
    state.hidden = new Set(hidden.filter(layer => layer >= 0));
    const name = words.get("call") || "";
    state.call = name ? findCall(runOfState, name) : -1;
    sought = "";
    if (name && state.call < 0) seek(name);
}

// All of the run, where its processes are moved to.
function fitWhole() {
    const {names} = runOfState, offsets = [...state.offsets.values(), 0];
    if (names) whole = [names.begin + Math.min(...offsets), Math.max(names.end, names.begin + 1) + Math.max(...offsets)];
}

// Of an address that anybody may have written.
function offsetsInAddress() {
    const text = new URLSearchParams(location.hash.slice(1)).get("offsets") || "", procs = new Set(runOfState.names ? runOfState.names.rows.map(row => row.proc) : []);
    const found = text.split(",").map(one => /^(\d+):(-?\d{1,15})$/.exec(one)).filter(Boolean).map(([, proc, offset]) => [+proc, +offset]);
    return new Map(found.filter(([proc, offset]) => procs.has(proc) && offset));
}

// Of an address that anybody may have written.
function pairIn(text) {
    const calls = text.split(",").map(one => /^(\d+\.\d+\.\d+):(\d+)-(\d+)$/.exec(one)).filter(Boolean);
    return calls.length === 2 ? calls.map(([, id, start, end]) => ({id, start: +start, end: +end})) : [];
}

export function show(view) {
    state.view = view;
    tell("view");
}

// At least a nanosecond, and nothing but the run.
function windowAround(begin, end) {
    const most = whole[1] - whole[0];
    const length = Math.min(Math.max(end - begin, 50), most);
    begin = Math.min(Math.max(begin, whole[0]), whole[1] - length);
    return [begin, begin + length];
}

export function look(begin, end) {
    [state.begin, state.end] = windowAround(begin, end);
    tell("time");
}

export function lookAtAll() {
    look(...whole);
}

/** factor < 1: closer; `at` stays where it is. */
export function zoom(factor, at) {
    look(at - (at - state.begin) * factor, at + (state.end - at) * factor);
}

export function toggleLayer(layer) {
    if (!state.hidden.delete(layer)) state.hidden.add(layer);
    tell("layers");
}

/** The call of this name is chosen. Where the page does not have it, the server is asked where it is, and its window for it. */
export async function seek(name) {
    const known = findCall(runOfState, name);
    if (known >= 0) return choose(known);
    const run = runOfState;
    if (!run.server) return;
    const calls = await fetchCall(run, name).catch(() => []), found = calls.find(call => call.id === name);
    if (!found || run !== runOfState) return;
    sought = name;
    const begin = Math.round(found.start * 1e9), length = Math.max(Math.round(found.end * 1e9) - begin, 100);
    look(begin - 4 * length, begin + 5 * length);
}

/** Two calls, {id, start, end} in ns: the time line shows both, marked, and nothing but their processes. Empty: none any more. */
export function showPair(calls) {
    state.pair = calls;
    if (!calls.length) return tell("call");
    const begin = Math.min(...calls.map(call => call.start)), end = Math.max(...calls.map(call => call.end)), margin = Math.max(100, (end - begin) / 4);
    state.view = "timeline";
    state.search = "";
    state.procs = [...new Set(calls.map(call => Number(call.id.split(".")[0])))].sort((a, b) => a - b);
    state.call = findCall(runOfState, calls[0].id);
    sought = state.call < 0 && runOfState.server ? calls[0].id : "";
    [state.begin, state.end] = windowAround(begin - margin, end + margin);
    for (const what of ["view", "time", "search", "call"]) tell(what);
}

/** Is this call one of the two? */
export const isOfPair = name => state.pair.some(call => call.id === name);

export function choose(call) {
    if (call >= 0) sought = "";
    if (call < 0 || !isOfPair(callName(runOfState, call))) state.pair = [];
    state.call = call;
    tell("call");
}

/** The expression of the calls that are shown; "": all of them. */
export function chooseWhere(text) {
    state.where = text;
    state.call = -1;
    clearTimeout(writing);
    writeAddress();
}

export function search(text) {
    state.search = text;
    tell("search");
}

/** Only these processes are shown; none: all of them. */
export function chooseProcs(procs) {
    state.procs = [...procs].sort((a, b) => a - b);
    tell("search");
}

/** "0-3,7" of numbers in order. */
export function rangesText(numbers) {
    const ranges = [];
    for (const number of numbers) {
        if (ranges.length && ranges.at(-1)[1] === number - 1) ranges.at(-1)[1] = number;
        else ranges.push([number, number]);
    }
    return ranges.map(([first, last]) => first === last ? `${first}` : `${first}-${last}`).join(",");
}

// Of an address that anybody may have written.
function rangesIn(text) {
    const procs = new Set(runOfState.names ? runOfState.names.rows.map(row => row.proc) : []);
    const ranges = text.split(",").map(one => /^(\d+)(?:-(\d+))?$/.exec(one)).filter(Boolean).map(([, first, last]) => [+first, +(last ?? first)]);
    return [...procs].filter(proc => ranges.some(([first, last]) => proc >= first && proc <= last)).sort((a, b) => a - b);
}

/** Is this row among those that are chosen and searched for? */
export function isFound(run, state, row) {
    if (state.procs.length && !state.procs.includes(run.names.rows[row].proc)) return false;
    return !state.search || run.names.rows[row].label.toLowerCase().includes(state.search.toLowerCase());
}

/** A path: what the view of files shows. */
export function chooseFile(path) {
    state.file = path;
    tell("file");
}

/** The consistency model whose conflicts are drawn over the map of a file; "": none. */
export function chooseModel(name) {
    state.model = name;
    tell("file");
}

/** A formula over the series of the rates, and whose series these are; "": none. */
export function chooseFormula(text, of) {
    state.formula = text;
    state.of = of;
    tell("formula");
}

/** By what single calls are coloured, and which class of it is looked for; "": all of them. */
export function chooseColour(by, only) {
    state.colour = by;
    state.only = only;
    tell("colour");
}

/** The expression of the calls that are marked where they are coloured by one; "": none. */
export function chooseMark(text) {
    state.mark = text;
    tell("colour");
}

/** The name, or a part of one, whose calls are marked where they are coloured by that; "": none. */
export function findCalls(text) {
    state.find = text;
    tell("colour");
}

/** By what the rows of the time line are sorted; "": by number. */
export function sortRows(by) {
    state.rows = by;
    tell("layers");
}

/** What is one row of the time line: "": a thread, "process" or "node". */
export function chooseLevel(level) {
    state.level = level;
    state.folds.clear();
    tell("layers");
}

/** Folds or unfolds the process or node of this key. */
export function toggleFold(key) {
    if (!state.folds.delete(key)) state.folds.add(key);
    tell("layers");
}

/** Is the critical path drawn on the time line? */
export function showPath(shown) {
    state.path = shown;
    tell("colour");
}

/** Are operations drawn below the rows of the threads that start them? */
export function showOperations(shown) {
    state.operations = shown;
    tell("layers");
}

/** Are arrows of this kind drawn on the time line? */
export function toggleArrows(kind) {
    if (!state.arrows.delete(kind)) state.arrows.add(kind);
    tell("arrows");
}

/** Nanoseconds by which a process is moved on the time line. */
export function moveProcess(proc, offset) {
    const seesAll = state.begin === whole[0] && state.end === whole[1];
    if (offset) state.offsets.set(proc, offset);
    else state.offsets.delete(proc);
    fitWhole();
    if (seesAll) [state.begin, state.end] = whole;
    tell("offsets");
    look(state.begin, state.end);
}

/** Nanoseconds by which a run begins later than the first one, where runs are beside each other. */
export function shiftRun(number, shift) {
    while (state.shifts.length <= number) state.shifts.push(0);
    state.shifts[number] = shift;
    state.axis = null;
    tell("axis");
}

/** What is seen of the axis of all runs, in nanoseconds since the first one began; null: all of it. */
export function lookAtAxis(axis) {
    state.axis = axis;
    tell("axis");
}
