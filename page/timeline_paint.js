// Paints the time line. A pixel of a lane is as high as the share of its time in which calls of the layer were under way. Where calls are
// wide enough, those that the page has are drawn as they were. Below it stands whether this is exact, or bins are wider than a pixel; a
// server is asked for finer ones.

const AXIS = 22, LABEL = 168, STRIP = 34, MOST_CALLS = 6000;

let pairPainted = [], arrowsPainted = [];

/** The arrows on the time line: {kind, text, x, y, toX, toY ...}. */
export const arrowsOnTimeline = () => arrowsPainted;

/** Where the two calls of the pair are on the time line: {id, left, width, top, height}, or null for one that is out of it. */
export const pairOnTimeline = () => pairPainted;

function wantPaint(view) {
    if (!view.wanted) view.wanted = requestAnimationFrame(() => {
        view.wanted = 0;
        paint(view);
    });
}

function size(view) {
    const width = view.scroller.clientWidth, height = Math.min(view.scroller.clientHeight, Math.max(view.height + AXIS, 80));
    return {width, height, plot: Math.max(1, width - LABEL)};
}

const timeAt = (view, x) => view.state.begin + (x - LABEL) / size(view).plot * (view.state.end - view.state.begin);

function paint(view) {
    const {width, height, plot} = size(view);
    if (width < LABEL + 20) return;
    const context = sharpen(view.canvas, width, height);
    const ground = themeColour("--ground");
    view.plot = plot;
    clearAround(context, width, height, ground);
    const top = view.scroller.scrollTop;
    view.canvas.style.transform = `translateY(${top}px)`;
    paintAxis(view, context, plot);
    const visible = view.rows.filter(row => row.top + row.height > top && row.top < top + height - AXIS);
    paintBins(view, context, visible, top, plot, height, ground);
    paintCalls(view, context, visible, top, plot);
    paintOperations(view, context, visible, top, plot);
    if (view.state.path) paintPath(view, context, top, plot);
    paintArrows(view, context, top, plot);
    paintPair(view, context, top, plot);
    paintLabels(view, context, visible, top, height);
    paintStrip(view);
    tellCalls(view, visible);
    tellQuality(view, visible.flatMap(row => row.members), plot);
    if (!performance.getEntriesByName("fathom-ready").length) performance.mark("fathom-ready");
}

// All but what the bins are painted over.
function clearAround(context, width, height, ground) {
    context.fillStyle = ground;
    context.fillRect(0, 0, width, AXIS + 1);
    context.fillRect(0, AXIS, LABEL + 1, height - AXIS);
    context.fillRect(0, height - 2, width, 2);
    context.fillRect(width - 2, 0, 2, height);
}

function tellQuality(view, rows, plot) {
    const {run, state} = view, perPixel = (state.end - state.begin) / plot;
    const marked = state.colour === "expression" && run.marks?.run, markedRows = marked ? rows.map(row => markedRow(run, row)).filter(row => row !== undefined) : [];
    const seen = state.offsets.size ? {...state, ...movedWindow(state)} : state;
    wantWindow(run, seen, rows, perPixel);
    if (marked) wantWindow(marked, seen, markedRows, perPixel);
    let text = quality(run, seen, rows, perPixel);
    if (marked && text === "exact") text = quality(marked, seen, markedRows, perPixel);
    if (view.exact.textContent !== text) view.exact.textContent = text;
}

function paintAxis(view, context, plot) {
    paintTimeAxis(context, view.state, {left: LABEL, plot, base: 13}, x => {
        context.fillStyle = themeColour("--line");
        context.fillRect(Math.round(x), AXIS - 4, 1, 4);
    });
}

