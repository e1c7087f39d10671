/* Commands on files, and the ways in which they are carried out: by one process. Those of all:
 * collective_file_commands.c. */
#include "sim/io/storage.h"
#include "sim/io/clients.h"
#include "sim/world/method.h"

/* Nothing happens. */
static int none(struct fth_sim_activity *activity, int step)
{
    (void)activity;
    (void)step;
    return FTH_SIM_OVER;
}

/* The server is asked, who does one such thing after the other. */
static int at_server(struct fth_sim_activity *activity, int step)
{
    (void)step;
    fth_sim_lookup(activity);
    return FTH_SIM_OVER;
}

/* One request to each server, for all ranges. */
static int read_list(struct fth_sim_activity *activity, int step)
{
    (void)step;
    fth_sim_read(activity, &fth_sim_command(activity)->ranges);
    return FTH_SIM_OVER;
}

static int write_list(struct fth_sim_activity *activity, int step)
{
    enum { START, WRITTEN };
    const struct fth_sim_ranges *ranges = &fth_sim_command(activity)->ranges;
    if (step == START) {
        fth_sim_write(activity, ranges);
        return WRITTEN;
    }
    fth_sim_written(activity, ranges);
    return FTH_SIM_OVER;
}

/* The ranges from `first` on, at most `most` of them. */
static struct fth_sim_ranges some_of(const struct fth_sim_ranges *ranges, uint64_t first,
                                     uint64_t most)
{
    struct fth_sim_ranges some = *ranges;
    some.count = first >= ranges->count         ? 0
                 : ranges->count - first < most ? ranges->count - first
                                                : most;
    if (some.list)
        some.list += first;
    else
        some.offset += first * some.stride;
    return some;
}

/* So many ranges with each request, one request after the other. */
static int in_turn(struct fth_sim_activity *activity, uint64_t most, bool writes)
{
    const struct fth_sim_ranges *ranges = &fth_sim_command(activity)->ranges;
    uint64_t *done = fth_sim_state(activity);
    struct fth_sim_ranges some = some_of(ranges, *done, most);
    if (!some.count) {
        if (writes)
            fth_sim_written(activity, ranges);
        return FTH_SIM_OVER;
    }
    fth_sim_copy_some(activity, &some, !*done, writes);
    *done += some.count;
    if (writes)
        fth_sim_write(activity, &some);
    else
        fth_sim_read(activity, &some);
    return 1;
}

static int read_each(struct fth_sim_activity *activity, int step)
{
    (void)step;
    return in_turn(activity, 1, false);
}
static int write_each(struct fth_sim_activity *activity, int step)
{
    (void)step;
    return in_turn(activity, 1, true);
}

/* What PVFS puts into a request at most. */
enum { PVFS_MOST = 64 };
static int read_64(struct fth_sim_activity *activity, int step)
{
    (void)step;
    return in_turn(activity, PVFS_MOST, false);
}
static int write_64(struct fth_sim_activity *activity, int step)
{
    (void)step;
    return in_turn(activity, PVFS_MOST, true);
}

/* Data sieving (Thakur, Gropp and Lusk 1999): what is between the ranges is read, too, window by
 * window; what is written is read before, and written back as one. ROMIO's windows are 4 MiB for
 * reads, 512 KiB for writes. */
enum { READ_WINDOW = 4 << 20, WRITE_WINDOW = 512 << 10 };

static struct fth_sim_ranges window_of(const struct fth_sim_ranges *ranges, uint64_t done,
                                       uint64_t window)
{
    struct fth_sim_extent hull = fth_sim_ranges_hull(ranges);
    if (done >= hull.bytes)
        return (struct fth_sim_ranges){0};
    uint64_t left = hull.bytes - done;
    return (struct fth_sim_ranges){
        .offset = hull.offset + done, .bytes = left < window ? left : window, .count = 1};
}

