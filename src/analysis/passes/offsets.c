/* Where in their files accesses began, by function, for pictures. */
#include "analysis/extents/offset_classes.h"
#include "analysis/passes/passes.h"

#include "base/memory.h"

#include <stdlib.h>

static void *begin(const struct fth_survey *survey)
{
    (void)survey;
    return fth_new(1, sizeof(struct fth_offset_classes));
}

static void *open_process(void *run, size_t proc)
{
    (void)run, (void)proc;
    return fth_new(1, sizeof(struct fth_offset_classes));
}

static void each(void *process, const struct fth_frame *frame)
{
    if (frame->class->data && frame->data.behind > frame->data.first)
        fth_offset_classes_put(process, frame->class->index, frame->data.first, frame->data.step,
                               frame->calls);
}

static void merge(void *run, void *process, const uint32_t *files)
{
    (void)files;
    fth_offset_classes_merge(run, process);
    free(process);
}

static void finish(void *run, struct fth_results *results)
{
    results->offsets = *(struct fth_offset_classes *)run;
    free(run);
}

const struct fth_pass fth_pass_offsets = {.name = "offsets",
                                          .begin = begin,
                                          .open = open_process,
                                          .merge = merge,
                                          .finish = finish,
                                          .each = each};
