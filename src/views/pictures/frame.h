/* Inner header: what a picture of a run is, and what all have in common: axes, legends, names of
 * rows. */
#ifndef FTH_VIEWS_FRAME_H
#define FTH_VIEWS_FRAME_H

#include "base/phrase.h"
#include "views/pictures/pictures.h"
#include "views/pictures/svg.h"

/* Places and sizes, in units of the picture. */
#define FTH_FRAME_WIDTH 1000.0
#define FTH_FRAME_LEFT 160.0 /* of plots, behind the names of rows */
#define FTH_FRAME_RIGHT 980.0

struct fth_picture_kind {
    const char *name, *title;
    const char *about; /* how to read it: a sentence */
    /* Draws from `y` on, and returns where it ends. */
    double (*draw)(struct fth_svg *svg, const struct fth_pictured *pictured, double y);
};
extern const struct fth_picture_kind fth_picture_timeline, fth_picture_rates, fth_picture_files,
    fth_picture_balance, fth_picture_profile, fth_picture_sizes;

extern const struct fth_svg_font fth_frame_small, fth_frame_quiet, fth_frame_heading;

/* By place among the layers of the run, as the page has them. */
const char *fth_frame_layer_colour(size_t layer);

/* A stretch of time, or of values, on paper: `begin` is at `from`, `end` at `to`. */
struct fth_frame_axis {
    double begin, end, from, to;
};
static inline double fth_frame_at(const struct fth_frame_axis *axis, double value)
{
    return axis->from + (value - axis->begin) / (axis->end - axis->begin) * (axis->to - axis->from);
}

/* The time of the run, from `from` to `to`. */
struct fth_frame_axis fth_frame_time(const struct fth_overview *overview, double from, double to);
/* Lines from `top` to `bottom` at round times, and below them these times. */
void fth_frame_put_times(struct fth_svg *svg, const struct fth_frame_axis *axis, double top,
                         double bottom);
/* Lines at round values, and these at the left. `words` makes a text of one. */
typedef struct fth_phrase fth_frame_words(double value);
void fth_frame_put_values(struct fth_svg *svg, const struct fth_frame_axis *axis, double left,
                          double right, bool binary, fth_frame_words *words);

/* Round bytes in few letters: "64 KiB". */
struct fth_phrase fth_frame_bytes(double value);

/* Swatches with names from `x` on, in lines of FTH_FRAME_RIGHT; returns where they end. */
struct fth_frame_legend {
    const char *colour;
    char *name; /* freed */
};
double fth_frame_put_legend(struct fth_svg *svg, struct fth_frame_legend *list, size_t count,
                            double y);
/* What there is to say instead of a picture. */
double fth_frame_put_nothing(struct fth_svg *svg, const char *text, double y);

/* A sentence below a picture, which is freed; returns where it ends. */
double fth_frame_put_note(struct fth_svg *svg, double x, char *note, double y);

/* "rank 3 app", "proc 5 make, thread 2"; to be freed. */
char *fth_frame_row_name(const struct fth_trace *trace, uint32_t proc, uint32_t thread);
/* "rank 0 to 15": of several processes; to be freed. */
char *fth_frame_rows_name(const struct fth_trace *trace, uint32_t first, uint32_t last);

#endif
