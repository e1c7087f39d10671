// The tables behind the time line: the calls that are drawn one by one, and the lanes of the rows that are visible. They are filled when they
// are open, and say what is painted.

/** What is said of a table that is not open; without a row it is not there. Nothing is touched that stays: each frame paints. */
export function titleBehind(list, rows, title) {
    if (list.hidden !== !rows) list.hidden = !rows;
    if (list.firstChild.textContent !== title) list.firstChild.textContent = title;
}

/** Fills what is open with a table of what is painted, which stays as it is sorted while that is the same (`key`). */
export function fillBehind(list, key, make) {
    if (!list.open || list.hidden || list.shownKey === key) return;
    list.shownKey = key;
    list.lastChild.replaceChildren(make());
}

const textColumn = (name, title) => ({name, title, type: "text"}), numberColumn = (name, unit, title) => ({name, title, type: "number", unit});

function callsTable(run, shown) {
    const {calls, names} = run;
    return {
        title: "Calls in view, one by one",
        columns: [textColumn("call"), textColumn("thread"), textColumn("function"), numberColumn("start", "s"), numberColumn("duration", "s"), numberColumn("bytes", "byte"), textColumn("file"), textColumn("outcome")],
        rows: shown.map(({call}) => ({
            call: callName(run, call), thread: names.rows[calls.row[call]].label, function: names.functions[calls.function[call]].name, start: calls.start[call] / 1e9, duration: calls.length[call] / 1e9,
            bytes: calls.bytes[call] || null, file: calls.file[call] ? names.files[calls.file[call] - 1] : null, outcome: calls.failed[call] ? "failed" : null,
        })),
    };
}

// Of one lane within the window, by its bins as finely as they are known; a bin that the window cuts counts by its share.
function sumsOfLane(run, lane, view) {
    const offset = offsetOf(run, view.state, lane.row), begin = view.state.begin - offset, end = view.state.end - offset, sums = {calls: 0, busy: 0, longest: 0, read: 0, written: 0};
    const {lane: known, begin: first, bin_width: width} = finest(run, lane, begin, end, (end - begin) / view.plot);
    for (let i = 0; i < (known ? known.count : 0); i++) {
        const from = first + known.places[i] * width, part = Math.min(1, (Math.min(end, from + width) - Math.max(begin, from)) / width);
        if (part <= 0) continue;
        for (const key of ["calls", "busy", "read", "written"]) sums[key] += part * known[key][i];
        sums.longest = Math.max(sums.longest, known.longest[i]);
    }
    return sums;
}

function laneRow(run, row, lane, view) {
    const sums = {calls: 0, busy: 0, longest: 0, read: 0, written: 0};
    for (const part of lane.lanes || [lane]) {
        const one = sumsOfLane(run, part, view);
        for (const key of ["calls", "busy", "read", "written"]) sums[key] += one[key];
        sums.longest = Math.max(sums.longest, one.longest);
    }
    const share = 100 * sums.busy / ((view.state.end - view.state.begin) * (lane.of || 1));
    return {row: row.label, layer: run.names.layers[lane.layer], busy: Math.min(100, share), calls: Math.round(sums.calls), longest: sums.longest / 1e9, read: Math.round(sums.read), written: Math.round(sums.written)};
}

function lanesTable(view, visible) {
    return {
        title: "Lanes in view: sums of the time that is shown",
        columns: [textColumn("row"), textColumn("layer"), numberColumn("busy", "percent"), numberColumn("calls", "count"), numberColumn("longest", "s", "longest call"), numberColumn("read", "byte"), numberColumn("written", "byte")],
        rows: visible.flatMap(row => row.lanes.map(lane => laneRow(view.run, row, lane, view))),
    };
}

/** After each painting; `visible`: the rows. */
export function tellCalls(view, visible) {
    const {run, state, callList, laneList, shown} = view, lanes = visible.reduce((sum, row) => sum + row.lanes.length, 0), seen = `${state.begin} ${state.end}`;
    titleBehind(callList, shown.length, `Calls drawn one by one: ${count(shown.length)}`);
    fillBehind(callList, `${seen} ${shown.length} ${shown[0]?.call} ${run.calls.count}`, () => tableElement("calls", callsTable(run, shown)));
    titleBehind(laneList, lanes, `Lanes in view: ${count(lanes)}`);
    fillBehind(laneList, `${seen} ${visible.map(({label, lanes: list}) => `${label} ${list.length}`).join()} ${view.exact.textContent}`, () => tableElement("lanes", lanesTable(view, visible)));
}
