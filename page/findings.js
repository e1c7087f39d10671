// What ran, where the time went, what is worth knowing. The evidence of a finding leads to its calls in the time line.

function evidence(run, finding) {
    return finding.evidence.slice(0, 8).map(name => {
        const call = run.calls ? findCall(run, name) : -1;
        if (call < 0 && run.server) return element("button", {type: "button", class: "evidence", onclick: () => { show("timeline"); seek(name); }}, name);
        if (call < 0) return element("code", {}, `fathom dump --call ${name} ${run.report.run.trace}`);
        return element("button", {type: "button", class: "evidence", onclick: () => { show("timeline"); choose(call); }}, `${name}: ${callText(run, call)}`);
    });
}

function worth(finding) {
    if (finding.gain_s > 0) return `possible gain up to ${duration(finding.gain_s * 1e9)}, ${percent(finding.gain_share)} of the critical path`;
    if (finding.severity_s > 0) return `up to ${duration(finding.severity_s * 1e9)}, ${percent(finding.share)} of all time`;
    return "";
}

function findingElement(run, finding, place) {
    const size = worth(finding);
    return element("article", {class: "finding", id: `finding-${place}`},
        element("h3", {}, `${place + 1}. ${finding.title}`, size ? element("span", {class: "quiet"}, ` ${size}`) : null),
        element("p", {}, [finding.text, ...finding.relations].join(" ")),
        finding.advice ? element("p", {}, element("strong", {}, "Try: "), finding.advice) : null,
        finding.files.length ? element("p", {class: "quiet"}, `Files: ${finding.files.join(", ")}`) : null,
        finding.evidence.length ? element("p", {class: "evidence"}, "Calls: ", ...evidence(run, finding)) : null);
}

export function makeOverview(run, state, place) {
    const findings = run.report.findings.filter(finding => !finding.minor);
    const minor = run.report.findings.filter(finding => finding.minor);
    const {shares_of_times: times, shares_of_findings: shares} = run.report.run;
    if (run.report.tables.time) place.append(tableElement("time", run.report.tables.time));
    if (times) place.append(element("p", {class: "quiet"}, times));
    place.append(element("h2", {}, findings.length ? "Findings" : "Nothing stands out"));
    if (shares && run.report.findings.length) place.append(element("p", {class: "quiet"}, shares));
    place.append(...findings.map((finding, i) => findingElement(run, finding, i)));
    if (minor.length) place.append(element("details", {}, element("summary", {}, `${minor.length} minor`), ...minor.map((finding, i) => findingElement(run, finding, findings.length + i))));
    const unseen = run.report.run.blind_spots || [];
    if (unseen.length) place.append(element("h2", {}, "Not visible"), element("ul", {}, ...unseen.map(text => element("li", {}, text))));
    return {changed() {}, paint() {}};
}
