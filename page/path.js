// The critical path of the run, as `fathom path` has it: in which thread it was when, what it consists of, and how much shorter the run
// would be without something. The time line draws the same path over the calls.

const PATH_ROW = 18, PATH_LEFT = 168, MOST_PATH_ROWS = 64;
const PATH_TABLES = ["critical_layers", "critical_functions", "critical_files", "critical_ranks"];

let pathPainted = [];

/** What is painted: [{proc, thread, left, wide, top}]. */
export const pathOnScreen = () => pathPainted;

export const hasPath = run => Boolean(run.report.tables.critical_layers?.rows.length);

const lengthOfPath = run => run.report.tables.critical_layers.rows.reduce((sum, row) => sum + row.critical_time, 0);

/** Parts of the path in the window, cut at its edges: [{proc, thread, rank, begin, end}] in ns. The table has the longest parts only. */
export function partsIn(run, begin, end) {
    return (run.report.tables.critical_parts?.rows || []).map(part => ({...part, begin: Math.max(begin, part.start * 1e9), end: Math.min(end, (part.start + part.duration) * 1e9)})).filter(part => part.end > part.begin);
}

// The threads of the window, by how long the path was in them: [{thread, proc, number, rank, time, share}].
function threadsOf(run, parts) {
    const threads = new Map(), all = parts.reduce((sum, part) => sum + part.end - part.begin, 0);
    for (const part of parts) {
        const key = `${part.proc} ${part.thread}`;
        if (!threads.has(key)) threads.set(key, {key, thread: rowName(run, part), time: 0});
        threads.get(key).time += (part.end - part.begin) / 1e9;
    }
    return [...threads.values()].map(row => ({...row, share: 100 * row.time * 1e9 / all})).sort((a, b) => b.time - a.time);
}

// A row for each thread that the path is in, those with most of it first; a line where it goes from one to the next.
function paintPathRows(run, state, canvas) {
    const parts = partsIn(run, state.begin, state.end), threads = threadsOf(run, parts).slice(0, MOST_PATH_ROWS);
    const wide = canvas.parentElement.clientWidth, plot = wide - PATH_LEFT, high = Math.max(1, threads.length) * PATH_ROW + AXIS;
    pathPainted = [];
    if (plot < 20) return;
    const context = sharpen(canvas, wide, high), scale = plot / (state.end - state.begin);
    const topOf = new Map(threads.map((row, i) => [row.key, AXIS + i * PATH_ROW]));
    context.clearRect(0, 0, wide, high);
    paintTimeAxis(context, state, {left: PATH_LEFT, plot, base: 13}, x => {
        context.fillStyle = themeColour("--line");
        context.fillRect(x, AXIS - 4, 1, high - AXIS + 4);
    });
    context.fillStyle = themeColour("--text");
    for (const row of threads) context.fillText(fitText(context, row.thread, PATH_LEFT - 10), 2, topOf.get(row.key) + 13);
    context.fillStyle = themeColour("--bad");
    parts.forEach((part, i) => {
        const top = topOf.get(`${part.proc} ${part.thread}`), left = PATH_LEFT + (part.begin - state.begin) * scale, wideOf = Math.max(1, (part.end - part.begin) * scale);
        if (top === undefined) return;
        context.fillRect(left, top + 3, wideOf, PATH_ROW - 6);
        pathPainted.push({proc: part.proc, thread: part.thread, left, wide: wideOf, top});
        const next = parts[i + 1], below = next && topOf.get(`${next.proc} ${next.thread}`);
        if (next && goesOn(part, next) && below !== undefined) context.fillRect(left + wideOf - 0.5, Math.min(top, below) + PATH_ROW / 2, 1, Math.abs(below - top));
    });
}

/** Does the path go on in `next` when `part` ends? Else shorter parts stand between them. */
export const goesOn = (part, next) => Math.abs(part.start + part.duration - next.start) < 1e-9;

