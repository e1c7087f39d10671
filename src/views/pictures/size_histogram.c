/* How many calls moved how many bytes: for each layer the data calls by powers of two, those that
 * read and those that write. */
#include "base/memory.h"
#include "base/phrase.h"
#include "views/pictures/frame.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum {
    PER_POWER = 8, /* classes of a histogram for each power of two */
    POWERS = FTH_VALUE_CLASSES / PER_POWER + 3, /* and one for 0 bytes */
    HIGH = 110,
};

enum does { READS, WRITES, BOTH, DOES };
static const char *const does_names[DOES] = {"reads", "writes", "others"};
static const char *const does_colours[DOES] = {FTH_PALETTE_READS, FTH_PALETTE_WRITES,
                                               FTH_PALETTE_OTHERS};

/* Of a layer: calls by power of two, the first for 0 bytes, the second for 1 byte ... */
struct sizes {
    uint64_t calls[POWERS][DOES];
    uint64_t sums[DOES];
};

/* Classes below 8 are values; those above begin at 8, eight for each power. */
static unsigned power_of(unsigned class)
{
    if (!class)
        return 0;
    return class < PER_POWER ? 1 + (unsigned)log2(class) : class / PER_POWER + 3;
}

static enum does does_of(const struct fth_call_class *class)
{
    return class->kind == FTH_CALLS_READ ? READS : class->kind == FTH_CALLS_WRITE ? WRITES : BOTH;
}

static struct sizes *sizes_of(const struct fth_overview *overview)
{
    struct sizes *sizes = fth_new(overview->classes->layer_count + 1, sizeof *sizes);
    /* there may be more histograms than functions, all of them empty */
    for (size_t i = 0; i < overview->histogram_count && i < overview->classes->count; i++) {
        const uint64_t *classes = overview->histograms[i].sizes;
        const struct fth_call_class *function = &overview->classes->list[i];
        enum does does = does_of(function);
        for (unsigned class = 0; classes && class < FTH_VALUE_CLASSES; class ++) {
            sizes[function->layer].calls[power_of(class)][does] += classes[class];
            sizes[function->layer].sums[does] += classes[class];
        }
    }
    return sizes;
}

static uint64_t sum_of(const uint64_t calls[DOES])
{
    return calls[READS] + calls[WRITES] + calls[BOTH];
}

static struct fth_phrase words(double value)
{
    return fth_phrase_count((int64_t)value);
}

/* The least value of a power: 0, 1, 2, 4 ... bytes. */
static struct fth_phrase least_of(unsigned power)
{
    return fth_frame_bytes(power ? ldexp(1, (int)power - 1) : 0);
}

static void put_bar(struct fth_svg *svg, const struct fth_frame_axis *values, unsigned power,
                    const uint64_t calls[DOES], double left, double wide)
{
    struct fth_svg_datum data[DOES + 1] = {{"power", NULL, power}};
    for (enum does i = READS; i < DOES; i++)
        data[1 + i] = (struct fth_svg_datum){does_names[i], NULL, calls[i]};
    char *title = power < 2 ? fth_text_format("%s: %s calls", least_of(power).text,
                                              fth_phrase_count((int64_t)sum_of(calls)).text)
                            : fth_text_format("%s to less than %s: %s calls", least_of(power).text,
                                              least_of(power + 1).text,
                                              fth_phrase_count((int64_t)sum_of(calls)).text);
    fth_svg_begin_data(svg, title, data, DOES + 1);
    free(title);
    double below = 0;
    for (enum does i = READS; i < DOES; below += (double)calls[i++]) {
        double bottom = fth_frame_at(values, below),
               top = fth_frame_at(values, below + (double)calls[i]);
        if (calls[i])
            fth_svg_rect(svg, left, bottom - top < 1 ? bottom - 1 : top, wide,
                         bottom - top < 1 ? 1 : bottom - top, does_colours[i], 1);
    }
    fth_svg_end_group(svg);
}

/* From power `first` to `last`, in the same place for all layers. */
static double put_layer(struct fth_svg *svg, const char *name, const struct sizes *sizes,
                        unsigned first, unsigned last, double y)
{
    uint64_t most = 0, all = sum_of(sizes->sums);
    for (unsigned power = first; power <= last; power++)
        most = sum_of(sizes->calls[power]) > most ? sum_of(sizes->calls[power]) : most;
    struct fth_frame_axis values = {0, (double)most * 1.05, y + 12 + HIGH, y + 12};
    double slot = (FTH_FRAME_RIGHT - FTH_FRAME_LEFT) / (last - first + 1), gap;
    slot = slot > 80 ? 80 : slot;
    gap = slot * 0.15;
    struct fth_svg_font font = fth_frame_quiet;
    font.anchor = FTH_SVG_MIDDLE;
    font.size = slot < 44 ? 9 : 11;
    const struct fth_svg_datum data[] = {{"layer", name, 0},
                                         {"reads", NULL, sizes->sums[READS]},
                                         {"writes", NULL, sizes->sums[WRITES]},
                                         {"others", NULL, sizes->sums[BOTH]}};
    char *title = fth_text_format("%s: %s calls", name, fth_phrase_count((int64_t)all).text);
    fth_svg_begin_data(svg, title, data, sizeof data / sizeof *data);
    fth_svg_text(svg, FTH_FRAME_LEFT, y, &fth_frame_heading, title, 0);
    free(title);
    fth_frame_put_values(svg, &values, FTH_FRAME_LEFT, FTH_FRAME_RIGHT, false, words);
    for (unsigned power = first; power <= last; power++) {
        double left = FTH_FRAME_LEFT + slot * (power - first);
        if (sum_of(sizes->calls[power]))
            put_bar(svg, &values, power, sizes->calls[power], left + gap / 2, slot - gap);
        fth_svg_text(svg, left + slot / 2, y + 12 + HIGH + 14, &font, least_of(power).text, 0);
    }
    fth_svg_end_group(svg);
    return y + HIGH + 56;
}

static double draw(struct fth_svg *svg, const struct fth_pictured *pictured, double y)
{
    const struct fth_overview *overview = pictured->view->overview;
    const struct fth_call_classes *classes = overview->classes;
    struct sizes *sizes = sizes_of(overview);
    struct fth_frame_legend legend[DOES];
    size_t named = 0;
    unsigned first = POWERS, last = 0;
    bool others = false;
    for (size_t layer = 0; layer < classes->layer_count; layer++) {
        for (unsigned power = 0; power < POWERS; power++) {
            if (!sum_of(sizes[layer].calls[power]))
                continue;
            first = power < first ? power : first;
            last = power > last ? power : last;
        }
        others |= sizes[layer].sums[BOTH] != 0;
    }
    if (first == POWERS) {
        free(sizes);
        return fth_frame_put_nothing(svg, "There are no reads and writes to show.", y);
    }
    for (enum does i = READS; i < (others ? DOES : BOTH); i++)
        legend[named++] = (struct fth_frame_legend){does_colours[i], fth_text_copy(does_names[i])};
    y = fth_frame_put_legend(svg, legend, named, y + 10) + 14;
    for (size_t layer = classes->layer_count; layer-- > 0;)
        if (sum_of(sizes[layer].sums))
            y = put_layer(svg, classes->layers[layer], &sizes[layer], first, last, y);
    free(sizes);
    return y;
}

const struct fth_picture_kind fth_picture_sizes = {
    "sizes", "Sizes of accesses",
    "Calls that read and write, by layer and bytes: below a bar stands its least number of bytes, "
    "the next bar begins at twice that.",
    draw};
