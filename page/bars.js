// Views whose bars are elements of the page, as a picture to take along: a line for each, with its name, its bar and its figure.

const BAR_HIGH = 20, BAR_LEFT = 260, BAR_PLOT = 560, BAR_RIGHT = 120, MOST_BARS_PAINTED = 512;

/** `lines()`: [{name, depth, parts: [[share of a whole bar, colour]], words}]; `legend`: [[name, colour]]. */
export function barButtons(name, lines, legend = []) {
    const canvas = document.createElement("canvas");
    return pictureButtons(canvas, name, () => paintBars(canvas, lines().slice(0, MOST_BARS_PAINTED), legend));
}

function paintBars(canvas, lines, legend) {
    const wide = BAR_LEFT + BAR_PLOT + BAR_RIGHT, top = legend.length ? BAR_HIGH + 4 : 0, high = top + lines.length * BAR_HIGH + 4, context = sharpen(canvas, wide, high);
    context.clearRect(0, 0, wide, high);
    context.fillStyle = themeColour("--ground");
    context.fillRect(0, 0, wide, high);
    context.font = "12px system-ui, sans-serif";
    legend.reduce((left, [text, colour]) => {
        context.fillStyle = colour;
        context.fillRect(left, 5, 11, 11);
        context.fillStyle = themeColour("--text");
        context.fillText(text, left + 16, 15);
        return left + 16 + context.measureText(text).width + 18;
    }, BAR_LEFT);
    lines.forEach(({name, depth, parts, words}, i) => {
        const y = top + i * BAR_HIGH;
        context.fillStyle = themeColour("--text");
        context.fillText(fitText(context, name, BAR_LEFT - 16 - 14 * depth), 4 + 14 * depth, y + 15);
        context.fillText(words, BAR_LEFT + BAR_PLOT + 10, y + 15);
        context.fillStyle = themeColour("--soft");
        context.fillRect(BAR_LEFT, y + 3, BAR_PLOT, BAR_HIGH - 6);
        parts.reduce((left, [share, colour]) => {
            context.fillStyle = colour;
            context.fillRect(left, y + 3, share * BAR_PLOT, BAR_HIGH - 6);
            return left + share * BAR_PLOT;
        }, BAR_LEFT);
    });
}
