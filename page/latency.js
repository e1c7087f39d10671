// How long calls take, over time: a percentile of the calls that began in each part of the run, by layer, as a chart of the rates; and for
// the time that is shown as a table.

const LATENCY_SHARES = [[0.5, "median"], [0.9, "90 %"], [0.99, "99 %"], [0.999, "99.9 %"]];

// Classes of several parts as one list.
function joinedClasses(parts) {
    if (parts.length === 1) return parts[0].classes;
    const sums = new Map();
    for (const {classes} of parts) for (const [number, calls] of classes) sums.set(number, (sums.get(number) || 0) + calls);
    return [...sums].sort(([a], [b]) => a - b);
}

/** By layer: {value, least, most} for each pixel, in ns: which share of the calls that began there took no longer; 0: none began. */
export function latencySeries(run, state, share, width) {
    const {names} = run, perPixel = (state.end - state.begin) / width, made = new Map();
    run.latencies.forEach((parts, layer) => {
        if (state.hidden.has(layer) || !parts.length) return;
        const value = new Float64Array(width), least = new Float64Array(width), most = new Float64Array(width);
        const ofParts = parts.map(({classes}) => quantile(classes, share));
        for (let x = 0, first = 0; x < width; x++) {
            const from = (state.begin + x * perPixel - names.begin) / names.part_width, to = from + perPixel / names.part_width;
            while (first < parts.length && parts[first].part + 1 <= from) first++;
            let behind = first;
            while (behind < parts.length && parts[behind].part < to) behind++;
            if (behind === first) continue;
            value[x] = behind === first + 1 ? ofParts[first] : quantile(joinedClasses(parts.slice(first, behind)), share);
            least[x] = Math.min(...ofParts.slice(first, behind));
            most[x] = Math.max(...ofParts.slice(first, behind));
        }
        made.set(layer, {value, least, most});
    });
    return made;
}

/** [{layer, calls, and by share}] of the parts of the run of which something is in the window; durations in seconds. */
export function latencyRows(run, state) {
    const {names} = run, rows = [];
    run.latencies.forEach((all, layer) => {
        const parts = all.filter(({part}) => names.begin + (part + 1) * names.part_width > state.begin && names.begin + part * names.part_width < state.end);
        if (state.hidden.has(layer) || !parts.length) return;
        const classes = joinedClasses(parts), row = {layer: names.layers[layer], calls: classes.reduce((sum, [, calls]) => sum + calls, 0)};
        for (const [share] of LATENCY_SHARES) row[`at_${share}`] = quantile(classes, share) / 1e9;
        rows.push(row);
    });
    return rows;
}

function latencyTable(run, state) {
    const number = (name, unit, title = name) => ({name, title, type: "number", unit});
    return {
        title: "How long calls took that began in the time that is shown", rows: latencyRows(run, state),
        columns: [{name: "layer", type: "text"}, number("calls", "count"), ...LATENCY_SHARES.map(([share, title]) => number(`at_${share}`, "s", title))],
    };
}

/** The chart and its table; `paint(logarithm)`. */
export function makeLatency(run, state, place) {
    const chart = {title: "How long calls took", words: duration};
    const share = remembered(state, "percentile", element("select", {"aria-label": "Percentile", onchange: () => paint()}, ...LATENCY_SHARES.map(([value, title]) => element("option", {value}, title))));
    const canvas = element("canvas", {role: "img", "aria-label": `${chart.title}: a percentile, by layer, over the time that is shown. The table below has the percentiles of all of it.`});
    const table = element("div");
    let logarithm = false;
    place.append(element("h2", {}, chart.title, share), element("div", {}, canvas), pictureButtons(canvas, "latency", () => paint()),
        element("p", {class: "quiet"}, `Of the calls of all processes, in parts of ${duration(run.names.part_width)}; one that the time that is shown cuts counts whole. Durations are to an eighth of a power of two.`), table);
    function paint(asLogarithm = logarithm) {
        const wide = canvas.parentElement.clientWidth;
        logarithm = asLogarithm;
        if (wide <= LEFT + 10) return;
        const byLayer = latencySeries(run, state, Number(share.value), Math.floor(wide - LEFT));
        paintChart(run, state, canvas, chart, largest(byLayer), logarithm, byLayer);
        table.replaceChildren(tableElement("latency", latencyTable(run, state)));
    }
    return {paint};
}
