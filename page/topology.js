// Nodes, processes and threads as a tree that folds, with bars of one figure. A node's is the sum of what is below it, or the largest.

const FIGURES = {
    busy: {unit: "s", title: "time in recorded calls", words: duration, join: "sum"},
    calls: {unit: "count", title: "calls", words: count, join: "sum"},
    read: {unit: "byte", title: "bytes read", words: bytes, join: "sum"},
    written: {unit: "byte", title: "bytes written", words: bytes, join: "sum"},
    longest: {unit: "s", title: "longest call", words: duration, join: "most"},
};

// What lanes of a row did in the window. Time and bytes of several layers would count the same work once for each: the layer with the most
// time stands for its row.
function figureOfRow(run, state, row, figure) {
    const {names} = run;
    let most = 0;
    for (const lane of run.lanesOf[row]) {
        if (state.hidden.has(lane.layer)) continue;
        let sum = 0;
        for (let i = 0; i < lane.count; i++) {
            const from = names.begin + lane.places[i] * names.bin_width;
            if (from + names.bin_width <= state.begin || from >= state.end) continue;
            sum = figure === "longest" ? Math.max(sum, lane[figure][i]) : sum + lane[figure][i];
        }
        most = figure === "calls" ? most + sum : Math.max(most, sum);
    }
    return most;
}

// {name, value, below}: hosts, in each its processes, in each its threads.
function treeOf(run, state, figure) {
    const join = FIGURES[figure].join === "sum" ? (a, b) => a + b : Math.max, hosts = new Map();
    run.names.rows.forEach((row, number) => {
        if (!isFound(run, state, number)) return;
        const host = row.process.host || "node";
        if (!hosts.has(host)) hosts.set(host, new Map());
        const processes = hosts.get(host);
        if (!processes.has(row.proc)) processes.set(row.proc, []);
        processes.get(row.proc).push({name: row.label, value: figureOfRow(run, state, number, figure), below: [], process: row.process});
    });
    return [...hosts].map(([host, processes]) => {
        const below = [...processes.values()].map(threads => threads.length === 1 ? threads[0]
            : {name: threads[0].name, process: threads[0].process, value: threads.map(one => one.value).reduce(join, 0), below: threads.map((one, i) => i ? one : {...one, name: `${one.name}, first thread`})});
        return {name: host, value: below.map(one => one.value).reduce(join, 0), below: ranksInOrder(below, ({process}) => process)};
    });
}

function nodeElement(node, most, words, depth) {
    const bar = element("span", {class: "bar"}), part = element("span");
    part.style.width = `${100 * node.value / most[depth]}%`;
    part.style.background = COLOURS[0];
    bar.append(part);
    const line = [element("span", {class: "whose"}, node.name), bar, element("span", {class: "number"}, words(node.value))];
    if (!node.below.length) return element("div", {class: "leaf"}, ...line);
    const inner = element("div", {class: "below"});
    const fold = element("details", {open: depth === 0 && node.below.length <= 256}, element("summary", {}, ...line), inner);
    // What is folded is made when it is looked at.
    const fill = () => { if (fold.open && !inner.childElementCount) inner.append(...node.below.map(one => nodeElement(one, most, words, depth + 1))); };
    fold.addEventListener("toggle", fill);
    fill();
    return fold;
}

// By depth: nodes are compared with nodes, processes with processes, threads with threads.
function mostByDepth(list) {
    const most = [];
    for (let level = list; level.length; level = level.flatMap(node => node.below)) most.push(level.reduce((largest, {value}) => Math.max(largest, value), 1e-9));
    return most;
}

// The same as a table: names with what they are below of.
function figureTable(hosts, figure) {
    const {title, unit} = FIGURES[figure], rows = [];
    const add = (node, above) => {
        rows.push({above, name: node.name, value: node.value / (unit === "s" ? 1e9 : 1)});
        for (const one of node.below) add(one, node.name);
    };
    for (const host of hosts) add(host, "");
    return {title: `Nodes, processes and threads: ${title}`, columns: [{name: "above", title: "part of", type: "text"}, {name: "name", type: "text"}, {name: "value", title, type: "number", unit}], rows};
}

export function makeTopology(run, state, place) {
    const figure = remembered(state, "topology-figure", element("select", {"aria-label": "Figure", onchange: () => paint()}, ...Object.entries(FIGURES).map(([key, {title}]) => element("option", {value: key}, title))));
    const order = remembered(state, "topology-order", element("select", {"aria-label": "Order", onchange: () => paint()}, element("option", {value: ""}, "by number"), element("option", {value: "most"}, "the most first")));
    const tree = element("div", {class: "tree"}), table = element("div");
    place.append(element("p", {class: "chooser"}, figure, order), tree, barButtons("topology", lines), element("p", {class: "quiet"}, "In the time that is shown, of the layers that are shown. Of time and bytes, the layer with the most stands for its thread; bars of nodes, of processes and of threads are each relative to the largest of them."), table);
    function sorted(list) {
        const copy = list.map(node => ({...node, below: sorted(node.below)}));
        return order.value ? copy.sort((a, b) => b.value - a.value) : copy;
    }
    function lines() {
        const {words} = FIGURES[figure.value], hosts = sorted(treeOf(run, state, figure.value)), most = mostByDepth(hosts);
        const of = depth => node => [{name: node.name, depth, parts: [[node.value / most[depth], COLOURS[0]]], words: words(node.value)}, ...node.below.flatMap(of(depth + 1))];
        return hosts.flatMap(of(0));
    }
    function paint() {
        const {words} = FIGURES[figure.value], hosts = sorted(treeOf(run, state, figure.value)), most = mostByDepth(hosts);
        tree.replaceChildren(...hosts.map(host => nodeElement(host, most, words, 0)));
        table.replaceChildren(tableElement("topology", figureTable(hosts, figure.value)));
    }
    return {changed: what => { if (["time", "layers", "search"].includes(what)) paint(); }, paint};
}