static int read_sieving(struct fth_sim_activity *activity, int step)
{
    const struct fth_sim_ranges *ranges = &fth_sim_command(activity)->ranges;
    uint64_t *done = fth_sim_state(activity);
    if (ranges->count == 1)
        return read_list(activity, step);
    struct fth_sim_ranges window = window_of(ranges, *done, READ_WINDOW);
    if (!window.count)
        return FTH_SIM_OVER;
    *done += window.bytes;
    if (fth_sim_ranges_between(ranges, window.offset, window.offset + window.bytes)) {
        fth_sim_copy(activity, &window, false);
        fth_sim_read(activity, &window);
    }
    return 1;
}

static int write_sieving(struct fth_sim_activity *activity, int step)
{
    enum { READ_WINDOW_STEP, WRITE_WINDOW_STEP };
    const struct fth_sim_ranges *ranges = &fth_sim_command(activity)->ranges;
    uint64_t *done = fth_sim_state(activity);
    if (ranges->count == 1)
        return write_list(activity, step);
    struct fth_sim_ranges window = window_of(ranges, *done, WRITE_WINDOW);
    if (!window.count) {
        fth_sim_written(activity, ranges);
        return FTH_SIM_OVER;
    }
    uint64_t wanted = fth_sim_ranges_between(ranges, window.offset, window.offset + window.bytes);
    if (step == READ_WINDOW_STEP) {
        if (wanted && wanted < window.bytes) {
            fth_sim_copy(activity, &window, false);
            fth_sim_read(activity, &window);
        }
        return WRITE_WINDOW_STEP;
    }
    *done += window.bytes;
    if (wanted) {
        fth_sim_copy(activity, &window, true);
        fth_sim_write(activity, &window);
    }
    return READ_WINDOW_STEP;
}

static int sync(struct fth_sim_activity *activity, int step)
{
    (void)step;
    fth_sim_flush(activity);
    return FTH_SIM_OVER;
}

const struct fth_sim_method fth_sim_files[] = {
    {FTH_SIM_FILE_OPEN, "AtServer", at_server, NULL},
    {FTH_SIM_FILE_OPEN, "None", none, NULL},
    {FTH_SIM_FILE_CLOSE, "None", none, NULL},
    {FTH_SIM_FILE_CLOSE, "AtServer", at_server, NULL},
    {FTH_SIM_FILE_CLOSE, "Flush", sync, NULL},
    {FTH_SIM_FILE_LOOKUP, "AtServer", at_server, NULL},
    {FTH_SIM_FILE_LOOKUP, "None", none, NULL},
    {FTH_SIM_FILE_READ, "ListIO", read_list, NULL},
    {FTH_SIM_FILE_READ, "ListIO64", read_64, NULL},
    {FTH_SIM_FILE_READ, "EachRange", read_each, NULL},
    {FTH_SIM_FILE_READ, "DataSieving", read_sieving, NULL},
    {FTH_SIM_FILE_READ, "None", none, NULL},
    {FTH_SIM_FILE_WRITE, "ListIO", write_list, NULL},
    {FTH_SIM_FILE_WRITE, "ListIO64", write_64, NULL},
    {FTH_SIM_FILE_WRITE, "EachRange", write_each, NULL},
    {FTH_SIM_FILE_WRITE, "DataSieving", write_sieving, NULL},
    {FTH_SIM_FILE_WRITE, "None", none, NULL},
    {FTH_SIM_FILE_SYNC, "Flush", sync, NULL},
    {FTH_SIM_FILE_SYNC, "None", none, NULL},
    {0, NULL, NULL, NULL},
};

/* Each member of the group for itself, as if it had made the command alone: what ROMIO does without
 * collective buffering. */
const struct fth_sim_method fth_sim_files_alone[] = {
    {FTH_SIM_FILE_READ_ALL, "EachRange", read_each, NULL},
    {FTH_SIM_FILE_READ_ALL, "DataSieving", read_sieving, NULL},
    {FTH_SIM_FILE_WRITE_ALL, "EachRange", write_each, NULL},
    {FTH_SIM_FILE_WRITE_ALL, "DataSieving", write_sieving, NULL},
    {0, NULL, NULL, NULL},
};
