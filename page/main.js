// From the data to a page: the head, the views, and what they share: layers, search.

// Name, title, who makes it, does it follow the window of time and the layers, is there something to show?
const VIEWS = [
    ["overview", "Overview", makeOverview, false, () => true],
    ["timeline", "Time line", makeTimeline, true, run => run.names],
    ["profile", "Profile", makeProfile, true, run => run.names],
    ["files", "Files", makeFiles, true, run => run.maps],
    ["rates", "Rates", makeRates, true, run => run.names],
    ["samples", "Samples", makeSamples, true, run => run.names],
    ["matrix", "Messages", makeMatrix, true, run => run.names && (run.report.tables.messages?.rows.length || run.messages)],
    ["path", "Critical path", makePath, true, run => run.names && hasPath(run)],
    ["topology", "Topology", makeTopology, true, run => run.names],
    ["workflow", "Workflow", makeWorkflow, false, run => run.workflow],
    ["verify", "Verify", makeVerify, false, () => true],
    ["balance", "Balance", makeBalance, false, () => true],
    ["compare", "Side by side", makeCompare, false, () => allRuns().length > 1],
    ["tables", "Tables", makeTables, false, () => true],
];

let repaint = () => {};

function fillHead(run) {
    const {trace, meta, facts, incomplete, coverage, selected} = run.report.run;
    const command = meta && meta.command ? meta.command.join(" ") : "";
    document.title = `${trace} - Fathom`;
    document.getElementById("title").textContent = `${trace}${command ? `: ${command}` : ""}`;
    document.getElementById("facts").replaceChildren(...facts.concat(selected ? `Selected: ${selected}` : []).map(line => element("p", {}, line)));
    const missing = document.getElementById("missing");
    missing.hidden = !incomplete;
    const watched = coverage && coverage.watched_process_phases ? ` Coverage: ${coverage.text}. Where a process was only watched, nothing is drawn of what was not recorded.` : "";
    if (incomplete) missing.textContent = `Incomplete: ${incomplete.text}. ${incomplete.shown}${watched}`;
}

function makeControls(run, state) {
    const layers = element("span", {class: "legend"});
    const used = [...new Set(run.lanes.map(lane => lane.layer))].sort((a, b) => b - a);
    for (const layer of used) {
        const calls = run.lanes.filter(lane => lane.layer === layer).reduce((sum, lane) => sum + lane.calls.reduce((a, b) => a + b, 0), 0);
        const box = element("input", {type: "checkbox", checked: !state.hidden.has(layer), onchange: () => toggleLayer(layer)});
        const swatch = element("span", {class: "swatch"});
        swatch.style.background = layerColour(layer);
        layers.append(element("label", {}, box, swatch, `${run.names.layers[layer]} ${count(calls)}`));
    }
    const field = element("input", {type: "search", placeholder: "rank, program", value: state.search, "aria-label": "Show rows with this text", oninput: event => search(event.target.value)});
    return element("div", {class: "controls"}, layers, field, chosenProcs(run, state),
        element("button", {type: "button", onclick: lookAtAll}, "Whole run"),
        element("button", {type: "button", "aria-label": "Zoom in", onclick: () => zoom(0.5, (state.begin + state.end) / 2)}, "+"),
        element("button", {type: "button", "aria-label": "Zoom out", onclick: () => zoom(2, (state.begin + state.end) / 2)}, "−"));
}

/** Which processes are shown, if not all: a button that shows all of them. */
export function chosenProcs(run, state) {
    const all = element("button", {type: "button", class: "procs", onclick: () => {
        chooseProcs([]);
        all.parentElement.querySelector("input[type=search]").focus(); // the button is gone
    }});
    const tell = () => {
        const {procs} = state, names = procs.slice(0, 4).map(proc => nameOfProcess(run, proc));
        all.hidden = !procs.length;
        all.textContent = `Only ${names.join(", ")}${procs.length > names.length ? ` and ${count(procs.length - names.length)} more` : ""}: show all`;
    };
    follow((_, what) => { if (what === "search") tell(); });
    tell();
    return all;
}

function makeViews(run, state) {
    const main = document.getElementById("main"), tabs = document.getElementById("views"), made = new Map();
    main.replaceChildren();
    tabs.replaceChildren();
    const controls = run.names ? makeControls(run, state) : null;
    const call = element("section", {class: "call", id: "call"});
    if (controls) main.append(controls);
    for (const [name, title, , , has] of VIEWS) {
        if (!has(run)) continue;
        tabs.append(element("button", {type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `view-${name}`, onclick: () => show(name)}, title));
        main.append(element("section", {id: `view-${name}`, class: `view ${name}`, role: "tabpanel", tabindex: "-1", "aria-labelledby": `tab-${name}`, hidden: true}));
    }
    main.append(call);
    if (run.names) made.set("call", makeCall(run, state, call));
    function turn() {
        const left = document.activeElement?.closest("[role=tabpanel]");
        const known = VIEWS.some(([name, , , , has]) => name === state.view && has(run)) ? state.view : "overview";
        for (const [name, , make, pictures] of VIEWS) {
            const place = document.getElementById(`view-${name}`);
            if (!place) continue;
            place.hidden = name !== known;
            document.getElementById(`tab-${name}`).setAttribute("aria-selected", String(name === known));
            if (name !== known) continue;
            if (controls) controls.hidden = !pictures;
            if (!made.has(name)) made.set(name, make(run, state, place));
            made.get(name).paint();
            if (left?.hidden) place.focus(); // whoever came by keys goes on in what has come
        }
    }
    follow((_, what) => {
        if (what === "view") turn();
        for (const view of made.values()) view.changed(what);
    });
    turn();
    if (state.call >= 0) for (const view of made.values()) view.changed("call");
    repaint = turn;
}