// Into an image, pixel by pixel: rows may be many, and rectangles are slow.
function paintBins(view, context, visible, top, plot, height, ground) {
    const ratio = devicePixelRatio || 1;
    const wide = Math.round(plot * ratio), high = Math.round((height - AXIS) * ratio);
    if (wide < 1 || high < 1) return;
    if (!view.image || view.image.width !== wide || view.image.height !== high) view.image = context.createImageData(wide, high);
    const pixels = new Uint32Array(view.image.data.buffer);
    pixels.fill(pixel(ground, 1, ground));
    const shares = new Float32Array(wide), marked = new Float32Array(wide), hasMarks = view.state.colour === "expression", markColour = pixel(hasMarks ? view.colouring.legend[0].colour : OTHERS, 1, ground);
    for (const row of visible) {
        row.lanes.forEach((lane, number) => {
            sharesOf(view.run, lane, view, shares);
            if (hasMarks) sharesOfMarked(view, lane, marked);
            const from = Math.round((row.top - top + number * view.lane) * ratio), lines = Math.round((view.lane - 1) * ratio);
            const colour = view.state.colour === "layer" ? layerColour(lane.layer) : OTHERS; // sums are of calls of several colours
            const full = pixel(colour, 1, ground), faint = pixel(colour, 0.09, ground);
            const place = {pixels, wide, from, lines, first: Math.max(0, -from), behind: Math.min(lines, high - from)};
            fillLane(place, shares, full, faint);
            if (hasMarks) fillLane(place, marked, markColour, null);
        });
    }
    context.putImageData(view.image, Math.round(LABEL * ratio), Math.round(AXIS * ratio));
}

// As high as the shares: what is more than nothing has the lowest line. `faint`: what is above; null: as it was.
function fillLane({pixels, wide, from, lines, first, behind}, shares, colour, faint) {
    let low = Infinity, high = 0;
    for (let x = 0; x < wide; x++) {
        if (shares[x] < low) low = shares[x];
        if (shares[x] > high) high = shares[x];
    }
    for (let line = first; line < behind; line++) {
        const start = (from + line) * wide, least = (lines - line - 1) / lines;
        if (low > least) pixels.fill(colour, start, start + wide);
        else if (high <= least && faint !== null) pixels.fill(faint, start, start + wide);
        else if (high > least && faint !== null) for (let x = 0; x < wide; x++) pixels[start + x] = shares[x] > least ? colour : faint;
        else if (high > least) for (let x = 0; x < wide; x++) if (shares[x] > least) pixels[start + x] = colour;
    }
}

// For each pixel the busy share of a lane, from the level whose bins are not wider than a pixel, where there is one.
function sharesOf(run, lane, view, shares) {
    const {begin, end} = view.state;
    if (lane.lanes) return sharesOfFolded(run, lane, view.state, shares, (one, into) => sharesOf(run, one, view, into));
    const offset = offsetOf(run, view.state, lane.row), known = finest(run, lane, begin - offset, end - offset, (end - begin) / view.plot);
    sharesBetween(known, begin - offset, end - offset, shares);
}

function sharesOfMarked(view, lane, shares) {
    if (lane.lanes) return sumOfShares(lane, shares, (one, into) => sharesOfMarked(view, one, into));
    const found = markedLane(view.run, lane);
    if (found) sharesOf(view.run.marks.run, found, view, shares);
    else shares.fill(0);
}

/** The same of a lane that is known so finely (`finest`). */
export function sharesBetween(known, begin, end, shares) {
    const perPixel = (end - begin) / shares.length;
    if (!known.lane) return shares.fill(0);
    const {levels} = known.lane;
    let level = 0;
    while (level + 1 < levels.length && known.bin_width * 2 ** (level + 1) <= perPixel) level++;
    const bins = levels[level], width = known.bin_width * 2 ** level, last = bins.length - 1;
    const origin = (begin - known.begin) / width, step = perPixel / width;
    for (let x = 0; x < shares.length; x++) {
        const from = origin + x * step, to = from + step, first = Math.floor(from);
        if (to <= first + 1) shares[x] = first >= 0 && first <= last ? bins[first] : 0;
        else shares[x] = meanOf(bins, Math.max(0, first), Math.min(last, Math.ceil(to) - 1), from, to);
        if (shares[x] > 1) shares[x] = 1;
    }
}

// From a place in one bin to one in another.
function meanOf(bins, first, last, from, to) {
    let sum = 0;
    for (let bin = first; bin <= last; bin++) sum += bins[bin];
    if (first <= last && from > first) sum -= bins[first] * (from - first);
    if (first <= last && to < last + 1) sum -= bins[last] * (last + 1 - to);
    return Math.max(0, sum / (to - from));
}

