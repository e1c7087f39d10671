/* A picture as SVG: one document that needs no script, no font and no other file. Whatever is given
 * as text is text in it: markup is escaped, what is hidden or no UTF-8 is made visible, and what is
 * too long loses its middle.
 *
 * Places are in units of the picture, from its top left corner; colours are "#rrggbb". */
#ifndef FTH_VIEWS_SVG_H
#define FTH_VIEWS_SVG_H

#include "base/sink.h"
#include "palette.h"

struct fth_svg {
    struct fth_sink body;
    double width, height; /* the height grows with what is drawn: set before the end */
};

enum fth_svg_anchor { FTH_SVG_START, FTH_SVG_MIDDLE, FTH_SVG_END };
struct fth_svg_font {
    double size;
    const char *colour;
    enum fth_svg_anchor anchor;
    bool bold;
};

void fth_svg_begin(struct fth_svg *svg, double width);
/* Appends the document to `to`, and frees it. `title`: for who cannot see it. */
void fth_svg_end(struct fth_svg *svg, const char *title, struct fth_sink *to);

/* Appends what is drawn in another one, and frees that: what lies above something whose size is
 * known last. */
void fth_svg_append(struct fth_svg *svg, struct fth_svg *above);

/* Elements between these belong together; `title` is shown by browsers, and says what they are. */
void fth_svg_begin_group(struct fth_svg *svg, const char *title);
void fth_svg_end_group(struct fth_svg *svg);
/* What is drawn until the end leads to this address, whose characters need no escape. */
void fth_svg_begin_link(struct fth_svg *svg, const char *address);
void fth_svg_end_link(struct fth_svg *svg);
/* Exact figures of the group that begins next, as attributes data-NAME. */
struct fth_svg_datum {
    const char *name;
    const char *text; /* or NULL, and a number */
    uint64_t number;
};
void fth_svg_begin_data(struct fth_svg *svg, const char *title, const struct fth_svg_datum *data,
                        size_t count);

void fth_svg_rect(struct fth_svg *svg, double x, double y, double width, double height,
                  const char *fill, double opacity);
void fth_svg_line(struct fth_svg *svg, double x, double y, double to_x, double to_y,
                  const char *colour);
/* At most `room` wide, or its middle is left out; 0: as long as it is. */
void fth_svg_text(struct fth_svg *svg, double x, double y, const struct fth_svg_font *font,
                  const char *text, double room);
/* How wide it is at most, for this size. */
double fth_svg_text_width(const char *text, double size);

/* A path of several pieces. `stroke` 0: filled; else a line of that width. */
void fth_svg_begin_path(struct fth_svg *svg);
void fth_svg_move(struct fth_svg *svg, double x, double y);
void fth_svg_to(struct fth_svg *svg, double x, double y);
void fth_svg_close(struct fth_svg *svg);
void fth_svg_end_path(struct fth_svg *svg, const char *colour, double stroke);

/* "#000000" or "#ffffff": what can be read on this colour, by its luminance (WCAG 2). */
const char *fth_svg_ink_on(const char *colour);
/* One colour mixed with another: `share` of the first. `mixed` has room for 8. */
void fth_svg_mix(const char *one, const char *other, double share, char *mixed);

#endif
