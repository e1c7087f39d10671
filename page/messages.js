// Messages of a part of the run: summed up for the matrix, as rows like those of the table `messages`; and one by one, as arrows of the
// time line. One-sided calls (MPI_Put, MPI_Get ...) are messages from where the data is to where it goes.

/** Is more known than the sums of the whole run? */
export const hasMessages = run => Boolean(run.messages && !run.messages.tooMany && run.messages.count);

export const hasOneSided = run => hasMessages(run) && (run.messages.listed ? run.messages.oneSided : run.messages.sums.map(sum => sum.oneSided)).some(one => one);

/** What is shown of the time: all of it? */
export const isWhole = (run, state) => !run.names || (state.begin <= run.names.begin && state.end >= run.names.end);

function eachMessage({messages}, begin, end, oneSided, take) {
    if (!messages.listed) {
        for (const sum of messages.sums) if (sum.start >= begin && sum.start < end && Boolean(sum.oneSided) === oneSided) take(sum);
        return;
    }
    for (let i = 0; i < messages.count; i++) {
        if (messages.start[i] >= end) return;
        if (messages.start[i] < begin || Boolean(messages.oneSided[i]) !== oneSided) continue;
        const sized = messages.bytes[i] > 0, timed = messages.error[i] > 0, bytes = sized ? messages.bytes[i] - 1 : 0;
        take({from: messages.from[i], to: messages.to[i], count: 1, bytes, unsized: sized ? 0 : 1, timed: timed ? 1 : 0, timed_bytes: timed ? bytes : 0, time: timed ? messages.took[i] : 0, error: timed ? messages.error[i] - 1 : 0});
    }
}

const unknownEnd = proc => proc === NOT_RECORDED ? "not recorded" : proc === NOT_KNOWN ? "communicator" : null;

/** Rows of what is sent from `begin` on and before `end`; times of pairs where clocks may differ by as much are not known. */
export function messageRows(run, begin, end, oneSided) {
    const pairs = new Map(), processes = new Map(run.names.rows.filter(row => !row.thread).map(row => [row.proc, row.process]));
    eachMessage(run, begin, end, oneSided, message => {
        const key = `${message.from} ${message.to}`;
        if (!pairs.has(key)) pairs.set(key, {from: message.from, to: message.to, count: 0, bytes: 0, unsized: 0, timed: 0, timed_bytes: 0, time: 0, error: 0});
        const sum = pairs.get(key);
        for (const figure of ["count", "bytes", "unsized", "timed", "timed_bytes", "time", "error"]) sum[figure] += message[figure];
    });
    const end_of = (proc, name) => ({[`${name}_proc`]: proc < 0 ? null : proc, [`${name}_rank`]: processes.get(proc)?.rank ?? null});
    return [...pairs.values()].map(({from, to, count, bytes, unsized, timed, timed_bytes, time, error}) => {
        const known = time > 0 && time > error;
        return {...end_of(from, "from"), ...end_of(to, "to"), unknown: unknownEnd(from) || unknownEnd(to), count, bytes, unsized, timed: known ? timed : 0,
            timed_bytes: known ? timed_bytes : null, time: known ? time / 1e9 : null, rate: known ? Math.floor(timed_bytes * 1e9 / time + 0.5) : null};
    }).sort((a, b) => b.bytes - a.bytes);
}

// ---- one by one ----

/** "rank 0 to rank 1: 400 B, tag 5, MPI_COMM_WORLD, 12.1 us". */
export function messageText(run, i) {
    const {messages, names} = run, nameOf = proc => unknownEnd(proc) || names.rows.find(row => row.proc === proc && !row.thread)?.label || `proc ${proc}`;
    const words = [messages.bytes[i] > 0 ? bytes(messages.bytes[i] - 1) : "bytes not known"];
    if (!messages.oneSided[i]) words.push(`tag ${messages.tag[i]}`);
    if (messages.place[i]) words.push(messages.places[messages.place[i] - 1]);
    if (Number.isNaN(messages.took[i])) words.push("its receive is not known");
    else if (messages.took[i] > 0) words.push(duration(messages.took[i]));
    return `${nameOf(messages.from[i])} to ${nameOf(messages.to[i])}: ${words.join(", ")}`;
}

/** Messages whose receive is known and of which something is in the window: [{message, fromRow, toRow, start, end ...}]; null: they are more than `most`. */
export function arrowsIn(run, begin, end, most) {
    const {messages} = run, found = [];
    if (!hasMessages(run) || !messages.listed) return found;
    messages.longest = messages.longest ?? messages.took.reduce((longest, took) => took > longest ? took : longest, 0);
    for (let i = firstAt(messages.start, messages.longest, begin); i < messages.count && messages.start[i] <= end; i++) {
        if (messages.oneSided[i] || Number.isNaN(messages.took[i]) || messages.start[i] + messages.took[i] < begin) continue;
        if (found.length === most) return null;
        found.push({
            kind: "messages", message: i, text: messageText(run, i), layer: run.names.layers.indexOf("mpi"), start: messages.start[i], end: messages.start[i] + messages.took[i],
            fromRow: rowOfThread(run, messages.from[i], messages.thread[i]), toRow: rowOfThread(run, messages.to[i], messages.receiveThread[i]),
            fromCall: `${messages.from[i]}.${messages.thread[i]}.${messages.call[i]}`, toCall: `${messages.to[i]}.${messages.receiveThread[i]}.${messages.receiveCall[i]}`,
        });
    }
    return found;
}
