// Who sent whom how much: messages as a matrix, senders from top to bottom, receivers from left to right. The data are rows of the table
// `messages` of the report, or like those, of the time that is shown (messages.js); what the table tells apart (processes, or nodes or blocks where these are too many) is a unit here.

const MATRIX_LEFT = 120, MATRIX_TOP = 22, MATRIX_SIDE = 640, MATRIX_LEGEND = 150, LEAST_CELL = 4;

// What a cell is coloured by: `of` gives null where it is not known.
const MEASURES = {
    bytes: {title: "bytes", words: bytes, of: cell => cell.bytes},
    count: {title: "messages", words: count, of: cell => cell.count},
    rate: {title: "mean rate", words: value => `${bytes(value)}/s`, of: cell => cell.time > 0 ? cell.timed_bytes / cell.time : null},
};
const SUMMED = ["count", "bytes", "unsized", "timed", "timed_bytes", "time"];

// ---- from rows to units and cells ----

const addCell = (to, row) => { for (const key of SUMMED) to[key] = (to[key] || 0) + (row[key] || 0); };

// {key, name, procs, node} of each process that has a rank, or sent or received something: ranks in their order.
function processUnits(run, rows) {
    const seen = new Set(rows.flatMap(row => [row.from_proc, row.to_proc])), worlds = new Set(run.names.rows.map(row => row.process.world));
    worlds.delete(undefined);
    const nameOf = row => row.process.rank !== undefined && worlds.size === 1 ? `rank ${row.process.rank}` : row.label;
    const order = ({process}, key) => process[key] ?? Infinity;
    return run.names.rows.filter(row => !row.thread && (row.process.rank !== undefined || seen.has(row.proc)))
        .sort((a, b) => compare(order(a, "world"), order(b, "world")) || compare(order(a, "rank"), order(b, "rank")) || a.proc - b.proc)
        .map(row => ({key: row.proc, name: nameOf(row), procs: [row.proc], node: row.process.host || ""}));
}

// Units of which several are one: {key, name, procs}, by what `keyOf` says of them.
function grouped(units, keyOf) {
    const groups = new Map();
    units.forEach((unit, i) => {
        const key = keyOf(unit, i);
        if (!groups.has(key)) groups.set(key, {key, name: "", procs: [], parts: []});
        groups.get(key).parts.push(unit);
        groups.get(key).procs.push(...unit.procs);
    });
    return [...groups.values()];
}

// Processes of a node, or of a block: "procs 0-15", "node01 to node16".
function procsOf(run, row, end) {
    const node = row[`${end}_node`], block = row[`${end}_block`] || "", all = run.names.rows.filter(one => !one.thread);
    const numbers = /^procs (\d+)-(\d+)$/.exec(block), [first, last] = block.split(" to ");
    if (numbers) return all.map(one => one.proc).filter(proc => proc >= +numbers[1] && proc <= +numbers[2]);
    const hosts = [...new Set(all.map(one => one.process.host))];
    const from = hosts.indexOf(block ? first : node), to = hosts.indexOf(block ? last : node);
    return all.filter(one => from >= 0 && hosts.indexOf(one.process.host) >= from && hosts.indexOf(one.process.host) <= to).map(one => one.proc);
}

const unitKey = (row, end) => row[`${end}_proc`] ?? row[`${end}_block`] ?? row[`${end}_node`] ?? "node";

function otherUnits(run, rows) {
    const units = new Map();
    for (const row of rows) for (const end of ["from", "to"]) {
        const key = unitKey(row, end);
        if (!row.unknown && !units.has(key)) units.set(key, {key, name: key.replace(" to ", " - "), procs: procsOf(run, row, end)});
    }
    return [...units.values()].sort((a, b) => (a.procs[0] ?? 0) - (b.procs[0] ?? 0));
}

