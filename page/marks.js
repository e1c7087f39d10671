// Marked calls: those for which an expression is true, and the calls inside of them. The server judges it, as for a filter, and has another
// picture of the run, of these calls; the time line draws them in one colour and all others in grey.

const MARK_CLASSES = ["true, or inside of such a call", "not true", "not known here: zoom in"];

/** The calls of `state.mark` are asked for, unless they are known: run.marks is {text, run: of these calls, or null; wrong: what is wrong with it}. */
export async function markCalls(run, state) {
    const text = state.mark;
    if (!run.server || run.marks?.text === text) return;
    const marks = run.marks = {text, run: null, wrong: ""};
    if (!text) return;
    try {
        marks.run = await fetchFiltered(run.unfiltered || run, text);
        marks.rows = new Map(marks.run.names.rows.map(({proc, thread}, row) => [`${proc} ${thread}`, row]));
    } catch (error) {
        marks.wrong = error.message;
    }
    if (run === chosenRun() && run.marks === marks) arrived();
}

/** The row of the marked calls, of a row of the run; undefined: it has none. */
export const markedRow = (run, row) => run.marks?.run ? run.marks.rows.get(`${run.names.rows[row].proc} ${run.names.rows[row].thread}`) : undefined;

/** The lane of the marked calls, beside one of the run; null: none are known. */
export function markedLane(run, lane) {
    const row = markedRow(run, lane.row);
    return row === undefined ? null : run.marks.run.lanesOf[row].find(({layer}) => layer === lane.layer) || null;
}

// Both have the longest calls of each process, so a long call that is not among the marked ones is not marked. Others are so only where a
// window has all marked calls.
function isUnmarkedFor(run, state, call, row) {
    const {server, names} = run.marks.run;
    return names.all_calls || call < run.server.kept || server.windows.some(window => window.all_calls && window.begin <= state.begin && Math.min(state.end, names.end) <= window.end && window.rows.has(row));
}

/** Like other colourings ({legend, of}); counts are of the whole run. */
export function byMark(run, state) {
    const marks = run.marks;
    if (!marks?.run) return {legend: [{name: MARK_CLASSES[1], calls: 0, colour: OTHERS}], of: () => 0};
    const {calls, callsOf} = marks.run, numbers = new Map(callsOf.map((list, row) => [row, new Set(list.map(call => calls.number[call]))]));
    const of = call => {
        const row = markedRow(run, run.calls.row[call]);
        if (row === undefined || numbers.get(row).has(run.calls.number[call])) return row === undefined ? 1 : 0;
        return isUnmarkedFor(run, state, call, row) ? 1 : 2;
    };
    const total = (run.unfiltered || run).report.run.total.calls, found = marks.run.report.run.total.calls;
    let unknown = 0;
    for (let call = 0; call < run.calls.count; call++) unknown += of(call) === 2;
    const counts = [found, total - found, unknown], colours = [layerColour(4), OTHERS, themeColour("--line")];
    return {legend: MARK_CLASSES.map((name, i) => ({name, calls: counts[i], colour: colours[i]})), of};
}

/** The field of the expression; `fill` says what came of it. */
export function markField(run, state) {
    const field = element("input", {type: "search", value: state.mark, disabled: !run.server, placeholder: "bytes < 4K", "aria-label": "Expression of the calls to mark", onkeydown: event => { if (event.key === "Enter") chooseMark(field.value.trim()); }});
    const said = element("span", {class: "bad", role: "status"}), {trace} = run.report.run;
    const place = element("span", {class: "mark"}, field, " ", element("button", {type: "button", disabled: !run.server, onclick: () => chooseMark(field.value.trim())}, "Mark"), " ", said);
    return {
        place,
        fill() {
            place.hidden = state.colour !== "expression";
            if (document.activeElement !== field) field.value = state.mark;
            said.textContent = !run.server ? `This page is a file and cannot judge an expression: run fathom view ${trace}.` : run.marks?.wrong || (state.mark && !run.marks?.run ? "Fathom reads the calls ..." : "");
        },
    };
}
