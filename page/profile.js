// Where the time of the window went, by function: a flame graph of the tree of calls, tables, and histograms of one function. Times are
// those of all threads together. The tree is known in parts of the run; what is in a part that the window cuts counts by its share.

const FLAME_ROW = 19, LEAST_FLAME = 0.6, STEPS_OF_POWER = 8, MOST_HISTOGRAM_BARS = 496;

/** What nodes of the tree did in the window: for each {time, own, calls, read, written, longest}. */
function profileOf(run, state) {
    const {names, nodes} = run, width = names.part_width;
    const sums = nodes.map(node => {
        const sum = {time: 0, calls: 0, read: 0, written: 0, longest: 0};
        for (let i = 0; i < node.count; i++) {
            const from = names.begin + node.places[i] * width;
            const share = Math.max(0, Math.min(state.end, from + width) - Math.max(state.begin, from)) / width;
            if (!share && !(state.end >= names.end && from + width >= names.end)) continue;
            const whole = state.begin <= from && (state.end >= from + width || state.end >= names.end) ? 1 : share;
            sum.time += node.busy[i] * whole;
            sum.calls += node.calls[i] * whole;
            sum.read += node.read[i] * whole;
            sum.written += node.written[i] * whole;
            sum.longest = Math.max(sum.longest, node.longest[i]);
        }
        return sum;
    });
    sums.forEach((sum, i) => { sum.own = Math.max(0, sum.time - nodes[i].children.reduce((all, child) => all + sums[child].time, 0)); });
    return sums;
}

// By function. Time of a function inside itself counts once.
function flatOf(run, state, sums) {
    const {nodes, names} = run, byFunction = new Map();
    nodes.forEach((node, i) => {
        if (!sums[i].calls && !sums[i].time) return;
        const what = names.functions[node.function];
        if (state.hidden.has(what.layer)) return;
        if (!byFunction.has(node.function)) byFunction.set(node.function, {function: what.name, layer: names.layers[what.layer], calls: 0, time: 0, own: 0, longest: 0, read: 0, written: 0, failed: 0, number: node.function});
        const row = byFunction.get(node.function);
        let inside = node.parent;
        while (inside >= 0 && nodes[inside].function !== node.function) inside = nodes[inside].parent;
        if (inside < 0) row.time += sums[i].time;
        for (const key of ["calls", "own", "read", "written"]) row[key] += sums[i][key];
        row.failed += node.failed;
        row.longest = Math.max(row.longest, sums[i].longest);
    });
    return [...byFunction.values()].sort((a, b) => b.own - a.own);
}

function flatTable(rows) {
    const seconds = rows.map(row => ({...row, calls: Math.round(row.calls), time: row.time / 1e9, own: row.own / 1e9, longest: row.longest / 1e9, mean: row.calls ? row.time / row.calls / 1e9 : null, read: Math.round(row.read) || null, written: Math.round(row.written) || null, failed: row.failed || null}));
    const column = (name, unit, title) => ({name, title: title || name, type: unit ? "number" : "text", unit});
    return {
        title: "Functions, in the time that is shown",
        columns: [column("function"), column("layer"), column("calls", "count"), column("own", "s", "exclusive"), column("time", "s", "inclusive"), column("mean", "s"), column("longest", "s"), column("read", "byte"), column("written", "byte"), column("failed", "count", "failed, whole run")],
        rows: seconds,
    };
}

// By line of the program: time and bytes of the calls that it makes, with all that they do; in no recorded call.
function linesTable(run, sums) {
    const rows = new Map(), column = (name, unit) => ({name, type: unit ? "number" : "text", unit});
    run.nodes.forEach((node, i) => {
        if (!node.source || !sums[i].calls) return;
        const key = `${node.source} ${node.function}`, what = run.names.functions[node.function];
        if (!rows.has(key)) rows.set(key, {line: run.names.sources[node.source - 1], function: what.name, layer: run.names.layers[what.layer], calls: 0, time: 0, longest: 0});
        const row = rows.get(key);
        row.calls += Math.round(sums[i].calls);
        row.time += sums[i].time / 1e9;
        row.longest = Math.max(row.longest, sums[i].longest / 1e9);
    });
    return {title: "Lines of the program, in the time that is shown", columns: [column("line"), column("function"), column("layer"), column("calls", "count"), column("time", "s"), column("longest", "s")], rows: [...rows.values()].sort((a, b) => b.time - a.time)};
}

