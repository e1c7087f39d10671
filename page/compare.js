// Runs beside each other: their time lines on one axis, which begins with the first run, and what differs by layer, function and file.

const MOST_ROWS = 24, SIDE_LANE = 10, SIDE_GAP = 4, SIDE_LABEL = 168, SIDE_HEAD = 24, SIDE_AXIS = 22;

const shiftOf = (state, run) => state.shifts[run.number] || 0;

// What the axis can show: from the first begin to the last end.
function wholeAxis(state) {
    const runs = allRuns();
    const begin = Math.min(...runs.map(run => shiftOf(state, run)));
    return [begin, Math.max(begin + 1, ...runs.map(run => shiftOf(state, run) + run.names.end - run.names.begin))];
}

// At least 50 ns, and nothing but what there is.
function lookWithin(state, begin, end) {
    const [least, most] = wholeAxis(state), length = Math.min(Math.max(end - begin, 50), most - least);
    const from = Math.min(Math.max(begin, least), most - length);
    lookAtAxis(length === most - least ? null : [from, from + length]);
}

const zoomWithin = (state, factor, at) => {
    const [begin, end] = state.axis || wholeAxis(state);
    lookWithin(state, at - (at - begin) * factor, at + (end - at) * factor);
};

// Rows of a run: a thread each, or some that are neighbours. {label, lanes: layer to lanes, count of threads}.
function rowsOf(run) {
    const rows = run.names.rows.map((row, number) => ({row, number})).filter(one => run.lanesOf[one.number].length);
    const each = Math.max(1, Math.ceil(rows.length / MOST_ROWS)), made = [];
    for (let i = 0; i < rows.length; i += each) {
        const some = rows.slice(i, i + each), lanes = new Map();
        for (const {number} of some) for (const lane of run.lanesOf[number]) lanes.set(lane.layer, [...lanes.get(lane.layer) || [], lane]);
        const label = some.length > 1 ? `${some[0].row.label} to ${some.at(-1).row.label}` : some[0].row.label;
        made.push({label, count: some.length, lanes: [...lanes].sort((a, b) => b[0] - a[0])});
    }
    return made;
}

// The mean share of some lanes for each pixel.
function meanShares(run, lanes, count, begin, end, plot, shares) {
    const one = new Float32Array(shares.length);
    shares.fill(0);
    for (const lane of lanes) {
        sharesBetween({lane, begin: run.names.begin, bin_width: run.names.bin_width}, begin, end, one);
        for (let x = 0; x < shares.length; x++) shares[x] += one[x] / count;
    }
}

function paintLane(pixels, wide, high, top, shares, colour, ground) {
    const full = pixel(colour, 1, ground), faint = pixel(colour, 0.09, ground), lines = high - 1;
    for (let line = 0; line < lines; line++) {
        const least = (lines - line - 1) / lines, start = (top + line) * wide;
        for (let x = 0; x < wide; x++) pixels[start + x] = shares[x] > least || (shares[x] > 0 && line === lines - 1) ? full : faint;
    }
}

function heightOf(groups) {
    return groups.reduce((sum, group) => sum + SIDE_HEAD + group.rows.reduce((all, row) => all + row.lanes.length * SIDE_LANE + SIDE_GAP, 0), SIDE_AXIS);
}

function paintSides(view) {
    const {state, canvas, groups} = view, width = canvas.parentElement.clientWidth, plot = Math.floor(width - SIDE_LABEL);
    if (plot < 10) return;
    const height = heightOf(groups), ratio = devicePixelRatio || 1, context = sharpen(canvas, width, height), ground = themeColour("--ground");
    const [begin, end] = state.axis || wholeAxis(state), wide = Math.round(plot * ratio), lane = Math.round(SIDE_LANE * ratio);
    context.fillStyle = ground;
    context.fillRect(0, 0, width, height);
    context.font = "12px system-ui, sans-serif";
    const shares = new Float32Array(wide);
    let top = SIDE_AXIS;
    for (const {run, rows} of groups) {
        const shift = run.names.begin - shiftOf(state, run);
        context.fillStyle = RUNS[run.number % RUNS.length];
        context.fillRect(0, top + 4, width, 2);
        context.fillStyle = themeColour("--text");
        context.fillText(nameOfRun(run), 2, top + 19);
        top += SIDE_HEAD;
        for (const row of rows) {
            const high = row.lanes.length * SIDE_LANE, image = context.createImageData(wide, row.lanes.length * lane);
            const pixels = new Uint32Array(image.data.buffer);
            pixels.fill(pixel(ground, 1, ground));
            row.lanes.forEach(([layer, lanes], place) => {
                meanShares(run, lanes, row.count, begin + shift, end + shift, plot, shares);
                paintLane(pixels, wide, lane, place * lane, shares, colourOfLayerNamed(run.names.layers[layer]), ground);
            });
            context.putImageData(image, Math.round(SIDE_LABEL * ratio), Math.round(top * ratio));
            context.save();
            context.beginPath();
            context.rect(0, top, SIDE_LABEL - 6, high + 6);
            context.clip();
            context.fillStyle = themeColour("--text");
            context.fillText(row.label, 2, top + high / 2 + 4);
            context.restore();
            top += high + SIDE_GAP;
        }
    }
    tellSides(view, (end - begin) / plot);
    paintTimeAxis(context, {begin, end}, {left: SIDE_LABEL, plot, base: 13}, x => {
        context.fillStyle = themeColour("--line");
        context.globalAlpha = 0.6;
        context.fillRect(Math.round(x), SIDE_AXIS - 4, 1, height - SIDE_AXIS + 4);
        context.globalAlpha = 1;
    });
}