/** Which rows there are: {rows, whole: of the whole run?, parts: are they sums by part of the time?}. */
export function rowsFor(run, state, oneSided) {
    const whole = run.report.tables.messages?.rows || [], isFolded = whole.some(row => !row.unknown && row.from_proc === null);
    const all = isWhole(run, state);
    if (!oneSided && (all || isFolded || !hasMessages(run))) return {rows: whole, whole: true, parts: false};
    const [begin, end] = all ? [-Infinity, Infinity] : [state.begin, state.end];
    return {rows: messageRows(run, begin, end, oneSided), whole: all, parts: !all && !run.messages.listed};
}

/** {units, cells: [{from, to (places), count, bytes ...}], folded: what the report tells apart if not processes, unknown}. `by`: "node" or "". */
export function matrixOf(run, by, rows = run.report.tables.messages?.rows || []) {
    const title = run.report.tables.messages?.title, known = rows.filter(row => !row.unknown);
    const folded = known.length > 0 && known[0].from_proc === null;
    let units = folded ? otherUnits(run, rows) : processUnits(run, known);
    const unitOf = new Map(units.map((unit, i) => [unit.key, i]));
    if (by === "node" && !folded) {
        const groups = grouped(units, unit => unit.node);
        groups.forEach((group, place) => {
            group.name = group.key || "node";
            for (const part of group.parts) unitOf.set(part.key, place);
        });
        units = groups;
    }
    const cells = new Map(), unknown = rows.filter(row => row.unknown).reduce((sum, row) => sum + row.count, 0);
    for (const row of known) {
        const from = unitOf.get(unitKey(row, "from")), to = unitOf.get(unitKey(row, "to"));
        if (from === undefined || to === undefined) continue;
        const place = from * units.length + to;
        if (!cells.has(place)) cells.set(place, {from, to});
        addCell(cells.get(place), row);
    }
    return {units, cells: [...cells.values()], folded: folded ? title : "", unknown};
}

function rangeName(first, last) {
    const ranks = [first, last].map(name => /^rank (\d+)$/.exec(name)).filter(Boolean);
    if (first === last) return first;
    return ranks.length === 2 ? `ranks ${ranks[0][1]}-${ranks[1][1]}` : `${first} - ${last}`;
}

// So that each unit has a pixel: neighbours become one.
function coarse(matrix, most) {
    const wide = Math.ceil(matrix.units.length / most);
    if (wide <= 1) return matrix;
    const units = grouped(matrix.units, (_, i) => Math.floor(i / wide)), cells = new Map();
    for (const unit of units) unit.name = rangeName(unit.parts[0].name, unit.parts.at(-1).name);
    for (const one of matrix.cells) {
        const from = Math.floor(one.from / wide), to = Math.floor(one.to / wide), place = from * units.length + to;
        if (!cells.has(place)) cells.set(place, {from, to});
        addCell(cells.get(place), one);
    }
    return {...matrix, units, cells: [...cells.values()]};
}

// ---- the picture ----

function scaleColour(share) {
    const at = Math.max(0, Math.min(1, share)) * (SCALE.length - 1), low = Math.min(SCALE.length - 2, Math.floor(at));
    const mixed = place => {
        const value = colour => parseInt(colour.slice(place, place + 2), 16);
        return Math.round(value(SCALE[low]) + (at - low) * (value(SCALE[low + 1]) - value(SCALE[low]))).toString(16).padStart(2, "0");
    };
    return `#${mixed(1)}${mixed(3)}${mixed(5)}`;
}

// {least, most, share: value => 0 to 1} of what is above 0.
function scaleOf(values, logarithm) {
    const some = values.filter(value => value > 0), most = some.reduce((a, b) => Math.max(a, b), 0);
    const least = logarithm ? some.reduce((a, b) => Math.min(a, b), most) : 0;
    const share = value => {
        if (value === most) return most ? 1 : 0;
        return logarithm ? Math.log(Math.max(value, least) / least) / Math.log(most / least) : value / most;
    };
    return {least, most, share};
}

