// The handles of one file over time, as `fathom handles` has them: below a handle of HDF5 that of MPI-IO, below that the descriptor. Each is
// drawn from the end of the call that made it to the begin of the one that closed it.

const HANDLE_HIGH = 16, HANDLE_LEFT = 270, HANDLE_AXIS = 20, MOST_HANDLE_ROWS = 120;

let handlesPainted = [];

/** The handles that are drawn: {name, depth, proc, maker, closer, left, right, top}. */
export const handlesOnScreen = () => handlesPainted;

/** "fd 17", "mpi_file", "hid /data"; with the file where it is not `path`. */
export function handleName({type, value, name, path: own}, path) {
    const words = [type];
    if (type === "fd" && value >= 0) words.push(String(value));
    if (name) words.push(name);
    if (own !== path) words.push(`(${own.split("/").pop()})`);
    return words.join(" ");
}

// What is shown of a file: its handles with those that they belong to, as a tree: [{handle, depth}].
function handlesOfFile(run, state, path) {
    const wanted = new Set(), rows = [];
    for (const handle of run.handles.list) {
        if (handle.path !== path || !isFound(run, state, rowOfThread(run, handle.proc, 0) ?? 0)) continue;
        for (let one = handle; one && !wanted.has(one); one = one.parent) wanted.add(one);
    }
    const add = (handle, depth) => {
        if (!wanted.has(handle)) return;
        rows.push({handle, depth});
        for (const one of handle.below) add(one, depth + 1);
    };
    for (const handle of run.handles.list) if (!handle.parent) add(handle, 0);
    return rows;
}

// From when to when it is open: without a call that made or closed it, as long as its process.
function lifeOf(run, {proc, from, to}) {
    const process = run.names.rows[rowOfThread(run, proc, 0) ?? 0].process;
    return [Number.isNaN(from) ? process.start : from, Number.isNaN(to) ? process.end : to];
}

function handleText(run, handle, path) {
    const [from, to] = lifeOf(run, handle), when = `open for ${duration(to - from)}`;
    const ends = [handle.maker ? `made by call ${handle.maker}` : "no recorded call made it", handle.closer ? `closed by ${handle.closer}` : "never closed"];
    return `${nameOfProcess(run, handle.proc)}, ${handle.layer} ${handleName(handle, path)}${handle.duplicate ? ", a duplicate" : ""}: ${when}, ${ends.join(", ")}`;
}

function paintHandles(view) {
    const {run, state, canvas, rows, path} = view, width = canvas.parentElement.clientWidth, plot = width - HANDLE_LEFT, shown = rows.slice(0, MOST_HANDLE_ROWS);
    handlesPainted = [];
    if (plot < 20 || !shown.length) return;
    const context = sharpen(canvas, width, HANDLE_AXIS + shown.length * HANDLE_HIGH + 2), at = time => HANDLE_LEFT + (time - state.begin) / (state.end - state.begin) * plot;
    context.clearRect(0, 0, width, HANDLE_AXIS + shown.length * HANDLE_HIGH + 2);
    paintHandleAxis(context, state, plot, shown.length);
    shown.forEach(({handle, depth}, i) => {
        const top = HANDLE_AXIS + i * HANDLE_HIGH, [from, to] = lifeOf(run, handle), left = Math.max(HANDLE_LEFT, at(from)), right = Math.min(width, Math.max(at(to), at(from) + 2));
        handlesPainted.push({handle, name: handleName(handle, path), depth, proc: handle.proc, maker: handle.maker, closer: handle.closer, left, right, top});
        context.fillStyle = themeColour("--text");
        const owner = depth ? "" : `${nameOfProcess(run, handle.proc)}: `;
        context.fillText(fitText(context, `${owner}${handle.layer} ${handleName(handle, path)}`, HANDLE_LEFT - 8 - depth * 14), 2 + depth * 14, top + 12);
        if (right <= left) return;
        context.fillStyle = colourOfLayerNamed(handle.layer);
        context.fillRect(left, top + 3, right - left, HANDLE_HIGH - 6);
        if (Number.isNaN(handle.to) && at(to) <= width) { // never closed: an open end
            context.fillStyle = themeColour("--ground");
            context.fillRect(right - 5, top + 6, 5, HANDLE_HIGH - 12);
        }
    });
}

function paintHandleAxis(context, state, plot, rows) {
    paintTimeAxis(context, state, {left: HANDLE_LEFT, plot, base: 12}, x => {
        context.fillStyle = themeColour("--line");
        context.fillRect(Math.round(x), HANDLE_AXIS - 4, 1, rows * HANDLE_HIGH + 4);
    });
}

function handlesTable(run, rows, path) {
    const text = (name, title) => ({name, title, type: "text"}), time = (name, title) => ({name, title, type: "number", unit: "plain"});
    return {
        title: "Handles of the file", columns: [text("handle"), text("layer"), text("process"), text("within"), text("maker", "made by"), time("from", "from (s)"), text("closer", "closed by"), time("to", "to (s)")],
        rows: rows.map(({handle, depth}) => ({
            handle: `${"\u2013 ".repeat(depth)}${handleName(handle, path)}`, layer: handle.layer, process: nameOfProcess(run, handle.proc), within: handle.parent ? handleName(handle.parent, path) : null, maker: handle.maker || null,
            from: Number.isNaN(handle.from) ? null : handle.from / 1e9, closer: handle.closer || null, to: Number.isNaN(handle.to) ? null : handle.to / 1e9,
        })),
    };
}

/** The picture and the table of the handles of a file, into `place`: {turn(path), paint()}. */
export function makeHandles(run, state, place) {
    const canvas = element("canvas", {class: "handles", role: "img", "aria-label": "Handles of the file over time; the table below says the same."}), notes = element("p", {class: "quiet"}), table = element("div"), said = element("p", {class: "quiet", "aria-live": "polite"});
    const view = {run, state, canvas, rows: [], path: ""}, shown = element("div", {}, element("h2", {}, "Who had it open"), notes, element("div", {}, canvas), pictureButtons(canvas, "handles", () => paintHandles(view)), said, table);
    const under = event => handlesPainted.find(({top}) => event.offsetY >= top && event.offsetY < top + HANDLE_HIGH);
    canvas.addEventListener("mousemove", event => { canvas.title = under(event) ? handleText(run, under(event).handle, view.path) : ""; });
    canvas.addEventListener("click", event => {
        const found = under(event);
        if (!found) return;
        said.textContent = handleText(run, found.handle, view.path);
        if (found.maker) seek(found.maker);
    });
    place.append(shown);
    function turn(path) {
        view.path = path;
        view.rows = run.handles ? handlesOfFile(run, state, path) : [];
        shown.hidden = !run.handles;
        const {whole, list} = run.handles || {}, {trace} = run.report.run;
        notes.textContent = whole && !list.length ? `${count(whole)} handles are too many for a page: fathom handles --file '${path.split("/").pop()}' ${trace} has them.`
            : !view.rows.length ? "No recorded call opened it."
            : `Handles of each layer, each below the one that it belongs to. ${view.rows.length > MOST_HANDLE_ROWS ? `The first ${MOST_HANDLE_ROWS} of ${count(view.rows.length)} are drawn; the table has all.` : ""}`;
        canvas.hidden = !view.rows.length;
        table.replaceChildren(...view.rows.length ? [tableElement("handles", handlesTable(run, view.rows, path))] : []);
        paintHandles(view);
    }
    return {turn, paint: () => paintHandles(view)};
}
