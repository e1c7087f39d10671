// Over the window, for each layer that is shown: bytes and calls per second, calls under way, how long calls take. Each pixel has its own
// value; where a pixel has several bins, a band shows the least and the most of them.

const HIGH = 150, LEFT = 90;

// What a chart shows: `column` of lanes is summed; "share" of time, "mean" per call, "most" of all.
export const CHARTS = [
    {column: "written", title: "Bytes written per second", words: value => `${bytes(value)}/s`, unit: "bytes"},
    {column: "read", title: "Bytes read per second", words: value => `${bytes(value)}/s`, unit: "bytes"},
    {column: "calls", title: "Calls per second", words: value => `${count(value)} /s`, unit: "calls"},
    {column: "busy", title: "Calls under way (mean number of threads in calls of the layer)", words: value => value.toFixed(2), unit: "threads"},
    {column: "longest", title: "Longest call that began", words: duration, unit: "time"},
];

const foundRows = (run, state) => run.names.rows.map((_, row) => row).filter(row => isFound(run, state, row));

/** By layer: {value, least, most} for each pixel, of lanes that `keeps` is true of. Of lanes of one layer values add up; "longest" is the
    largest. `hidden`: also of layers that are hidden. */
export function series(run, state, {column}, width, keeps = () => true, hidden = false) {
    const {begin, end} = state, perPixel = (end - begin) / width, byLayer = new Map(), names = finestOfAll(run, state, foundRows(run, state), perPixel);
    const bins = names.bins, first = Math.max(0, Math.floor((begin - names.begin) / names.bin_width)), last = Math.min(bins - 1, Math.floor((end - names.begin) / names.bin_width));
    for (const lane of names.lanes) {
        if ((!hidden && state.hidden.has(lane.layer)) || !isFound(run, state, lane.row) || !keeps(lane)) continue;
        if (!byLayer.has(lane.layer)) byLayer.set(lane.layer, new Float64Array(last - first + 1));
        const sums = byLayer.get(lane.layer), values = lane[column];
        for (let i = 0; i < lane.count; i++) {
            const bin = lane.places[i] - first;
            if (bin < 0 || bin >= sums.length) continue;
            if (column === "longest") sums[bin] = Math.max(sums[bin], values[i]);
            else sums[bin] += values[i];
        }
    }
    const isMost = column === "longest", unit = column === "busy" ? 1 : 1e9, made = new Map();
    for (const [layer, sums] of byLayer) {
        const rates = isMost ? sums : ratesOfBins(names, first, sums, unit);
        made.set(layer, perPixels(rates, isMost, {names, begin, perPixel, first, width}));
    }
    return made;
}

/** Sums of bins from `first` on, each divided by what of its bin lies within the run. */
export const ratesOfBins = (names, first, sums, unit) => sums.map((sum, i) => sum * unit / (binWithin(names, first + i) || Infinity));

function perPixels(rates, isMost, {names, begin, perPixel, first, width}) {
    const value = new Float64Array(width), least = new Float64Array(width), most = new Float64Array(width);
    for (let x = 0; x < width; x++) {
        const from = (begin + x * perPixel - names.begin) / names.bin_width - first, to = from + perPixel / names.bin_width;
        const one = Math.max(0, Math.floor(from)), other = Math.min(rates.length - 1, Math.ceil(to) - 1);
        let sum = 0;
        least[x] = Infinity;
        for (let bin = one; bin <= other; bin++) {
            const rate = rates[bin];
            sum = isMost ? Math.max(sum, rate) : sum + rate * (Math.min(to, bin + 1) - Math.max(from, bin));
            least[x] = Math.min(least[x], rate);
            most[x] = Math.max(most[x], rate);
        }
        value[x] = isMost ? sum : sum / (to - from);
        if (least[x] === Infinity) least[x] = 0;
    }
    return {value, least, most};
}

const largest = byLayer => Math.max(0, ...[...byLayer.values()].map(one => one.most.reduce((a, b) => Math.max(a, b), 0)));