// Calls of the page that are in the window and not narrower than two pixels, outermost first.
function callsInWindow(view, row, least) {
    const {calls} = view.run, offset = offsetOf(view.run, view.state, row), begin = view.state.begin - offset, end = view.state.end - offset;
    const found = [];
    for (const call of view.run.callsOf[row]) {
        if (calls.start[call] > end) break;
        if (calls.start[call] + calls.length[call] < begin || calls.length[call] < least) continue;
        if (!view.state.hidden.has(view.run.names.functions[calls.function[call]].layer)) found.push(call);
    }
    return found;
}

function paintCalls(view, context, visible, top, plot) {
    const {run, state} = view, {calls, names} = run;
    const scale = plot / (state.end - state.begin), least = 2 / scale;
    view.shown = [];
    for (const row of visible.filter(({folded, head, operations}) => !folded && !head && !operations)) { // those of several threads would hide one another
        const found = state.colour === "search" && state.find // what is looked for is seen also where it is narrow
            ? callsInWindow(view, row.row, 0).filter(call => calls.length[call] >= least || view.colouring.of(call) === 0) : callsInWindow(view, row.row, least);
        if (view.shown.length + found.length > MOST_CALLS) break;
        for (const call of found) {
            const layer = names.functions[calls.function[call]].layer, place = row.lanes.findIndex(lane => lane.layer === layer);
            if (place < 0) continue;
            const start = calls.start[call] + offsetOf(run, state, row.row) - state.begin;
            const left = Math.max(LABEL, LABEL + start * scale), right = Math.min(LABEL + plot, LABEL + (start + calls.length[call]) * scale);
            view.shown.push({call, left, right, top: AXIS + row.top - top + place * view.lane, ...view.colouring.legend[view.colouring.of(call)]});
        }
    }
    context.save();
    context.beginPath();
    context.rect(LABEL, AXIS, plot, 1e6);
    context.clip();
    context.font = "9px system-ui, sans-serif";
    for (const box of view.shown) paintCall(view, context, box);
    context.restore();
}

function paintCall(view, context, box) {
    const high = view.lane - 1, {calls, names} = view.run, width = Math.max(1, box.right - box.left - 0.5);
    context.globalAlpha = view.state.only && box.name !== view.state.only ? 0.12 : 1;
    context.fillStyle = box.colour;
    context.fillRect(box.left, box.top, width, high);
    context.globalAlpha = 1;
    if (calls.failed[box.call]) {
        context.fillStyle = themeColour("--bad");
        context.fillRect(box.left, box.top, Math.min(width, 3), high);
    }
    if (box.call === view.state.call) {
        context.strokeStyle = themeColour("--text");
        context.lineWidth = 2;
        context.strokeRect(box.left, box.top - 1, width, high + 2);
    }
    if (width < 34) return;
    const name = names.functions[calls.function[box.call]].name;
    context.fillStyle = inkOn(box.colour);
    if (context.measureText(name).width < width - 4) context.fillText(name, box.left + 3, box.top + high / 2 + 3);
}

// The critical path: a line below each row that it is in, and from row to row where it goes on in another one.
function paintPath(view, context, top, plot) {
    const {run, state} = view, scale = plot / (state.end - state.begin);
    const rowOf = new Map([...standsFor(view.rows)].map(([row, shown]) => [`${run.names.rows[row].proc} ${run.names.rows[row].thread}`, shown]));
    context.save();
    context.beginPath();
    context.rect(LABEL, AXIS, plot, 1e6);
    context.clip();
    context.strokeStyle = themeColour("--bad");
    context.lineWidth = 2;
    let before = null;
    for (const part of run.report.tables.critical_parts.rows) {
        const row = rowOf.get(`${part.proc} ${part.thread}`);
        const left = LABEL + (part.start * 1e9 + offsetOfProcess(state, part.proc) - state.begin) * scale, right = left + part.duration * 1e9 * scale;
        const y = row ? AXIS + row.top - top + row.height + 1 : null;
        context.beginPath();
        if (before && goesOn(before.part, part) && y !== null && right >= LABEL && before.right <= LABEL + plot) {
            context.moveTo(before.right, before.y);
            context.lineTo(left, y);
        }
        if (y !== null && right >= LABEL && left <= LABEL + plot) {
            context.moveTo(left, y);
            context.lineTo(right, y);
        }
        context.stroke();
        before = y === null ? null : {part, right, y};
    }
    context.restore();
}

