// Conflicts over the map of a file: of each group of pairs that is racy (or not known to be safe) under the chosen consistency model, the bytes
// that the two calls of its example share, framed where either call is. Facts and words are those of the view Verify.

let conflictsPainted = [];

/** What is painted over the map: {number, first, second, range, boxes: [{left, top, wide, high}]}. */
export const conflictsOnMap = () => conflictsPainted;

const isOfFile = (path, {file, renamed}) => file === path || renamed === path;

/** Groups of a model that are about the file, each with its words: [[facts, words]]. */
export function conflictsOf({models, facts}, model, path) {
    const words = models.find(one => one.name === model), known = facts.models[model];
    if (!words || !known) return [];
    const zip = (groups, texts) => groups.map((group, i) => [group, texts[i]]);
    return [...zip(known.groups, words.groups), ...zip(known.thread_groups, words.thread_groups)].filter(([group]) => isOfFile(path, group));
}

// Where a call of a pair is across the map: over the time, or in the column of its process; null: not in it.
function acrossOf(view, {proc, start, end}, plot) {
    if (view.across.value !== "time") {
        const {shares} = view.map, column = shares.findIndex(share => share.proc === proc), wide = plot / shares.length;
        return column < 0 ? null : [column * wide, wide];
    }
    const {state} = view, scale = plot / (state.end - state.begin), left = (start * 1e9 - state.begin) * scale, wide = Math.max(4, (end - start) * 1e9 * scale);
    return left > plot || left + wide < 0 ? null : [left, wide];
}

function boxOf(view, [low, high], call, plot, tall) {
    const across = acrossOf(view, call, plot), scale = tall / view.extent;
    if (!across || low > view.extent) return null;
    const height = Math.max(4, ((high ?? view.extent) - low) * scale);
    return {left: MAP_LEFT + across[0], wide: across[1], top: Math.max(0, tall - low * scale - height), high: height};
}

// On any colour: the line of the frame has a lighter one around it, the number a ground.
function strokeFrame(context, {left, top, wide, high}) {
    const colour = context.strokeStyle;
    for (const [line, style] of [[5, themeColour("--ground")], [2, colour]]) {
        context.lineWidth = line;
        context.strokeStyle = style;
        context.strokeRect(left, top, wide, high);
    }
}

function paintNumber(context, text, {left, top, wide, high}, tall) {
    const colour = context.fillStyle, x = wide > 40 ? left + 3 : left + wide + 4, y = Math.min(tall - 14, wide > 40 && high < 20 ? Math.max(0, top - 16) : top + 2);
    context.fillStyle = themeColour("--ground");
    context.fillRect(x, y, context.measureText(text).width + 4, 13);
    context.fillStyle = colour;
    context.fillText(text, x + 2, y + 11);
}

/** Frames with numbers, and a line between the two of a pair. */
export function paintConflicts(view, context, plot, tall) {
    conflictsPainted = view.conflicts.map(([group], i) => {
        const low = group.range[0], high = group.finds_end ? low + 1 : group.range[1];
        const boxes = [group.first, group.second].map(call => boxOf(view, [low, high], call, plot, tall));
        return {number: i + 1, group, first: group.first.id, second: group.second.id, range: group.range, boxes};
    });
    context.save();
    context.beginPath();
    context.rect(MAP_LEFT, 0, plot, tall);
    context.clip();
    context.font = "bold 12px system-ui, sans-serif";
    for (const {number, group, boxes} of conflictsPainted) {
        const [one, other] = boxes;
        context.strokeStyle = context.fillStyle = themeColour(group.unsure ? "--text" : "--bad");
        for (const box of boxes) if (box) strokeFrame(context, box);
        if (one) paintNumber(context, `${number}${group.unsure ? "?" : ""}`, one, tall);
        if (!one || !other) continue;
        context.lineWidth = 1;
        context.beginPath();
        context.moveTo(one.left + one.wide / 2, one.top + one.high / 2);
        context.lineTo(other.left + other.wide / 2, other.top + other.high / 2);
        context.stroke();
    }
    context.restore();
}

function conflictsTable(model, path, conflicts) {
    const number = (name, title = name) => ({name, title, type: "number", unit: "count"}), text = (name, title = name) => ({name, title, type: "text"});
    return {
        title: `Conflicts under ${model}`, columns: [number("number"), text("conflict"), number("pairs"), number("from", "from byte"), number("to", "to byte"), text("first", "first call"), text("second", "second call")],
        rows: conflicts.map(([group], i) => ({number: i + 1, conflict: `${group.unsure ? "not known to be safe: " : ""}${group.hazard}`, pairs: group.pairs, from: group.range[0], to: group.finds_end || group.range[1] === null ? null : group.range[1] - 1, first: group.first.id, second: group.second.id})),
    };
}

// What has conflicts and no map in the page.
function unmappedText(run, {models, facts}, model) {
    const known = facts.models[model], mapped = run.maps.files.map(file => file.path);
    const others = new Set([...known.groups, ...known.thread_groups].filter(group => !mapped.some(path => isOfFile(path, group))).map(group => group.file));
    return others.size ? ` ${count(others.size)} ${others.size > 1 ? "files" : "file"} with conflicts without a map here: ${[...others].slice(0, 4).join(", ")}${others.size > 4 ? " ..." : ""}. The view Verify has them.` : "";
}

/** The choice of a model, and below the map what is painted; `repaint` paints the map. */
export function conflictControls(run, state, view, repaint) {
    const said = element("p", {class: "quiet", role: "status"}), list = element("div", {class: "conflicts"});
    const chooser = element("select", {"aria-label": "Conflicts under", onchange: () => chooseModel(chooser.value)});
    view.conflicts = [];
    async function turn() {
        chooser.value = state.model;
        if (state.model && !run.verdict && run.server) await askVerdict();
        const names = run.verdict ? run.verdict.models.map(({name}) => name) : ["posix", "commit", "session", "mpi-io", "eventual"];
        chooser.replaceChildren(element("option", {value: ""}, "no conflicts"), ...names.map(name => element("option", {value: name}, `conflicts under ${name}`)));
        chooser.value = state.model;
        view.conflicts = run.verdict && state.model ? conflictsOf(run.verdict, state.model, view.map.path) : [];
        said.textContent = sentence();
        list.replaceChildren();
        if (view.conflicts.length) list.append(tableElement("conflicts", conflictsTable(state.model, view.map.path, view.conflicts)),
            pairElements(run, "Pairs", view.conflicts.map(([group, words], i) => [`${i + 1}`, group, words])));
        repaint();
    }
    async function askVerdict() {
        said.textContent = "Fathom verifies the run ...";
        view.failure = "";
        try {
            run.verdict = await fetchVerdict(run);
        } catch (error) {
            view.failure = error.status === STOPPED ? "the verification was stopped" : error.message;
        }
    }
    function sentence() {
        if (!state.model) return "";
        if (view.failure) return `The run cannot be verified: ${view.failure}`;
        if (!run.verdict) return withoutVerdict(run);
        const known = run.verdict.facts.models[state.model];
        if (!known) return `The verdict has no model ${state.model}.`;
        const pairs = view.conflicts.reduce((sum, [group]) => sum + group.pairs, 0);
        return `${view.conflicts.length ? `${count(pairs)} ${pairs > 1 ? "pairs" : "pair"} of calls in conflict under ${state.model}. A frame has the bytes of one pair of each kind, where either call is.`
            : `The verdict has no conflict in this file under ${state.model}.`}${unmappedText(run, run.verdict, state.model)}`;
    }
    return {chooser, said, list, turn};
}
