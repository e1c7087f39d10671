// The rows of the time line, from the top: threads, or what stands for several of them. A process with several threads and a node fold into
// one row, whose lanes show the mean of theirs; so a run can be seen with one row for each rank, or for each node.

const HEAD_HIGH = 15;

const timesOf = (run, row) => run.report.tables.time_by_process?.rows.find(one => one.proc === run.names.rows[row].proc);

// What rows may be sorted by: the least key first. Waiting is of processes, whose threads stay together.
const ROW_ORDERS = {
    name: {title: "by name", key: (run, row) => run.names.rows[row].label},
    node: {title: "by node", key: (run, row) => run.names.rows[row].process.host || ""},
    busy: {title: "busiest first", key: (run, row) => -run.lanesOf[row].reduce((most, lane) => Math.max(most, lane.busy.reduce((a, b) => a + b, 0)), 0)},
    waiting: {title: "most waiting first", key: (run, row) => -(timesOf(run, row)?.waiting || 0)},
};

// What is one row unless it is unfolded or folded by itself.
const ROW_LEVELS = {"": "a row for each thread", process: "a row for each process (rank)", node: "a row for each node"};

const hostOf = (run, row) => run.names.rows[row].process.host || "node";

/** Is the process or node of this key ("p3"; a node by its first process, "n0") one row, are the operations of this thread ("o3.0") one lane? */
export function isFolded(state, key) {
    if (key[0] === "o") return !state.folds.has(key);
    const byLevel = key[0] === "p" ? state.level !== "" : state.level === "node";
    return byLevel !== state.folds.has(key);
}

// Rows that are found, with the lanes that are not hidden, in their order.
function sortedRows(run, state) {
    const rows = [];
    for (let row = 0; row < run.names.rows.length; row++) {
        if (!isFound(run, state, row)) continue;
        const lanes = run.lanesOf[row].filter(lane => !state.hidden.has(lane.layer)).sort((a, b) => b.layer - a.layer);
        if (lanes.length) rows.push({row, lanes, members: [row], label: run.names.rows[row].label, key: ""});
    }
    const order = ROW_ORDERS[state.rows];
    if (!order) return ranksInOrder([...parted(rows, ({row}) => run.names.rows[row].proc).values()], ([{row}]) => run.names.rows[row].process).flat();
    const keys = new Map(rows.map(({row}) => [row, order.key(run, row)]));
    return rows.sort((a, b) => compare(keys.get(a.row), keys.get(b.row)) || a.row - b.row);
}

// Parts of a list that have the same key, in the order of their first ones.
function parted(list, keyOf) {
    const parts = new Map();
    for (const one of list) {
        if (!parts.has(keyOf(one))) parts.set(keyOf(one), []);
        parts.get(keyOf(one)).push(one);
    }
    return parts;
}

// One row for several: a lane for each layer that one of them has.
function foldedRow(rows, key, label) {
    const layers = [...new Set(rows.flatMap(({lanes}) => lanes.map(({layer}) => layer)))].sort((a, b) => b - a);
    const lanes = layers.map(layer => ({layer, of: rows.length, lanes: rows.flatMap(row => row.lanes.filter(lane => lane.layer === layer))}));
    return {row: rows[0].row, lanes, members: rows.map(({row}) => row), label: `${label}: ${count(rows.length)} threads`, key, folded: true};
}

function rowsOfProcesses(run, state, rows) {
    const threads = parted(rows, ({row}) => run.names.rows[row].proc), seen = new Set();
    return rows.flatMap(one => {
        const {proc} = run.names.rows[one.row], own = threads.get(proc), key = `p${proc}`, isFirst = !seen.has(proc);
        seen.add(proc);
        if (own.length === 1) return [one];
        if (isFolded(state, key)) return isFirst ? [foldedRow(own, key, nameOfProcess(run, proc))] : [];
        return [isFirst ? {...one, key} : one];
    });
}

/** What the time line shows: [{row, lanes, members: rows of the run, label, key: of what folds here or "", folded, head: is it but a name?}];
    below a row may stand one with `operations`, of as many `lines`. */
export function shownRows(run, state) {
    const rows = rowsOfCalls(run, state);
    if (!state.operations || !hasOperations(run)) return rows;
    return rows.flatMap(row => [row, row.head ? null : operationsRow(run, state, row)].filter(Boolean));
}

