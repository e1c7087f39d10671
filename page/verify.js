// Which consistency the run needs, as `fathom verify` says: its sentences in its words, models, files, and pairs of calls, which a click
// shows in the time line. Of a page that is a file, the verdict is in it if it was asked for; a server verifies when the view is looked at.

const STOPPED = 409;
const VERDICT_MARKS = {"safe": "\u2713", "safe as far as was seen": "\u2713", "not known": "?", "racy": "\u2717"};

const marked = word => VERDICT_MARKS[word] ? `${VERDICT_MARKS[word]} ${word}` : word;

// Rows of texts; heads: [[name, title]].
function plainTable(name, title, heads, rows, elementOf = null) {
    const columns = heads.map(([key, head]) => ({name: key, title: head, type: "text"}));
    return tableElement(name, {title, columns, rows}, elementOf);
}

// A call of a pair: who, when, in which calls.
function accessElement(run, access, who) {
    const text = `${who} at ${access.start.toFixed(6)} s: ${access.chain.join(" > ")}${access.source ? ` (${access.source})` : ""}, call ${access.id}`;
    return element("dd", {}, text);
}

// Whoever came by keys goes on in the time line.
function lookAtPair(calls) {
    showPair(calls);
    scrollTo(0, 0);
    document.querySelector("canvas.timeline").focus();
}

const pairOf = ({first, second}) => [first, second].map(({id, start, end}) => ({id, start: start * 1e9, end: end * 1e9}));

// The words of a group (or race) beside its facts.
function pairElement(run, name, facts, words) {
    const list = element("dl", {}, element("dt", {}, "first"), accessElement(run, facts.first, words.first), element("dt", {}, "second"), accessElement(run, facts.second, words.second));
    for (const [title, text] of [["not known, because", facts.unsure ? facts.why_unsure : null], ["below", words.below], ["reason", facts.missing], ["repair", facts.repair]])
        if (text) list.append(element("dt", {}, title), element("dd", {}, text));
    const button = run.names ? element("button", {type: "button", onclick: () => lookAtPair(pairOf(facts))}, "Show both calls in the time line") : null;
    return element("article", {class: "finding pair"}, element("h3", {}, `${name}: ${words.title}`), list, element("p", {}, button), pairPicture(run, facts));
}

// Some first; the others when they are asked for.
export function pairElements(run, title, pairs) {
    const place = element("section", {}, element("h2", {}, title));
    const more = element("button", {type: "button", onclick: () => {
        more.remove();
        add(FIRST_ROWS, pairs.length);
        place.querySelectorAll("article")[FIRST_ROWS].querySelector("button, summary")?.focus();
    }}, `All ${count(pairs.length)}`);
    const add = (from, to) => place.append(...pairs.slice(from, to).map(([name, facts, words]) => pairElement(run, name, facts, words)));
    add(0, FIRST_ROWS);
    if (pairs.length > FIRST_ROWS) place.append(more);
    return place;
}

function violationElements(run, {models, facts}) {
    const parts = [];
    for (const model of models) {
        const known = facts.models[model.name], zip = (groups, words) => groups.map((group, i) => [group.file, group, words[i]]);
        if (model.shows_groups && model.groups.length) parts.push(pairElements(run, `${known.violations ? "Racy" : "Not known to be safe"} under ${model.name}`, zip(known.groups, model.groups)));
        if (model.threads) parts.push(pairElements(run, model.threads, zip(known.thread_groups, model.thread_groups)));
    }
    return parts;
}

