// The runs of the page: one, or several beside each other, one of which the other views show. A layer has the same colour in all of them.

let runs = [], chosen = null, layers = [];

export function openRuns(list) {
    runs = list;
    layers = [...new Set(runs.flatMap(run => run.names ? run.names.layers : []))];
}

export const allRuns = () => runs;
export const runOfNumber = number => runs[number] || runs[0];
export const chosenRun = () => chosen;

export function chooseRun(run) {
    chosen = run;
}

/** The place of a layer of the chosen run among the layers of all runs. */
export function placeOfLayer(layer) {
    return chosen?.names && runs.length > 1 ? layers.indexOf(chosen.names.layers[layer]) : layer;
}

export const colourOfLayerNamed = name => COLOURS[layers.indexOf(name) % COLOURS.length];

/** "A: with-64.fathom" */
export function nameOfRun(run) {
    return `${String.fromCharCode(65 + run.number % 26)}: ${run.report.run.trace.split("/").pop()}`;
}

export function runSwatch(run) {
    const swatch = element("span", {class: "swatch"});
    swatch.style.background = RUNS[run.number % RUNS.length];
    return swatch;
}
