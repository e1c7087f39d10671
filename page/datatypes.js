// The datatypes of MPI that one call was given, and the view of its file, as `fathom dump --json --ranges` has them: each as a strip of one
// element, with what repeats, and all of them as a graph, in which a type that is part of several others stands once.

const TYPE_WIDE = 210, TYPE_HIGH = 44, TYPE_GAP = 46, TYPE_BETWEEN = 18;

// Arguments by the constructor's word, as struct fth_datatype of <fathom/access.h> has them.
const lists = (numbers, counted, number) => Array.from({length: number}, (_, i) => numbers.slice(counted + i * numbers[0], counted + (i + 1) * numbers[0]).join(", "));
const blocks = (numbers, unit) => {
    const [sizes, places] = lists(numbers, 1, 2);
    return `${count(numbers[0])} blocks of ${sizes}, at ${places}${unit}`;
};
const TYPE_WORDS = {
    contiguous: ([times]) => `${count(times)} times`,
    vector: ([times, block, stride]) => `${count(times)} blocks of ${count(block)}, every ${count(stride)}`,
    hvector: ([times, block, stride]) => `${count(times)} blocks of ${count(block)}, every ${count(stride)} B`,
    indexed: numbers => blocks(numbers, ""),
    hindexed: numbers => blocks(numbers, " B"),
    struct: numbers => blocks(numbers, " B"),
    indexed_block: ([times, block, ...at]) => `${count(times)} blocks of ${count(block)}, at ${at.join(", ")}`,
    hindexed_block: ([times, block, ...at]) => `${count(times)} blocks of ${count(block)}, at ${at.join(", ")} B`,
    subarray: numbers => {
        const [sizes, part, starts] = lists(numbers, 2, 3);
        return `${part} of ${sizes}, from ${starts}`;
    },
    resized: ([low, extent]) => `from ${count(low)} B, extent ${count(extent)} B`,
};

/** "vector: 4 blocks of 2, every 5"; of others, such as darray, their numbers. */
export function datatypeText({name, numbers, cut}) {
    const words = cut ? `${numbers.slice(0, 8).join(", ")} ...` : TYPE_WORDS[name] ? TYPE_WORDS[name](numbers) : numbers.join(", ");
    return words ? `${name}: ${words}` : name;
}

// How far below the others each one stands: below all that it is part of.
function levelsOf(types) {
    const levels = types.map(() => 0);
    for (let turn = 0, moved = true; moved && turn <= types.length; turn++) {
        moved = false;
        types.forEach(({parts}, from) => {
            for (const to of parts) if (to !== null && levels[to] <= levels[from]) {
                levels[to] = levels[from] + 1;
                moved = true;
            }
        });
    }
    return levels;
}

// {x, y} of each type: a column for each level.
function placesOf(types) {
    const used = [];
    return levelsOf(types).map(level => {
        used[level] = (used[level] ?? -1) + 1;
        return {x: 2 + level * (TYPE_WIDE + TYPE_GAP), y: 2 + used[level] * (TYPE_HIGH + TYPE_BETWEEN)};
    });
}

function paintTypes(canvas, types) {
    const at = placesOf(types), wide = Math.max(...at.map(({x}) => x)) + TYPE_WIDE + 4, high = Math.max(...at.map(({y}) => y)) + TYPE_HIGH + 4;
    const context = sharpen(canvas, wide, high);
    context.clearRect(0, 0, wide, high);
    context.font = "12px system-ui, sans-serif";
    types.forEach(({parts}, from) => {
        for (const to of new Set(parts.filter(one => one !== null))) {
            const times = parts.filter(one => one === to).length, left = at[from].x + TYPE_WIDE, low = at[from].y + TYPE_HIGH / 2, end = at[to].y + TYPE_HIGH / 2;
            context.strokeStyle = themeColour("--quiet");
            context.beginPath();
            context.moveTo(left, low);
            context.lineTo(at[to].x, end);
            context.stroke();
            context.fillStyle = themeColour("--text");
            if (times > 1) context.fillText(`${count(times)} x`, (left + at[to].x) / 2 - 10, (low + end) / 2 - 4);
        }
    });
    types.forEach((type, i) => {
        context.fillStyle = themeColour("--soft");
        context.fillRect(at[i].x, at[i].y, TYPE_WIDE, TYPE_HIGH);
        context.strokeStyle = themeColour("--line");
        context.strokeRect(at[i].x + 0.5, at[i].y + 0.5, TYPE_WIDE - 1, TYPE_HIGH - 1);
        context.fillStyle = themeColour("--text");
        context.fillText(fitText(context, datatypeText(type), TYPE_WIDE - 12), at[i].x + 6, at[i].y + 17);
        context.fillStyle = themeColour("--quiet");
        context.fillText(`${bytes(type.size)} of ${bytes(type.extent)}`, at[i].x + 6, at[i].y + 35);
    });
}

