/* Three layouts of one drawing: only where boxes stand, and how wide they are, differs. A box is
 * striped by what the time of its threads went to. */
#include "workflow/tell/graph_svg.h"

#include "base/memory.h"
#include "base/phrase.h"
#include "base/saturating.h"
#include "views/pictures/svg.h"

#include <string.h>

static const double width = 1000, margin = 16, box_height = 46, row_height = 66, least_width = 6,
                    grid_width = 150, gap = 60, bar = 6, head = 52, label_room = 96;
enum { SPENT = 6 };
static const char *const spent_colours[SPENT] = FTH_PALETTE_SPENT;

struct place {
    double x, y, width;
};

struct drawing {
    const struct fth_workflow_facts *facts;
    struct fth_svg svg;
    struct place *places; /* of boxes */
    enum fth_workflow_layout layout;
};

/* ---- layouts ---- */

static void place_in_grid(struct drawing *drawing)
{
    const struct fth_workflow_boxes *boxes = &drawing->facts->boxes;
    uint32_t row = 0;
    for (uint32_t i = 0; i < boxes->box_count; i++) {
        uint32_t level = boxes->boxes[i].level;
        row = i && boxes->boxes[i - 1].level == level ? row + 1 : 0;
        drawing->places[i] = (struct place){margin + level * (grid_width + gap),
                                            head + row * row_height, grid_width};
    }
}

/* Rows are taken from the top: the first one that is free there. */
static void find_rows(struct drawing *drawing)
{
    const struct fth_workflow_boxes *boxes = &drawing->facts->boxes;
    uint32_t row_count = 0;
    double *taken_to = fth_new((size_t)boxes->box_count + 1, sizeof *taken_to);
    for (uint32_t i = 0; i < boxes->box_count; i++) {
        struct place *place = &drawing->places[i];
        uint32_t row = 0;
        while (row < row_count && taken_to[row] > place->x)
            row++;
        row_count += row == row_count;
        taken_to[row] = place->x + (place->width > label_room ? place->width : label_room) + 4;
        place->y = head + row * row_height;
    }
    free(taken_to);
}

/* How wide a ns is, so that the picture is as wide as it should be. */
static double scale_of(const struct fth_workflow_facts *facts)
{
    int64_t length = facts->schedule.end - facts->schedule.start;
    return length > 0 ? (width - 2 * margin) / (double)length : 0;
}

static void place_in_time(struct drawing *drawing)
{
    const struct fth_workflow_facts *facts = drawing->facts;
    double scale = scale_of(facts);
    for (uint32_t i = 0; i < facts->boxes.box_count; i++) {
        const struct fth_workflow_box *box = &facts->boxes.boxes[i];
        double wide = (double)(box->end - box->start) * scale;
        drawing->places[i] = (struct place){
            .x = margin + (double)(box->start - facts->schedule.start) * scale,
            .width = wide < least_width ? least_width : wide,
        };
    }
    find_rows(drawing);
}

/* Behind all that it needs, with a gap that says nothing: waiting is not drawn. Boxes are in order
 * of their levels, so what a box needs has its place. */
static void place_by_length(struct drawing *drawing)
{
    const struct fth_workflow_facts *facts = drawing->facts;
    const struct fth_workflow_boxes *boxes = &facts->boxes;
    double scale = scale_of(facts);
    for (uint32_t i = 0; i < boxes->box_count; i++) {
        double wide = (double)boxes->boxes[i].longest * scale;
        drawing->places[i] =
            (struct place){.x = margin, .width = wide < least_width ? least_width : wide};
        for (uint32_t k = boxes->first_link[i]; k < boxes->first_link[i + 1]; k++) {
            const struct fth_workflow_link *link = &boxes->links[k];
            const struct place *from = &drawing->places[link->from];
            if (link->kind == FTH_EDGE_DATA && link->from < i &&
                from->x + from->width + gap > drawing->places[i].x)
                drawing->places[i].x = from->x + from->width + gap;
        }
    }
    find_rows(drawing);
}

static void place_all(struct drawing *drawing)
{
    switch (drawing->layout) {
    case FTH_LAYOUT_GRAPH:
        place_in_grid(drawing);
        break;
    case FTH_LAYOUT_SCALED:
        place_by_length(drawing);
        break;
    case FTH_LAYOUT_TIME:
        place_in_time(drawing);
        break;
    }
    for (uint32_t i = 0; i < drawing->facts->boxes.box_count; i++) {
        const struct place *place = &drawing->places[i];
        double right = place->x + place->width + margin + 80, low = place->y + row_height;
        drawing->svg.width = right > drawing->svg.width ? right : drawing->svg.width;
        drawing->svg.height = low > drawing->svg.height ? low : drawing->svg.height;
    }
}

/* ---- drawing ---- */

static void draw_spent(struct drawing *drawing, const struct fth_workflow_box *box,
                       const struct place *place)
{
    const int64_t parts[] = {box->io, box->messages, box->waiting, 0, box->own, box->unknown};
    double whole = 0, x = place->x;
    for (size_t i = 0; i < SPENT; i++)
        whole += (double)parts[i];
    for (size_t i = 0; i < SPENT && whole > 0; i++) {
        double wide = place->width * (double)parts[i] / whole;
        if (parts[i] > 0)
            fth_svg_rect(&drawing->svg, x, place->y + box_height - bar, wide, bar, spent_colours[i],
                         1);
        x += wide;
    }
}

/* A box of one step leads where that does; NULL: nowhere. */
static const char *page_of(const struct fth_workflow_facts *facts,
                           const struct fth_workflow_box *box)
{
    return facts->step_pages && box->step_count == 1 ? facts->step_pages[box->first_step] : NULL;
}

