// Only some calls: an expression as `fathom dump --where` has it. The server of the page judges it, and makes another picture of the run, of
// which all views are then; a page that is a file cannot.

/** Fills the field of the head. `showOther(run)` shows the filtered run, or the whole one. */
export function fillFilter(run, state, showOther) {
    const place = document.getElementById("filter");
    const field = element("input", {type: "search", id: "filter-text", value: state.where, placeholder: "layer == posix and bytes < 4K", "aria-describedby": "filter-said", onkeydown: event => { if (event.key === "Enter") apply(); }});
    const said = element("p", {id: "filter-said", class: "quiet", role: "status"});
    const wrong = text => {
        said.className = "bad";
        said.textContent = text;
    };
    async function apply() {
        const where = field.value.trim(), whole = run.unfiltered || run, {trace} = run.report.run;
        if (where === (run.where || "")) return;
        if (!run.server) return wrong(`This page is a file and has no more than its sums. For a filter, run fathom view ${trace}, or fathom report --html --where EXPRESSION ${trace}.`);
        said.className = "quiet";
        said.textContent = "Fathom reads the calls ...";
        try {
            const other = where ? await fetchFiltered(whole, where) : whole;
            if (run !== chosenRun()) return;
            chooseWhere(where);
            showOther(other);
        } catch (error) {
            wrong(error.message);
        }
    }
    place.replaceChildren(element("label", {for: "filter-text"}, "Only calls for which this is true: "), field, " ",
        element("button", {type: "button", onclick: apply}, "Filter"), " ",
        ...(run.where ? [element("button", {type: "button", onclick: () => { field.value = ""; apply(); }}, "All calls")] : []), said);
    place.hidden = !run.names;
    follow((_, what) => {
        if (what !== "where" || state.where === (run.where || "")) return;
        field.value = state.where;
        apply();
    });
    if (state.where && state.where !== (run.where || "")) apply();
}