const nameOfNode = ({names}, node) => `${names.functions[node.function].name}${node.source ? `  ${names.sources[node.source - 1]}` : ""}`;

// ---- the flame graph ----

// Boxes: a node's children lie side by side below it, the longest first, as wide as their time.
function flameBoxes(run, sums, root, width) {
    const boxes = [], {nodes} = run;
    const tops = root < 0 ? nodes.map((_, i) => i).filter(i => nodes[i].parent < 0) : [root];
    const whole = tops.reduce((all, node) => all + sums[node].time, 0);
    if (!whole) return {boxes, whole, deepest: 0};
    let deepest = 0;
    function place(list, left, depth) {
        for (const node of [...list].sort((a, b) => sums[b].time - sums[a].time)) {
            const wide = sums[node].time / whole * width;
            if (wide >= LEAST_FLAME) {
                boxes.push({node, left, wide, depth});
                deepest = Math.max(deepest, depth + 1);
                place(nodes[node].children, left, depth + 1);
            }
            left += wide;
        }
    }
    place(tops, 0, 0);
    return {boxes, whole, deepest};
}

function paintFlame(run, view) {
    const width = view.canvas.parentElement.clientWidth;
    if (width < 10) return;
    const {boxes, deepest} = flameBoxes(run, view.sums, view.root, width);
    const context = sharpen(view.canvas, width, Math.max(1, deepest) * FLAME_ROW + 2);
    context.clearRect(0, 0, width, deepest * FLAME_ROW + 2);
    context.font = "12px system-ui, sans-serif";
    view.boxes = boxes;
    for (const box of boxes) {
        const what = run.names.functions[run.nodes[box.node].function];
        context.fillStyle = layerColour(what.layer);
        context.globalAlpha = view.state.hidden.has(what.layer) ? 0.25 : 1;
        context.fillRect(box.left, box.depth * FLAME_ROW, Math.max(0.5, box.wide - 0.7), FLAME_ROW - 1);
        context.globalAlpha = 1;
        if (box.node === view.chosen) {
            context.strokeStyle = themeColour("--text");
            context.lineWidth = 2;
            context.strokeRect(box.left + 1, box.depth * FLAME_ROW + 1, Math.max(1, box.wide - 2), FLAME_ROW - 3);
        }
        if (box.wide < 30) continue;
        context.fillStyle = inkOn(layerColour(what.layer));
        let name = nameOfNode(run, run.nodes[box.node]);
        while (name.length > 2 && context.measureText(name).width > box.wide - 6) name = `${name.slice(0, Math.min(name.length - 2, Math.floor(name.length * 0.8)))}…`;
        context.fillText(name, box.left + 3, box.depth * FLAME_ROW + 13);
    }
}

function nodeText(run, view, node) {
    const sum = view.sums[node], path = [];
    for (let at = node; at >= 0; at = run.nodes[at].parent) path.unshift(nameOfNode(run, run.nodes[at]));
    return `${path.join(" > ")}: ${count(sum.calls)} calls, ${duration(sum.time)}, of that ${duration(sum.own)} in none of the calls below, the longest ${duration(sum.longest)}`;
}

function flameBoxAt(view, event) {
    return (view.boxes || []).find(box => box.depth === Math.floor(event.offsetY / FLAME_ROW) && event.offsetX >= box.left && event.offsetX <= box.left + Math.max(1, box.wide));
}

// Arrow keys go through the boxes as they lie: up to the caller, down to the longest call below, left and right.
function stepFlame(run, view, key) {
    const boxes = view.boxes || [];
    const at = boxes.findIndex(box => box.node === view.chosen);
    if (at < 0) return boxes[0];
    const {node, depth, left} = boxes[at];
    const beside = boxes.filter(box => box.depth === depth).sort((a, b) => a.left - b.left);
    const place = beside.findIndex(box => box.node === node);
    return {
        ArrowUp: () => boxes.find(box => box.node === run.nodes[node].parent),
        ArrowDown: () => boxes.find(box => box.depth === depth + 1 && box.left >= left),
        ArrowLeft: () => beside[place - 1],
        ArrowRight: () => beside[place + 1],
    }[key]();
}

