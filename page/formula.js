// A value made of others: a formula over the series of the rates, such as `written / calls`. It is read by the parser here, never run as a script.
// A name stands for a series of each layer, LAYER.NAME for that of one layer, the name of a counter for that (counters.js).

const MOST_FORMULA = 500, MOST_LINES = 9, FORMULA_HIGH = 150;

const wrongAt = (at, why) => Object.assign(new Error(`${why}, at character ${at + 1}`), {at});

// [{text, at, kind: "number", "name", "sign" or "end"}]
function tokensOf(text) {
    const tokens = [], pattern = /\s*(?:(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-z_][\w-]*(?:\.[A-Za-z_]\w*)+(?::[\w.]+)?|[A-Za-z_]\w*)|([-+*/()]))/y;
    if (text.length > MOST_FORMULA) throw wrongAt(MOST_FORMULA, `a formula has at most ${MOST_FORMULA} characters`);
    let at = 0;
    while (text.slice(at).trim()) {
        pattern.lastIndex = at;
        const found = pattern.exec(text), start = at + text.slice(at).search(/\S/);
        if (!found) throw wrongAt(start, `'${text[start]}' is not part of a formula`);
        tokens.push({text: found[0].trim(), at: start, kind: found[1] ? "number" : found[2] ? "name" : "sign"});
        at = pattern.lastIndex;
    }
    return tokens.concat({text: "", at: text.length, kind: "end"});
}

/** From a text to {names: [{word, name, layer, at}], value(of): a number, where of(name, layer, word) is that of a series}. What is wrong with it is thrown, and where. */
export function parseFormula(text) {
    const tokens = tokensOf(text), names = [];
    let place = 0;
    const sees = (...signs) => tokens[place].kind === "sign" && signs.includes(tokens[place].text);
    function sum() {
        let left = product();
        while (sees("+", "-")) {
            const adds = tokens[place++].text === "+", one = left, other = product();
            left = adds ? of => one(of) + other(of) : of => one(of) - other(of);
        }
        return left;
    }
    function product() {
        let left = factor();
        while (sees("*", "/")) {
            const times = tokens[place++].text === "*", one = left, other = factor();
            left = times ? of => one(of) * other(of) : of => quotient(one(of), other(of));
        }
        return left;
    }
    function factor() {
        const token = tokens[place++];
        if (token.kind === "number") return () => Number(token.text);
        if (token.kind === "name") return seriesOf(token);
        if (token.text === "-" || token.text === "+") {
            const inner = factor();
            return token.text === "-" ? of => -inner(of) : inner;
        }
        if (token.text !== "(") throw wrongAt(token.at, token.kind === "end" ? "a number, a name or '(' is missing" : `a number, a name or '(' is missing before '${token.text}'`);
        const inner = sum();
        if (!sees(")")) throw wrongAt(tokens[place].at, `')' is missing for the '(' at character ${token.at + 1}`);
        place++;
        return inner;
    }
    function seriesOf({text: word, at}) {
        const [name, layer] = word.split(".").reverse();
        names.push({word, name, layer, at});
        return of => of(name, layer, word);
    }
    const value = sum();
    if (tokens[place].kind !== "end") throw wrongAt(tokens[place].at, `'${tokens[place].text}' follows a complete formula`);
    return {names, value};
}

// Without a value where something is divided by nothing.
const quotient = (one, other) => other === 0 ? NaN : one / other;

function checkNames(run, {names}, of) {
    const known = CHARTS.map(({column}) => column), layers = run.names.layers.filter((_, layer) => run.lanes.some(lane => lane.layer === layer));
    for (const {word, name, layer, at} of names) {
        const counters = countersNamed(run, word);
        if (counters.some(({values}) => !values)) throw wrongAt(at, `the values of '${word}' are too many for a file`);
        if (counters.some(({proc}) => proc === null) && of.endsWith("sum")) throw wrongAt(at, `'${word}' is a counter of a node, which no process has for itself: choose nodes, or all processes together`);
        if (counters.length) continue;
        if (!known.includes(name)) throw wrongAt(at, `there is no series '${layer === undefined ? name : word}'; there are ${known.join(", ")}${counterNames(run).length ? `, and counters such as ${counterNames(run).slice(0, 3).join(", ")} (Samples has all)` : ""}`);
        if (layer !== undefined && !layers.includes(layer)) throw wrongAt(at, `there are no calls of a layer '${layer}'; there are of ${layers.join(", ")}`);
    }
}

