// A run of many programs: how they depend on each other. The pictures and tables are those of `fathom workflow show --html`, in which all
// text of the run is escaped; boxes and steps lead to their processes in the time line.

function lookAtProcesses(procs) {
    chooseProcs(procs);
    show("timeline");
    scrollTo(0, 0);
}

function openBox(group, procs) {
    group.setAttribute("role", "button");
    group.setAttribute("tabindex", "0");
    group.style.cursor = "pointer";
    group.addEventListener("click", () => lookAtProcesses(procs));
    group.addEventListener("keydown", event => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        lookAtProcesses(procs);
    });
}

// The first column has the numbers of steps.
function openSteps(table, steps) {
    for (const row of table.tBodies[0].rows) {
        const cell = row.cells[0], procs = steps[Number(cell.textContent.replaceAll(",", ""))];
        if (procs?.length) cell.replaceChildren(element("button", {type: "button", "aria-label": `Step ${cell.textContent} in the time line`, onclick: () => lookAtProcesses(procs)}, cell.textContent));
    }
}

export function makeWorkflow(run, state, place) {
    const {html, boxes, steps} = run.workflow;
    place.innerHTML = html;
    const whole = run.report.run.selected ? " The workflow is that of the whole run, not only of what is selected." : "";
    place.querySelector("h2").after(element("p", {class: "quiet"}, `A box of a picture, or the number of a step, shows its processes in the time line.${whole}`));
    for (const group of place.querySelectorAll("[data-box]")) openBox(group, boxes[Number(group.dataset.box)]);
    for (const table of place.querySelectorAll("table"))
        if (table.tHead.rows[0].cells[0].textContent === "step") openSteps(table, steps);
    return {changed() {}, paint() {}};
}
