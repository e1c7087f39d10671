// Which calls one call belongs together with: the messages, collective calls, operations, processes and threads that the page has
// of it. They are those of the arrows of the time line.

const MOST_LINKED = 20;

const LINKED_WORDS = {
    messages: ["Its message", "Gets a message"], collectives: ["Came last", "Came before the last one"],
    requests: ["Its operation ends", "Ends an operation"], creations: ["Made", "Made by"],
};

// Of one kind: [from, to, text] by the names of the calls.
function eachLink(run, kind, take) {
    if (kind === "messages") {
        const {messages} = run;
        if (!hasMessages(run) || !messages.listed) return;
        for (let i = 0; i < messages.count; i++) {
            const knows = !Number.isNaN(messages.took[i]) && !messages.oneSided[i];
            take(`${messages.from[i]}.${messages.thread[i]}.${messages.call[i]}`, knows ? `${messages.to[i]}.${messages.receiveThread[i]}.${messages.receiveCall[i]}` : "", i, () => messageText(run, i));
        }
        return;
    }
    const list = run.links?.[kind];
    for (let i = 0; i < (list?.count || 0); i++)
        take(callNamed(list.fromProc[i], list.fromThread[i], list.fromCall[i]), callNamed(list.toProc[i], list.toThread[i], list.toCall[i]), i, () => linkText(run, kind, i));
}

/** [{what, text, other: the name of the other call, "" if there is none}] of a call, by its name. */
export function linkedTo(run, name) {
    const found = [];
    for (const kind of Object.keys(LINKED_WORDS)) eachLink(run, kind, (from, to, i, text) => {
        if (from === name) found.push({what: LINKED_WORDS[kind][0], text: text(), other: to});
        else if (to === name) found.push({what: LINKED_WORDS[kind][1], text: text(), other: from});
    });
    return found;
}

/** The same for the panel of a call; empty if there is nothing. */
export function linkedElements(run, name) {
    const found = linkedTo(run, name);
    if (!found.length) return [];
    const line = ({what, text, other}) => element("li", {}, `${what}: `, other ? element("button", {type: "button", onclick: () => { show("timeline"); seek(other); }}, text) : text);
    return [element("h3", {}, "Calls that belong together with it"), element("ul", {class: "linked"}, ...found.slice(0, MOST_LINKED).map(line)),
        found.length > MOST_LINKED ? element("p", {class: "quiet"}, `and ${count(found.length - MOST_LINKED)} more`) : null].filter(Boolean);
}
