/* The pictures of a run: which there are, and the sheet that each is drawn on, with the sentences
 * above it. */
#include "views/pictures/frame.h"

#include "base/memory.h"
#include "views/sentences/meta.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "run.fathom: mpirun -n 4 ./app" */
static char *subtitle(const struct fth_pictured *pictured)
{
    struct fth_output *text = fth_new(1, sizeof *text);
    fth_sink_open_memory(&text->sink);
    fth_sink_text(&text->sink, pictured->view->trace_path);
    fth_views_put_command(text, fth_trace_info(pictured->trace), ": ");
    char *made = fth_text_part(text->sink.bytes, text->sink.used);
    fth_sink_close_memory(&text->sink);
    free(text);
    return made;
}

/* Sentences of any length, in lines of the width of the picture. */
static double put_lines(struct fth_svg *svg, const struct fth_svg_font *font, const char *text,
                        double y)
{
    const double room = FTH_FRAME_RIGHT - 20;
    const size_t most = (size_t)(room / fth_svg_text_width("m", font->size));
    while (*text) {
        char line[512];
        size_t length = strlen(text);
        if (length > most) {
            length = most;
            while (length > most / 2 && text[length] != ' ')
                length--;
            while (((unsigned char)text[length] & 0xc0) == 0x80) /* a character stays whole */
                length--;
        }
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        fth_svg_text(svg, 20, y, font, line, FTH_FRAME_RIGHT - 20);
        text += length + (text[length] == ' ');
        y += font->size + 4;
    }
    return y;
}

const struct fth_picture_kind *const fth_picture_kinds[] = {
    &fth_picture_timeline, &fth_picture_rates,   &fth_picture_files,
    &fth_picture_balance,  &fth_picture_profile, &fth_picture_sizes,
};
const size_t fth_picture_count = sizeof fth_picture_kinds / sizeof *fth_picture_kinds;

const char *fth_views_picture_name(const struct fth_picture_kind *kind)
{
    return kind->name;
}

void fth_views_draw(const struct fth_picture_kind *kind, const struct fth_pictured *pictured,
                    struct fth_sink *to)
{
    static const struct fth_svg_font title = {18, FTH_PAPER_TEXT, FTH_SVG_START, true},
                                     bad = {12, FTH_PAPER_BAD, FTH_SVG_START, false};
    struct fth_svg svg;
    char *run = subtitle(pictured), *whole;
    struct fth_paragraph missing = fth_views_missing(&pictured->view->incomplete);
    fth_svg_begin(&svg, FTH_FRAME_WIDTH);
    fth_svg_text(&svg, 20, 28, &title, kind->title, 0);
    fth_svg_text(&svg, 20, 46, &fth_frame_small, run, FTH_FRAME_RIGHT - 20);
    double y = put_lines(&svg, &fth_frame_quiet, kind->about, 64);
    if (pictured->view->selected) {
        char *sentence = fth_text_format("Selected: %s", pictured->view->selected);
        y = put_lines(&svg, &fth_frame_small, sentence, y + 2);
        free(sentence);
    }
    if (*missing.text) {
        char *sentence = fth_text_format("Incomplete: %s. %s", missing.text,
                                         fth_views_what_is_shown(&pictured->view->incomplete));
        y = put_lines(&svg, &bad, sentence, y + 2);
        free(sentence);
    }
    svg.height = ceil(kind->draw(&svg, pictured, y + 8)) + 12;
    whole = fth_text_format("%s of %s", kind->title, run);
    fth_svg_end(&svg, whole, to);
    free(whole);
    free(run);
}
