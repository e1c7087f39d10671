/* Programs that were started but left no spill file, and processes that could not make one. What
 * has the same reason becomes one sentence: a build starts thousands of programs. */
#include "trace/merge/unseen_programs.h"

#include "base/intern.h"
#include "base/memory.h"
#include "trace/program/hides.h"
#include "trace/program/inside.h"
#include "trace/program/program.h"
#include "trace/spill/late_processes.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { NAMED = 3 }; /* programs of a reason; the others are counted */

struct reason {
    enum fth_unseen_kind kind;
    char *why;
    char *names[NAMED];
    size_t named, processes;
    bool more;      /* programs than are named */
    bool of_forked; /* the names are no names of programs */
    uint64_t image; /* of the first process, if it is known */
    int64_t since;
};

struct reasons {
    struct reason *list;
    size_t count;
};

static struct reason *add(struct reasons *reasons, enum fth_unseen_kind kind, const char *why,
                          const char *name, size_t processes)
{
    size_t at = 0;
    while (at < reasons->count && strcmp(reasons->list[at].why, why) != 0)
        at++;
    if (at == reasons->count) {
        FTH_GROW(reasons->list, reasons->count);
        reasons->list[reasons->count++] = (struct reason){.kind = kind, .why = fth_text_copy(why)};
    }
    struct reason *reason = &reasons->list[at];
    reason->processes += processes;
    for (size_t i = 0; i < reason->named; i++)
        if (strcmp(reason->names[i], name) == 0)
            return reason;
    if (reason->named < NAMED)
        reason->names[reason->named++] = fth_text_copy(name);
    else
        reason->more = true;
    return reason;
}

/* "cat, sort, ls and others (57 processes): why"; frees the reason. */
static void say(struct reason *reason, struct fth_blind_spots *spots)
{
    char names[NAMED * 256] = "", count[64] = "", *sentence;
    for (size_t i = 0; i < reason->named; i++) {
        size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, "%s%.200s", i ? ", " : "",
                 reason->names[i]);
    }
    if (reason->processes > 1)
        snprintf(count, sizeof count, "%s (%zu processes)", reason->more ? " and others" : "",
                 reason->processes);
    sentence = fth_text_format("%s%s: %s", names, count, reason->why);
    struct fth_blind_spot *spot = fth_blind_spots_add(spots, reason->kind, sentence);
    if (spot && reason->named == 1 && !reason->of_forked && !spot->program)
        spot->program = fth_text_copy(reason->names[0]);
    if (spot && reason->processes == 1)
        spot->image = reason->image;
    if (spot && !spot->since)
        spot->since = reason->since;
    for (size_t i = 0; i < reason->named; i++)
        free(reason->names[i]);
    free(reason->why);
}

/* ---- programs ---- */

/* A new program learns which image it comes from. */
static bool has_program(const struct fth_spill_folder *folder, uint64_t from, int64_t pid)
{
    for (size_t i = 0; i < folder->image_count; i++) {
        const struct fth_spill_process *process = folder->images[i].process;
        if (process->pid == pid && process->previous == from)
            return true;
    }
    for (size_t i = 0; i < folder->empty_count; i++)
        if ((int64_t)(folder->empty[i] & FTH_IMAGE_PID) == pid)
            return true; /* it is known why it is not there */
    return false;
}

static const char gave_up_rights[] =
    "changed its user (as su and services do) and may not write into the spill folder";

/* Programs that were started without the tracer, on purpose. */
static const struct fth_stranger strangers[] = {FTH_STRANGER_OTHER_LIBC, FTH_STRANGER_FOREIGN,
                                                FTH_STRANGER_VALGRIND,   FTH_STRANGER_RR,
                                                FTH_STRANGER_EMULATED,   FTH_STRANGER_FILTERED};

static const char unreachable[] =
    "neither it nor its parent could write into the spill folder any more";

static const char not_started[] =
    "the tracer did not start: the environment was cleared, or the process ended before";

static const char not_yet_started[] =
    "still running, and it had recorded no call when the trace was made";

/* So many programs are not there, and no more could make no file as the budget was used up. */
static bool budget_explains(const struct fth_spill_folder *folder, size_t programs)
{
    struct fth_spill_unkept page;
    return fth_spill_read_unkept(folder, &page) && page.error == FTH_NO_BUDGET &&
           programs <= page.processes;
}

/* They were taken for programs that did not start the tracer. */
static void blame_budget(struct reasons *reasons, const struct fth_spill_folder *folder)
{
    for (size_t i = 0; i < reasons->count; i++) {
        struct reason *reason = &reasons->list[i];
        if (strcmp(reason->why, not_started) != 0 || !budget_explains(folder, reason->processes))
            continue;
        free(reason->why);
        reason->why = fth_text_copy("the budget of the recording was used up (--budget)");
    }
}