// How long the run would be without something: what stays, and what would be gained.
function whatIfElement(run) {
    const {rows} = run.report.tables.what_if, most = Math.max(...rows.map(row => row.length + row.saved), 1e-9);
    return element("ol", {class: "bars"}, ...rows.slice(0, MOST_BARS).map(row => {
        const bar = element("span", {class: "bar", role: "img", "aria-label": `${duration(row.length * 1e9)} without ${row.without}, ${duration(row.saved * 1e9)} less`});
        for (const [key, value] of [["stays", row.length], ["gained", row.saved]]) {
            const part = element("span", {class: key});
            part.style.width = `${100 * value / most}%`;
            bar.append(part);
        }
        return element("li", {}, element("span", {class: "whose", title: row.without}, `without ${row.without}`), bar, element("span", {class: "number"}, duration(row.saved * 1e9)));
    }));
}

function partsTable(run, state) {
    const parts = partsIn(run, state.begin, state.end).sort((a, b) => b.end - b.begin - (a.end - a.begin));
    return {
        title: "Parts of the path in the time that is shown, longest first",
        columns: [{name: "thread", type: "text"}, {name: "start", title: "from", type: "number", unit: "s"}, {name: "duration", type: "number", unit: "s"}],
        rows: parts.map(part => ({...part, thread: rowName(run, part)})),
    };
}

// The time line with the path over it, a part of the run at a time.
function lookAtPart(part) {
    const begin = part.start * 1e9, length = Math.max(100, part.duration * 1e9);
    showPath(true);
    look(begin - length / 2, begin + 1.5 * length);
    show("timeline");
    scrollTo(0, 0);
    document.querySelector("canvas.timeline").focus();
}

export function makePath(run, state, place) {
    const {tables} = run.report, canvas = element("canvas", {role: "img", "aria-label": "The critical path over the time that is shown; the tables below say the same."});
    const threads = element("div"), parts = element("div"), known = (tables.critical_parts?.rows || []).reduce((sum, part) => sum + part.duration, 0), length = lengthOfPath(run);
    place.append(element("p", {}, `The critical path takes ${duration(length * 1e9)}: what is on it decides how long the run is. Shares below refer to that.`),
        ...run.report.run.limits_of_critical_path ? [element("p", {}, run.report.run.limits_of_critical_path)] : [],
        ...tables.critical_parts?.rows.length >= MOST_PARTS ? [element("p", {class: "quiet"}, `The picture and its tables have its ${count(MOST_PARTS)} longest parts, ${percent(100 * known / length)} of it.`)] : [],
        element("p", {}, element("button", {type: "button", onclick: () => { showPath(true); show("timeline"); document.querySelector("canvas.timeline").focus(); }}, "Show over the time line")),
        element("div", {}, canvas), pictureButtons(canvas, "path", () => paint()), threads);
    if (tables.what_if?.rows.length) place.append(tableElement("what_if", tables.what_if), whatIfElement(run),
        element("p", {class: "quiet"}, "Dark is what stays, striped what would be gained at most: all else takes as long as it did, and waits for what it waited for."));
    for (const name of PATH_TABLES) if (tables[name]?.rows.length) place.append(tableElement(name, tables[name]));
    place.append(parts);
    function paint() {
        paintPathRows(run, state, canvas);
        threads.replaceChildren(tableElement("path-threads", {
            title: "The path in the time that is shown, by thread", rows: threadsOf(run, partsIn(run, state.begin, state.end)),
            columns: [{name: "thread", type: "text"}, {name: "time", title: "on the path", type: "number", unit: "s"}, {name: "share", type: "number", unit: "percent"}],
        }));
        parts.replaceChildren(tableElement("path-parts", partsTable(run, state), part => element("button", {type: "button", onclick: () => lookAtPart(part)}, "Show in the time line")));
    }
    new ResizeObserver(() => paintPathRows(run, state, canvas)).observe(place);
    return {changed: what => { if (what === "time") paint(); }, paint};
}
