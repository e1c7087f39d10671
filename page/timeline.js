// The time line: a row for each thread, in it a lane for each of its layers; where rows and lanes stand, and what people do there. It is
// painted by timeline_paint.js.

const LEAST_LANE = 11, MOST_LANE = 30, GAP = 5;

let lastTimeline = null;

/** The time line as SVG. */
export const svgOfTimeline = () => svgOf(lastTimeline.canvas, () => paint(lastTimeline));

/** The rows of the time line, from the top. */
export const rowsOnTimeline = () => lastTimeline.rows.filter(({head, operations}) => !head && !operations).map(({row}) => row);

/** What folds on the time line, from the top: [{key, folded, label, top: of the row on the canvas}]. */
export const foldsOnTimeline = () => lastTimeline.rows.filter(({key}) => key).map(({key, folded, label, top}) => ({key, folded: Boolean(folded), label, top: AXIS + top - lastTimeline.scroller.scrollTop}));

/** The mean over the window of a folded row's lane. */
export function shareOnTimeline(key, layer) {
    const lane = lastTimeline.rows.find(row => row.key === key).lanes.find(one => lastTimeline.run.names.layers[one.layer] === layer), shares = new Float32Array(Math.round(size(lastTimeline).plot));
    sharesOf(lastTimeline.run, lane, lastTimeline, shares);
    return shares.reduce((a, b) => a + b) / shares.length;
}

/** Fills `place` with the time line of the run. */
export function makeTimeline(run, state, place) {
    const strip = element("canvas", {class: "strip", "aria-hidden": "true"});
    const canvas = element("canvas", {
        class: "timeline", tabindex: "0", role: "application",
        "aria-label": "Time line. Plus and minus zoom, left and right move, Home shows all, N and P go from call to call; the tables below say the same.",
    });
    const spacer = element("div");
    canvas.getContext("2d", {alpha: false, willReadFrequently: true}); // painted by pixels, all of it: so the browser neither mixes nor copies it
    const scroller = element("div", {class: "scroller"}, canvas, spacer);
    const tip = element("div", {class: "tip", hidden: true});
    const said = element("p", {class: "quiet", "aria-live": "polite"});
    const exact = element("p", {class: "quiet quality", role: "status"});
    const colours = element("p", {class: "colours"}), arrowsSaid = element("p", {class: "quiet", role: "status"});
    const listBehind = name => element("details", {class: name, hidden: true, ontoggle: () => wantPaint(view)}, element("summary", {}), element("div"));
    const arrowList = listBehind("arrows-list"), operationList = listBehind("operations-list"), callList = listBehind("calls-list"), laneList = listBehind("lanes-list");
    place.append(colours, strip, scroller, tip, exact, said, arrowsSaid, laneList, callList, operationList, arrowList, pictureButtons(canvas, "timeline", () => paint(view)));
    if (exactButtons(run)) exact.after(exactButtons(run));
    const view = {run, state, canvas, strip, scroller, spacer, tip, said, exact, arrowsSaid, operationList, arrowList, callList, laneList, plot: 1, rows: [], image: null, dragging: null, wanted: 0, colouring: colouring(run, state)};
    lastTimeline = view;
    const fillColours = colourControls(run, state, colours, () => view.colouring);
    fillColours();
    if (state.colour === "expression") markCalls(run, state);
    if (run.report.tables.critical_parts?.rows.length) colours.append(element("label", {}, element("input", {type: "checkbox", checked: state.path, onchange: event => showPath(event.target.checked)}), " critical path"));
    if (hasOperations(run)) colours.append(" ", element("label", {}, element("input", {type: "checkbox", "data-operations": true, checked: state.operations, onchange: event => showOperations(event.target.checked)}), " operations below rows"));
    view.rowControls = rowControls(run, state);
    colours.append(" ", ...view.rowControls.choices);
    view.clocks = clockControls(run, state);
    colours.after(view.rowControls.list, view.clocks.place);
    view.arrowBoxes = arrowControls(run, state);
    if (view.arrowBoxes) colours.append(" ", view.arrowBoxes);
    layOut(view);
    listen(view);
    new ResizeObserver(() => {
        layOut(view);
        wantPaint(view);
    }).observe(place);
    scroller.addEventListener("scroll", () => wantPaint(view));
    return {
        changed(what) {
            if (what === "layers" || what === "search") layOut(view);
            if (what === "colour" || what === "data") {
                if (state.colour === "expression") markCalls(run, state);
                view.colouring = colouring(run, state);
                fillColours();
            }
            if (what === "offsets") view.clocks.fill();
            if (what === "arrows") for (const box of view.arrowBoxes?.querySelectorAll("input") || []) box.checked = state.arrows.has(box.dataset.arrows);
            if (what === "call") reveal(view);
            wantPaint(view);
        },
        paint: () => paint(view),
    };
}