static void draw_box(struct drawing *drawing, uint32_t number)
{
    static const struct fth_svg_font title = {12, FTH_PAPER_TEXT, FTH_SVG_START, true},
                                     small = {10, FTH_PAPER_QUIET, FTH_SVG_START, false};
    const struct fth_workflow_box *box = &drawing->facts->boxes.boxes[number];
    const struct place *place = &drawing->places[number];
    char *label = fth_workflow_box_label(box);
    const char *address = page_of(drawing->facts, box);
    const char *command = drawing->facts->workflow->steps[box->first_step].command;
    const struct fth_svg_datum data[] = {
        {"box", NULL, number},
        {"steps", NULL, box->step_count},
        {"start", NULL, (uint64_t)(box->start - drawing->facts->schedule.start)},
        {"duration", NULL, (uint64_t)(box->end - box->start)},
    };
    if (address)
        fth_svg_begin_link(&drawing->svg, address);
    fth_svg_begin_data(&drawing->svg, command, data, sizeof data / sizeof *data);
    fth_svg_rect(&drawing->svg, place->x, place->y, place->width, box_height, FTH_PAPER_SOFT, 1);
    fth_svg_rect(&drawing->svg, place->x, place->y, 2, box_height,
                 box->failed ? FTH_PAPER_BAD : FTH_PAPER_MARK, 1);
    draw_spent(drawing, box, place);
    /* In a narrow box, the text goes on beside it. */
    double room = (place->width > label_room ? place->width : label_room) - 8;
    fth_svg_text(&drawing->svg, place->x + 6, place->y + 16, &title, label, room);
    fth_svg_text(&drawing->svg, place->x + 6, place->y + 31, &small,
                 fth_phrase_duration(box->end - box->start).text, room);
    fth_svg_end_group(&drawing->svg);
    if (address)
        fth_svg_end_link(&drawing->svg);
    free(label);
}

static void draw_link(struct drawing *drawing, const struct fth_workflow_link *link)
{
    const struct place *from = &drawing->places[link->from], *to = &drawing->places[link->to];
    double x = from->x + from->width, y = from->y + box_height / 2, to_x = to->x,
           to_y = to->y + box_height / 2;
    bool data = link->kind == FTH_EDGE_DATA, order = link->kind == FTH_EDGE_ORDER;
    /* Order that time alone tells is drawn only where time is. */
    if (order && drawing->layout == FTH_LAYOUT_SCALED)
        return;
    const char *colour = data ? FTH_PAPER_QUIET : order ? FTH_PAPER_LINE : FTH_PAPER_MARK;
    fth_svg_begin_path(&drawing->svg);
    fth_svg_move(&drawing->svg, x, y);
    fth_svg_to(&drawing->svg, x + 8, y);
    fth_svg_to(&drawing->svg, to_x - 8, to_y);
    fth_svg_to(&drawing->svg, to_x, to_y);
    fth_svg_end_path(&drawing->svg, colour, order ? 0.8 : 1.2);
    if (order)
        return;
    fth_svg_begin_path(&drawing->svg);
    fth_svg_move(&drawing->svg, to_x, to_y);
    fth_svg_to(&drawing->svg, to_x - 6, to_y - 3);
    fth_svg_to(&drawing->svg, to_x - 6, to_y + 3);
    fth_svg_close(&drawing->svg);
    fth_svg_end_path(&drawing->svg, colour, 0);
}

static void draw_legend(struct drawing *drawing)
{
    static const char *const titles[] = {"I/O", "messages", "waiting", NULL, "its own"};
    static const struct fth_svg_font font = {10, FTH_PAPER_QUIET, FTH_SVG_START, false};
    double x = margin;
    for (size_t i = 0; i < 5; i++) {
        if (!titles[i])
            continue;
        fth_svg_rect(&drawing->svg, x, 12, 10, 10, spent_colours[i], 1);
        fth_svg_text(&drawing->svg, x + 14, 21, &font, titles[i], 0);
        x += 30 + fth_svg_text_width(titles[i], 10);
    }
    fth_svg_line(&drawing->svg, x, 17, x + 24, 17, FTH_PAPER_QUIET);
    fth_svg_text(&drawing->svg, x + 30, 21, &font, "data", 0);
    fth_svg_line(&drawing->svg, x + 80, 17, x + 104, 17, FTH_PAPER_LINE);
    fth_svg_text(&drawing->svg, x + 110, 21, &font, "order alone", 0);
    if (!drawing->facts->workflow->job_count)
        return;
    fth_svg_line(&drawing->svg, x + 190, 17, x + 214, 17, FTH_PAPER_MARK);
    fth_svg_text(&drawing->svg, x + 220, 21, &font, "scheduler", 0);
}

void fth_workflow_write_svg(const struct fth_workflow_facts *facts, enum fth_workflow_layout layout,
                            struct fth_sink *sink)
{
    static const char *const titles[] = {
        [FTH_LAYOUT_GRAPH] = "Steps of the workflow, and the data between them",
        [FTH_LAYOUT_SCALED] = "Steps of the workflow, as wide as they lasted",
        [FTH_LAYOUT_TIME] = "Steps of the workflow over time",
    };
    struct drawing drawing = {
        .facts = facts,
        .layout = layout,
        .places = fth_new((size_t)facts->boxes.box_count + 1, sizeof *drawing.places),
    };
    fth_svg_begin(&drawing.svg, width);
    place_all(&drawing);
    draw_legend(&drawing);
    for (uint32_t i = 0; i < facts->boxes.link_count; i++)
        draw_link(&drawing, &facts->boxes.links[i]);
    for (uint32_t i = 0; i < facts->boxes.box_count; i++)
        draw_box(&drawing, i);
    fth_svg_end(&drawing.svg, titles[layout], sink);
    free(drawing.places);
}
