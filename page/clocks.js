// Clocks that are wrong: a process begins later, or earlier, on the time line by as much as one says. Its calls, operations and arrows move
// with it; other views and tables keep the times of the trace.

/** Nanoseconds by which the process of a row of the run is moved. */
export const offsetOf = (run, state, row) => state.offsets.size ? state.offsets.get(run.names.rows[row].proc) || 0 : 0;

/** The same of a process. */
export const offsetOfProcess = (state, proc) => state.offsets.get(proc) || 0;

/** What of the trace may be seen in the window: all processes of it are. */
export function movedWindow(state) {
    const offsets = [...state.offsets.values(), 0];
    return {begin: state.begin - Math.max(...offsets), end: state.end - Math.min(...offsets)};
}

/** A field for the offset of one process, and what is set, as buttons that take it back: {place, fill}. */
export function clockControls(run, state) {
    const processes = run.names.rows.filter(row => !row.thread), names = processes.map(row => element("option", {value: row.proc}, row.label));
    const chooser = element("select", {"aria-label": "Process to move", onchange: () => fill()}, ...names), list = element("span"), summary = element("summary");
    const field = element("input", {type: "number", step: "any", "aria-label": "Seconds by which the process is moved", onkeydown: event => { if (event.key === "Enter") set(); }});
    const set = () => moveProcess(Number(chooser.value), Math.round(Number(field.value) * 1e9) || 0);
    const controls = [element("p", {class: "quiet"}, "If a clock is wrong: moves a process on the time line. Other views and tables keep the times of the trace."),
        element("p", {class: "shift"}, chooser, " by ", field, " s ", element("button", {type: "button", onclick: set}, "Move"), " ", list)];
    const inside = element("div"), place = element("details", {class: "clocks", ontoggle: () => inside.replaceChildren(...place.open ? controls : [])}, summary, inside);
    function fill() {
        summary.textContent = state.offsets.size ? `Clocks: ${count(state.offsets.size)} moved` : "Clocks";
        if (document.activeElement !== field) field.value = (state.offsets.get(Number(chooser.value)) || 0) / 1e9;
        list.replaceChildren(...[...state.offsets].flatMap(([proc, offset]) => [element("button", {type: "button", "data-offset": proc, onclick: () => moveProcess(proc, 0)}, `${nameOfProcess(run, proc)} by ${offset / 1e9} s: back`), " "]));
    }
    fill();
    return {place, fill};
}