// The rows, each with its place from the top.
function layOut(view) {
    const {run, state} = view;
    view.rows = shownRows(run, state);
    view.rowControls.fill(view.rows);
    const lanesOfAll = view.rows.reduce((sum, {lanes, lines = 0}) => sum + lanes.length + lines, 0);
    let top = 0;
    // Lanes of few rows are higher, so that they fill the place.
    const room = view.scroller.clientHeight - AXIS - view.rows.length * GAP;
    view.lane = Math.max(LEAST_LANE, Math.min(MOST_LANE, Math.floor(room / (lanesOfAll || 1))));
    for (const row of view.rows) {
        row.top = top;
        row.height = row.head ? HEAD_HIGH : (row.lines || row.lanes.length) * view.lane;
        top += row.height + GAP;
    }
    view.height = top;
    view.spacer.style.height = `${Math.max(0, top + AXIS)}px`;
}

// ---- what people do ----

function boxAt(view, x, y) {
    for (let i = (view.shown || []).length - 1; i >= 0; i--) {
        const box = view.shown[i];
        if (x >= box.left - 1 && x <= Math.max(box.right, box.left + 2) && y >= box.top && y < box.top + view.lane) return box;
    }
    return null;
}

function rowAt(view, y) {
    const below = y - AXIS + view.scroller.scrollTop;
    return view.rows.find(one => below >= one.top && below < one.top + one.height);
}

function laneAt(view, y) {
    const row = rowAt(view, y);
    return row ? row.lanes[Math.floor((y - AXIS + view.scroller.scrollTop - row.top) / view.lane)] : null;
}

function hover(view, event) {
    const {run} = view, box = boxAt(view, event.offsetX, event.offsetY), arrow = arrowAt(event.offsetX, event.offsetY), lane = laneAt(view, event.offsetY), operation = operationAt(view, event.offsetX, event.offsetY);
    view.tip.hidden = !box && !lane && !arrow && !operation || event.offsetX < LABEL;
    if (view.tip.hidden) return;
    view.tip.textContent = arrow ? arrow.text : operation ? operationText(run, operation) : box ? callText(run, box.call) : lane.lanes ? foldedAt(view, lane, event) : laneText(run, lane, timeAt(view, event.offsetX) - offsetOf(run, view.state, lane.row), view);
    const bounds = view.tip.parentElement.getBoundingClientRect();
    view.tip.style.left = `${Math.min(event.clientX - bounds.left + 14, bounds.width - 260)}px`;
    view.tip.style.top = `${event.clientY - bounds.top + 14}px`;
}

function foldedAt(view, lane, event) {
    const {plot} = size(view), {state} = view, shares = new Float32Array(Math.round(plot));
    sharesOf(view.run, lane, view, shares);
    return foldedText(view.run, rowAt(view, event.offsetY), lane, shares[Math.round(event.offsetX - LABEL)] || 0, timeAt(view, event.offsetX), (state.end - state.begin) / 200);
}

function laneText(run, shown, time, view) {
    const {names} = run, offset = offsetOf(run, view.state, shown.row), [begin, end] = [view.state.begin - offset, view.state.end - offset];
    const {lane, begin: first, bin_width: width} = finest(run, shown, begin, end, (end - begin) / size(view).plot);
    const place = lane ? lane.places.indexOf(Math.floor((time - first) / width)) : -1;
    const where = `${names.rows[shown.row].label}, ${names.layers[shown.layer]}, ${duration(width)} at ${tickText(time, (end - begin) / 200)}`;
    if (place < 0) return `${where}: no call`;
    const moved = [["read", lane.read[place]], ["written", lane.written[place]]].filter(one => one[1]).map(([what, sum]) => `, ${bytes(sum)} ${what}`).join("");
    return `${where}: ${count(lane.calls[place])} calls began, ${percent(100 * Math.min(1, lane.busy[place] / (binWithin({begin: first, bin_width: width, end: run.names.end}, lane.places[place]) || Infinity)))} busy${moved}`;
}

