// Maps of files: which bytes were accessed when, or by which process. One by one where accesses are few, else as a heat map: brighter
// where more bytes were moved.

const MAP_HIGH = 380, MAP_LEFT = 90, MAP_BELOW = 22;

export function nameOfProcess(run, proc) {
    const row = run.names.rows.find(one => one.proc === proc && !one.thread);
    return row ? row.label : `proc ${proc}`;
}

// Rows of the map that hold something, as bytes of the file.
export function extentOf(run, map) {
    let last = 0;
    for (const place of map.cells.places) last = Math.max(last, Math.floor(place / run.maps.columns));
    return (last + 1) * map.row_size;
}

// A cell's bytes as two shares of the most that any cell has, on a scale of logarithms: 256 bytes are still seen beside gigabytes.
function heat(value, most) {
    return value ? 0.15 + 0.85 * Math.log1p(value) / Math.log1p(most) : 0;
}

function mixCells(view, read, written, mostRead, mostWritten, ground) {
    const parts = [[shows(view, false) ? heat(read, mostRead) : 0, READS], [shows(view, true) ? heat(written, mostWritten) : 0, WRITES]];
    const channel = (text, at) => parseInt(text.slice(at, at + 2), 16);
    const all = parts[0][0] + parts[1][0], strength = Math.min(1, Math.max(parts[0][0], parts[1][0]));
    const mixed = at => Math.round(channel(ground, at) * (1 - strength) + strength * (parts[0][0] * channel(READS, at) + parts[1][0] * channel(WRITES, at)) / all);
    return all ? (255 << 24 | mixed(5) << 16 | mixed(3) << 8 | mixed(1)) >>> 0 : 0;
}

// Both, or one of them alone: so nobody has to tell them apart by colour.
const shows = ({kind}, writes) => !kind.value || (kind.value === "writes") === writes;

const mostOf = list => list.reduce((most, value) => Math.max(most, value), 0);

function axes(context, view, width, across) {
    context.font = "12px system-ui, sans-serif";
    context.fillStyle = themeColour("--quiet");
    for (let i = 0; i <= 4; i++) {
        const y = MAP_HIGH - i / 4 * MAP_HIGH;
        context.fillText(bytes(view.extent * i / 4), 2, Math.min(MAP_HIGH - 2, Math.max(10, y + 4)));
    }
    for (const [x, text] of across) context.fillText(text, MAP_LEFT + x + 2, MAP_HIGH + 15);
    context.strokeStyle = themeColour("--line");
    context.strokeRect(MAP_LEFT + 0.5, 0.5, width - MAP_LEFT - 1, MAP_HIGH - 1);
}

