// Pictures to take along. What a view paints on its canvas is painted once more, by the same code, into a text of SVG; only what was
// painted pixel by pixel stays an image in it.

const escapeXml = text => String(text).replace(/[<>&"']/g, letter => `&#${letter.codePointAt(0)};`).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, "");
const places = number => Number(number.toFixed(2));

// The part of a 2D context that views use.
class SvgContext {
    constructor(canvas) {
        this.real = canvas.getContext("2d");
        Object.assign(this, {parts: [], defs: [], path: [], kept: [], groups: 0, fillStyle: "#000", strokeStyle: "#000", lineWidth: 1, font: "12px sans-serif", globalAlpha: 1});
    }
    begin(width, height) {
        Object.assign(this, {width, height, parts: [], defs: [], groups: 0});
    }
    get alpha() {
        return this.globalAlpha < 1 ? ` opacity="${this.globalAlpha}"` : "";
    }
    clearRect() {}
    setTransform() {}
    measureText(text) {
        this.real.font = this.font;
        return this.real.measureText(text);
    }
    createImageData(width, height) {
        return this.real.createImageData(width, height);
    }
    fillRect(x, y, width, height) {
        this.parts.push(`<rect x="${places(x)}" y="${places(y)}" width="${places(Math.max(0, width))}" height="${places(Math.max(0, height))}" fill="${escapeXml(this.fillStyle)}"${this.alpha}/>`);
    }
    strokeRect(x, y, width, height) {
        this.parts.push(`<rect x="${places(x)}" y="${places(y)}" width="${places(Math.max(0, width))}" height="${places(Math.max(0, height))}" fill="none" stroke="${escapeXml(this.strokeStyle)}" stroke-width="${this.lineWidth}"/>`);
    }
    fillText(text, x, y) {
        const [, size, family] = /^([\d.]+)px (.*)$/.exec(this.font) || [null, 12, "sans-serif"];
        this.parts.push(`<text x="${places(x)}" y="${places(y)}" font-size="${size}" font-family="${escapeXml(family)}" fill="${escapeXml(this.fillStyle)}"${this.alpha}>${escapeXml(text)}</text>`);
    }
    beginPath() {
        this.path = [];
    }
    moveTo(x, y) {
        this.path.push(`M${places(x)} ${places(y)}`);
    }
    lineTo(x, y) {
        this.path.push(`${this.path.length ? "L" : "M"}${places(x)} ${places(y)}`);
    }
    rect(x, y, width, height) {
        this.path.push(`M${places(x)} ${places(y)}h${places(width)}v${places(height)}h${places(-width)}z`);
    }
    stroke() {
        this.parts.push(`<path d="${this.path.join("")}" fill="none" stroke="${escapeXml(this.strokeStyle)}" stroke-width="${this.lineWidth}"${this.alpha}/>`);
    }
    save() {
        this.kept.push(this.groups);
    }
    clip() {
        const name = `clip${this.defs.length}`;
        this.defs.push(`<clipPath id="${name}"><path d="${this.path.join("")}"/></clipPath>`);
        this.parts.push(`<g clip-path="url(#${name})">`);
        this.groups++;
    }
    restore() {
        for (const before = this.kept.pop() || 0; this.groups > before; this.groups--) this.parts.push("</g>");
    }
    putImageData(image, left, top) {
        const canvas = document.createElement("canvas"), ratio = devicePixelRatio || 1;
        canvas.width = image.width;
        canvas.height = image.height;
        canvas.getContext("2d").putImageData(image, 0, 0);
        this.drawImage(canvas, left / ratio, top / ratio, image.width / ratio, image.height / ratio);
    }
    drawImage(canvas, left, top, width, height) {
        this.parts.push(`<image x="${places(left)}" y="${places(top)}" width="${places(width)}" height="${places(height)}" preserveAspectRatio="none" style="image-rendering:pixelated" href="${canvas.toDataURL()}"/>`);
    }
    text() {
        return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${this.width} ${this.height}" width="${this.width}" height="${this.height}"><defs>${this.defs.join("")}</defs><rect width="100%" height="100%" fill="${themeColour("--ground")}"/>${this.parts.join("\n")}</svg>\n`;
    }
}

let drawing = null;

/** The context that `paint` gets for this canvas: the one of the SVG that is being made, or null. */
export function drawingOf(canvas, width, height) {
    if (!drawing || drawing.canvas !== canvas) return null;
    drawing.context.begin(width, height);
    return drawing.context;
}

/** What `paint` paints on the canvas, as SVG. */
export function svgOf(canvas, paint) {
    drawing = {canvas, context: new SvgContext(canvas)};
    try {
        paint();
        return drawing.context.text();
    } finally {
        drawing = null;
    }
}

/** Buttons that offer the picture of a canvas; `paint` paints it at once. */
export function pictureButtons(canvas, name, paint) {
    return element("p", {class: "pictures"},
        element("button", {type: "button", onclick: () => { paint(); canvas.toBlob(made => save(`${name}.png`, made, "image/png")); }}, "PNG"), " ",
        element("button", {type: "button", onclick: () => save(`${name}.svg`, svgOf(canvas, paint), "image/svg+xml")}, "SVG"));
}