function rowsOfCalls(run, state) {
    const rows = sortedRows(run, state), folds = [...state.folds].some(key => key[0] === "n");
    if (state.rows !== "node" && state.level !== "node" && !folds) return rowsOfProcesses(run, state, rows);
    return [...parted(rows, ({row}) => hostOf(run, row))].flatMap(([host, part]) => {
        const key = `n${run.names.rows.find(row => (row.process.host || "node") === host).proc}`;
        if (isFolded(state, key)) return [foldedRow(part, key, host)];
        return [{row: -1, lanes: [], members: [], label: host, key, head: true}, ...rowsOfProcesses(run, state, part)];
    });
}

/** The row that stands for each row of the run. */
export const standsFor = rows => new Map(rows.flatMap(one => one.members.map(row => [row, one])));

// ---- the mean of lanes ----

// Where all of them are known in bins of the run only: one lane for all.
function meanOfBins(run, lane) {
    if (!lane.mean) {
        const levels = run.lanes[0].levels.map(level => new Float32Array(level.length));
        for (const one of lane.lanes) one.levels.forEach((level, i) => { for (let bin = 0; bin < level.length; bin++) levels[i][bin] += level[bin] / lane.of; });
        lane.mean = {levels};
    }
    return lane.mean;
}

/** For each pixel the mean of what `sharesOf(lane, shares)` fills in for the lanes of a folded row; threads without the layer count. */
export function sharesOfFolded(run, lane, state, shares, sharesOf) {
    const {begin, end} = state, perPixel = (end - begin) / shares.length, known = lane.lanes.map(one => finest(run, one, begin, end, perPixel));
    if (!state.offsets.size && known.every(({lane: found}, i) => found === lane.lanes[i])) return sharesBetween({...known[0], lane: meanOfBins(run, lane)}, begin, end, shares);
    return sumOfShares(lane, shares, sharesOf);
}

/** The same without a short way. */
export function sumOfShares(lane, shares, sharesOf) {
    const one = new Float32Array(shares.length), sums = new Float32Array(shares.length);
    for (const part of lane.lanes) {
        sharesOf(part, one);
        for (let x = 0; x < sums.length; x++) sums[x] += one[x] / lane.of;
    }
    shares.set(sums);
}

/** What a folded row says at a pixel. */
export function foldedText(run, row, lane, share, time, step) {
    return `${row.label}, ${run.names.layers[lane.layer]}, at ${tickText(time, step)}: ${percent(100 * share)} busy, the mean of all its threads`;
}

// ---- controls ----

/** Choices of the order and of what is one row; and a list of buttons that fold, for whoever has no pointer. `fill(rows)`: what is shown now. */
export function rowControls(run, state) {
    const choice = (label, choices, chosen, change) => {
        const made = element("select", {"aria-label": label, onchange: () => change(made.value)}, ...choices.map(([value, title]) => element("option", {value, selected: value === chosen}, title)));
        return made;
    };
    const order = choice("Order of rows", [["", "rows by number"], ...Object.entries(ROW_ORDERS).map(([key, {title}]) => [key, title])], state.rows, sortRows);
    const level = choice("A row for each", Object.entries(ROW_LEVELS), state.level, chooseLevel);
    const list = element("details", {class: "folds", ontoggle: () => fillList()}, element("summary", {}, "Fold and unfold"), element("div"));
    let rows = [];
    function fillList() {
        const folding = rows.filter(({key}) => key);
        list.hidden = !folding.length;
        if (!list.open) return;
        const focused = document.activeElement?.dataset.fold;
        list.lastChild.replaceChildren(...folding.slice(0, MOST_FOLDS).map(({key, label, folded, row}) => element("button", {type: "button", "data-fold": key, "aria-expanded": String(!folded), onclick: () => toggleFold(key)}, `${foldMark(folded)} ${key[0] === "o" ? `${run.names.rows[row].label}: ` : ""}${label}`)),
            ...folding.length > MOST_FOLDS ? [element("p", {class: "quiet"}, `The first ${MOST_FOLDS} of ${count(folding.length)}; search for others.`)] : []);
        if (focused) list.querySelector(`[data-fold="${focused}"]`)?.focus();
    }
    return {
        choices: [order, " ", level], list,
        fill(shown) {
            rows = shown;
            order.value = state.rows;
            level.value = state.level;
            fillList();
        },
    };
}

const MOST_FOLDS = 256;

/** Before the name of what folds. */
export const foldMark = folded => folded ? "\u25b8" : "\u25be";