function cellText({units, oneSided}, cell) {
    const rate = MEASURES.rate.of(cell);
    return `${units[cell.from].name} to ${units[cell.to].name}: ${count(cell.count || 0)} ${oneSided ? "one-sided " : ""}${oneSided ? cell.count === 1 ? "access" : "accesses" : cell.count === 1 ? "message" : "messages"}, ${bytes(cell.bytes || 0)}`
        + (cell.unsized ? `, ${count(cell.unsized)} of unknown size` : "")
        + (!cell.count ? "" : rate === null ? ", rate not known" : `, ${MEASURES.rate.words(rate)} on average${cell.timed < cell.count ? ` of ${count(cell.timed)} of them` : ""}`);
}

function paintLegend(view, context, left) {
    const {words, title} = MEASURES[view.measure.value], {least, most} = view.scale, high = 160, x = left + 20, y = MATRIX_TOP + 16;
    context.fillStyle = themeColour("--text");
    context.fillText(title, x, MATRIX_TOP + 6);
    for (let i = 0; i < 40; i++) {
        context.fillStyle = scaleColour(1 - i / 39);
        context.fillRect(x, y + i * high / 40, 16, high / 40 + 0.5);
    }
    context.fillStyle = themeColour("--quiet");
    context.fillText(words(most), x + 22, y + 10);
    context.fillText(view.logarithm.value ? words(least) : "0", x + 22, y + high);
    if (view.measure.value !== "rate") return;
    context.fillStyle = OTHERS;
    context.fillRect(x, y + high + 12, 16, 10);
    context.fillStyle = themeColour("--quiet");
    context.fillText("not known", x + 22, y + high + 21);
}

function paintNames(view, context, side) {
    const {units} = view.shown, step = Math.ceil(16 / view.cell);
    context.fillStyle = themeColour("--quiet");
    for (let i = 0; i < units.length; i += step) context.fillText(fitText(context, units[i].name, MATRIX_LEFT - 8), 2, MATRIX_TOP + (i + 0.5) * view.cell + 4);
    for (let i = 0, free = 0; i < units.length; i++) {
        const left = i * view.cell, text = fitText(context, units[i].name, MATRIX_LEFT - 8);
        if (left < free || left + 40 > side) continue;
        context.fillText(text, MATRIX_LEFT + left, MATRIX_TOP - 8);
        free = left + context.measureText(text).width + 8;
    }
}

function colourOf(view, cell) {
    const value = MEASURES[view.measure.value].of(cell);
    return value === null ? OTHERS : scaleColour(view.scale.share(value));
}

function paintCells(view, context, side) {
    const {units, cells} = view.shown, size = view.cell;
    context.fillStyle = themeColour("--soft");
    context.fillRect(MATRIX_LEFT, MATRIX_TOP, side, side);
    if (size >= LEAST_CELL) {
        const gap = size >= 8 ? 1 : 0;
        for (const cell of cells) {
            context.fillStyle = colourOf(view, cell);
            context.fillRect(MATRIX_LEFT + cell.to * size, MATRIX_TOP + cell.from * size, size - gap, size - gap);
        }
        return;
    }
    putImage(context, view, units.length, units.length, pixels => {
        for (const cell of cells) pixels[cell.from * units.length + cell.to] = pixel(colourOf(view, cell), 1, "#000000");
    }, MATRIX_LEFT, MATRIX_TOP, side, side);
}

function paintMatrix(view) {
    const room = Math.min(MATRIX_SIDE, view.canvas.parentElement.clientWidth - MATRIX_LEFT - MATRIX_LEGEND);
    if (room < 20) return;
    view.shown = coarse(view.matrix, Math.floor(room));
    const {units, cells} = view.shown, number = units.length;
    view.cell = Math.max(1, Math.floor(Math.min(60, room / number)));
    const side = view.cell * number, width = MATRIX_LEFT + side + MATRIX_LEGEND, height = Math.max(side, 230) + MATRIX_TOP + 4;
    const context = sharpen(view.canvas, width, height);
    context.clearRect(0, 0, width, height);
    context.font = "12px system-ui, sans-serif";
    view.scale = scaleOf(cells.map(MEASURES[view.measure.value].of).filter(value => value !== null), view.logarithm.value !== "");
    paintCells(view, context, side);
    paintNames(view, context, side);
    paintLegend(view, context, MATRIX_LEFT + side);
    context.strokeStyle = themeColour("--line");
    context.strokeRect(MATRIX_LEFT - 0.5, MATRIX_TOP - 0.5, side + 1, side + 1);
    if (view.cursor) {
        view.cursor = [Math.min(view.cursor[0], number - 1), Math.min(view.cursor[1], number - 1)];
        context.strokeStyle = themeColour("--text");
        context.lineWidth = 2;
        context.strokeRect(MATRIX_LEFT + view.cursor[1] * view.cell - 1, MATRIX_TOP + view.cursor[0] * view.cell - 1, view.cell + 1, view.cell + 1);
        context.lineWidth = 1;
    }
}

