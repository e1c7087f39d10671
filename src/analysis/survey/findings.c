/* Names of ranks; and which kinds of findings explain which others: where both were found about the
 * same, and the cause has at least half of the seconds of what it is said to explain. */
#include "analysis/survey/findings.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void fth_finding_rank(struct fth_finding *finding, const struct fth_trace *trace, size_t proc)
{
    const struct fth_process *process = fth_trace_process(trace, proc);
    char name[32];
    if (process->rank != FTH_NO_RANK)
        snprintf(name, sizeof name, "%" PRId64, process->rank);
    else
        snprintf(name, sizeof name, "proc %zu", proc);
    fth_finding_list_add(&finding->ranks, name);
}

/* ---- relations ---- */

enum about { ANYTHING, SAME_RANK, SAME_FILE, SAME_FUNCTION };
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
    {"uneven_io",
     SAME_RANK,
     {"straggler", "io_imbalance", "late_sender", "wait_at_barrier", "wait_at_nxn", "early_reduce",
      "late_broadcast", "early_scan", "late_in_collective_io", "wait_at_collective", "wait_at_end",
      "long_opening"}},
    /* one has more to do, or some have */
    {"straggler",
     SAME_RANK,
     {"wait_at_barrier", "wait_at_nxn", "early_reduce", "late_broadcast", "early_scan",
      "late_in_collective_io", "wait_at_collective", "wait_at_end", "late_sender", "late_receiver",
      "long_opening"}},
    {"compute_imbalance",
     SAME_RANK,
     {"wait_at_barrier", "wait_at_nxn", "early_reduce", "late_broadcast", "early_scan",
      "late_in_collective_io", "wait_at_collective", "wait_at_end", "late_sender", "late_receiver",
      "long_opening"}},
    {"io_imbalance",
     SAME_RANK,
     {"wait_at_barrier", "wait_at_nxn", "early_reduce", "late_broadcast", "early_scan",
      "late_in_collective_io", "wait_at_collective", "wait_at_end", "late_sender", "late_receiver",
      "long_opening"}},
    /* waits that have no other cause are for a processor */
    {"more_ranks_than_processors",
     ANYTHING,
     {"wait_at_barrier", "wait_at_nxn", "early_reduce", "late_broadcast", "early_scan",
      "late_in_collective_io", "wait_at_collective", "wait_at_end", "late_sender",
      "late_sender_wrong_order", "late_receiver", "polling", "bound_by_messages",
      "messages_inside_io", "wait_for_epoch", "long_opening", "much_in_messages"}},
    /* opening and closing that takes long for a reason that has a name; or as ranks come late to
     * it; and that is waited for in turn */
    {"metadata_by_all", ANYTHING, {"long_opening"}},
    {"many_files", ANYTHING, {"long_opening"}},
    {"opened_again", ANYTHING, {"long_opening"}},
    {"metadata_heavy", ANYTHING, {"long_opening"}},
    {"opening_burst", ANYTHING, {"long_opening"}},
    {"uneven_opening", ANYTHING, {"long_opening"}},
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
    {"many_files", ANYTHING, {"much_metadata"}},
    {"opened_again", ANYTHING, {"much_metadata"}},
    {"metadata_heavy", ANYTHING, {"much_metadata"}},
    {"uneven_opening", ANYTHING, {"much_metadata"}},
    {"busy_io_servers", ANYTHING, {"late_receiver"}},
    {"many_files", SAME_FILE, {"opened_again", "small_accesses", "read_back"}},
    {"opened_again", SAME_FILE, {"metadata_heavy", "uneven_opening", "opening_burst"}},
    {"opening_burst", SAME_FILE, {"metadata_heavy", "uneven_opening"}},
    {"uneven_opening", SAME_FILE, {"metadata_heavy"}},
    {"lock_contention", ANYTHING, {"wait_for_lock"}},
    {"lock_contention", SAME_FILE, {"metadata_heavy"}},
    {"frequent_lock", SAME_FILE, {"metadata_heavy"}},
    /* what becomes of files */
    {"temporary_on_network", SAME_FILE, {"written_never_read", "read_back"}},
};

static bool have_common(const struct fth_finding_list *one, const struct fth_finding_list *other)
{
    for (size_t i = 0; i < one->count; i++)
        for (size_t k = 0; k < other->count; k++)
            if (strcmp(one->items[i], other->items[k]) == 0)
                return true;
    return false;
}

static bool is_about_same(enum about about, const struct fth_finding *cause,
                          const struct fth_finding *effect)
{
    switch (about) {
    case SAME_RANK:
        return have_common(&cause->ranks, &effect->ranks);
    case SAME_FILE:
        return cause->any_file || have_common(&cause->files, &effect->files);
    case SAME_FUNCTION:
        return have_common(&cause->functions, &effect->functions);
    case ANYTHING:
        break;
    }
    return true;
}

static void relate(struct fth_findings *findings, struct fth_finding *cause, const char *kind,
                   enum about about)
{
    struct fth_finding *effect = fth_finding_of(findings, kind);
    int64_t most = cause->explains > cause->severity ? cause->explains : cause->severity;
    if (!effect || effect->effective || effect->wrong || effect->part_of ||
        most < effect->severity / 2 || !is_about_same(about, cause, effect) ||
        (cause->part_of && strcmp(cause->part_of, kind) == 0))
        return;
    effect->part_of = cause->part_of ? cause->part_of : cause->kind;
    for (size_t i = 0; i < effect->evidence.count; i++)
        fth_finding_list_add(&cause->evidence, effect->evidence.items[i]);
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
}
