/* Commands on files that all processes of a communicator carry out together. In two phases:
 * two_phases.c. */
#include "sim/io/storage.h"
#include "sim/io/clients.h"
#include "sim/world/binomial_tree.h"

enum { METADATA = 100 };

static void call(struct fth_sim_activity *activity, enum fth_sim_verb verb, uint64_t bytes)
{
    struct fth_sim_command part = *fth_sim_command(activity);
    part.verb = verb;
    part.root = 0;
    part.bytes = bytes;
    fth_sim_call(activity, &part);
}

/* ---- open and close ---- */

static int none(struct fth_sim_activity *activity, int step)
{
    (void)activity;
    (void)step;
    return FTH_SIM_OVER;
}

static int barrier(struct fth_sim_activity *activity, int step)
{
    (void)step;
    call(activity, FTH_SIM_BARRIER, 0);
    return FTH_SIM_OVER;
}

/* One process fetches what there is to know of the file. */
static int open_broadcast(struct fth_sim_activity *activity, int step)
{
    enum { START, FETCH, SHARE };
    switch (step) {
    case START:
        call(activity, FTH_SIM_BARRIER, 0);
        return FETCH;
    case FETCH:
        if (fth_sim_rank(activity) == 0)
            fth_sim_lookup(activity);
        return SHARE;
    default:
        call(activity, FTH_SIM_BCAST, METADATA);
        return FTH_SIM_OVER;
    }
}

static int close_flush(struct fth_sim_activity *activity, int step)
{
    enum { START, FLUSH, LAST };
    if (step == FLUSH) {
        if (fth_sim_rank(activity) == 0)
            fth_sim_flush(activity);
        return LAST;
    }
    call(activity, FTH_SIM_BARRIER, 0);
    return step == START ? FLUSH : FTH_SIM_OVER;
}

/* ---- everybody for himself ---- */

static int read_direct(struct fth_sim_activity *activity, int step)
{
    (void)step;
    fth_sim_copy(activity, &fth_sim_command(activity)->ranges, false);
    fth_sim_read(activity, &fth_sim_command(activity)->ranges);
    return FTH_SIM_OVER;
}

static int write_direct(struct fth_sim_activity *activity, int step)
{
    const struct fth_sim_ranges *ranges = &fth_sim_command(activity)->ranges;
    if (step == 0) {
        fth_sim_copy(activity, ranges, true);
        fth_sim_write(activity, ranges);
        return 1;
    }
    fth_sim_written(activity, ranges);
    return FTH_SIM_OVER;
}

const struct fth_sim_method fth_sim_files_together[] = {
    {FTH_SIM_FILE_OPEN_ALL, "Broadcast", open_broadcast, NULL},
    {FTH_SIM_FILE_OPEN_ALL, "Barrier", barrier, NULL},
    {FTH_SIM_FILE_OPEN_ALL, "None", none, NULL},
    {FTH_SIM_FILE_CLOSE_ALL, "Barrier", barrier, NULL},
    {FTH_SIM_FILE_CLOSE_ALL, "Flush", close_flush, NULL},
    {FTH_SIM_FILE_CLOSE_ALL, "None", none, NULL},
    {FTH_SIM_FILE_READ_ALL, "Direct", read_direct, NULL},
    {FTH_SIM_FILE_READ_ALL, "None", none, NULL},
    {FTH_SIM_FILE_WRITE_ALL, "Direct", write_direct, NULL},
    {FTH_SIM_FILE_WRITE_ALL, "None", none, NULL},
    {0, NULL, NULL, NULL},
};
