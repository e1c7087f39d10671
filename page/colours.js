// The colours of single calls: by one of their properties. Classes of text get colours by how many calls they have, numbers a scale of
// powers of ten.

const SCALE = ["#440154", "#3b528b", "#21918c", "#5ec962", "#fde725"]; // viridis, which can be read in grey, too
const MOST_CLASSES = 9;

// What can decide the colour of a call: a text, or a number with its words.
const PROPERTIES = {
    layer: {title: "layer", text: (run, call) => run.names.layers[run.names.functions[run.calls.function[call]].layer]},
    function: {title: "function", text: (run, call) => run.names.functions[run.calls.function[call]].name},
    kind: {title: "kind", text: (run, call) => run.names.functions[run.calls.function[call]].kind},
    file: {title: "file", text: (run, call) => run.calls.file[call] ? run.names.files[run.calls.file[call] - 1] : "no file"},
    process: {title: "process (rank)", text: (run, call) => nameOfProcess(run, run.names.rows[run.calls.row[call]].proc)},
    outcome: {title: "failed or not", text: (run, call) => run.calls.failed[call] ? "failed" : "did not fail"},
    duration: {title: "duration", number: (run, call) => run.calls.length[call], words: duration},
    bytes: {title: "bytes moved", number: (run, call) => run.calls.bytes[call], words: bytes},
};

/** What calls can be coloured by: [[key, title]]. */
export function colourings() {
    return [...Object.entries(PROPERTIES).map(([key, {title}]) => [key, title]), ["search", "a name"], ["expression", "expression"]];
}

function byText(run, by) {
    const counts = new Map();
    for (let call = 0; call < run.calls.count; call++) {
        const text = PROPERTIES[by].text(run, call);
        counts.set(text, (counts.get(text) || 0) + 1);
    }
    const sorted = [...counts].sort((a, b) => b[1] - a[1]), shown = sorted.slice(0, MOST_CLASSES);
    const colourOf = (text, i) => by === "layer" ? layerColour(run.names.layers.indexOf(text)) : layerColour(i);
    const legend = shown.map(([name, calls], i) => ({name, calls, colour: colourOf(name, i)}));
    const others = sorted.slice(MOST_CLASSES).reduce((sum, [, calls]) => sum + calls, 0);
    if (others) legend.push({name: "others", calls: others, colour: OTHERS});
    const places = new Map(shown.map(([name], i) => [name, i]));
    return {legend, of: call => places.get(PROPERTIES[by].text(run, call)) ?? legend.length - 1};
}

// Class 0 is 0; the others divide the powers of ten from the least to the most.
function byNumber(run, by) {
    const {number, words} = PROPERTIES[by];
    let least = Infinity, most = 0;
    for (let call = 0; call < run.calls.count; call++) {
        const value = number(run, call);
        if (value > 0) least = Math.min(least, value);
        most = Math.max(most, value);
    }
    if (!most) least = most = 1;
    const step = Math.max(1e-9, Math.log(most / least) / SCALE.length), from = i => least * Math.exp(step * i);
    const classOf = value => value > 0 ? 1 + Math.max(0, Math.min(SCALE.length - 1, Math.floor(Math.log(value / least) / step))) : 0;
    const legend = [{name: words(0), calls: 0, colour: OTHERS}, ...SCALE.map((colour, i) => ({name: `from ${words(from(i))}`, calls: 0, colour}))];
    for (let call = 0; call < run.calls.count; call++) legend[classOf(number(run, call))].calls++;
    return {legend, of: call => classOf(number(run, call))};
}

// Is a text in the name of the function, file or process? Of the calls that the page has.
function byName(run, state) {
    const {calls, names} = run, wanted = state.find.toLowerCase(), has = text => wanted !== "" && text.toLowerCase().includes(wanted);
    const functions = names.functions.map(one => has(one.name)), files = names.files.map(has), rows = names.rows.map(row => has(row.label) || has(row.process.label));
    const of = call => functions[calls.function[call]] || (calls.file[call] && files[calls.file[call] - 1]) || rows[calls.row[call]] ? 0 : 1;
    let found = 0;
    for (let call = 0; call < calls.count; call++) found += of(call) === 0;
    return {legend: [{name: "found", calls: found, colour: layerColour(4)}, {name: "not found", calls: calls.count - found, colour: OTHERS}], of};
}

/** {legend: [{name, calls, colour}], of: call => its place in the legend}, of the calls that the page has. */
export function colouring(run, state) {
    const by = state.colour;
    if (by === "expression") return byMark(run, state);
    if (by === "search") return byName(run, state);
    return PROPERTIES[by]?.number ? byNumber(run, by) : byText(run, PROPERTIES[by] ? by : "layer");
}

/** The choice of a property, and its legend: a click on a class fades all others. */
export function colourControls(run, state, place, changed) {
    const chooser = element("select", {"aria-label": "Colour of calls", onchange: () => chooseColour(chooser.value, "")},
        ...colourings().map(([key, title]) => element("option", {value: key, selected: key === state.colour}, title)));
    const legend = element("span", {class: "legend"}), mark = markField(run, state);
    const find = element("input", {type: "search", value: state.find, placeholder: "function, file, process", "aria-label": "Mark calls with this name", oninput: () => findCalls(find.value)});
    const said = element("span", {class: "quiet", role: "status"});
    place.append("Colour of calls by ", chooser, " ", mark.place, find, " ", said, " ", legend);
    return function fill() {
        chooser.value = state.colour;
        mark.fill();
        find.hidden = said.hidden = state.colour !== "search";
        if (document.activeElement !== find) find.value = state.find;
        said.textContent = find.hidden || !state.find ? "" : `${count(changed().legend[0].calls)} of ${count(run.calls.count)} calls${run.names.all_calls ? "" : " that the page has"}`;
        const focused = [...legend.children].indexOf(document.activeElement);
        legend.replaceChildren(...changed().legend.filter(one => one.calls).map(({name, calls, colour}) => {
            const swatch = element("span", {class: "swatch"});
            swatch.style.background = colour;
            return element("button", {type: "button", class: "class", "aria-pressed": String(state.only === name), onclick: () => chooseColour(state.colour, state.only === name ? "" : name)}, swatch, `${name} ${count(calls)}`);
        }));
        legend.children[focused]?.focus();
    };
}