// An image of cells, one pixel each, made as large as it is wanted, without smoothing.
function putImage(context, view, columns, rows, colourAt, left, top, wide, high) {
    const small = view.small;
    small.width = columns;
    small.height = rows;
    const image = new ImageData(columns, rows), pixels = new Uint32Array(image.data.buffer);
    colourAt(pixels);
    small.getContext("2d").putImageData(image, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(small, left, top, wide, high);
}

function paintHeat(run, view, context, plot) {
    const {columns, column_width: width, begin} = run.maps, {cells} = view.map, {state} = view;
    const rows = Math.round(view.extent / view.map.row_size), mostRead = mostOf(cells.read), mostWritten = mostOf(cells.written);
    const ground = themeColour("--ground"), scale = plot / (state.end - state.begin);
    putImage(context, view, columns, rows, pixels => {
        for (let i = 0; i < cells.count; i++) {
            const column = cells.places[i] % columns, row = rows - 1 - Math.floor(cells.places[i] / columns);
            if (row >= 0) pixels[row * columns + column] = mixCells(view, cells.read[i], cells.written[i], mostRead, mostWritten, ground);
        }
    }, MAP_LEFT + (begin - state.begin) * scale, 0, columns * width * scale, MAP_HIGH);
}

function paintSingles(run, view, context, plot) {
    const {state} = view, scale = plot / (state.end - state.begin);
    view.drawn = [];
    for (const access of view.map.kept) {
        const left = (access.start - state.begin) * scale, wide = Math.max(2, access.length * scale);
        if (left > plot || left + wide < 0 || !shows(view, access.writes)) continue;
        const high = Math.max(2, access.bytes / view.extent * MAP_HIGH), top = MAP_HIGH - access.first / view.extent * MAP_HIGH - high;
        context.fillStyle = access.writes ? WRITES : READS;
        context.fillRect(MAP_LEFT + left, top, wide, Math.max(1, high - 0.5));
        view.drawn.push({left: MAP_LEFT + left, top, wide, high, access});
    }
}

function paintOverTime(run, view, context, plot, width) {
    context.save();
    context.beginPath();
    context.rect(MAP_LEFT, 0, plot, MAP_HIGH);
    context.clip();
    if (view.map.all) paintSingles(run, view, context, plot);
    else paintHeat(run, view, context, plot);
    context.restore();
    axes(context, view, width, []);
    paintTimeAxis(context, view.state, {left: MAP_LEFT, plot, base: MAP_HIGH + 15}, () => {});
}

function paintByProcess(run, view, context, plot, width) {
    const {shares} = view.map, rows = Math.round(view.extent / view.map.row_size);
    const most = key => shares.reduce((largest, share) => Math.max(largest, mostOf(share.cells[key])), 0);
    const mostRead = most("read"), mostWritten = most("written"), ground = themeColour("--ground");
    if (!shares.length) return;
    putImage(context, view, shares.length, rows, pixels => {
        shares.forEach(({cells}, column) => {
            for (let i = 0; i < cells.count; i++) {
                const row = rows - 1 - cells.places[i];
                if (row >= 0) pixels[row * shares.length + column] = mixCells(view, cells.read[i], cells.written[i], mostRead, mostWritten, ground);
            }
        });
    }, MAP_LEFT, 0, plot, MAP_HIGH);
    const names = Math.max(1, Math.ceil(shares.length / Math.max(1, Math.floor(plot / 110))));
    axes(context, view, width, shares.map((share, i) => [i / shares.length * plot, nameOfProcess(run, share.proc)]).filter((_, i) => i % names === 0));
}

function paintMap(run, view) {
    const width = view.canvas.parentElement.clientWidth, plot = width - MAP_LEFT;
    if (plot < 10) return;
    const context = sharpen(view.canvas, width, MAP_HIGH + MAP_BELOW);
    context.clearRect(0, 0, width, MAP_HIGH + MAP_BELOW);
    view.drawn = [];
    view.extent = extentOf(run, view.map);
    if (view.across.value === "time") paintOverTime(run, view, context, plot, width);
    else paintByProcess(run, view, context, plot, width);
    paintConflicts(view, context, plot, MAP_HIGH);
}

function accessText(run, access) {
    return `${nameOfProcess(run, access.proc)} ${access.writes ? "writes" : "reads"} ${bytes(access.bytes)} at byte ${count(access.first)}, ${duration(access.length)}, call ${access.proc}.${access.thread}.${access.number}`;
}

function under(view, event) {
    return view.drawn.findLast(box => event.offsetX >= box.left - 1 && event.offsetX <= box.left + box.wide + 1 && event.offsetY >= box.top - 1 && event.offsetY <= box.top + box.high + 1);
}

// What the picture says, as a table.
function mapTable(run, map) {
    if (map.all) return {
        title: "Accesses", columns: [{name: "call", type: "text"}, {name: "process", type: "text"}, {name: "start", type: "number", unit: "s"}, {name: "duration", type: "number", unit: "s"}, {name: "operation", type: "text"}, {name: "offset", type: "number", unit: "count"}, {name: "bytes", type: "number", unit: "byte"}],
        rows: map.kept.map(one => ({call: `${one.proc}.${one.thread}.${one.number}`, process: nameOfProcess(run, one.proc), start: one.start / 1e9, duration: one.length / 1e9, operation: one.writes ? "write" : "read", offset: one.first, bytes: one.bytes})),
    };
    const sum = list => list.reduce((all, value) => all + value, 0);
    return {
        title: "By process", columns: [{name: "process", type: "text"}, {name: "read", type: "number", unit: "byte"}, {name: "written", type: "number", unit: "byte"}, {name: "first", type: "number", unit: "byte", title: "from byte"}, {name: "behind", type: "number", unit: "byte", title: "to byte"}],
        rows: map.shares.map(({proc, cells}) => ({process: nameOfProcess(run, proc), read: sum(cells.read), written: sum(cells.written), first: cells.count ? cells.places[0] * map.row_size : null, behind: cells.count ? (cells.places[cells.count - 1] + 1) * map.row_size : null})),
    };
}

function drawnText(accesses, unplaced) {
    const drawn = accesses - unplaced;
    if (!unplaced) return "Each one is drawn.";
    return drawn ? `The other ${count(drawn)} ${drawn === 1 ? "is" : "are"} drawn.` : "None is drawn.";
}

export function makeFiles(run, state, place) {
    const {files, left_out: leftOut} = run.maps;
    if (!files.length) {
        place.append(element("p", {}, "No file of the program was read or written by a recorded call of the system."));
        return {changed() {}, paint() {}};
    }
    const canvas = element("canvas", {class: "map", role: "img", "aria-label": "Map of the file: bytes from bottom to top; the table below says the same."});
    const chooser = element("select", {"aria-label": "File", onchange: () => chooseFile(files[chooser.selectedIndex].path)}, ...files.map(file => element("option", {}, `${file.path} (${bytes(file.read)} read, ${bytes(file.written)} written)`)));
    const across = remembered(state, "map-against", element("select", {"aria-label": "Against", onchange: () => paintMap(run, view)}, element("option", {value: "time"}, "over time"), element("option", {value: "process"}, "by process")));
    const kind = remembered(state, "map-accesses", element("select", {"aria-label": "Accesses", onchange: () => paintMap(run, view)}, element("option", {value: ""}, "reads and writes"), element("option", {value: "reads"}, "reads"), element("option", {value: "writes"}, "writes")));
    const said = element("p", {class: "quiet", "aria-live": "polite"}), notes = element("p", {class: "quiet"}), table = element("div");
    const view = {state, canvas, across, kind, map: files[0], small: document.createElement("canvas"), drawn: [], extent: 1};
    const swatch = colour => {
        const made = element("span", {class: "swatch"});
        made.style.background = colour;
        return made;
    };
    const conflicts = conflictControls(run, state, view, () => paintMap(run, view));
    function turn() {
        const found = files.findIndex(file => file.path === state.file || file.path.endsWith(`:${state.file}`));
        chooser.selectedIndex = Math.max(0, found);
        view.map = files[chooser.selectedIndex];
        const {accesses, unplaced, all, row_size: size} = view.map;
        notes.textContent = `${count(accesses)} accesses by calls of the system${unplaced ? `; of ${count(unplaced)} it is not known where in the file they were` : ""}. `
            + (all ? drawnText(accesses, unplaced) : `A row is ${bytes(size)}, a column ${duration(run.maps.column_width)}; the brighter, the more bytes (logarithm).`)
            + (leftOut ? ` ${count(leftOut)} accesses were to files without a map: it shows ${count(files.length)} files with the most bytes.` : "");
        table.replaceChildren(tableElement("accesses", mapTable(run, view.map)));
        conflicts.turn();
        handles.turn(view.map.path);
    }
    canvas.addEventListener("mousemove", event => {
        const box = under(view, event);
        canvas.title = box ? accessText(run, box.access) : "";
    });
    canvas.addEventListener("click", event => {
        const box = under(view, event);
        if (!box) return;
        said.textContent = accessText(run, box.access);
        choose(findCall(run, `${box.access.proc}.${box.access.thread}.${box.access.number}`));
    });
    place.append(element("p", {class: "chooser"}, chooser, across, kind, conflicts.chooser, element("span", {class: "legend"}, swatch(READS), "read ", swatch(WRITES), "written ")),
        element("div", {}, canvas), pictureButtons(canvas, "file", () => paintMap(run, view)), notes, conflicts.said, said, conflicts.list, table);
    const handles = makeHandles(run, state, place), paint = () => {
        paintMap(run, view);
        handles.paint();
    };
    new ResizeObserver(paint).observe(place);
    return {changed: what => { if (what === "file") turn(); else if (what === "search") handles.turn(view.map.path); else if (what === "time") paint(); }, paint: turn};
}
