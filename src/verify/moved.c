/* A process and those that it makes share descriptors, and where these stand. What one of them reads or writes there moves them for the others, of which their own calls
 * tell nothing. */
#include "verify/deeds.h"

#include "base/memory.h"

/* Who has used inherited descriptors of a file. */
struct movers {
    uint32_t one; /* a process + 1; 0: nobody */
    bool others;
};

static struct movers *movers_of(const struct fth_deeds *deeds, uint32_t file_count)
{
    struct movers *movers = fth_new(file_count + 1, sizeof *movers);
    for (size_t i = 0; i < deeds->situation_count; i++) {
        const struct fth_situation *situation = &deeds->situations[i];
        struct movers *of_file = &movers[situation->opening];
        if (!situation->inherited)
            continue;
        of_file->others |= of_file->one && of_file->one != situation->proc + 1;
        of_file->one = situation->proc + 1;
    }
    return movers;
}

void fth_deeds_forget_moved(struct fth_deeds *deeds, uint32_t file_count)
{
    struct movers *movers = movers_of(deeds, file_count);
    bool *moved = fth_new(deeds->situation_count + 1, sizeof *moved), any = false;
    for (size_t i = 0; i < deeds->situation_count; i++) {
        struct fth_situation *situation = &deeds->situations[i];
        const struct movers *by = &movers[situation->opening];
        moved[i] = situation->may_have_moved && situation->region == FTH_REGION_BYTES &&
                   (by->others || (by->one && by->one != situation->proc + 1));
        if (!moved[i])
            continue;
        situation->unsure = any = true;
        situation->why_unsure = "another process may have moved the descriptor";
        situation->contents = 0;
    }
    for (size_t i = 0; any && i < deeds->range_count; i++)
        if (moved[deeds->ranges[i].situation]) {
            deeds->ranges[i].start = 0;
            deeds->ranges[i].length = FTH_ENDLESS;
        }
    for (size_t i = 0; any && i < deeds->series_count; i++)
        if (moved[deeds->series[i].situation]) {
            struct fth_series *series = &deeds->series[i].series;
            *series = (struct fth_series){0, FTH_ENDLESS, 0, series->count, series->one_call};
        }
    free(movers);
    free(moved);
}