// From call to call, where calls are shown one by one and arrows are not too many. One that stays in its row is a bow over it.
function paintArrows(view, context, top, plot) {
    const {run, state} = view, scale = plot / (state.end - state.begin);
    const rows = standsFor(view.rows);
    const heightOf = (row, layer) => {
        const lane = row.lanes.findIndex(one => one.layer === layer);
        return lane < 0 ? row.height / 2 : (lane + 0.5) * view.lane;
    };
    const place = (row, time, layer) => [LABEL + (time - state.begin) * scale, AXIS + row.top - top + heightOf(row, layer)];
    const {arrows, crowded} = arrowsOf(run, {...state, ...movedWindow(state)}, view.shown.map(({call}) => call));
    arrowsPainted = [];
    for (const arrow of arrows.filter(({kind}) => view.shown.length || kind === "creations" || kind === "handles")) {
        const from = rows.get(arrow.fromRow), to = rows.get(arrow.toRow);
        if (!from || !to) continue;
        const [x, y] = place(from, arrow.start + offsetOf(run, state, arrow.fromRow), arrow.layer), [toX, toY] = place(to, arrow.end + offsetOf(run, state, arrow.toRow), arrow.toLayer ?? arrow.layer);
        arrowsPainted.push({...arrow, x, y, toX, toY, bow: from === to && y === toY ? -0.9 * view.lane : 0});
    }
    context.save();
    context.beginPath();
    context.rect(LABEL, AXIS, plot, 1e6);
    context.clip();
    context.strokeStyle = themeColour("--text");
    context.lineWidth = 1;
    for (const arrow of arrowsPainted) paintArrow(context, arrow);
    context.restore();
    tellArrows(view, crowded);
}

const BOW_STEPS = 12;

function paintArrow(context, {x, y, toX, toY, bow}) {
    const angle = Math.atan2(toY - y - 2 * bow, toX - x);
    context.beginPath();
    context.moveTo(x, y);
    for (let i = 1; bow && i < BOW_STEPS; i++) {
        const share = i / BOW_STEPS;
        context.lineTo(x + share * (toX - x), y + 4 * share * (1 - share) * bow);
    }
    context.lineTo(toX, toY);
    for (const turn of [-0.4, 0.4]) {
        context.moveTo(toX, toY);
        context.lineTo(toX - 7 * Math.cos(angle + turn), toY - 7 * Math.sin(angle + turn));
    }
    context.stroke();
}

// The table behind the arrows, when it is looked at; and what is not drawn.
function tellArrows(view, crowded) {
    const {arrowList: list, run, state} = view, said = arrowsSaid(run, state, crowded);
    if (view.arrowsSaid.textContent !== said) view.arrowsSaid.textContent = said;
    titleBehind(list, arrowsPainted.length, `Arrows in view: ${count(arrowsPainted.length)}`);
    fillBehind(list, arrowsPainted.map(({kind, fromCall, toCall}) => `${kind} ${fromCall} ${toCall}`).join(), () => tableElement("arrows", arrowsTable(run, arrowsPainted)));
}

function arrowAt(x, y) {
    return arrowsPainted.find(arrow => {
        const [dx, dy] = [arrow.toX - arrow.x, arrow.toY - arrow.y], length = dx * dx + dy * dy || 1;
        const share = Math.max(0, Math.min(1, ((x - arrow.x) * dx + (y - arrow.y) * dy) / length));
        return Math.hypot(x - arrow.x - share * dx, y - arrow.y - share * dy) < 4;
    });
}