// ---- values ----

// Whose series the formula is about: [{name, parts: [process numbers]}]. The value of one is the sum of those of its parts.
function scopesOf(run, of) {
    const procs = run.names.rows.filter(row => !row.thread), nodes = new Map();
    const partsOf = list => of.endsWith("sum") ? list.map(row => new Set([row.proc])) : [new Set(list.map(row => row.proc))];
    if (!of.startsWith("node")) return [{name: "", parts: partsOf(procs)}];
    for (const row of procs) nodes.set(row.host || "unknown node", [...nodes.get(row.host || "unknown node") || [], row]);
    return [...nodes].map(([name, list]) => ({name, parts: partsOf(list)}));
}

/** {name, value: of so many equal parts of the time} for each scope, and for each layer unless the formula names all of them. */
export function formulaLines(run, state, formula, of, width) {
    const counters = formula.names.map(({word}) => word).filter(word => countersNamed(run, word).length);
    const perLayer = formula.names.some(({layer}) => layer === undefined), used = CHARTS.filter(({column}) => formula.names.some(({name}) => name === column));
    const layers = perLayer ? [...new Set(run.lanes.filter(lane => !state.hidden.has(lane.layer) && isFound(run, state, lane.row)).map(lane => lane.layer))].sort((a, b) => a - b) : [null];
    return scopesOf(run, of).flatMap(({name, parts}) => {
        const columns = parts.map(part => new Map([
            ...used.map(chart => [chart.column, series(run, state, chart, width, lane => part.has(run.names.rows[lane.row].proc), true)]),
            ...counters.map(word => [word, counterSeries(run, state, word, part, width)]),
        ]));
        return layers.map(layer => ({name: [name, layer === null ? "" : run.names.layers[layer]].filter(Boolean).join(", ") || "all", value: valuesOf(run, formula, columns, layer, width)}));
    });
}

// Parts without calls of the layer, or without a value, add nothing; where none has a value, there is none.
function valuesOf(run, formula, columns, layer, width) {
    const sums = new Float64Array(width).fill(NaN);
    for (const part of columns) for (let x = 0; x < width; x++) {
        const value = formula.value((name, of, word) => {
            if (part.get(word) instanceof Float64Array) return part.get(word)[x];
            const one = part.get(name).get(of === undefined ? layer : run.names.layers.indexOf(of));
            return (one ? one.value[x] : 0) / (name === "longest" ? 1e9 : 1);
        });
        if (Number.isFinite(value)) sums[x] = (Number.isNaN(sums[x]) ? 0 : sums[x]) + value;
    }
    return sums;
}

const finiteOf = lines => lines.flatMap(({value}) => [...value].filter(Number.isFinite));

// ---- the picture ----

function paintFormula(canvas, state, lines) {
    const wide = canvas.parentElement.clientWidth, plot = Math.floor(wide - LEFT), context = sharpen(canvas, wide, FORMULA_HIGH + 20);
    const values = finiteOf(lines), most = values.reduce((a, b) => Math.max(a, b), 0), least = values.reduce((a, b) => Math.min(a, b), 0);
    const high = value => FORMULA_HIGH - 2 - (most > least ? (value - least) / (most - least) : 0) * (FORMULA_HIGH - 18);
    context.clearRect(0, 0, wide, FORMULA_HIGH + 20);
    context.font = "12px system-ui, sans-serif";
    context.fillStyle = themeColour("--quiet");
    context.fillText(values.length ? cell(most, "plain") : "none", 2, 12);
    context.fillText(cell(least, "plain"), 2, FORMULA_HIGH);
    paintTimeAxis(context, state, {left: LEFT, plot, base: FORMULA_HIGH + 15}, x => context.fillRect(x, FORMULA_HIGH, 1, 4));
    lines.slice(0, MOST_LINES).forEach(({value}, i) => {
        context.strokeStyle = layerColour(i);
        context.lineWidth = 1.3;
        context.beginPath();
        value.forEach((one, x) => {
            if (!Number.isFinite(one)) return;
            if (x && Number.isFinite(value[x - 1])) context.lineTo(LEFT + x, high(one));
            else context.moveTo(LEFT + x, high(one));
            context.lineTo(LEFT + x + 1, high(one));
        });
        context.stroke();
    });
}

