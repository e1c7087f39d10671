// Counters of the machine in formulas: `cpu.user`, or `disk.read:sda` of one of several disks. A name without an instance is the counter that
// has none, or else the sum of all instances. Counters of nodes add up over nodes, those of processes (`process.rss`) over processes.

/** All counters of this name; empty: there is none. */
export function countersNamed(run, word) {
    const [name, instance] = word.split(":"), found = (run.samples?.counters || []).filter(one => one.counter === name);
    if (instance !== undefined) return found.filter(one => one.instance === instance);
    const whole = found.filter(one => !one.instance);
    return whole.length ? whole : found;
}

/** Names that a formula may use, for whoever asks: each once, without instances. */
export const counterNames = run => [...new Set((run.samples?.counters || []).filter(({values}) => values).map(({counter}) => counter))];

// The mean of a counter for each of so many equal parts of the window; NaN where it has no value.
function meansOf({values}, {begin, end}, width) {
    const sums = new Float64Array(width), times = new Float64Array(width), perPixel = (end - begin) / width;
    for (const [from, to, , mean] of values) {
        const first = (from * 1e9 - begin) / perPixel, behind = (to * 1e9 - begin) / perPixel;
        for (let x = Math.max(0, Math.floor(first)); x < Math.min(width, behind); x++) {
            const part = Math.min(behind, x + 1) - Math.max(first, x);
            sums[x] += mean * part;
            times[x] += part;
        }
    }
    return sums.map((sum, x) => times[x] ? sum / times[x] : NaN);
}

/** The counter of the nodes of these processes, or of these processes themselves, as a sum; where a node has no value, there is none. */
export function counterSeries(run, state, word, procs, width) {
    const hosts = new Set([...procs].map(proc => run.names.rows.find(row => row.proc === proc).process.host));
    const found = countersNamed(run, word).filter(({proc, host}) => proc === null ? hosts.has(host) : procs.has(proc)), sums = new Float64Array(width).fill(NaN);
    const ofNodes = found.some(({proc}) => proc === null);
    found.forEach((counter, i) => meansOf(counter, state, width).forEach((mean, x) => {
        if (ofNodes) sums[x] = i ? sums[x] + mean : mean;
        else if (!Number.isNaN(mean)) sums[x] = (Number.isNaN(sums[x]) ? 0 : sums[x]) + mean;
    }));
    return sums;
}
