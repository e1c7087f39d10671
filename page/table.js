// Tables of the report, as `fathom report --json` has them: {title, columns: [{name, type, unit}], rows: [{name: value}]}. A click on a
// column's name sorts; each table can be taken along as CSV. A view may give rows an element at their end, such as a button.

const FIRST_ROWS = 12, ROWS_ON_PAPER = 1000;

function compare(a, b) {
    if (a === b) return 0;
    if (a === null || a === undefined) return 1;
    if (b === null || b === undefined) return -1;
    return a < b ? -1 : 1;
}

function csv(table) {
    const quote = value => {
        let text = value === null || value === undefined ? "" : String(value);
        if (/^[=+@\-]/.test(text) && typeof value !== "number") text = `'${text}`;
        return /[",\n\r]/.test(text) ? `"${text.replaceAll("\"", "\"\"")}"` : text;
    };
    const lines = [table.columns.map(column => quote(column.name))];
    for (const row of table.rows) lines.push(table.columns.map(column => quote(row[column.name])));
    return lines.map(line => line.join(",")).join("\n") + "\n";
}

/** Offers a text as a file. */
export function save(name, text, type) {
    const link = element("a", {href: URL.createObjectURL(new Blob([text], {type})), download: name});
    link.click();
    URL.revokeObjectURL(link.href);
}

const isNumber = column => column.type !== "text";

// Of tables by file a page has the first rows only (`all_rows`, docs/page.md).
const cutText = (name, {rows, all_rows: whole}) => `This page has the first ${count(rows.length)} of ${count(whole)} rows; fathom report --csv=${name} has all.`;

export function tableElement(name, table, elementOf = null) {
    let order = null, all = false;
    const columns = table.columns.filter(column => table.rows.some(row => row[column.name] !== null && row[column.name] !== undefined));
    const body = element("tbody"), left = element("p", {class: "paper"}), more = element("button", {type: "button", class: table.rows.length <= ROWS_ON_PAPER ? "more" : null, onclick: showAll}), scroll = element("div", {class: "scroll", tabindex: "-1"});
    function showAll() {
        const isFocused = document.activeElement === more; // it goes now; whoever came by keys goes on in the table
        all = true;
        fill();
        if (isFocused) scroll.focus();
    }
    function fill() {
        const rows = order ? [...table.rows].sort((a, b) => order.sign * compare(a[order.by], b[order.by])) : table.rows;
        body.replaceChildren(...rows.slice(0, all ? rows.length : FIRST_ROWS).map(row =>
            element("tr", {}, ...columns.map(column => element("td", {class: isNumber(column) ? "number" : null}, cell(row[column.name], column.unit))), elementOf && element("td", {}, elementOf(row)))));
        more.hidden = all || rows.length <= FIRST_ROWS;
        left.textContent = more.hidden ? "" : `The first ${FIRST_ROWS} of ${count(rows.length)} rows.`;
        more.textContent = `All ${count(rows.length)} rows`;
    }
    const heads = columns.map(column => element("th", {class: isNumber(column) ? "number" : null, scope: "col"},
        element("button", {
            type: "button", onclick: event => {
                order = {by: column.name, sign: order && order.by === column.name ? -order.sign : isNumber(column) ? -1 : 1};
                for (const head of heads) head.removeAttribute("aria-sort");
                event.target.closest("th").setAttribute("aria-sort", order.sign < 0 ? "descending" : "ascending");
                fill();
            },
        }, (column.title || column.name).replaceAll("_", " "))));
    fill();
    scroll.append(element("table", {}, element("thead", {}, element("tr", {}, ...heads, elementOf && element("td"))), body));
    return element("section", {class: "table", "data-table": name}, element("h2", {}, table.title || name), scroll, left, table.all_rows && element("p", {class: "quiet"}, cutText(name, table)), element("p", {}, more, " ", element("button", {type: "button", onclick: () => save(`${name}.csv`, csv(table), "text/csv")}, "CSV")));
}

export function makeTables(run, state, place) {
    for (const [name, table] of Object.entries(run.report.tables)) if (table.rows.length) place.append(tableElement(name, table));
    return {changed() {}, paint() {}};
}
