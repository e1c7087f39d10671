/* Elements go to a sink in memory; the head, which has the height, is written in front of them at
 * the end. The family of the font is whatever the reader has: its width is estimated from above. */
#include "views/pictures/svg.h"

#include "base/visible.h"
#include "views/output/display_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Of the size of a font: a column of a text is at most as wide, with capitals and small letters
 * mixed. */
static const double COLUMN = 0.6;

static void put_number(struct fth_sink *sink, double value)
{
    char text[40];
    int length = snprintf(text, sizeof text, "%.2f", value);
    while (text[length - 1] == '0')
        length--;
    length -= text[length - 1] == '.';
    bool is_nothing = length == 2 && text[0] == '-' && text[1] == '0';
    fth_sink_bytes(sink, is_nothing ? "0" : text, is_nothing ? 1 : (size_t)length);
}

/* ` NAME="VALUE"` */
static void put_place(struct fth_sink *sink, const char *name, double value)
{
    fth_sink_char(sink, ' ');
    fth_sink_text(sink, name);
    fth_sink_text(sink, "=\"");
    put_number(sink, value);
    fth_sink_char(sink, '"');
}

static void put_colour(struct fth_sink *sink, const char *name, const char *colour)
{
    fth_sink_char(sink, ' ');
    fth_sink_text(sink, name);
    fth_sink_text(sink, "=\"");
    fth_sink_text(sink, colour);
    fth_sink_char(sink, '"');
}

static const char *entity_of(char byte)
{
    return byte == '<'    ? "&lt;"
           : byte == '>'  ? "&gt;"
           : byte == '&'  ? "&amp;"
           : byte == '"'  ? "&quot;"
           : byte == '\'' ? "&apos;"
                          : NULL;
}

/* U+FFFE and U+FFFF, which are UTF-8 but no characters of XML. */
static bool is_no_character(const char *bytes, size_t left)
{
    return left >= 3 && !memcmp(bytes, "\xef\xbf", 2) && (unsigned char)bytes[2] >= 0xbe;
}

/* What is visible already, as text of XML. */
static void put_escaped(struct fth_sink *sink, const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *entity = entity_of(bytes[i]);
        if (entity) {
            fth_sink_text(sink, entity);
        } else if (is_no_character(bytes + i, count - i)) {
            fth_sink_text(sink, "\xef\xbf\xbd");
            i += 2;
        } else {
            fth_sink_char(sink, bytes[i]);
        }
    }
}

/* At most so many columns; 0: all. */
static void put_text(struct fth_sink *sink, const char *text, size_t columns)
{
    struct fth_sink visible;
    fth_sink_open_memory(&visible);
    fth_views_put_text(&visible, text, columns, FTH_CUT_MIDDLE, true);
    put_escaped(sink, visible.bytes, visible.used);
    sink->failed |= visible.failed;
    fth_sink_close_memory(&visible);
}

/* ---- the document ---- */

void fth_svg_begin(struct fth_svg *svg, double width)
{
    fth_sink_open_memory(&svg->body);
    svg->width = width;
    svg->height = 0;
}