static void explain(struct reasons *reasons, const struct fth_late_processes *late, int64_t pid,
                    const char *name)
{
    char path[PATH_MAX], why[512];
    if (fth_late_processes_have(late, pid))
        return; /* add_late says it */
    if (fth_program_find(name, path, sizeof path) && fth_program_is_unseen(path, why, sizeof why))
        add(reasons, FTH_UNSEEN_PROGRAM, why, name, 1);
    else
        add(reasons, FTH_UNSEEN_PROGRAM, not_started, name, 1);
}

/* Programs that the process started, as it noted under `key`, "PID NAME" each, and that are not
 * there. */
static void add_programs(struct reasons *reasons, const struct fth_spill_folder *folder,
                         const struct fth_late_processes *late,
                         const struct fth_spill_process *process, const char *key, const char *why)
{
    for (const char *at = NULL; (at = fth_spill_text(process, key, at));) {
        char *name;
        int64_t pid = strtoll(at, &name, 10);
        if (*name != ' ' || has_program(folder, process->image, pid))
            continue;
        if (why)
            add(reasons, FTH_UNSEEN_PROGRAM, why, name + 1, 1);
        else
            explain(reasons, late, pid, name + 1);
    }
}

/* ---- processes that have not come to a call ---- */

static bool has_file(int64_t pid, const void *context)
{
    const struct fth_spill_folder *folder = context;
    for (size_t i = 0; i < folder->image_count; i++)
        if (folder->images[i].process->pid == pid &&
            folder->images[i].process->ended != FTH_END_EXEC)
            return true;
    return false;
}

static void add_late(struct reasons *reasons, const struct fth_late_processes *late)
{
    for (size_t i = 0; i < late->count; i++) {
        char name[64];
        fth_process_program(late->pids[i], name, sizeof name);
        add(reasons, FTH_UNSEEN_PROGRAM, not_yet_started, name, 1)->of_forked = true;
    }
}

/* ---- what is inside of programs ---- */

static const char *program_of(const struct fth_spill_process *process)
{
    const char *exe = fth_spill_text(process, "exe", NULL), *slash = exe ? strrchr(exe, '/') : NULL;
    return slash ? slash + 1 : exe ? exe : "?";
}

/* It recorded no more, `since`: "after it has ...". */
static void add_aside(struct reasons *reasons, const struct fth_spill_process *process,
                      const char *since)
{
    char why[300];
    snprintf(why, sizeof why, "its calls %.200s", since);
    add(reasons, FTH_UNSEEN_PROGRAM, why, program_of(process), 1);
}

/* What it hands to the system in queues, and since when: the first process of a program stands for
 * the others. */
static void add_queues(struct reasons *reasons, const struct fth_spill_process *process)
{
    char why[160];
    for (const char *at = NULL; (at = fth_spill_text(process, FTH_QUEUE_KEY, at));) {
        char *name;
        int64_t since = strtoll(at, &name, 10);
        if (*name != ' ')
            continue;
        snprintf(why, sizeof why, "operations that it submits in a queue (%.60s)", name + 1);
        struct reason *reason = add(reasons, FTH_UNSEEN_QUEUE, why, program_of(process), 1);
        if (!reason->image) {
            reason->image = process->image;
            reason->since = since;
        }
    }
}

/* Each program once. */
static void add_libraries_inside(struct reasons *reasons, const struct fth_spill_folder *folder)
{
    struct fth_intern programs = {0};
    for (size_t i = 0; i < folder->image_count; i++) {
        const char *path = fth_spill_text(folder->images[i].process, "exe", NULL);
        uint32_t known = programs.count;
        if (!path || fth_intern(&programs, path, strlen(path)) != known)
            continue;
        char *names = fth_libraries_inside(path);
        if (!names)
            continue;
        char *why = fth_text_format("linked statically with %s, whose calls are not recorded then; "
                                    "link it with the options that 'fathom wrap --static' prints",
                                    names);
        add(reasons, FTH_UNSEEN_LIBRARY, why, program_of(folder->images[i].process), 1);
        free(names);
        free(why);
    }
    fth_intern_free(&programs);
}

/* ---- files of programs that are written ---- */

static bool has_several_hosts(const struct fth_spill_folder *folder)
{
    const char *first = NULL;
    for (size_t i = 0; i < folder->image_count; i++) {
        const char *host = fth_spill_text(folder->images[i].process, "host", NULL);
        if (host && first && strcmp(host, first) != 0)
            return true;
        first = host ? host : first;
    }
    return false;
}

