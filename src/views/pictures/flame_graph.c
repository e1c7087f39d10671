/* The tree of calls as a flame graph: the width of a box is the time of a function, in the calls
 * around it, of all threads; what it calls lies below. */
#include "base/memory.h"
#include "base/phrase.h"
#include "base/saturating.h"
#include "views/pictures/frame.h"

#include <stdlib.h>

enum { ROW = 20, MOST_DEPTH = 60 };
static const double LEFT = 20, LEAST = 0.4;

struct box {
    uint32_t node;
    int64_t time;
    uint64_t calls;
};

struct drawing {
    struct fth_svg *svg;
    const struct fth_overview *overview;
    struct box *boxes; /* by node */
    uint32_t *order;   /* nodes by parent, then by time, the longest first */
    double bottom, scale;
    bool is_deeper; /* than is drawn */
};

static struct box *boxes_of(const struct fth_overview *overview)
{
    struct box *boxes = fth_new(overview->node_count + 1, sizeof *boxes);
    for (uint32_t i = 0; i < overview->node_count; i++) {
        const struct fth_overview_node *node = &overview->nodes[i];
        boxes[i].node = i;
        for (size_t share = 0; share < node->share_count; share++) {
            FTH_ADD_SATURATING(boxes[i].time, node->shares[share].time);
            boxes[i].calls += node->shares[share].calls;
        }
    }
    return boxes;
}

static const struct drawing *sorted;

static int compare(const void *one, const void *other)
{
    uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    const struct fth_overview_node *nodes = sorted->overview->nodes;
    if (nodes[a].parent != nodes[b].parent)
        return nodes[a].parent < nodes[b].parent ? -1 : 1;
    int64_t x = sorted->boxes[a].time, y = sorted->boxes[b].time;
    return x != y ? (x > y ? -1 : 1) : a < b ? -1 : a > b;
}

/* The first in `order` that is called by this one. */
static size_t first_below(const struct drawing *drawing, uint32_t parent)
{
    size_t low = 0, high = drawing->overview->node_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (drawing->overview->nodes[drawing->order[middle]].parent < parent)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void put_box(struct drawing *drawing, const struct box *box, double left, double y)
{
    const struct fth_overview *overview = drawing->overview;
    uint32_t function = overview->nodes[box->node].function;
    const char *name = fth_trace_function(overview->trace, function)->name,
               *colour = fth_frame_layer_colour(overview->classes->list[function].layer);
    double wide = (double)box->time * drawing->scale;
    struct fth_svg_font font = {11, fth_svg_ink_on(colour), FTH_SVG_START, false};
    const struct fth_svg_datum data[] = {
        {"function", name, 0}, {"calls", NULL, box->calls}, {"time-ns", NULL, (uint64_t)box->time}};
    char *title =
        fth_text_format("%s: %s calls, %s", name, fth_phrase_count((int64_t)box->calls).text,
                        fth_phrase_duration(box->time).text);
    fth_svg_begin_data(drawing->svg, title, data, sizeof data / sizeof *data);
    fth_svg_rect(drawing->svg, left, y, wide > 1.2 ? wide - 0.7 : wide, ROW - 1, colour, 1);
    if (wide > 36)
        fth_svg_text(drawing->svg, left + 3, y + 13, &font, name, wide - 5);
    fth_svg_end_group(drawing->svg);
    free(title);
}

static void put_below(struct drawing *drawing, uint32_t parent, double left, double y,
                      unsigned depth)
{
    const struct fth_overview *overview = drawing->overview;
    for (size_t at = first_below(drawing, parent); at < overview->node_count; at++) {
        const struct box *box = &drawing->boxes[drawing->order[at]];
        double wide = (double)box->time * drawing->scale;
        /* those that follow are narrower still */
        if (overview->nodes[box->node].parent != parent || wide < LEAST)
            return;
        if (depth == MOST_DEPTH) {
            drawing->is_deeper = true;
            return;
        }
        put_box(drawing, box, left, y);
        drawing->bottom = y + ROW > drawing->bottom ? y + ROW : drawing->bottom;
        put_below(drawing, box->node, left, y + ROW, depth + 1);
        left += wide;
    }
}

static double put_legend(const struct drawing *drawing, double y)
{
    const struct fth_overview *overview = drawing->overview;
    const struct fth_call_classes *classes = overview->classes;
    int64_t *times = fth_new(classes->layer_count + 1, sizeof *times);
    struct fth_frame_legend *list = fth_new(classes->layer_count + 1, sizeof *list);
    size_t count = 0;
    for (size_t i = 0; i < overview->node_count; i++)
        times[classes->list[overview->nodes[i].function].layer] |= drawing->boxes[i].time;
    for (size_t layer = classes->layer_count; layer-- > 0;)
        if (times[layer])
            list[count++] = (struct fth_frame_legend){fth_frame_layer_colour(layer),
                                                      fth_text_copy(classes->layers[layer])};
    y = fth_frame_put_legend(drawing->svg, list, count, y);
    free(list);
    free(times);
    return y;
}

static double draw(struct fth_svg *svg, const struct fth_pictured *pictured, double y)
{
    const struct fth_overview *overview = pictured->view->overview;
    struct drawing drawing = {svg, overview, boxes_of(overview), NULL, y, 0, false};
    int64_t whole = 0;
    drawing.order = fth_new(overview->node_count + 1, sizeof *drawing.order);
    for (uint32_t i = 0; i < overview->node_count; i++) {
        drawing.order[i] = i;
        if (overview->nodes[i].parent == FTH_OVERVIEW_ROOT)
            FTH_ADD_SATURATING(whole, drawing.boxes[i].time);
    }
    sorted = &drawing;
    qsort(drawing.order, overview->node_count, sizeof *drawing.order, compare);
    if (whole > 0) {
        char *text = fth_text_format("Time in calls: %s", fth_phrase_duration(whole).text);
        fth_svg_text(svg, LEFT, y + 8, &fth_frame_heading, text, 0);
        free(text);
        drawing.scale = (FTH_FRAME_RIGHT - LEFT) / (double)whole;
        put_below(&drawing, FTH_OVERVIEW_ROOT, LEFT, y + 18, 0);
        y = put_legend(&drawing, drawing.bottom + 22);
        if (drawing.is_deeper)
            y = fth_frame_put_note(
                svg, LEFT,
                fth_text_format("Calls inside %d others or more are not drawn.", MOST_DEPTH), y);
    } else {
        y = fth_frame_put_nothing(svg, "There are no calls that took time to show.", y);
    }
    free(drawing.order);
    free(drawing.boxes);
    return y;
}

const struct fth_picture_kind fth_picture_profile = {
    "profile", "Profile",
    "A flame graph: the width of a box is the time of a function, in the calls around it, of all "
    "threads together; what it calls lies below.",
    draw};
