// What the controls of single views are set to (a scale, a figure, an order ...). It stands in the address where it differs from what a view
// begins with.

/** Of this name in the address; undefined: what the view begins with. */
export const choiceOf = (state, name) => state.choices.get(name);

/** Puts it there; null: takes it out. */
export function keepChoice(state, name, value) {
    if (value === null) state.choices.delete(name);
    else state.choices.set(name, String(value));
    touchAddress();
}

/** The control of a view, set to what the address says of it, and followed. Values that it does not have are passed over. */
export function remembered(state, name, control) {
    const isBox = control.type === "checkbox", event = control.type === "number" ? "input" : "change";
    const value = () => isBox ? (control.checked ? "yes" : "no") : control.value;
    const set = wanted => { if (isBox) control.checked = wanted === "yes"; else control.value = wanted; };
    const first = value();
    const take = () => {
        const wanted = choiceOf(state, name) ?? first, before = value();
        if (wanted !== before) set(wanted);
        if (value() !== wanted) set(first);
        return value() !== before;
    };
    take();
    control.addEventListener(event, () => keepChoice(state, name, value() === first ? null : value()));
    follow((_, what) => { if (what === "choices" && take()) control.dispatchEvent(new Event(event)); });
    return control;
}