// Where parts of the time are wider than a pixel, a picture is less exact than it looks.
function tellSides(view, perPixel) {
    const wide = view.groups.map(group => group.run.names.bin_width).filter(width => width > perPixel);
    view.exact.textContent = wide.length ? `summary: sums are over ${duration(Math.max(...wide))}, which is more than a pixel` : "exact";
}

// ---- differences ----

const KEYS = {layers: ["layer"], functions: ["func", "layer"], files: ["path"]};
const FIGURES_BESIDE = [["time", "s", "time"], ["calls", "count", "calls"], ["bytes_read", "byte", "read"], ["bytes_written", "byte", "written"]];

/** Rows with what both runs have of each layer, function or file, and other / one; 0: this run has none of it. What only one run has is left
    out where the page has only the first rows of the other: it may be among those that are not here. */
export function differences(by, one, other) {
    const keys = KEYS[by], found = new Map(), cut = [one, other].map(run => Boolean(run.report.tables[by]?.all_rows));
    [one, other].forEach((run, side) => {
        for (const row of run.report.tables[by]?.rows || []) {
            const name = JSON.stringify(keys.map(key => row[key]));
            if (!found.has(name)) found.set(name, {...Object.fromEntries(keys.map(key => [key, row[key]])), sides: [null, null]});
            found.get(name).sides[side] = row;
        }
    });
    const known = ({sides: [a, b]}) => (a || !cut[0]) && (b || !cut[1]);
    const rows = [...found.values()].filter(known).map(({sides: [a, b], ...row}) => {
        for (const [figure] of FIGURES_BESIDE) {
            if (!a?.[figure] && !b?.[figure]) continue; // nothing in both: an empty cell
            const [first, second] = [a, b].map(side => side ? side[figure] : 0);
            row[`${figure}_a`] = first;
            row[`${figure}_b`] = second;
            row[`${figure}_ratio`] = first > 0 && second !== null ? second / first : null;
        }
        return row;
    });
    const far = row => Math.abs((row.time_b || 0) - (row.time_a || 0));
    return rows.sort((a, b) => far(b) - far(a));
}

function differencesTable(by, title, one, other) {
    const [a, b] = [one, other].map(run => nameOfRun(run)[0]);
    const columns = KEYS[by].map(name => ({name, type: "text"}));
    for (const [figure, unit, words] of FIGURES_BESIDE) columns.push(
        {name: `${figure}_a`, title: `${words} ${a}`, type: "number", unit}, {name: `${figure}_b`, title: `${words} ${b}`, type: "number", unit},
        {name: `${figure}_ratio`, title: `${b} / ${a}`, type: "number", unit: "ratio"});
    return tableElement(`differences-${by}`, {title, columns, rows: differences(by, one, other)});
}

// ---- the view ----

function shiftField(state, run) {
    const field = element("input", {type: "number", step: "any", value: shiftOf(state, run) / 1e9, "aria-label": `Seconds by which ${nameOfRun(run)} begins later`, onchange: () => shiftRun(run.number, Math.round(Number(field.value) * 1e9) || 0)});
    return element("label", {class: "shift"}, runSwatch(run), `${nameOfRun(run)}, ${duration(run.names.end - run.names.begin)}, begins at `, field, " s ");
}