// A page that is printed is light, and shows all of its view: what is painted is painted anew for that, and tables show all rows.
function followPrinting() {
    const turn = paper => {
        document.documentElement.toggleAttribute("data-paper", paper);
        if (paper) for (const button of document.querySelectorAll(".view:not([hidden]) button.more:not([hidden])")) button.click();
        repaint();
    };
    addEventListener("beforeprint", () => turn(true));
    addEventListener("afterprint", () => turn(false));
}

function showRun(run) {
    chooseRun(run);
    fillHead(run);
    fillRuns();
    const state = openState(run);
    fillFilter(run, state, other => {
        openRuns(allRuns().map(one => one.number === run.number ? other : one));
        showRun(other);
    });
    makeViews(run, state);
    window.fathom = {run, duration, ranksInOrder: list => ranksInOrder(list, one => one), runs: allRuns(), differences: (by, one, other) => differences(by, allRuns()[one], allRuns()[other]), state, look, choose, chooseFile, sharesOfBins, ratesOfBins, pair: () => pairOnTimeline(), findCall: name => findCall(run, name), isFound: row => isFound(run, state, row), matrix: by => matrixOf(run, by), messageRows: (begin, end, oneSided) => messageRows(run, begin, end, oneSided), shown: shownMatrix, svg: svgOfTimeline, samples: samplesOnScreen, arrows: arrowsOnTimeline, operations: operationsOnTimeline, sourceOf: call => sourceOf(run, call), exact: () => exactSpans(run), finest: (lane, perPixel) => finest(run, lane, state.begin, state.end, perPixel), handles: handlesOnScreen, linkedTo: name => linkedTo(run, name), messageText: i => messageText(run, i), conflicts: conflictsOnMap, alike, rowsShown: () => rowsOnTimeline(), foldsShown: () => foldsOnTimeline(), shareShown: (key, layer) => shareOnTimeline(key, layer), parseFormula, latency: () => latencyRows(run, state), latencyOver: (share, width) => [...latencySeries(run, state, share, width)].map(([layer, {value}]) => [run.names.layers[layer], [...value]]), barsOf: (classes, most) => bars(classes, most), marks: () => Array.from({length: run.calls.count}, (_, call) => call).map(byMark(run, state).of), pathText: call => pathText(run, call), pathShown: () => pathOnScreen(), pairsPictured: () => pairsOnPage(), flat: () => flatOf(run, state, profileOf(run, state))};
}

// The choice of a run, where there are several. What is looked at stays, as far as the other one has it.
function fillRuns() {
    const place = document.getElementById("runs"), runs = allRuns();
    place.hidden = runs.length < 2;
    if (place.hidden) return;
    const chooser = element("select", {"aria-label": "Run", onchange: () => { location.hash = addressOf(chooser.selectedIndex); }},
        ...runs.map(run => element("option", {selected: run === chosenRun()}, nameOfRun(run))));
    const isFocused = place.contains(document.activeElement);
    place.replaceChildren("Run ", runSwatch(chosenRun()), chooser);
    if (isFocused) chooser.focus();
}

// What the head says of the server; and the next picture of a run that is still being recorded.
function stayInTouch(run) {
    const source = document.getElementById("source");
    const tell = there => {
        source.hidden = there && !run.server.goes_on;
        source.textContent = there ? "The run is still being recorded: this page follows it." : "The server has ended: only what has come stays here.";
    };
    tell(true);
    keepInTouch(run, async () => {
        openRuns(await readServed(() => {}, run.server.picture));
        showRun(runOfNumber(0));
        stayInTouch(runOfNumber(0));
    }, tell);
}

async function begin() {
    try {
        const wait = () => { document.getElementById("wait").textContent = "Fathom reads the trace ..."; };
        openRuns(isFile() ? await readRuns() : await readServed(wait));
        showRun(runOfNumber(runInAddress(number => showRun(runOfNumber(number)))));
        if (chosenRun().server) stayInTouch(runOfNumber(0));
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => repaint());
        followPrinting();
        document.documentElement.dataset.ready = "yes";
    } catch (error) {
        document.getElementById("main").replaceChildren(element("p", {class: "bad"}, `The data of this page cannot be read: ${error.message}`));
        document.documentElement.dataset.ready = "failed";
        throw error;
    }
}

begin();