function formulaTable(text, lines, whole) {
    const number = (name, title) => ({name, title, type: "number", unit: "plain"});
    return {
        title: text, columns: [{name: "of", type: "text"}, number("value", "of the time that is shown"), number("least", "least of a pixel"), number("most", "most of a pixel")],
        rows: lines.map(({name, value}, i) => {
            const values = [...value].filter(Number.isFinite), one = whole[i].value[0];
            return {of: name, value: Number.isFinite(one) ? one : null, least: values.length ? values.reduce((a, b) => Math.min(a, b)) : null, most: values.length ? values.reduce((a, b) => Math.max(a, b)) : null};
        }),
    };
}

function legendOf(lines) {
    return lines.slice(0, MOST_LINES).map(({name}, i) => {
        const swatch = element("span", {class: "swatch"});
        swatch.style.background = layerColour(i);
        return element("span", {}, swatch, `${name} `);
    }).concat(lines.length > MOST_LINES ? [`and ${count(lines.length - MOST_LINES)} more in the table`] : []);
}

const FORMULA_SCOPES = [["", "of all processes together"], ["sum", "of each process, added up"], ["node", "of each node"], ["node-sum", "of each process, added up by node"]];

/** The field, the picture and the table of the formula, into `place`: {paint}. */
export function makeFormula(run, state, place) {
    const field = element("input", {type: "search", placeholder: "written / calls", "aria-label": "Formula", "aria-describedby": "formula-said", onkeydown: event => { if (event.key === "Enter") apply(); }});
    const scope = element("select", {"aria-label": "Formula of", onchange: () => apply()}, ...FORMULA_SCOPES.map(([value, title]) => element("option", {value}, title)));
    const said = element("p", {id: "formula-said", role: "status"}), legend = element("p", {class: "legend"}), canvas = element("canvas", {class: "formula", role: "img", "aria-label": "The formula over the time that is shown; the table below has its values."});
    const table = element("div"), holder = element("div", {}, canvas), shown = element("div", {}, legend, holder, pictureButtons(canvas, "formula", () => paint()), table);
    const apply = () => chooseFormula(field.value.trim(), scope.value);
    place.append(element("p", {class: "formula-field"}, "Formula ", field, " ", scope, " ", element("button", {type: "button", onclick: apply}, "Show")), said);
    function paint() {
        if (document.activeElement !== field) field.value = state.formula;
        scope.value = FORMULA_SCOPES.some(([value]) => value === state.of) ? state.of : "";
        said.className = "quiet";
        said.textContent = `Of ${CHARTS.map(({column}) => column).join(", ")} below, of each layer or of one (posix.written), with + - * / and brackets. Rates are per second, longest in seconds.${run.samples ? " Counters have their names (cpu.user, disk.read:sda); units are bytes, seconds and numbers." : ""}`;
        shown.remove();
        if (!state.formula) return;
        try {
            const formula = parseFormula(state.formula);
            checkNames(run, formula, scope.value);
            said.after(shown);
            show(formula);
        } catch (error) {
            said.className = "bad";
            said.textContent = `The formula is wrong: ${error.message}.`;
        }
    }
    function show(formula) {
        const width = Math.floor(holder.clientWidth - LEFT);
        if (width < 10) return;
        const lines = formulaLines(run, state, formula, scope.value, width);
        paintFormula(canvas, state, lines);
        legend.replaceChildren(...legendOf(lines));
        table.replaceChildren(tableElement("formula", formulaTable(state.formula, lines, formulaLines(run, state, formula, scope.value, 1))));
    }
    return {paint};
}