// The two calls of a pair, each in a frame with its number; also where the page does not have them: their times are known.
function paintPair(view, context, top, plot) {
    const {run, state} = view, scale = plot / (state.end - state.begin);
    pairPainted = state.pair.map(call => {
        const row = view.rows.find(({members}) => members.some(number => `${run.names.rows[number].proc}.${run.names.rows[number].thread}` === call.id.split(".").slice(0, 2).join(".")));
        const offset = offsetOfProcess(state, Number(call.id.split(".")[0])), start = call.start + offset - state.begin, end = call.end + offset - state.begin;
        if (!row || end < 0 || start > state.end - state.begin) return null;
        const box = (view.shown || []).find(one => callName(run, one.call) === call.id);
        const left = Math.max(LABEL, LABEL + start * scale), right = Math.min(LABEL + plot, LABEL + end * scale);
        return {id: call.id, left, width: Math.max(3, right - left), top: box ? box.top : AXIS + row.top - top, height: box ? view.lane - 1 : row.height};
    });
    context.save();
    context.beginPath();
    context.rect(LABEL - 12, AXIS, plot + 12, 1e6);
    context.clip();
    context.font = "bold 12px system-ui, sans-serif";
    context.lineWidth = 2;
    pairPainted.forEach((box, i) => {
        if (!box) return;
        context.strokeStyle = themeColour("--bad");
        context.strokeRect(box.left - 1, box.top - 1, box.width + 2, box.height + 2);
        context.fillStyle = themeColour("--ground");
        context.fillRect(box.left - 12, box.top - 1, 10, 13);
        context.fillStyle = themeColour("--bad");
        context.fillText(String(i + 1), box.left - 11, box.top + 10);
    });
    context.restore();
}

// Of the name of a layer, which many rows have.
function widthOf(view, context, name) {
    view.widths ||= new Map();
    if (!view.widths.has(name)) view.widths.set(name, context.measureText(name).width);
    return view.widths.get(name);
}

function paintLabels(view, context, visible, top, height) {
    context.save();
    context.beginPath();
    context.rect(0, AXIS, LABEL - 6, height - AXIS);
    context.clip();
    context.font = "12px system-ui, sans-serif";
    for (const row of visible) {
        let room = LABEL - 10;
        context.font = "9px system-ui, sans-serif";
        context.fillStyle = themeColour("--quiet");
        row.lanes.forEach((lane, place) => { // so that layers do not differ by their colour alone
            const name = view.run.names.layers[lane.layer], width = widthOf(view, context, name);
            context.fillText(name, LABEL - 9 - width, AXIS + row.top - top + (place + 0.5) * view.lane + 3);
            if (!place) room -= width + 6;
        });
        context.font = "12px system-ui, sans-serif";
        context.fillStyle = themeColour("--text");
        row.fitted ??= fitText(context, `${row.key ? `${foldMark(row.folded)} ` : ""}${row.label}`, room);
        context.fillText(row.fitted, 2, AXIS + row.top - top + 10);
    }
    context.restore();
}

// All threads together, and the window.
function paintStrip(view) {
    const {run, state, plot} = view;
    const context = sharpen(view.strip, plot + LABEL, STRIP);
    context.clearRect(0, 0, plot + LABEL, STRIP);
    const bins = 512, busy = new Float32Array(bins), step = run.names.bins > bins ? run.names.bins / bins : 1;
    if (!view.sums) {
        const used = (run.names.end - run.names.begin) / (run.names.bins * run.names.bin_width);
        for (const lane of run.lanes) {
            const level = lane.levels[Math.min(lane.levels.length - 1, Math.round(Math.log2(step)))];
            for (let i = 0; i < bins; i++) busy[i] += level[Math.floor(i * used * level.length / bins)];
        }
        const most = busy.reduce((a, b) => Math.max(a, b), 1e-9);
        view.sums = busy.map(sum => sum / most);
    }
    context.fillStyle = themeColour("--quiet");
    view.sums.forEach((sum, i) => context.fillRect(LABEL + i * plot / bins, STRIP - 4 - sum * (STRIP - 8), plot / bins + 0.5, sum * (STRIP - 8) + 1));
    const length = run.names.end - run.names.begin || 1;
    const left = LABEL + (state.begin - run.names.begin) / length * plot, right = LABEL + (state.end - run.names.begin) / length * plot;
    context.strokeStyle = themeColour("--mark");
    context.lineWidth = 2;
    context.strokeRect(left, 1, Math.max(2, right - left), STRIP - 2);
}