void fth_svg_end(struct fth_svg *svg, const char *title, struct fth_sink *to)
{
    fth_sink_text(to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                      "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"");
    put_place(to, "width", svg->width);
    put_place(to, "height", svg->height);
    fth_sink_text(to, " viewBox=\"0 0 ");
    put_number(to, svg->width);
    fth_sink_char(to, ' ');
    put_number(to, svg->height);
    fth_sink_text(to,
                  "\" font-family=\"Helvetica, Arial, 'Liberation Sans', sans-serif\">\n<title>");
    put_text(to, title, 0);
    fth_sink_text(to, "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"" FTH_PAPER_GROUND
                      "\"/>\n");
    fth_sink_bytes(to, svg->body.bytes, svg->body.used);
    fth_sink_text(to, "</svg>\n");
    to->failed |= svg->body.failed;
    fth_sink_close_memory(&svg->body);
}

void fth_svg_append(struct fth_svg *svg, struct fth_svg *above)
{
    fth_sink_bytes(&svg->body, above->body.bytes, above->body.used);
    svg->body.failed |= above->body.failed;
    fth_sink_close_memory(&above->body);
}

void fth_svg_begin_data(struct fth_svg *svg, const char *title, const struct fth_svg_datum *data,
                        size_t count)
{
    enum { MOST_COLUMNS = 400 };
    struct fth_sink *body = &svg->body;
    fth_sink_text(body, "<g");
    for (size_t i = 0; i < count; i++) {
        fth_sink_text(body, " data-");
        fth_sink_text(body, data[i].name);
        fth_sink_text(body, "=\"");
        if (data[i].text)
            put_text(body, data[i].text, MOST_COLUMNS);
        else
            fth_sink_unsigned(body, data[i].number);
        fth_sink_char(body, '"');
    }
    fth_sink_text(body, "><title>");
    put_text(body, title, MOST_COLUMNS);
    fth_sink_text(body, "</title>\n");
}

void fth_svg_begin_group(struct fth_svg *svg, const char *title)
{
    fth_svg_begin_data(svg, title, NULL, 0);
}

void fth_svg_end_group(struct fth_svg *svg)
{
    fth_sink_text(&svg->body, "</g>\n");
}

void fth_svg_begin_link(struct fth_svg *svg, const char *address)
{
    fth_sink_text(&svg->body, "<a href=\"");
    fth_sink_text(&svg->body, address);
    fth_sink_text(&svg->body, "\">\n");
}

void fth_svg_end_link(struct fth_svg *svg)
{
    fth_sink_text(&svg->body, "</a>\n");
}

/* ---- elements ---- */

void fth_svg_rect(struct fth_svg *svg, double x, double y, double width, double height,
                  const char *fill, double opacity)
{
    struct fth_sink *body = &svg->body;
    fth_sink_text(body, "<rect");
    put_place(body, "x", x);
    put_place(body, "y", y);
    put_place(body, "width", width > 0 ? width : 0);
    put_place(body, "height", height > 0 ? height : 0);
    put_colour(body, "fill", fill);
    if (opacity < 1)
        put_place(body, "fill-opacity", opacity);
    fth_sink_text(body, "/>\n");
}

void fth_svg_line(struct fth_svg *svg, double x, double y, double to_x, double to_y,
                  const char *colour)
{
    struct fth_sink *body = &svg->body;
    fth_sink_text(body, "<line");
    put_place(body, "x1", x);
    put_place(body, "y1", y);
    put_place(body, "x2", to_x);
    put_place(body, "y2", to_y);
    put_colour(body, "stroke", colour);
    fth_sink_text(body, "/>\n");
}

double fth_svg_text_width(const char *text, double size)
{
    return (double)fth_views_width(text) * size * COLUMN;
}

void fth_svg_text(struct fth_svg *svg, double x, double y, const struct fth_svg_font *font,
                  const char *text, double room)
{
    static const char *const anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    struct fth_sink *body = &svg->body;
    size_t columns = room > 0 ? (size_t)(room / (font->size * COLUMN)) : 0;
    if (room > 0 && !columns)
        return;
    fth_sink_text(body, "<text");
    put_place(body, "x", x);
    put_place(body, "y", y);
    put_place(body, "font-size", font->size);
    put_colour(body, "fill", font->colour);
    fth_sink_text(body, anchors[font->anchor]);
    fth_sink_text(body, font->bold ? " font-weight=\"bold\">" : ">");
    put_text(body, text, columns);
    fth_sink_text(body, "</text>\n");
}

/* ---- paths ---- */

void fth_svg_begin_path(struct fth_svg *svg)
{
    fth_sink_text(&svg->body, "<path d=\"");
}

static void put_step(struct fth_svg *svg, char step, double x, double y)
{
    fth_sink_char(&svg->body, step);
    put_number(&svg->body, x);
    fth_sink_char(&svg->body, ' ');
    put_number(&svg->body, y);
}

void fth_svg_move(struct fth_svg *svg, double x, double y)
{
    put_step(svg, 'M', x, y);
}

void fth_svg_to(struct fth_svg *svg, double x, double y)
{
    put_step(svg, 'L', x, y);
}

void fth_svg_close(struct fth_svg *svg)
{
    fth_sink_char(&svg->body, 'z');
}

void fth_svg_end_path(struct fth_svg *svg, const char *colour, double stroke)
{
    struct fth_sink *body = &svg->body;
    fth_sink_char(body, '"');
    put_colour(body, "fill", stroke > 0 ? "none" : colour);
    if (stroke > 0) {
        put_colour(body, "stroke", colour);
        put_place(body, "stroke-width", stroke);
        fth_sink_text(body, " stroke-linejoin=\"round\"");
    }
    fth_sink_text(body, "/>\n");
}

/* ---- colours ---- */

static int channel(const char *colour, int which)
{
    char digits[] = {colour[1 + 2 * which], colour[2 + 2 * which], 0};
    return (int)strtol(digits, NULL, 16);
}

static double linear(int value)
{
    double share = value / 255.0;
    return share <= 0.03928 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4);
}

const char *fth_svg_ink_on(const char *colour)
{
    double luminance = 0.2126 * linear(channel(colour, 0)) + 0.7152 * linear(channel(colour, 1)) +
                       0.0722 * linear(channel(colour, 2));
    return luminance > 0.18 ? "#000000" : "#ffffff";
}

void fth_svg_mix(const char *one, const char *other, double share, char *mixed)
{
    int channels[3];
    for (int i = 0; i < 3; i++)
        channels[i] = (int)lround(channel(one, i) * share + channel(other, i) * (1 - share));
    snprintf(mixed, 8, "#%02x%02x%02x", (unsigned)channels[0] & 255, (unsigned)channels[1] & 255,
             (unsigned)channels[2] & 255);
}
