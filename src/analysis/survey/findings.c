/* Names of ranks; and which kinds of findings explain which others, where both were found about the
 * same. The cause stands for the effect if what it could gain is at least half of what the effect
 * claims; otherwise both are shown, and said to be related. */
#include "analysis/survey/findings.h"

#include "base/phrase.h"

#include <stdio.h>
#include <string.h>

static void add_rank(struct fth_finding_list *list, const struct fth_trace *trace, size_t proc)
{
    const struct fth_process *process = fth_trace_process(trace, proc);
    char name[32];
    snprintf(name, sizeof name, "proc %zu", proc);
    fth_finding_list_add(list, process->rank == FTH_NO_RANK
                                   ? name
                                   : fth_phrase_rank(process->world, process->rank).text);
}

void fth_finding_rank(struct fth_finding *finding, const struct fth_trace *trace, size_t proc)
{
    add_rank(&finding->ranks, trace, proc);
}

void fth_finding_late(struct fth_finding *finding, const struct fth_trace *trace, size_t proc)
{
    add_rank(&finding->late, trace, proc);
}

/* ---- relations ---- */

enum about { ANYTHING, SAME_RANK, SAME_FILE, SAME_FUNCTION, ONCE_EACH };
enum { MOST_EFFECTS = 20 };

/* Rows are tried from the top: what causes causes comes first. */
static const struct relation {
    const char *cause;
    enum about about;
    const char *effects[MOST_EFFECTS];
} relations[] = {
    /* one does the I/O of all: the others wait for it in whatever comes next */
    {"serial_io",
     SAME_RANK,
     {"straggler", "late_sender", "wait_at_barrier", "wait_at_nxn", "late_broadcast",
      "wait_at_end"}},
    /* what all make together, each of them waits for the others */
    {"repeated_set_up",
     SAME_FUNCTION,
     {"wait_at_collective", "late_in_collective_io", "straggler", "compute_imbalance"}},
    {"repeated_set_up", SAME_FILE, {"metadata_heavy"}},
    {"uneven_io",
     SAME_RANK,
     {"straggler", "io_imbalance", "late_sender", "wait_at_barrier", "wait_at_nxn", "early_reduce",
      "late_broadcast", "early_scan", "late_in_collective_io", "wait_at_collective",
      "wait_at_end"}},
    /* one has more to do, or some have */
    {"straggler",
     SAME_RANK,
     {"wait_at_barrier", "wait_at_nxn", "early_reduce", "late_broadcast", "early_scan",
      "late_in_collective_io", "wait_at_collective", "wait_at_end", "wait_for_epoch", "late_sender",
      "late_receiver"}},
    {"compute_imbalance",
     SAME_RANK,
     {"wait_at_barrier", "wait_at_nxn", "early_reduce", "late_broadcast", "early_scan",
      "late_in_collective_io", "wait_at_collective", "wait_at_end", "wait_for_epoch", "late_sender",
      "late_receiver"}},
    {"io_imbalance",
     SAME_RANK,
     {"wait_at_barrier", "wait_at_nxn", "early_reduce", "late_broadcast", "early_scan",
      "late_in_collective_io", "wait_at_collective", "wait_at_end", "wait_for_epoch", "late_sender",
      "late_receiver"}},
    /* waits that have no other cause are for a processor */
    {"more_ranks_than_processors",
     ANYTHING,
     {"wait_at_barrier", "wait_at_nxn", "early_reduce", "late_broadcast", "early_scan",
      "late_in_collective_io", "wait_at_collective", "wait_at_end", "late_sender",
      "late_sender_wrong_order", "late_receiver", "polling", "bound_by_messages",
      "messages_inside_io", "wait_for_epoch", "much_in_messages"}},
    /* names that are looked for in vain */
    {"calls_fail", ANYTHING, {"much_metadata"}},
    /* opening and closing that takes long for a reason that has a name; or as ranks come late to
     * it; and that is waited for in turn */
    {"metadata_by_all", SAME_FILE, {"long_opening"}},
    {"many_files", SAME_FILE, {"long_opening"}},
    {"opened_again", SAME_FILE, {"long_opening"}},
    {"metadata_heavy", SAME_FILE, {"long_opening"}},
    {"opening_burst", SAME_FILE, {"long_opening"}},
    {"uneven_opening", SAME_FILE, {"long_opening"}},
    {"late_in_collective_io", SAME_FUNCTION, {"long_opening"}},
    {"long_opening", SAME_FUNCTION, {"late_in_collective_io"}},
    /* waits that have a name of their own, and a cause */
    {"straggler", ANYTHING, {"much_in_messages"}},
    {"compute_imbalance", ANYTHING, {"much_in_messages"}},
    {"io_imbalance", ANYTHING, {"much_in_messages"}},
    {"serial_io", ANYTHING, {"much_in_messages"}},
    {"busy_io_servers", ANYTHING, {"much_in_messages"}},
    {"late_sender", ANYTHING, {"much_in_messages"}},
    {"late_receiver", ANYTHING, {"much_in_messages"}},
    {"wait_at_barrier", ANYTHING, {"much_in_messages"}},
    {"wait_at_nxn", ANYTHING, {"much_in_messages"}},
    {"early_reduce", ANYTHING, {"much_in_messages"}},
    {"late_broadcast", ANYTHING, {"much_in_messages"}},
    {"uneven_io", ANYTHING, {"much_in_messages"}},
    {"idle_io_servers", ANYTHING, {"much_in_messages"}},
    {"polling", ANYTHING, {"much_in_messages"}},
    /* messages inside of calls of I/O are waits that have names of their own */
    {"late_in_collective_io", ANYTHING, {"messages_inside_io"}},
    {"wait_for_io_of_others", ANYTHING, {"messages_inside_io"}},
    {"late_sender", ANYTHING, {"polling"}},
    /* pieces that are badly put together, and what libraries make of them */
    {"independent_instead_of_collective",
     SAME_FILE,
     {"harmful_data_sieving", "read_before_write", "fan_out", "small_accesses", "unaligned"}},
    {"collective_ran_independently", SAME_FILE, {"small_accesses", "fan_out", "unaligned"}},
    {"harmful_data_sieving", SAME_FILE, {"read_before_write", "amplification", "small_accesses"}},
    {"read_before_write", SAME_FILE, {"small_accesses", "amplification", "read_back"}},
    {"small_library_calls",
     SAME_FILE,
     {"amplification", "fan_out", "read_before_write", "small_accesses", "small_in_a_row"}},
    {"fan_out", SAME_FILE, {"small_accesses", "small_in_a_row"}},
    /* a buffer that is filled here and there for a few bytes */
    {"amplification", SAME_FILE, {"small_stdio_buffer", "read_again"}},
    {"small_accesses", SAME_FILE, {"unaligned", "read_again", "read_back"}},
    {"small_in_a_row", SAME_FILE, {"unaligned", "read_again", "read_back"}},
    /* files that are many, opened again, locked or made safe again and again */
    {"frequent_sync", SAME_FILE, {"opened_again", "metadata_heavy", "temporary_on_network"}},
    {"metadata_by_all", SAME_FILE, {"many_files", "opened_again", "uneven_opening", "read_by_all"}},
    {"metadata_by_all", ANYTHING, {"much_metadata"}},
    {"many_files", ONCE_EACH, {"much_metadata"}},
    {"opened_again", ANYTHING, {"much_metadata"}},
    {"metadata_heavy", ANYTHING, {"much_metadata"}},
    {"busy_io_servers", ANYTHING, {"late_receiver"}},
    {"many_files", SAME_FILE, {"opened_again", "small_accesses", "read_back"}},
    {"opened_again", SAME_FILE, {"metadata_heavy", "uneven_opening", "opening_burst"}},
    {"opening_burst", SAME_FILE, {"metadata_heavy", "uneven_opening"}},
    {"uneven_opening", SAME_FILE, {"metadata_heavy"}},
    {"lock_contention", ANYTHING, {"wait_for_lock"}},
    {"wait_for_lock", ANYTHING, {"lock_contention"}}, /* the same, where it gains more */
    {"lock_contention", SAME_FILE, {"metadata_heavy"}},
    {"frequent_lock", SAME_FILE, {"metadata_heavy"}},
    /* what becomes of files */
    {"temporary_on_network", SAME_FILE, {"written_never_read", "read_back"}},
};