// ---- histograms ----

// The least value of a class (data-numbers of docs/page.md).
function classBegin(number) {
    if (number < STEPS_OF_POWER) return number;
    const power = Math.floor(number / STEPS_OF_POWER) + 2;
    return 2 ** power + (number % STEPS_OF_POWER) * 2 ** (power - 3);
}

// Where `share` of the calls are below; within its class evenly.
function quantile(classes, share) {
    const all = classes.reduce((sum, [, calls]) => sum + calls, 0);
    let before = 0;
    for (const [number, calls] of classes) {
        if (before + calls >= share * all) return classBegin(number) + (classBegin(number + 1) - classBegin(number)) * (share * all - before) / calls;
        before += calls;
    }
    return 0;
}

function meanAndSigma(classes) {
    let all = 0, sum = 0, squares = 0;
    for (const [number, calls] of classes) {
        const middle = number < STEPS_OF_POWER ? number : (classBegin(number) + classBegin(number + 1)) / 2;
        all += calls;
        sum += calls * middle;
        squares += calls * middle * middle;
    }
    const mean = sum / all;
    return {all, mean, sigma: Math.sqrt(Math.max(0, squares / all - mean * mean))};
}

/** So many bars of equally many classes each, at most; no bar is narrower than a class. */
export function bars(classes, most) {
    const numbers = classes.map(([number]) => number), wide = Math.max(1, Math.ceil((Math.max(...numbers) - Math.min(...numbers) + 1) / most));
    const least = Math.min(...numbers), sums = Array(Math.ceil((Math.max(...numbers) - least + 1) / wide)).fill(0);
    for (const [number, calls] of classes) sums[Math.floor((number - least) / wide)] += calls;
    return sums.map((calls, i) => ({from: classBegin(least + i * wide), to: classBegin(least + (i + 1) * wide), calls}));
}

function histogramElement(classes, title, words, wanted) {
    const list = bars(classes, wanted), most = Math.max(...list.map(bar => bar.calls));
    const {all, mean, sigma} = meanAndSigma(classes);
    const facts = [["calls", count(all)], ["mean", words(mean)], ["standard deviation", words(sigma)], ["10 %", words(quantile(classes, 0.1))], ["25 %", words(quantile(classes, 0.25))], ["median", words(quantile(classes, 0.5))], ["75 %", words(quantile(classes, 0.75))], ["99 %", words(quantile(classes, 0.99))]];
    const picture = element("div", {class: "histogram", role: "img", "aria-label": `${title}: ${facts.map(pair => pair.join(" ")).join(", ")}`});
    const within = (bar, value) => value >= bar.from && value < bar.to;
    for (const bar of list) {
        const column = element("span", {title: `${words(bar.from)} to ${words(bar.to)}: ${count(bar.calls)} calls`});
        column.style.height = `${Math.max(bar.calls ? 2 : 0, 100 * bar.calls / most)}%`;
        for (const [name, value] of [["median", quantile(classes, 0.5)], ["quartile", quantile(classes, 0.25)], ["quartile", quantile(classes, 0.75)], ["sigma", mean + sigma], ["sigma", mean - sigma]]) if (within(bar, value)) column.classList.add(name);
        picture.append(element("span", {class: "slot"}, column));
    }
    const list2 = element("dl");
    for (const [name, value] of facts) list2.append(element("dt", {}, name), element("dd", {}, value));
    return element("div", {}, element("h3", {}, title), picture,
        element("p", {class: "quiet"}, `${words(list[0].from)} to ${words(list.at(-1).to)}; the bar of the median is dark, those of the quartiles have a line below, those one standard deviation from the mean are striped. Values are to an eighth of a power of two.`), list2);
}

// ---- the view ----