function listen(view) {
    const {canvas, state} = view;
    canvas.addEventListener("wheel", event => {
        if (event.ctrlKey || event.metaKey) zoom(1.0015 ** Math.max(-400, Math.min(400, event.deltaY)), timeAt(view, event.offsetX));
        else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) move(view, (event.deltaX || event.deltaY) / size(view).plot);
        else return;
        event.preventDefault();
    }, {passive: false});
    canvas.addEventListener("pointerdown", event => {
        view.dragging = {x: event.offsetX, begin: state.begin, end: state.end, box: event.shiftKey, moved: false};
        canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", event => {
        const drag = view.dragging;
        if (!drag) return hover(view, event);
        drag.moved = drag.moved || Math.abs(event.offsetX - drag.x) > 3;
        if (!drag.moved) return;
        drag.to = event.offsetX;
        if (drag.box) return paintBox(view, drag);
        const shift = (drag.x - event.offsetX) / size(view).plot * (drag.end - drag.begin);
        look(drag.begin + shift, drag.end + shift);
    });
    canvas.addEventListener("pointerup", event => {
        const drag = view.dragging;
        view.dragging = null;
        if (!drag) return;
        if (!drag.moved && event.offsetX < LABEL && rowAt(view, event.offsetY)?.key) return toggleFold(rowAt(view, event.offsetY).key);
        const operation = drag.moved ? undefined : operationAt(view, event.offsetX, event.offsetY);
        if (operation?.fromCall) return seek(operation.fromCall);
        if (!drag.moved) return choose(boxAt(view, event.offsetX, event.offsetY)?.call ?? -1);
        if (drag.box) look(timeAt(view, Math.min(drag.x, drag.to)), timeAt(view, Math.max(drag.x, drag.to)));
    });
    canvas.addEventListener("pointerleave", () => { view.tip.hidden = true; });
    canvas.addEventListener("dblclick", event => zoom(0.25, timeAt(view, event.offsetX)));
    canvas.addEventListener("keydown", event => press(view, event));
}

function paintBox(view, drag) {
    paint(view);
    const context = view.canvas.getContext("2d");
    context.fillStyle = `${themeColour("--mark")}33`;
    context.fillRect(Math.min(drag.x, drag.to), AXIS, Math.abs(drag.to - drag.x), 1e4);
}

function move(view, share) {
    const length = view.state.end - view.state.begin;
    look(view.state.begin + share * length, view.state.end + share * length);
}

function press(view, event) {
    const middle = (view.state.begin + view.state.end) / 2;
    const actions = {
        "+": () => zoom(0.5, middle), "=": () => zoom(0.5, middle), "w": () => zoom(0.5, middle),
        "-": () => zoom(2, middle), "s": () => zoom(2, middle),
        "ArrowLeft": () => move(view, -0.25), "a": () => move(view, -0.25),
        "ArrowRight": () => move(view, 0.25), "d": () => move(view, 0.25),
        "Home": () => lookAtAll(), "Escape": () => choose(-1),
        "n": () => step(view, 1), "p": () => step(view, -1),
    };
    if (!actions[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
    actions[event.key]();
    event.preventDefault();
}

// From call to call of one row, in order of entry.
function step(view, by) {
    const {run, state} = view;
    if (state.call < 0) {
        paint(view); // what is shown may be of before a key that came just now
        return choose(view.shown?.[0]?.call ?? -1);
    }
    const list = run.callsOf[run.calls.row[state.call]];
    const next = list[list.indexOf(state.call) + by];
    if (next !== undefined) choose(next);
}

// The chosen call comes into view, if it is out of it or too narrow to be seen.
function reveal(view) {
    const {run, state} = view, call = state.call;
    view.said.textContent = call < 0 ? "" : callText(run, call);
    if (call < 0) return;
    const begin = run.calls.start[call] + offsetOf(run, state, run.calls.row[call]), length = run.calls.length[call];
    if (!isOfPair(callName(run, call)) && (begin > state.end || begin + length < state.begin || length / (state.end - state.begin) < 0.002))
        look(begin - 4 * Math.max(length, 100), begin + 5 * Math.max(length, 100));
    const row = standsFor(view.rows).get(run.calls.row[call]);
    if (row && (row.top < view.scroller.scrollTop || row.top + row.height > view.scroller.scrollTop + view.scroller.clientHeight - AXIS))
        view.scroller.scrollTop = row.top - 40;
}