/* What cannot be said where calls of processes were only watched: it compares processes, or calls
 * of different kinds, or is about what nobody did. */
static const char *const of_all_calls[] = {"serial_io",
                                           "uneven_io",
                                           "idle_io_servers",
                                           "busy_io_servers",
                                           "straggler",
                                           "compute_imbalance",
                                           "io_imbalance",
                                           "short_write",
                                           "written_never_read",
                                           "metadata_heavy",
                                           "many_files",
                                           "frequent_sync",
                                           "frequent_flush",
                                           "frequent_lock",
                                           "collective_buffering",
                                           "data_sieving",
                                           "amplification",
                                           "collective_ran_independently",
                                           "request_shrinkage",
                                           "small_stdio_buffer",
                                           "harmful_data_sieving",
                                           "temporary_on_network",
                                           "lost_in_buffer",
                                           NULL};

static bool needs_all_calls(const char *kind)
{
    size_t i = 0;
    while (of_all_calls[i] && strcmp(of_all_calls[i], kind) != 0)
        i++;
    return of_all_calls[i] != NULL;
}

void fth_findings_of_a_part(struct fth_findings *findings)
{
    for (size_t i = findings->count; i-- > 0;) {
        struct fth_finding *finding = &findings->list[i];
        finding->gain = -1;
        finding->of_a_part = true;
        if (needs_all_calls(finding->kind))
            fth_findings_remove(findings, i);
    }
}

