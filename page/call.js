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

function facts(run, call) {
    const {calls, names} = run, what = names.functions[calls.function[call]];
    return [
        ["function", what.name],
        ["layer", names.layers[what.layer]],
        ["kind", what.kind],
        ["thread", names.rows[calls.row[call]].label],
        ["begins", `${(calls.start[call] / 1e9).toFixed(7)} s`],
        ["takes", duration(calls.length[call])],
        ["bytes", calls.bytes[call] ? `${bytes(calls.bytes[call])} (${count(calls.bytes[call])})` : ""],
        ["file", calls.file[call] ? names.files[calls.file[call] - 1] : ""],
        ["depth", String(calls.depth[call])],
        ["failed", calls.failed[call] ? "yes" : ""],
        ["call", callName(run, call)],
    ].filter(([, value]) => value !== "");
}

/** The panel of the chosen call; empty without one. */
export function makeCall(run, state, place) {
    function fill() {
        place.replaceChildren();
        if (state.call < 0) return;
        const list = element("dl");
        for (const [name, value] of facts(run, state.call)) list.append(element("dt", {}, name), element("dd", {}, value));
        place.append(element("h2", {}, "One call"), list,
            element("p", {}, "All its parameters: ", element("code", {}, `fathom dump --call ${callName(run, state.call)} ${run.report.run.trace}`)));
    }
    fill();
    return {changed: what => { if (what === "call") fill(); }, paint() {}};
}
