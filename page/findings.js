// What ran, where the time went, what is worth knowing. The evidence of a finding leads to its calls in the time line.

function evidence(run, finding) {
    return finding.evidence.slice(0, 8).map(name => {
        const call = run.calls ? findCall(run, name) : -1;
        if (call < 0 && run.server) return element("button", {type: "button", class: "evidence", onclick: () => { show("timeline"); seek(name); }}, name);
        if (call < 0) return element("code", {}, `fathom dump --call ${name} ${run.report.run.trace}`);
        return element("button", {type: "button", class: "evidence", onclick: () => { show("timeline"); choose(call); }}, `${name}: ${callText(run, call)}`);
    });
}

function listed(items, count) {
    return items.join(", ") + (count > items.length ? ` and ${count - items.length} more` : "");
}

// Files that have a map lead to it.
function fileElements({maps}, {files, file_count: all}) {
    const parts = files.flatMap((path, i) => {
        const has = maps?.files.some(map => map.path === path);
        return [i ? ", " : "", has ? element("button", {type: "button", class: "evidence", onclick: () => { chooseFile(path); show("files"); }}, path) : path];
    });
    return all > files.length ? [...parts, ` and ${count(all - files.length)} more`] : parts;
}

// Processes without a rank are called "proc 5".
const isProc = name => name.startsWith("proc ");
const ranksLabel = names => !names.some(isProc) ? "Ranks" : names.every(isProc) ? "Processes" : "Ranks and processes";

function findingElement(run, finding, place) {
    return element("article", {class: "finding", id: `finding-${place}`},
        element("h3", {}, `${place + 1}. ${finding.title}`, finding.worth ? element("span", {class: "quiet"}, `: ${finding.worth}`) : null),
        element("p", {}, [finding.text, ...finding.relations].join(" ")),
        finding.advice ? element("p", {}, element("strong", {}, "Try: "), finding.advice) : null,
        finding.ranks.length ? element("p", {class: "quiet"}, `${ranksLabel(finding.ranks)}: ${listed(finding.ranks, finding.rank_count)}${finding.late_ranks.length ? `; late: ${listed(finding.late_ranks, finding.late_rank_count)}` : ""}`) : null,
        finding.files.length ? element("p", {class: "quiet files-of"}, "Files: ", ...fileElements(run, finding)) : null,
        finding.evidence.length ? element("p", {class: "evidence"}, "Calls: ", ...evidence(run, finding)) : null);
}

export function makeOverview(run, state, place) {
    const findings = run.report.findings.filter(finding => finding.shown);
    const others = run.report.findings.filter(finding => !finding.shown);
    const {shares_of_times: times, shares_of_findings: shares, heading_of_findings: heading} = run.report.run;
    if (run.report.tables.time) place.append(tableElement("time", run.report.tables.time));
    if (times) place.append(element("p", {class: "quiet"}, times));
    place.append(element("h2", {}, heading));
    if (shares && run.report.findings.length) place.append(element("p", {class: "quiet"}, shares));
    place.append(...findings.map((finding, i) => findingElement(run, finding, i)));
    if (others.length) place.append(element("details", {}, element("summary", {}, `${others.length} more ${others.length === 1 ? "finding" : "findings"}`), ...others.map((finding, i) => findingElement(run, finding, findings.length + i))));
    const unseen = run.report.run.blind_spots || [];
    if (unseen.length) place.append(element("h2", {}, "Not visible"), element("ul", {}, ...unseen.map(text => element("li", {}, text))));
    return {changed() {}, paint() {}};
}