function paintChart(run, state, canvas, chart, most, logarithm, byLayer) {
    const wide = canvas.parentElement.clientWidth, plot = Math.floor(wide - LEFT);
    const context = sharpen(canvas, wide, HIGH + 20);
    const least = logarithm ? smallest(byLayer) : 0;
    const high = value => {
        if (!logarithm) return most ? value / most * (HIGH - 16) : 0;
        return value > 0 && most > least ? Math.max(0, Math.log(value / least) / Math.log(most / least)) * (HIGH - 16) : 0;
    };
    context.clearRect(0, 0, wide, HIGH + 20);
    context.font = "12px system-ui, sans-serif";
    context.fillStyle = themeColour("--quiet");
    context.fillText(most ? chart.words(most) : "none", 2, 12);
    context.fillText(logarithm && most ? chart.words(least) : "0", 2, HIGH);
    paintTimeAxis(context, state, {left: LEFT, plot, base: HIGH + 15}, x => context.fillRect(x, HIGH, 1, 4));
    for (const [layer, one] of byLayer) {
        context.fillStyle = layerColour(layer);
        context.globalAlpha = 0.2;
        one.most.forEach((value, x) => { if (value > one.least[x]) context.fillRect(LEFT + x, HIGH - 2 - high(value), 1, high(value) - high(one.least[x])); });
        context.globalAlpha = 1;
        context.strokeStyle = layerColour(layer);
        context.lineWidth = 1.3;
        context.beginPath();
        one.value.forEach((value, x) => {
            if (value || one.value[x - 1]) context.lineTo(LEFT + x, HIGH - 2 - high(value));
            else context.moveTo(LEFT + x, HIGH - 2);
        });
        context.stroke();
    }
}

function smallest(byLayer) {
    let least = Infinity;
    for (const {value} of byLayer.values()) for (const one of value) if (one > 0) least = Math.min(least, one);
    return least === Infinity ? 1 : least;
}

// Sums of the window, as a table: what stands behind the pictures.
function sumsTable(run, state, perPixel) {
    const rows = new Map(), names = finestOfAll(run, state, foundRows(run, state), perPixel);
    for (const lane of names.lanes) {
        if (state.hidden.has(lane.layer) || !isFound(run, state, lane.row)) continue;
        if (!rows.has(lane.layer)) rows.set(lane.layer, {layer: run.names.layers[lane.layer], calls: 0, busy: 0, longest: 0, read: 0, written: 0});
        const row = rows.get(lane.layer);
        for (let i = 0; i < lane.count; i++) {
            const from = names.begin + lane.places[i] * names.bin_width;
            if (from + names.bin_width <= state.begin || from >= state.end) continue;
            row.calls += lane.calls[i];
            row.busy += lane.busy[i] / 1e9;
            row.longest = Math.max(row.longest, lane.longest[i] / 1e9);
            row.read += lane.read[i];
            row.written += lane.written[i];
        }
    }
    const number = (name, unit, title) => ({name, title, type: "number", unit});
    return {title: "Sums of the bins in the time that is shown", rows: [...rows.values()], columns: [{name: "layer", type: "text"}, number("calls", "count"), number("busy", "s", "time"), number("longest", "s"), number("read", "byte"), number("written", "byte")]};
}

export function makeRates(run, state, place) {
    const scale = remembered(state, "rates-scale", element("select", {"aria-label": "Scale", onchange: () => paint()}, element("option", {value: ""}, "linear"), element("option", {value: "log"}, "logarithmic")));
    const common = remembered(state, "rates-common", element("input", {type: "checkbox", onchange: () => paint()}));
    const exact = element("p", {class: "quiet", role: "status"});
    place.append(element("p", {class: "chooser"}, scale, " ", element("label", {}, common, " one scale for reads and writes")), exact);
    const formula = makeFormula(run, state, place);
    const canvases = CHARTS.map(chart => {
        const canvas = element("canvas", {role: "img", "aria-label": `${chart.title}, by layer, over the time that is shown. The table below has the sums.`});
        place.append(element("h2", {}, chart.title), element("div", {}, canvas), pictureButtons(canvas, `rates-${chart.column}`, () => paint()));
        return canvas;
    });
    const latency = makeLatency(run, state, place), table = element("div");
    place.append(table);
    function paint() {
        const wide = place.clientWidth;
        if (wide <= LEFT + 10) return;
        const all = CHARTS.map(chart => series(run, state, chart, Math.floor(wide - LEFT)));
        CHARTS.forEach((chart, i) => {
            const alike = common.checked ? CHARTS.map((_, j) => j).filter(j => CHARTS[j].unit === chart.unit) : [i];
            paintChart(run, state, canvases[i], chart, Math.max(...alike.map(j => largest(all[j]))), scale.value === "log", all[i]);
        });
        const rows = foundRows(run, state), perPixel = (state.end - state.begin) / Math.floor(wide - LEFT);
        wantWindow(run, state, rows, perPixel);
        exact.textContent = qualityOfRates(run, state, rows, perPixel);
        latency.paint(scale.value === "log");
        table.replaceChildren(tableElement("sums", sumsTable(run, state, perPixel)));
        formula.paint();
    }
    new ResizeObserver(paint).observe(place);
    return {changed: what => { if (["time", "layers", "search", "data"].includes(what)) paint(); else if (what === "formula") formula.paint(); }, paint};
}
