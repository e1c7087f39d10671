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

// A value of a call as text.
const shown = value => value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);

// What the server says of it: each parameter, the result, the calls around it and inside of it.
async function fillMore(run, call, place) {
    const name = callName(run, call);
    const calls = await fetchCall(run, name, run.calls.start[call]).catch(error => {
        place.append(element("p", {class: "bad"}, error.message));
        return [];
    });
    const it = calls.findIndex(one => one.id === name);
    if (it < 0) return;
    const list = element("dl"), {args, ret} = calls[it];
    for (const [key, value] of [...Object.entries(args), ["result", ret], ["error", calls[it].error]])
        if (shown(value) !== "") list.append(element("dt", {}, key), element("dd", {}, shown(value), calls[it].names[key] ? ` (${shown(calls[it].names[key])})` : ""));
    place.append(element("h3", {}, "Parameters"), list);
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
        place.append(element("h2", {}, "One call"), list, more,
            element("p", {}, "All its parameters: ", element("code", {}, `fathom dump --call ${callName(run, state.call)} ${run.report.run.trace}`)));
        if (run.server) fillMore(run, state.call, more);
    }
    fill();
    return {changed: what => { if (what === "call") fill(); }, paint() {}};
}