// ---- the view ----

let lastMatrix = null;

/** What the view shows, as matrixOf has it. */
export const shownMatrix = () => lastMatrix;

const endName = (row, end) => row[`${end}_proc`] === null ? row.unknown : row[`${end}_rank`] === null ? `proc ${row[`${end}_proc`]}` : `rank ${row[`${end}_rank`]}`;

function cellTable(run, view) {
    const {units, cells, folded} = view.matrix, {messages} = run.report.tables, {rows, whole} = view.source;
    if (folded || (view.by.value !== "node" && whole && !view.oneSided)) return messages || {title: "Messages", columns: [], rows: []};
    const title = `${view.oneSided ? "One-sided accesses" : "Messages"}${view.by.value === "node" ? " between nodes" : ""}${whole ? "" : " in the time that is shown"}`;
    const number = (name, unit, title) => ({name, title, type: "number", unit});
    return {
        title, columns: [{name: "from", type: "text"}, {name: "to", type: "text"}, number("count", "count", "messages"), number("bytes", "byte"), number("unsized", "count", "of unknown size"), number("timed", "count"), number("timed_bytes", "byte"), number("time", "s"), number("rate", "bytes/s", "mean rate")],
        rows: view.by.value !== "node" ? rows.map(row => ({...row, from: endName(row, "from"), to: endName(row, "to")})) : cells.map(cell => ({...cell, from: units[cell.from].name, to: units[cell.to].name, rate: MEASURES.rate.of(cell)})),
    };
}

function cellAt(view, event) {
    if (!view.shown) return null;
    const to = Math.floor((event.offsetX - MATRIX_LEFT) / view.cell), from = Math.floor((event.offsetY - MATRIX_TOP) / view.cell), most = view.shown.units.length;
    return from >= 0 && to >= 0 && from < most && to < most ? [from, to] : null;
}

const findCell = ({cells}, [from, to]) => cells.find(cell => cell.from === from && cell.to === to) || {from, to};

// What is shown: what, of which time, and why no other one.
function scopeOf(run, state, {source, oneSided}) {
    const what = oneSided ? "Data of one-sided calls (MPI_Put, MPI_Get, MPI_Accumulate and the like)" : "Point-to-point messages";
    if (source.parts) return `${what} that are sent in the time that is shown, in parts of ${duration(run.names.part_width)}: those parts that begin in it. For exact sums, run fathom view ${run.report.run.trace}.`;
    if (!source.whole) return `${what} that are sent in the time that is shown (${tickText(state.begin, 1)} to ${tickText(state.end, 1)}).`;
    if (isWhole(run, state)) return `${what} of the whole run.`;
    return `${what} of the whole run, whatever is shown of it: ${run.messages?.tooMany ? `${count(run.messages.tooMany)} messages are too many to tell apart by time` : hasMessages(run) ? "there are too many pairs of processes" : "nothing is known of single messages"}.`;
}

function notesOf(run, state, view) {
    const {folded, unknown} = view.matrix;
    return [
        scopeOf(run, state, view), view.oneSided ? "Rows are where the data is, columns where it goes. When it arrives is not known." :
            "Rows send, columns receive. The mean rate is the bytes of messages whose receive is known, divided by the time from the begin of each send to the end of its receive.",
        run.messages?.tooMany && !view.oneSided ? `One-sided calls are not shown: ${count(run.messages.tooMany)} messages and accesses are too many to list.` : "",
        "Collective calls are not among them: which bytes go from which process to which is up to the MPI library.",
        folded ? `${folded}.` : "", view.shown && view.shown.units.length < view.matrix.units.length ? `Each row is ${view.shown.units[0].parts.length} of ${count(view.matrix.units.length)}.` : "",
        unknown ? `The ${view.oneSided ? "other processes" : "receivers"} of ${count(unknown)} ${view.oneSided ? "accesses" : "messages"} are not known: the table has them.` : "",
    ].filter(Boolean).join(" ");
}