static bool have_common(const struct fth_finding_list *one, const struct fth_finding_list *other)
{
    for (size_t i = 0; i < one->count; i++)
        for (size_t k = 0; k < other->count; k++)
            if (strcmp(one->items[i], other->items[k]) == 0)
                return true;
    return false;
}

/* Whose doing it is: of those that make its calls, or that these wait for. */
static const struct fth_finding_list *doers_of(const struct fth_finding *finding)
{
    return finding->late.total ? &finding->late : &finding->ranks;
}

static bool is_about_same(enum about about, const struct fth_finding *cause,
                          const struct fth_finding *effect)
{
    switch (about) {
    case SAME_RANK:
        return have_common(doers_of(cause), doers_of(effect));
    case SAME_FILE:
        return have_common(&cause->files, &effect->files) ||
               (cause->any_file && cause->files.total > cause->files.count);
    case SAME_FUNCTION:
        return have_common(&cause->functions, &effect->functions);
    case ONCE_EACH:
        return !effect->again;
    case ANYTHING:
        break;
    }
    return true;
}

/* What the run would gain where that is known of both: all else is compared by seconds of calls. */
static bool covers(const struct fth_finding *cause, const struct fth_finding *effect)
{
    int64_t most = cause->explains > cause->severity ? cause->explains : cause->severity;
    return cause->gain >= 0 && effect->gain > 0 ? cause->gain >= effect->gain / 2
                                                : most >= effect->severity / 2;
}

static bool is_kind(const char *kind, const char *other)
{
    return kind && strcmp(kind, other) == 0;
}

/* What is part of another finding leaves it to that one to explain things. */
static struct fth_finding *root_of(const struct fth_findings *findings, struct fth_finding *finding)
{
    while (finding && finding->part_of)
        finding = fth_finding_of(findings, finding->part_of);
    return finding;
}

static void relate(struct fth_findings *findings, struct fth_finding *cause, const char *kind,
                   enum about about)
{
    struct fth_finding *effect = fth_finding_of(findings, kind);
    struct fth_finding *root = root_of(findings, cause);
    if (!effect || effect->effective || effect->wrong || effect->part_of || root == effect ||
        !is_about_same(about, cause, effect))
        return;
    if (!covers(cause, effect) || !covers(root, effect)) {
        if (!effect->partly_due_to && !is_kind(root->partly_due_to, kind))
            effect->partly_due_to = root->kind;
        return;
    }
    effect->part_of = root->kind;
    effect->partly_due_to = NULL;
    if (is_kind(root->partly_due_to, kind))
        root->partly_due_to = NULL;
}

/* A finding that explained others may have become part of another one itself. */
static void settle(struct fth_findings *findings, struct fth_finding *effect)
{
    const char *kind = effect->part_of ? effect->part_of : effect->partly_due_to;
    const struct fth_finding *root =
        kind ? root_of(findings, fth_finding_of(findings, kind)) : NULL;
    if (!root || is_kind(kind, root->kind))
        return;
    bool is_part = effect->part_of && covers(root, effect);
    effect->part_of = is_part ? root->kind : NULL;
    effect->partly_due_to = is_part || root == effect ? NULL : root->kind;
}

void fth_findings_relate(struct fth_findings *findings)
{
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++) {
        const struct relation *relation = &relations[i];
        struct fth_finding *cause = fth_finding_of(findings, relation->cause);
        if (!cause || cause->effective || cause->minor)
            continue;
        for (size_t k = 0; k < MOST_EFFECTS && relation->effects[k]; k++)
            relate(findings, cause, relation->effects[k], relation->about);
    }
    for (size_t i = 0; i < findings->count; i++)
        settle(findings, &findings->list[i]);
}