function fillHistograms(run, view) {
    view.details.replaceChildren();
    if (view.chosen < 0) return;
    const node = run.nodes[view.chosen], histogram = run.histograms[node.function] || {durations: [], sizes: [], offsets: []};
    const name = run.names.functions[node.function].name, wanted = Math.max(1, Math.min(MOST_HISTOGRAM_BARS, Math.round(Number(view.bars.value)) || 1));
    const shares = [...node.procs].map((proc, i) => ({process: nameOfProcess(run, proc), calls: node.shareCalls[i], time: node.shareTimes[i] / 1e9}));
    view.details.append(element("p", {}, nodeText(run, view, view.chosen)));
    const side = element("div", {class: "side"});
    if (histogram.durations.length) side.append(histogramElement(histogram.durations, `How long ${name} took, in the whole run`, duration, wanted));
    if (histogram.sizes.length) side.append(histogramElement(histogram.sizes, `How much ${name} moved, in the whole run`, bytes, wanted));
    if (histogram.offsets.length) side.append(histogramElement(histogram.offsets, `Where in their files accesses by ${name} began, in the whole run`, bytes, wanted));
    view.details.append(side);
    if (shares.length > 1) view.details.append(tableElement("node-by-process", {
        title: "This place in the tree, by process, in the whole run", rows: shares.sort((a, b) => b.time - a.time),
        columns: [{name: "process", type: "text"}, {name: "calls", type: "number", unit: "count"}, {name: "time", type: "number", unit: "s"}],
    }));
}

export function makeProfile(run, state, place) {
    const canvas = element("canvas", {class: "flame", tabindex: "0", role: "application", "aria-label": "Flame graph. Arrows go from call to call, Enter shows only what is below, Escape all; the table below says the same."});
    const back = element("button", {type: "button", hidden: true, onclick: () => {
        descend(-1);
        canvas.focus(); // the button is gone
    }}, "Whole tree");
    const number = remembered(state, "histogram-bars", element("input", {type: "number", min: "1", max: String(MOST_HISTOGRAM_BARS), value: "16", "aria-label": "Bars of histograms, at most", oninput: () => fillHistograms(run, view)}));
    const said = element("p", {class: "quiet", "aria-live": "polite"}), details = element("div"), tables = element("div");
    const view = {state, canvas, sums: [], root: -1, chosen: -1, details, bars: number};
    const nodeIn = name => run.nodes[choiceOf(state, name)] ? Number(choiceOf(state, name)) : -1;
    function pick(box) {
        if (!box) return;
        keepChoice(state, "profile-call", box.node);
        pickNode(box.node);
    }
    function pickNode(node) {
        view.chosen = node;
        said.textContent = node < 0 ? "" : nodeText(run, view, node);
        fillHistograms(run, view);
        paintFlame(run, view);
    }
    function descend(node) {
        view.root = node;
        keepChoice(state, "profile-below", node < 0 ? null : node);
        paint();
    }
    function takeChoices() {
        view.root = nodeIn("profile-below");
        paint();
        if (nodeIn("profile-call") !== view.chosen) pickNode(nodeIn("profile-call"));
    }
    function paint() {
        view.sums = profileOf(run, state);
        back.hidden = view.root < 0;
        paintFlame(run, view);
        tables.replaceChildren(tableElement("functions", flatTable(flatOf(run, state, view.sums))), ...run.names.sources.length ? [tableElement("program-lines", linesTable(run, view.sums))] : []);
    }
    canvas.addEventListener("mousemove", event => {
        const box = flameBoxAt(view, event);
        canvas.title = box ? nodeText(run, view, box.node) : "";
    });
    canvas.addEventListener("click", event => pick(flameBoxAt(view, event)));
    canvas.addEventListener("dblclick", event => { const box = flameBoxAt(view, event); if (box) descend(box.node); });
    canvas.addEventListener("keydown", event => {
        if (event.key === "Enter" && view.chosen >= 0) descend(view.chosen);
        else if (event.key === "Escape") descend(-1);
        else if (event.key.startsWith("Arrow")) pick(stepFlame(run, view, event.key));
        else return;
        event.preventDefault();
    });
    place.append(element("p", {class: "quiet"}, "Width is time of all threads in the window; what a call made lies below it. A click shows one place of the tree, two clicks only what is below it."),
        element("p", {}, back, " ", element("label", {class: "bars-field"}, "bars of histograms ", number)), element("div", {}, canvas), pictureButtons(canvas, "profile", () => paintFlame(run, view)), said, details, tables);
    new ResizeObserver(() => paintFlame(run, view)).observe(place);
    return {changed: what => { if (what === "choices") takeChoices(); else if (what === "time" || what === "layers") paint(); }, paint: takeChoices};
}