function typesTable(types) {
    const number = (name, unit, title) => ({name, title, type: "number", unit}), text = (name, title) => ({name, title, type: "text"});
    return {
        title: "Datatypes", columns: [number("number", "count"), text("type"), text("parts", "consists of"), number("size", "count", "bytes of data"), number("lower_bound", "count"), number("extent", "count")],
        rows: types.map((type, i) => ({number: i, type: datatypeText(type), parts: partsText(type.parts), size: type.size, lower_bound: type.lower_bound, extent: type.extent})),
    };
}

// "0, 2 times 3": runs of one type are one.
function partsText(parts) {
    const runs = [];
    for (const part of parts) {
        if (runs.length && runs.at(-1).part === part) runs.at(-1).times++;
        else runs.push({part, times: 1});
    }
    return runs.map(({part, times}) => `${times > 1 ? `${count(times)} times ` : ""}${part ?? "not known"}`).join(", ");
}

// Pieces of an element, `times` elements behind each other from `from` on.
const repeated = ({pieces, extent}, from, times) => Array.from({length: times}, (_, i) => pieces.map(([at, length]) => [from + i * extent + at, length])).flat();

function stripElement(title, said, groups, low, high, name) {
    const canvas = element("canvas", {class: "extent", role: "img", "aria-label": `${title}: ${said}`}), holder = element("div", {}, canvas);
    const paint = () => paintStrips(canvas, groups, low, high, name, WRITES);
    new ResizeObserver(paint).observe(holder);
    return element("figure", {}, element("figcaption", {}, title), element("p", {class: "pieces"}, said), holder, pictureButtons(canvas, name.replaceAll(" ", "-"), paint));
}

const pieceWords = ({pieces, more_pieces: more}) => `${groupsText(alike(pieces))}${more ? "; and more" : ""}`;

function oneType(title, type) {
    const low = Math.min(type.lower_bound, ...type.pieces.map(([at]) => at)), high = Math.max(type.lower_bound + type.extent, ...type.pieces.map(([at, length]) => at + length));
    return stripElement(title, `${datatypeText(type)}. Of ${bytes(type.extent)}, ${bytes(type.size)} are data: ${pieceWords(type)}`, alike(type.pieces), low, high, "one element");
}

// What MPI_File_set_view has set: the filetype, again and again from the displacement on.
function viewElement({displacement, etype, filetype}, types) {
    const type = types[filetype], times = 3;
    if (!type) return element("p", {}, `The view begins at byte ${count(displacement)}; its filetype is not known.`);
    const said = `from byte ${count(displacement)} on, ${datatypeText(type)}, every ${bytes(type.extent)}${types[etype] ? `, in units of ${datatypeText(types[etype])}` : ""}`;
    return stripElement("View of the file: its first three tiles", said, alike(repeated(type, displacement, times)), displacement, displacement + times * type.extent + Math.max(0, type.lower_bound), "view");
}

/** What is shown of the datatypes and the view of a call, as `dump --ranges` has it; empty if there are none but predefined types. */
export function datatypeElements({types: parameters, view, datatypes: types}) {
    if (!types || !types.some(({parts}) => parts.length)) return [];
    const derived = Object.entries(parameters).filter(([, place]) => types[place].parts.length), canvas = element("canvas", {role: "img", "aria-label": "Datatypes as a graph; the table below has them."});
    const paint = () => paintTypes(canvas, types), holder = element("div", {class: "scroll"}, canvas);
    new ResizeObserver(paint).observe(holder);
    return [element("h3", {}, "Datatypes"), ...derived.map(([name, place]) => oneType(name, types[place])), view ? viewElement(view, types) : null,
        element("figure", {}, element("figcaption", {}, "What they consist of"), holder, pictureButtons(canvas, "datatypes", paint)), tableElement("datatypes", typesTable(types))].filter(Boolean);
}