function pressSides(view, event) {
    const {state} = view, [begin, end] = state.axis || wholeAxis(state), middle = (begin + end) / 2, step = (end - begin) / 4;
    const actions = {
        "+": () => zoomWithin(state, 0.5, middle), "=": () => zoomWithin(state, 0.5, middle), "-": () => zoomWithin(state, 2, middle),
        "ArrowLeft": () => lookWithin(state, begin - step, end - step), "ArrowRight": () => lookWithin(state, begin + step, end + step), "Home": () => lookAtAxis(null),
    };
    if (!actions[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
    actions[event.key]();
    event.preventDefault();
}

function listenSides(view) {
    const {canvas, state} = view;
    const timeAtSide = x => {
        const [begin, end] = state.axis || wholeAxis(state);
        return begin + (x - SIDE_LABEL) / (canvas.clientWidth - SIDE_LABEL) * (end - begin);
    };
    canvas.addEventListener("keydown", event => pressSides(view, event));
    canvas.addEventListener("dblclick", event => zoomWithin(state, 0.25, timeAtSide(event.offsetX)));
    canvas.addEventListener("wheel", event => {
        if (!event.ctrlKey && !event.metaKey) return;
        zoomWithin(state, 1.0015 ** Math.max(-400, Math.min(400, event.deltaY)), timeAtSide(event.offsetX));
        event.preventDefault();
    }, {passive: false});
}

function choiceOfRun(label, number, changed) {
    return element("select", {"aria-label": label, onchange: changed}, ...allRuns().map(run => element("option", {value: run.number, selected: run.number === number}, nameOfRun(run))));
}

export function makeCompare(_, state, place) {
    const canvas = element("canvas", {class: "sides", tabindex: "0", role: "application", "aria-label": "Time lines of the runs on one axis. Plus and minus zoom, left and right move, Home shows all; the tables below say what differs."});
    const runs = allRuns().filter(run => run.names), fields = element("p", {class: "chooser"}), tables = element("div");
    const exact = element("p", {class: "quiet", role: "status"}), view = {state, canvas, exact, groups: runs.map(run => ({run, rows: rowsOf(run)}))};
    const fillTables = () => {
        const [a, b] = [one, other].map(chooser => runOfNumber(chooser.selectedIndex));
        tables.replaceChildren(...[["layers", "By layer"], ["functions", "By function"], ["files", "By file"]].map(([by, title]) => differencesTable(by, title, a, b)));
    };
    const one = remembered(state, "compare", choiceOfRun("Compared run", 0, fillTables)), other = remembered(state, "compare-with", choiceOfRun("With run", 1, fillTables));
    const used = [...new Set(runs.flatMap(run => run.lanes.map(lane => run.names.layers[lane.layer])))];
    const legend = element("p", {class: "legend"}, ...used.map(name => {
        const swatch = element("span", {class: "swatch"});
        swatch.style.background = colourOfLayerNamed(name);
        return element("span", {}, swatch, `${name} `);
    }));
    const shifts = element("span"), zoomSides = factor => zoomWithin(state, factor, (state.axis || wholeAxis(state)).reduce((a, b) => a + b) / 2);
    fields.append(shifts, element("button", {type: "button", onclick: () => lookAtAxis(null)}, "All"),
        element("button", {type: "button", "aria-label": "Zoom in on all runs", onclick: () => zoomSides(0.5)}, "+"),
        element("button", {type: "button", "aria-label": "Zoom out of all runs", onclick: () => zoomSides(2)}, "−"));
    function fill() {
        const focused = [...shifts.querySelectorAll("input")].indexOf(document.activeElement);
        shifts.replaceChildren(...runs.map(run => shiftField(state, run)));
        shifts.querySelectorAll("input")[focused]?.focus();
        paintSides(view);
    }
    listenSides(view);
    place.append(fields, legend, element("div", {}, canvas), exact, pictureButtons(canvas, "side-by-side", () => paintSides(view)),
        element("p", {class: "quiet"}, "A lane is as high as the share of time in which calls of the layer were active; of many threads some share a row: their mean."),
        element("h2", {}, "Differences"), element("p", {}, one, other), tables,
        element("p", {class: "quiet"}, "Times are inclusive: they contain nested calls, and are added up over all threads. Where the time went (Overview) has the time of calls without those inside them. 0: the run has no recorded call of it."));
    fillTables();
    new ResizeObserver(() => paintSides(view)).observe(place);
    return {changed: what => { if (what === "axis") fill(); }, paint: fill};
}
