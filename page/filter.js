// Only some calls: an expression as `fathom dump --where` has it. The server of the page judges it, and makes another picture of the run, of
// which all views are then; a page that is a file cannot.

/** Fills the field of the head. `showOther(run)` shows the filtered run, or the whole one. */
export function fillFilter(run, state, showOther) {
    const place = document.getElementById("filter"), {trace} = run.report.run;
    place.hidden = !run.names;
    if (!run.server) { // a file has sums of all calls, which nothing can be taken out of
        place.replaceChildren(element("p", {id: "filter-said", class: state.where ? "bad" : null}, state.where ? "This link shows only some calls, which a page that is a file cannot do: " : "To see a part of the calls: ",
            element("code", {}, `fathom view ${trace}`), " has a filter; ", element("code", {}, `fathom report --html --where EXPRESSION ${trace}`), " makes a page of that part."));
        return;
    }
    const field = element("input", {type: "search", id: "filter-text", value: state.where, placeholder: "layer == posix and bytes < 4K", "aria-describedby": "filter-said", onkeydown: event => { if (event.key === "Enter") apply(); }});
    const said = element("p", {id: "filter-said", class: "quiet", role: "status"});
    const wrong = text => {
        said.className = "bad";
        said.textContent = text;
    };
    async function apply() {
        const where = field.value.trim(), whole = run.unfiltered || run;
        if (where === (run.where || "")) return;
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
    follow((_, what) => {
        if (what !== "where" || state.where === (run.where || "")) return;
        field.value = state.where;
        apply();
    });
    if (state.where && state.where !== (run.where || "")) apply();
}
