/* clone with CLONE_FILES or CLONE_FS, and unshare. A trace has the descriptors and the current
 * folder of each process as if they were its own, and common to its threads. Where they are not, it
 * is not known from then on for which files its descriptors, or names, stand; nor is it for
 * processes that come from these. Behind a mount, or chroot, a file may have names that no call has
 * given it: what is safe then is so as far as was seen. */
#include "verify/gather/sharings.h"

#include "base/memory.h"
#include "verify/gather/gather.h"

#include <string.h>

static bool has_flag(const struct fth_gathering *gather, const struct fth_call *call,
                     const char *flags, const char *name)
{
    const char *const words[] = {name, NULL};
    return fth_gather_has_flag(gather, call, "flags", flags, words);
}

/* Does it mount something, or take it away? Not if it only says how the mounts of several name
 * spaces depend on one another, as `unshare --mount` does, enters a name space of another kind, or
 * opens what is mounted already. */
static bool mounts(const struct fth_gathering *gather, const struct fth_call *call,
                   const struct fth_verify_semantics *semantics)
{
    static const char *const propagation[] = {"MS_UNBINDABLE", "MS_PRIVATE", "MS_SLAVE",
                                              "MS_SHARED", NULL};
    if (!semantics->mounts || fth_gather_has_flag(gather, call, "flags", "mount", propagation))
        return false;
    for (size_t i = 0; i < call->function->parameter_count; i++) {
        const char *role = call->function->parameters[i].role;
        if (strcmp(role, "flags open_tree") == 0)
            return has_flag(gather, call, "open_tree", "OPEN_TREE_CLONE");
        if (strcmp(role, "flags setns") == 0)
            return !call->arguments[i].integer || has_flag(gather, call, "setns", "CLONE_NEWNS");
    }
    return true;
}

void fth_gather_sharing(struct fth_gathering *gather, const struct fth_call *call)
{
    struct fth_run_accesses *accesses = gather->accesses;
    const struct fth_verify_semantics *semantics =
        fth_verify_semantics(&gather->wanted->semantics_table, call->function);
    bool makes = semantics->forks;
    struct fth_shared_table sharing = {
        .proc = (uint32_t)gather->proc,
        .child = makes ? call->result.integer : 0,
        .time = call->start,
        .descriptors = has_flag(gather, call, "clone", "CLONE_FILES") ||
                       has_flag(gather, call, "close_range", "CLOSE_RANGE_UNSHARE"),
        .folder = has_flag(gather, call, "clone", "CLONE_FS"),
        .mounts = mounts(gather, call, semantics),
    };
    bool has_threads = fth_trace_process(gather->trace, gather->proc)->thread_count > 1;
    if (!sharing.mounts && ((!sharing.descriptors && !sharing.folder) || (!makes && !has_threads)))
        return;
    FTH_GROW(accesses->sharings, accesses->sharing_count);
    accesses->sharings[accesses->sharing_count++] = sharing;
}

/* ---- whose accesses are in doubt ---- */

/* By process: since when; INT64_MAX: never. */
struct doubts {
    int64_t *descriptors, *names, *mounts;
};

static void doubt_since(int64_t *since, uint32_t proc, int64_t time)
{
    if (time < since[proc])
        since[proc] = time;
}

static bool is_child(const struct fth_runs *runs, uint32_t proc,
                     const struct fth_shared_table *sharing)
{
    return sharing->child && fth_runs_predecessor(runs, proc) == sharing->proc &&
           fth_runs_process(runs, proc)->pid == sharing->child;
}

static void spread(int64_t *since, const struct fth_runs *runs)
{
    for (uint32_t proc = 0; proc < runs->process_count; proc++) {
        uint32_t before = fth_runs_predecessor(runs, proc);
        int64_t start = fth_runs_process(runs, proc)->start + fth_runs_of(runs, proc)->offset;
        if (before != FTH_NO_PREDECESSOR && since[before] <= start)
            doubt_since(since, proc, start);
    }
}

static void find(struct doubts *doubts, const struct fth_run_accesses *accesses,
                 const struct fth_runs *runs)
{
    for (uint32_t proc = 0; proc < runs->process_count; proc++)
        doubts->descriptors[proc] = doubts->names[proc] = doubts->mounts[proc] = INT64_MAX;
    for (size_t i = 0; i < accesses->sharing_count; i++) {
        const struct fth_shared_table *sharing = &accesses->sharings[i];
        for (uint32_t proc = 0; proc < runs->process_count; proc++) {
            bool concerns = proc == sharing->proc || is_child(runs, proc, sharing);
            if (concerns && sharing->descriptors)
                doubt_since(doubts->descriptors, proc, sharing->time);
            if (concerns && sharing->folder)
                doubt_since(doubts->names, proc, sharing->time);
            if (concerns && sharing->mounts)
                doubt_since(doubts->mounts, proc, sharing->time);
        }
    }
    spread(doubts->mounts, runs);
    spread(doubts->descriptors, runs);
    spread(doubts->names, runs);
}

void fth_sharings_doubt(struct fth_run_accesses *accesses, const struct fth_runs *runs,
                        bool *forgotten)
{
    static const char other_file[] =
        "its process has its descriptors in common with another process, or a thread of it its own",
                      other_folder[] = "its process has its current folder in common with another "
                                       "process, or a thread of it its own",
                      other_mount[] = "its process has mounted something, or has another root, so "
                                      "its names may stand for other files";
    if (!accesses->sharing_count)
        return;
    struct doubts doubts = {fth_new(runs->process_count + 1, sizeof(int64_t)),
                            fth_new(runs->process_count + 1, sizeof(int64_t)),
                            fth_new(runs->process_count + 1, sizeof(int64_t))};
    find(&doubts, accesses, runs);
    for (size_t i = 0; i < accesses->situation_count; i++) {
        struct fth_situation *situation = &accesses->situations[i];
        const int64_t *since = situation->by_name ? doubts.names : doubts.descriptors;
        if (situation->end_time >= doubts.mounts[situation->proc]) {
            situation->unsure = true;
            situation->why_unsure = other_mount;
            situation->contents = 0;
        }
        if (situation->end_time < since[situation->proc] || situation->is_mapping)
            continue;
        situation->unsure = true;
        situation->why_unsure = situation->by_name ? other_folder : other_file;
        situation->contents = 0;
        forgotten[i] = !situation->removes;
        if (forgotten[i])
            situation->region = FTH_REGION_BYTES;
    }
    free(doubts.mounts);
    free(doubts.descriptors);
    free(doubts.names);
}