/* Each node knows only of what is written there. */
static void add_written(const struct fth_spill_folder *folder, struct fth_blind_spots *spots)
{
    if (!has_several_hosts(folder))
        return;
    for (size_t i = 0; i < folder->image_count; i++)
        for (const char *at = NULL;
             (at = fth_spill_text(folder->images[i].process, FTH_WRITTEN_KEY, at));)
            fth_blind_spots_add(
                spots, FTH_UNSEEN_OTHER,
                fth_text_format("accesses of other nodes to %s, which %s wrote to: files of "
                                "programs and of the system are left out as long as they are only "
                                "read (--program-files, --no-default-excludes)",
                                at, program_of(folder->images[i].process)));
}

/* ---- processes that others looked at ---- */

static void add_look(const struct fth_spill_folder *folder, const struct fth_spill_process *from,
                     int64_t pid, struct fth_blind_spots *spots)
{
    for (size_t i = 0; i < folder->image_count; i++) {
        int64_t other = folder->images[i].process->pid;
        bool again = false; /* another program of that process */
        for (size_t k = 0; k < i; k++)
            again |= folder->images[k].process->pid == other;
        if (!again && other != from->pid && (pid == FTH_LOOKED_AT_MORE || other == pid))
            fth_blind_spots_add(spots, FTH_UNSEEN_OTHER,
                                fth_text_format(FTH_LOOKED_AT ": files of the system are left out "
                                                              "(--no-default-excludes)",
                                                (long long)other, (long long)from->pid));
    }
}

/* ---- functions as regions ---- */

/* They were asked for, and no process has entered one. */
static bool lack_regions(const struct fth_spill_folder *folder)
{
    bool wanted = false;
    for (size_t i = 0; i < folder->image_count; i++)
        for (const char *at = NULL;
             (at = fth_spill_text(folder->images[i].process, "regions", at));) {
            if (strcmp(at, FTH_REGIONS_ENTERED) == 0)
                return false;
            wanted = true;
        }
    return wanted;
}

/* ---- the whole ---- */

size_t fth_unseen_programs(const struct fth_spill_folder *folder, bool is_over,
                           struct fth_blind_spots *spots)
{
    struct reasons reasons = {0};
    struct fth_late_processes late = {0};
    if (!is_over)
        fth_late_processes_find(&late, folder->path, has_file, folder);
    add_late(&reasons, &late);
    for (size_t i = 0; i < folder->image_count; i++) {
        const struct fth_spill_process *process = folder->images[i].process;
        char forked[300];
        for (const char *at = NULL; (at = fth_spill_text(process, "unseen", at));)
            fth_blind_spots_add(spots, FTH_UNSEEN_OTHER, fth_text_copy(at));
        if (process->lost_texts)
            fth_blind_spots_add(
                spots, FTH_UNSEEN_OTHER,
                fth_text_format("%u notes of process %lld (of links, maps, programs and what is "
                                "not recorded): there was no room for more",
                                process->lost_texts, (long long)process->pid));
        for (const char *at = NULL; (at = fth_spill_text(process, "aside", at));)
            add_aside(&reasons, process, at);
        for (const char *at = NULL; (at = fth_spill_text(process, FTH_LOOKED_AT_KEY, at));)
            add_look(folder, process, strtoll(at, NULL, 10), spots);
        add_queues(&reasons, process);
        add_programs(&reasons, folder, &late, process, "program",
                     process->stopped ? unreachable : NULL);
        add_programs(&reasons, folder, &late, process, "locked_out", gave_up_rights);
        for (size_t k = 0; k < sizeof strangers / sizeof *strangers; k++)
            add_programs(&reasons, folder, &late, process, strangers[k].key, strangers[k].why);
        snprintf(forked, sizeof forked, "children of %.200s", program_of(process));
        if (process->locked_out)
            add(&reasons, FTH_UNSEEN_PROGRAM, gave_up_rights, forked, process->locked_out)
                ->of_forked = true;
    }
    if (lack_regions(folder))
        fth_blind_spots_add(spots, FTH_UNSEEN_OTHER,
                            fth_text_copy("functions as regions: no function compiled with "
                                          "-finstrument-functions was entered"));
    add_libraries_inside(&reasons, folder);
    add_written(folder, spots);
    blame_budget(&reasons, folder);
    for (size_t i = 0; i < reasons.count; i++)
        say(&reasons.list[i], spots);
    free(reasons.list);
    free(late.pids);
    return late.count;
}
