// Rates over time: bytes read and written, and calls, in each layer that is shown, over the window.

const HIGH = 150, LEFT = 90;

function sums(run, state, column, width) {
    const {names} = run, {begin, end} = state, perPixel = (end - begin) / width;
    const byLayer = new Map();
    for (const lane of run.lanes) {
        if (state.hidden.has(lane.layer)) continue;
        if (!byLayer.has(lane.layer)) byLayer.set(lane.layer, new Float64Array(width));
        const sum = byLayer.get(lane.layer);
        for (let i = 0; i < lane.count; i++) {
            if (!lane[column][i]) continue;
            const from = (names.begin + lane.places[i] * names.bin_width - begin) / perPixel, to = from + names.bin_width / perPixel;
            const first = Math.max(0, Math.floor(from)), last = Math.min(width - 1, Math.ceil(to) - 1);
            for (let x = first; x <= last; x++)
                sum[x] += lane[column][i] * Math.max(0, Math.min(to, x + 1) - Math.max(from, x)) / (to - from);
        }
    }
    for (const sum of byLayer.values()) for (let x = 0; x < width; x++) sum[x] /= perPixel / 1e9;
    return byLayer;
}

function paintChart(run, state, canvas, column, words) {
    const wide = canvas.parentElement.clientWidth, plot = Math.max(10, Math.floor(wide - LEFT));
    const context = sharpen(canvas, wide, HIGH + 20);
    context.clearRect(0, 0, wide, HIGH + 20);
    const byLayer = sums(run, state, column, plot);
    let most = 0;
    for (const sum of byLayer.values()) for (const value of sum) most = Math.max(most, value);
    context.font = "12px system-ui, sans-serif";
    context.fillStyle = themeColour("--quiet");
    context.fillText(most ? words(most) : "none", 2, 12);
    context.fillText("0", 2, HIGH);
    const {list, step} = ticks(state.begin, state.end, Math.max(2, plot / 130));
    for (const time of list) {
        const x = LEFT + (time - state.begin) / (state.end - state.begin) * plot;
        context.fillRect(x, HIGH, 1, 4);
        context.fillText(tickText(time, step), x + 2, HIGH + 15);
    }
    for (const [layer, sum] of byLayer) {
        if (!most) break;
        context.strokeStyle = layerColour(layer);
        context.lineWidth = 1.3;
        context.beginPath();
        sum.forEach((value, x) => context.lineTo(LEFT + x, HIGH - 2 - value / most * (HIGH - 16)));
        context.stroke();
    }
}

export function makeRates(run, state, place) {
    const charts = [
        ["written", "Bytes written per second", value => `${bytes(value)}/s`],
        ["read", "Bytes read per second", value => `${bytes(value)}/s`],
        ["calls", "Calls per second", value => `${count(value)} /s`],
    ].map(([column, title, words]) => {
        const canvas = element("canvas", {role: "img", "aria-label": `${title}, by layer, over the time that is shown. The tables have the sums.`});
        place.append(element("h2", {}, title), element("div", {}, canvas));
        return () => paintChart(run, state, canvas, column, words);
    });
    const paint = () => charts.forEach(chart => chart());
    new ResizeObserver(paint).observe(place);
    return {changed: what => { if (what === "time" || what === "layers") paint(); }, paint};
}
