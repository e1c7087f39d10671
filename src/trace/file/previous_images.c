/* Previous images as numbers of processes: -1 stands for process 0, -2 for process 1. */
#include "trace/file/previous_images.h"

#include "base/memory.h"

#include <string.h>

enum { COLUMN = 0 }; /* of a process's row: its previous image */

struct places {
    struct fth_intern images; /* in order of processes, each once */
    uint32_t *process_of;     /* by image */
    uint32_t count;           /* processes */
};

static void find_places(struct places *places, const struct fth_bytes *facts)
{
    for (uint32_t i = 0; i < places->count; i++) {
        uint32_t known = places->images.count;
        if (facts[i].length < sizeof(uint64_t))
            continue;
        if (fth_intern(&places->images, facts[i].data, sizeof(uint64_t)) == known)
            places->process_of[known] = i;
    }
}

/* What would be taken for a process, and is none of them, is a number that no recorder draws: the
 * highest bits of an image are those of a clock. */
static int64_t number_of(const struct places *places, int64_t previous)
{
    uint32_t image;
    if (previous && fth_intern_find(&places->images, &previous, sizeof previous, &image))
        return -1 - (int64_t)places->process_of[image];
    return previous < 0 && previous >= -(int64_t)places->count ? 0 : previous;
}

static void refer_column(struct fth_process_shape *shape, const struct places *places)
{
    struct fth_lines made = {0}, *column = &shape->columns[COLUMN];
    uint32_t *things = fth_shape_things(shape);
    int64_t *numbers = fth_new(shape->member_count, sizeof *numbers);
    fth_lines_list(column, things, numbers);
    for (uint32_t i = 0; i < shape->member_count; i++)
        fth_lines_add(&made, (struct fth_line){1, things[i], number_of(places, numbers[i]), 0});
    fth_lines_free(column);
    *column = made;
    free(things);
    free(numbers);
}

void fth_previous_refer(struct fth_shapes *shapes, const struct fth_bytes *facts)
{
    struct places places = {.process_of = fth_new(shapes->count, sizeof(uint32_t)),
                            .count = shapes->count};
    find_places(&places, facts);
    for (uint32_t i = 0; i < shapes->names.count; i++)
        if (shapes->shapes[i].column_count > COLUMN)
            refer_column(&shapes->shapes[i], &places);
    free(places.process_of);
    fth_intern_free(&places.images);
}

uint64_t fth_previous_image(const struct fth_stored_part *part, int64_t number)
{
    uint64_t image = (uint64_t)number;
    if (part->stores_previous || number >= 0 || number < -(int64_t)part->process_count)
        return image;
    const struct fth_stored_process *process = &part->processes[-1 - number];
    if (process->facts_bytes < sizeof image)
        return 0;
    memcpy(&image, process->facts, sizeof image);
    return image;
}