function listenToMatrix(view, pick) {
    const {canvas} = view, steps = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]};
    canvas.addEventListener("mousemove", event => {
        const place = cellAt(view, event);
        canvas.title = place ? cellText(view.shown, findCell(view.shown, place)) : "";
    });
    canvas.addEventListener("click", event => {
        const place = cellAt(view, event);
        if (place) pick(place, true);
    });
    canvas.addEventListener("keydown", event => {
        const step = steps[event.key], most = (view.shown || view.matrix).units.length - 1;
        if (event.key === "Enter" && view.cursor) pick(view.cursor, true);
        else if (event.key === "Escape") chooseProcs([]);
        else if (step) pick(view.cursor ? view.cursor.map((at, i) => Math.max(0, Math.min(most, at + step[i]))) : [0, 0], false);
        else return;
        event.preventDefault();
    });
}

export function makeMatrix(run, state, place) {
    const option = (value, title) => element("option", {value}, title);
    const kind = element("select", {"aria-label": "Kind of messages", hidden: !hasOneSided(run), onchange: () => turn()}, option("", "point-to-point"), option("one-sided", "one-sided (RMA)"));
    const by = remembered(state, "matrix-units", element("select", {"aria-label": "Rows and columns", onchange: () => turn()}, option("", "processes"), option("node", "nodes")));
    const measure = remembered(state, "matrix-figure", element("select", {"aria-label": "Figure", onchange: () => paintMatrix(view)}, ...Object.entries(MEASURES).map(([key, {title}]) => option(key, title))));
    const logarithm = remembered(state, "matrix-scale", element("select", {"aria-label": "Scale of colours", onchange: () => paintMatrix(view)}, option("log", "logarithmic"), option("", "linear")));
    const canvas = element("canvas", {class: "matrix", tabindex: "0", role: "application", "aria-label": "Matrix of messages. Arrows go from cell to cell, Enter shows only the two in all views, Escape all; the table below says the same."});
    const said = element("p", {class: "quiet", "aria-live": "polite"}), notes = element("p", {class: "quiet"}), table = element("div");
    if (!run.report.tables.messages?.rows.length && hasOneSided(run)) kind.value = "one-sided";
    remembered(state, "matrix-kind", kind);
    const view = {by, measure, logarithm, canvas, matrix: matrixOf(run, ""), source: null, oneSided: false, shown: null, scale: null, cell: 1, cursor: null, small: document.createElement("canvas")};
    by.hidden = view.matrix.folded !== "" || new Set(view.matrix.units.map(unit => unit.node)).size < 2;
    function pick(place, selects) {
        view.cursor = place;
        said.textContent = cellText(view.shown, findCell(view.shown, place));
        if (selects) chooseProcs([...new Set(place.flatMap(at => view.shown.units[at].procs))]);
        paintMatrix(view);
    }
    function turn() {
        view.oneSided = kind.value !== "";
        view.source = rowsFor(run, state, view.oneSided);
        view.matrix = {...matrixOf(run, by.value, view.source.rows), oneSided: view.oneSided};
        lastMatrix = view.matrix;
        paintMatrix(view);
        notes.textContent = notesOf(run, state, view);
        table.replaceChildren(tableElement("messages-behind", cellTable(run, view)));
    }
    listenToMatrix(view, pick);
    place.append(element("p", {class: "chooser"}, kind, by, measure, logarithm), element("div", {}, canvas), pictureButtons(canvas, "matrix", () => paintMatrix(view)), said, notes, table);
    new ResizeObserver(() => paintMatrix(view)).observe(place);
    return {changed: what => { if (what === "time") turn(); }, paint: turn};
}
