// What the time of each process went to, side by side: a bar for each, as long as the time of its threads (the table time_by_process of
// the report).

const KINDS = [
    ["io", "I/O", SPENT[0]],
    ["messages", "messages", SPENT[1]],
    ["waiting", "waiting", SPENT[2]],
    ["other", "other calls", SPENT[3]],
    ["own", "its own", SPENT[4]],
    ["unknown", "not known (only watched)", SPENT[5]],
];
const MOST_BARS = 512;

function whose(row) {
    const name = row.rank === null || row.rank === undefined ? `proc ${row.proc}` : `rank ${row.world ? `${row.world}.` : ""}${row.rank}`;
    return `${name} ${row.program}`;
}

function barElement(row, most, kinds) {
    const bar = element("span", {class: "bar", title: kinds.map(([key, name]) => `${name} ${duration(row[key] * 1e9)}`).join(", ")});
    for (const [key, , colour] of kinds) {
        const part = element("span");
        part.style.width = `${100 * row[key] / most}%`;
        part.style.background = colour;
        bar.append(part);
    }
    return element("li", {}, element("span", {class: "whose"}, whose(row)), bar, element("span", {class: "number"}, duration(row.thread_time * 1e9)));
}

export function makeBalance(run, state, place) {
    const table = run.report.tables.time_by_process, most = Math.max(...table.rows.map(row => row.thread_time), 1e-9);
    const kinds = KINDS.filter(([key]) => table.rows.some(row => row[key] > 0)), list = element("ol", {class: "bars"});
    const order = remembered(state, "balance-order", element("select", {"aria-label": "Order of the bars", onchange: fill},
        element("option", {value: ""}, "by number"), ...kinds.map(([key, name]) => element("option", {value: key}, `by ${name}`))));
    const sorted = () => order.value ? [...table.rows].sort((a, b) => b[order.value] - a[order.value]) : ranksInOrder(table.rows, row => row);
    const lines = () => sorted().map(row => ({name: whose(row), depth: 0, parts: kinds.map(([key, , colour]) => [row[key] / most, colour]), words: duration(row.thread_time * 1e9)}));
    function fill() {
        list.replaceChildren(...sorted().slice(0, MOST_BARS).map(row => barElement(row, most, kinds)));
    }
    fill();
    const legend = element("p", {class: "legend"}, ...kinds.map(([, name, colour]) => {
        const swatch = element("span", {class: "swatch"});
        swatch.style.background = colour;
        return element("span", {}, swatch, `${name} `);
    }), order);
    place.append(element("h2", {}, table.title), legend, list, barButtons("balance", lines, kinds.map(([, name, colour]) => [name, colour])));
    place.append(tableElement("time_by_process", table));
    if (table.rows.length > MOST_BARS) place.append(element("p", {class: "quiet"}, `${count(MOST_BARS)} of ${count(table.rows.length)} processes have bars; the table has all.`));
    return {changed() {}, paint() {}};
}
