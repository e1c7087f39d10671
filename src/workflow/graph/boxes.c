#include "workflow/graph/boxes.h"

#include "base/keyed.h"
#include "base/memory.h"
#include "base/saturating.h"

#include <string.h>

struct sorted {
    struct fth_workflow_box box;
    uint32_t before; /* its number before sorting */
};

static int by_level_and_start(const void *one, const void *other)
{
    const struct fth_workflow_box *a = &((const struct sorted *)one)->box,
                                  *b = &((const struct sorted *)other)->box;
    if (a->level != b->level)
        return a->level < b->level ? -1 : 1;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return (a->first_step > b->first_step) - (a->first_step < b->first_step);
}

static void add_step(struct fth_workflow_box *box, const struct fth_workflow_step *step)
{
    int64_t length = step->end - step->start;
    box->start = step->start < box->start ? step->start : box->start;
    box->end = step->end > box->end ? step->end : box->end;
    box->longest = length > box->longest ? length : box->longest;
    FTH_ADD_SATURATING(box->running, length);
    FTH_ADD_SATURATING(box->io, step->io);
    FTH_ADD_SATURATING(box->messages, step->messages);
    FTH_ADD_SATURATING(box->waiting, step->waiting);
    FTH_ADD_SATURATING(box->own, fth_saturating_sum(step->own, step->other));
    FTH_ADD_SATURATING(box->unknown, step->unknown);
    box->failed += strcmp(step->ended, "exit 0") != 0;
    box->step_count++;
}

static uint32_t box_of(struct fth_workflow_boxes *boxes, struct fth_keyed *numbers,
                       const struct fth_workflow_graph *graph, uint32_t number)
{
    const struct fth_workflow_step *step = &graph->workflow->steps[number];
    /* A script stands by itself: it is there from the beginning to the end. */
    char *key = step->is_script ? fth_text_format("%u", number)
                                : fth_text_format("%u %s", graph->level[number], step->program);
    uint32_t *place = fth_keyed_get(numbers, key, strlen(key));
    free(key);
    if (!*place) {
        FTH_GROW(boxes->boxes, boxes->box_count);
        boxes->boxes[boxes->box_count] = (struct fth_workflow_box){
            .program = step->program,
            .level = graph->level[number],
            .first_step = number,
            .start = INT64_MAX,
            .end = INT64_MIN,
        };
        *place = ++boxes->box_count;
    }
    return *place - 1;
}

static void sort_boxes(struct fth_workflow_boxes *boxes, uint32_t step_count)
{
    struct sorted *sorted = fth_new((size_t)boxes->box_count + 1, sizeof *sorted);
    uint32_t *now = fth_new((size_t)boxes->box_count + 1, sizeof *now);
    for (uint32_t i = 0; i < boxes->box_count; i++)
        sorted[i] = (struct sorted){boxes->boxes[i], i};
    qsort(sorted, boxes->box_count, sizeof *sorted, by_level_and_start);
    for (uint32_t i = 0; i < boxes->box_count; i++) {
        boxes->boxes[i] = sorted[i].box;
        now[sorted[i].before] = i;
    }
    for (uint32_t i = 0; i < step_count; i++)
        if (boxes->of_step[i] != FTH_NO_STEP)
            boxes->of_step[i] = now[boxes->of_step[i]];
    free(sorted);
    free(now);
}

static void add_uses(struct fth_workflow_boxes *boxes, const struct fth_workflow *workflow)
{
    for (uint32_t i = 0; i < workflow->use_count; i++) {
        uint32_t box = boxes->of_step[workflow->uses[i].step];
        if (box == FTH_NO_STEP)
            continue;
        boxes->boxes[box].read += workflow->uses[i].read;
        boxes->boxes[box].written += workflow->uses[i].written;
    }
}

static int by_ends(const void *one, const void *other)
{
    const struct fth_workflow_link *a = one, *b = other;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return (int)a->kind - (int)b->kind;
}

static void sort_links(struct fth_workflow_boxes *boxes)
{
    uint32_t next = 0;
    if (boxes->link_count)
        qsort(boxes->links, boxes->link_count, sizeof *boxes->links, by_ends);
    boxes->first_link = fth_new((size_t)boxes->box_count + 1, sizeof *boxes->first_link);
    for (uint32_t box = 0; box < boxes->box_count; box++) {
        boxes->first_link[box] = next;
        while (next < boxes->link_count && boxes->links[next].to == box)
            next++;
    }
    boxes->first_link[boxes->box_count] = next;
}

struct link_key {
    uint32_t from, to, kind;
};

static void make_links(struct fth_workflow_boxes *boxes, const struct fth_workflow_graph *graph)
{
    struct fth_keyed numbers = {.size = sizeof(uint32_t)};
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        const struct fth_workflow_edge *edge = &graph->edges[i];
        const struct link_key key = {boxes->of_step[edge->from], boxes->of_step[edge->to],
                                     edge->kind};
        if (key.from == FTH_NO_STEP || key.to == FTH_NO_STEP || key.from == key.to)
            continue;
        uint32_t *place = fth_keyed_get(&numbers, &key, sizeof key);
        if (!*place) {
            FTH_GROW(boxes->links, boxes->link_count);
            boxes->links[boxes->link_count] =
                (struct fth_workflow_link){.from = key.from, .to = key.to, .kind = edge->kind};
            *place = ++boxes->link_count;
        }
        struct fth_workflow_link *link = &boxes->links[*place - 1];
        if (!link->files && edge->flow_count)
            link->file = graph->contents[graph->flows[edge->first_flow].content].file;
        link->bytes += edge->bytes;
        link->files += edge->flow_count;
        link->streams |= edge->streams;
    }
    fth_keyed_free(&numbers);
}

void fth_workflow_boxes_make(struct fth_workflow_boxes *boxes,
                             const struct fth_workflow_graph *graph)
{
    const struct fth_workflow *workflow = graph->workflow;
    struct fth_keyed numbers = {.size = sizeof(uint32_t)};
    *boxes = (struct fth_workflow_boxes){
        .of_step = fth_new((size_t)workflow->step_count + 1, sizeof *boxes->of_step)};
    for (uint32_t i = 0; i < workflow->step_count; i++) {
        boxes->of_step[i] = graph->shown[i] ? box_of(boxes, &numbers, graph, i) : FTH_NO_STEP;
        if (graph->shown[i])
            add_step(&boxes->boxes[boxes->of_step[i]], &workflow->steps[i]);
    }
    fth_keyed_free(&numbers);
    sort_boxes(boxes, workflow->step_count);
    add_uses(boxes, workflow);
    make_links(boxes, graph);
    sort_links(boxes);
}

void fth_workflow_boxes_free(struct fth_workflow_boxes *boxes)
{
    free(boxes->boxes);
    free(boxes->links);
    free(boxes->first_link);
    free(boxes->of_step);
    *boxes = (struct fth_workflow_boxes){0};
}

char *fth_workflow_box_label(const struct fth_workflow_box *box)
{
    return box->step_count > 1 ? fth_text_format("%s x %u", box->program, box->step_count)
                               : fth_text_copy(box->program);
}
