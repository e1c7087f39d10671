// Counters of the machine beside the program, as `fathom samples --json` has them: a picture of each over the time that is shown, and what
// they were over the whole run as a table.

const COUNTER_HEIGHT = 70, COUNTER_AXIS = 18, COUNTER_LEFT = 90, MOST_PICTURES = 24;

const counterName = ({counter, instance}) => instance ? `${counter}:${instance}` : counter;

/** A value of a counter in its unit: that of a rate is per second. */
function counterWords({kind, unit}, value) {
    const rate = kind === "rate";
    if (unit === "bytes") return `${value < 0 ? "-" : ""}${bytes(Math.abs(value))}${rate ? "/s" : ""}`;
    if (unit === "seconds") return rate ? percent(100 * value) : duration(1e9 * value);
    if (unit === "joules") return `${value.toFixed(1)} ${rate ? "W" : "J"}`;
    return `${value >= 100 || Number.isInteger(value) ? count(value) : cell(value)}${rate ? "/s" : ""}`;
}

let samplesPainted = [];

/** What is painted: [{counter, values of the window}]. */
export const samplesOnScreen = () => samplesPainted;

function paintCounter(run, state, canvas, counter) {
    const width = Math.max(60, canvas.parentElement.clientWidth - 20), plot = width - COUNTER_LEFT, {begin, end} = state;
    const context = sharpen(canvas, width, COUNTER_HEIGHT + COUNTER_AXIS), at = seconds => COUNTER_LEFT + (seconds * 1e9 - begin) / (end - begin) * plot;
    const values = counter.values.filter(([from, to]) => to * 1e9 > begin && from * 1e9 < end);
    const most = values.reduce((sum, [, , , , high]) => Math.max(sum, high), 0), height = value => COUNTER_HEIGHT - 4 - (most ? value / most : 0) * (COUNTER_HEIGHT - 16);
    samplesPainted.push({counter, values});
    context.clearRect(0, 0, width, COUNTER_HEIGHT + COUNTER_AXIS);
    context.font = "12px system-ui, sans-serif";
    context.fillStyle = themeColour("--quiet");
    context.fillText(counterWords(counter, most), 2, 16);
    context.fillText("0", 2, COUNTER_HEIGHT - 4);
    paintTimeAxis(context, state, {left: COUNTER_LEFT, plot, base: COUNTER_HEIGHT + 14}, x => context.fillRect(x, COUNTER_HEIGHT - 3, 1, 4));
    context.save();
    context.beginPath();
    context.rect(COUNTER_LEFT, 0, plot, COUNTER_HEIGHT);
    context.clip();
    context.fillStyle = OTHERS;
    context.globalAlpha = 0.45;
    for (const [from, to, low, , high] of values) if (high > low) context.fillRect(at(from), height(high), at(to) - at(from), height(low) - height(high));
    context.globalAlpha = 1;
    context.strokeStyle = themeColour("--mark");
    context.lineWidth = 1.5;
    context.beginPath();
    values.forEach(([from, to, , mean], i) => {
        if (i) context.lineTo(at(from), height(mean));
        else context.moveTo(at(from), height(mean));
        context.lineTo(at(to), height(mean));
    });
    context.stroke();
    context.restore();
    context.strokeStyle = themeColour("--line");
    context.strokeRect(COUNTER_LEFT - 0.5, 7.5, plot, COUNTER_HEIGHT - 11);
    canvas.setAttribute("aria-label", `${counterName(counter)}: ${counterWords(counter, counter.min)} to ${counterWords(counter, counter.max)}, mean ${counterWords(counter, counter.mean)} over the whole run`);
}

function countersTable(counters) {
    const number = name => ({name, type: "number", unit: "text"}), text = name => ({name, type: "text"});
    return {
        title: "Counters over the whole run", columns: [text("counter"), text("unit"), number("samples"), number("min"), number("mean"), number("max"), {...number("amount"), title: "amount in all"}],
        rows: counters.map(counter => ({...counter, counter: counterName(counter), unit: `${counter.unit}${counter.kind === "rate" ? " per second" : ""}`})),
    };
}

function processesTable(rows) {
    const unit = {cpu: "percent", rss: "bytes", bytes_read: "bytes", bytes_written: "bytes"};
    const columns = rows.length ? Object.keys(rows[0]).map(name => ({name, type: typeof rows[0][name] === "string" ? "text" : "number", unit: unit[name]})) : [];
    return {title: "Processes", columns, rows};
}

// Whose counters: nodes by name, processes by number.
function owners({counters}) {
    const found = new Map();
    for (const {host, proc} of counters) found.set(proc === null ? `node ${host}` : `process ${proc}`, proc === null ? one => one.proc === null && one.host === host : one => one.proc === proc);
    return found;
}

export function makeSamples(run, state, place) {
    const {samples} = run, {trace} = run.report.run;
    if (!samples) {
        place.append(element("p", {}, "This trace has no samples of the machine (CPUs, memory, disks, networks). To record them: "), element("p", {}, element("code", {}, "fathom record --sample 100ms COMMAND")));
        return {changed() {}, paint() {}};
    }
    const found = owners(samples);
    const whose = remembered(state, "samples-of", element("select", {"aria-label": "Whose counters", onchange: () => fill()}, ...[...found.keys()].map(name => element("option", {value: name}, name))));
    const all = remembered(state, "samples-all", element("input", {type: "checkbox", onchange: () => fill()}));
    const pictures = element("div"), notes = element("p", {class: "quiet"}), table = element("div");
    let shown = [];
    place.append(element("p", {class: "chooser"}, element("label", {}, "Counters of ", whose), element("label", {}, all, " also each CPU, and what was always 0")),
        ...samples.nodes.map(node => element("p", {class: "quiet"}, `${node.host}: ${count(node.samples)} rows, ${node.samples_per_value > 1 ? `each of ${count(node.samples_per_value)} samples, ` : ""}taken every ${duration(node.interval * 1e9)} for ${duration((node.end - node.start) * 1e9)}`
            + (node.notes.length ? `. Not available: ${node.notes.join("; ")}` : ""))),
        pictures, notes, table, samples.processes?.length ? tableElement("sampled-processes", processesTable(samples.processes)) : null);
    function paint() {
        samplesPainted = [];
        for (const [canvas, counter] of shown) paintCounter(run, state, canvas, counter);
    }
    function fill() {
        const counters = samples.counters.filter(found.get(whose.value)).filter(counter => all.checked || (!(counter.counter.startsWith("cpu.") && counter.instance) && counter.max !== 0));
        const painted = counters.filter(counter => counter.values).slice(0, MOST_PICTURES), without = counters.filter(counter => !counter.values).length;
        shown = painted.map(counter => [element("canvas", {role: "img"}), counter]);
        pictures.replaceChildren(...shown.map(([canvas, counter]) => element("figure", {}, element("figcaption", {}, counterName(counter)), canvas,
            pictureButtons(canvas, counterName(counter), () => paintCounter(run, state, canvas, counter)))));
        notes.textContent = ["Pictures are of the time that is shown: the line is the mean of a value, the band its least and most where several samples were merged.",
            counters.length - without > painted.length ? `The first ${MOST_PICTURES} counters of ${count(counters.length)} have pictures; the table has all.` : "",
            without ? `Values of ${count(without)} counters are too many for a file: fathom view ${trace} has them.` : ""].filter(Boolean).join(" ");
        table.replaceChildren(tableElement("counters", countersTable(counters)));
        paint();
    }
    fill();
    new ResizeObserver(paint).observe(place);
    return {changed: what => { if (what === "time") paint(); }, paint};
}