// The groups of conflicting pairs of all models, in one table: one pair of each.
function conflictTable(run, {models, facts}) {
    const rows = models.flatMap(({name, shows_groups: shows, threads, groups, thread_groups: byThreads}) => [[shows, facts.models[name].groups, groups], [threads, facts.models[name].thread_groups, byThreads]]
        .flatMap(([shown, list, words]) => shown ? list.map((group, i) => ({model: name, file: group.file, what: words[i].title, first: group.first.id, second: group.second.id, reason: group.unsure ? group.why_unsure : group.missing, repair: group.repair, group})) : []));
    if (!rows.length) return element("p", {class: "quiet"}, "No conflicting accesses are listed.");
    const columns = [["model"], ["file"], ["what"], ["first", "first call"], ["second", "second call"], ["reason"], ["repair"]];
    return plainTable("conflict-groups", "Conflicts", columns, rows, run.names ? ({group}) => element("button", {type: "button", onclick: () => lookAtPair(pairOf(group))}, "Show") : null);
}

function raceElements(run, {races, positions, facts}) {
    const pairs = [...facts.names.groups.map((race, i) => [race.pattern, race, races[i]]), ...facts.position_races.map((race, i) => [race.file, race, positions[i]])];
    return [...new Set(pairs.map(([, , words]) => words.heading))].map(heading => pairElements(run, heading, pairs.filter(([, , words]) => words.heading === heading)));
}

function verdictElements(run, verdict) {
    const {sentence, words, models, remarks, facts, scope} = verdict;
    const parts = [element("h2", {class: "verdict"}, sentence)];
    if (run.report.run.selected) parts.push(element("p", {}, "The verdict is on the whole run, not only on what is selected."));
    if (models.length) parts.push(plainTable("models", "Consistency models", [["model"], ["verdict"], ["pairs"], ["about", "what it promises"]], models.map(({name, verdict: word, pairs, about}) => ({model: name, verdict: marked(word), pairs, about}))));
    parts.push(...remarks.map(line => element("p", {class: "quiet"}, line)));
    if (facts.by_file.length) parts.push(plainTable("verdict-files", "Files that several processes accessed", [["file"], ["verdict", `verdict${models.length ? ` under ${models[0].name}` : ""}`], ["weakest", "the weakest model that is enough"]],
        facts.by_file.map(({file, verdict: key, weakest}) => ({file, verdict: marked(words[key]), weakest: weakest || "none"}))));
    parts.push(conflictTable(run, verdict), ...violationElements(run, verdict), ...raceElements(run, verdict));
    if (facts.findings.length) parts.push(element("h2", {}, "Mismatched calls"), element("ul", {}, ...facts.findings.map(({text, call, rank}) => element("li", {}, `${rank === null ? "" : `rank ${rank}: `}${text} (call ${call})`))));
    parts.push(element("p", {class: "quiet"}, scope));
    return parts;
}

/** What to do where a page has no verdict. */
export const withoutVerdict = ({report}) => `This page was written without a verdict: fathom report --html --verify has it, and so do fathom view ${report.run.trace} and fathom verify ${report.run.trace}.`;

export function makeVerify(run, state, place) {
    const said = element("p", {role: "status"}), button = element("button", {type: "button", hidden: true, onclick: () => asks ? stopVerdict(run) : ask()});
    let asks = false;
    place.append(said, element("p", {}, button));
    const fill = () => {
        said.hidden = button.hidden = true;
        place.append(...verdictElements(run, run.verdict));
    };
    async function ask() {
        asks = true;
        said.textContent = "Fathom verifies the run ...";
        button.textContent = "Stop";
        button.hidden = false;
        const look = setInterval(async () => {
            const far = await verdictProgress(run).catch(() => "");
            if (far && asks) said.textContent = `Fathom verifies the run: it ${far}. The other views can be used meanwhile.`;
        }, 300);
        try {
            run.verdict = await fetchVerdict(run);
            fill();
        } catch (error) {
            said.textContent = error.status === STOPPED ? "The verification was stopped." : `The run cannot be verified: ${error.message}`;
            button.textContent = "Verify";
        } finally {
            asks = false;
            clearInterval(look);
        }
    }
    if (run.verdict) fill();
    else if (run.server) ask();
    else said.textContent = withoutVerdict(run);
    return {changed() {}, paint() {}};
}
