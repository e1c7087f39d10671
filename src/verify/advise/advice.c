/* What is missing between two accesses, and the change that would repair it, in words. Advice
 * speaks of the calls that the program makes itself. */
#include "verify/advise/advice_functions.h"

#include "trace/record/builtin.h"
#include "verify/gather/known_functions.h"

#include <string.h>

/* ---- who, and where ---- */

/* Is a step, by where it stands in the construct, the first process's doing, or the second
 * one's? */
static bool is_of_second(const struct fth_construct *construct, size_t step)
{
    for (size_t i = 0; i <= step && i < construct->step_count; i++)
        if (construct->steps[i].relation == FTH_HAPPENS_BEFORE)
            return true;
    return false;
}

static const struct fth_advice_side *side_of(const struct fth_advice *advice, size_t step)
{
    return is_of_second(advice->construct, step) ? &advice->y : &advice->x;
}

static const struct fth_consistency_set *set_of(const struct fth_advice *advice, size_t step)
{
    return &advice->model->sets[advice->construct->steps[step].set];
}

/* What ends an access that its call only begins: "MPI_Wait for the MPI_File_iwrite_at",
 * "MPI_File_write_all_end". */
static void put_completion(struct fth_sink *sink, const struct fth_advice_side *side)
{
    const struct fth_function *by = side->completed_by;
    bool is_other_half = by && strcmp(by->kind, "wait") != 0 && strcmp(by->kind, "test") != 0;
    fth_sink_text(sink, by ? by->name : "wait");
    if (is_other_half)
        return;
    fth_sink_text(sink, " for the ");
    fth_sink_text(sink, side->function);
}

/* "pwrite (io.c:12 put)". A call that maps a file is no access: `first`, or the last one, comes
 * later. */
static void put_call(struct fth_sink *sink, const struct fth_advice_side *side, bool first)
{
    if (side->begins && !first)
        put_completion(sink, side);
    else
        fth_sink_text(sink, !side->maps ? side->function
                            : first     ? "first use of the mapping"
                                        : "last use of the mapping (munmap, or msync)");
    if (!side->source)
        return;
    fth_sink_text(sink, " (");
    fth_sink_text(sink, side->source);
    fth_sink_char(sink, ')');
}

/* " on 'data'" */
static void put_file(struct fth_sink *sink, const struct fth_advice *advice)
{
    const char *slash = strrchr(advice->file, '/');
    fth_sink_text(sink, " on '");
    fth_sink_text(sink, slash && slash[1] ? slash + 1 : advice->file);
    fth_sink_char(sink, '\'');
}

/* " with the handle that call 0.0.12 opened" */
static void put_handle(struct fth_sink *sink, const struct fth_advice_side *side)
{
    if (!*side->handle)
        return;
    fth_sink_text(sink, " with the handle that call ");
    fth_sink_text(sink, side->handle);
    fth_sink_text(sink, " opened");
}

/* ---- what is missing ---- */

/* "close (fclose) of the file by rank 3" */
static void put_step(struct fth_sink *sink, const struct fth_advice *advice, size_t step)
{
    const struct fth_advice_side *side = side_of(advice, step);
    fth_sink_text(sink, set_of(advice, step)->name);
    fth_sink_text(sink, " (");
    fth_advice_put_function(sink, set_of(advice, step), side);
    fth_sink_text(sink, ") of the file by ");
    fth_sink_text(sink, side->who);
    put_handle(sink, side);
}

/* "the H5Fclose of rank 0 before the H5Fopen of rank 1" */
static void put_done(struct fth_sink *sink, const struct fth_advice *advice)
{
    fth_sink_text(sink, "the ");
    fth_sink_text(sink, advice->x.done);
    fth_sink_text(sink, " of ");
    fth_sink_text(sink, advice->x.who);
    fth_sink_text(sink, " before the ");
    if (advice->y.done)
        fth_sink_text(sink, advice->y.done);
    else
        put_call(sink, &advice->y, true);
    fth_sink_text(sink, " of ");
    fth_sink_text(sink, advice->y.who);
}

static void put_no_order(struct fth_sink *sink, const struct fth_advice *advice)
{
    fth_sink_text(sink, advice->perhaps ? "nothing that Fathom can follow orders the two calls"
                                        : "nothing orders the two calls");
    if (advice->lacks_order_only) {
        fth_sink_text(sink, ", nor ");
        put_done(sink, advice);
    }
    if (advice->waits_for_name)
        fth_sink_text(sink, "; the file was created before it was written, so waiting until its "
                            "name exists orders only the creation, not the writes");
}

void fth_advice_missing(struct fth_sink *sink, const struct fth_advice *advice)
{
    const struct fth_construct *construct = advice->construct;
    if (!advice->ordered) {
        put_no_order(sink, advice);
        return;
    }
    if (!construct) {
        fth_sink_text(sink, "nothing makes the written data visible under this model");
        return;
    }
    if (advice->in_one_call) {
        fth_sink_text(sink, "the ");
        fth_sink_text(sink, advice->x.done);
        fth_sink_text(sink, " of ");
        fth_sink_text(sink, advice->x.who);
        fth_sink_text(sink, " and that of ");
        fth_sink_text(sink, advice->y.who);
        fth_sink_text(sink, " are one collective call, which orders neither before the other");
        return;
    }
    if (advice->lacks_order_only) {
        fth_sink_text(sink, "nothing orders ");
        put_done(sink, advice);
        fth_sink_text(sink, ", although both calls exist");
        return;
    }
    fth_sink_text(sink, "no ");
    if (advice->step < construct->step_count) {
        put_step(sink, advice, advice->step);
        fth_sink_text(sink, is_of_second(construct, advice->step)
                                ? " after the calls of the other one and before its own access"
                                : " after its own access and before that of the other one");
        return;
    }
    for (size_t i = 0; i < construct->step_count; i++) {
        fth_sink_text(sink, i ? ", and then " : "");
        put_step(sink, advice, i);
    }
    fth_sink_text(sink, construct->step_count > 1 ? ", in this order between the two accesses"
                                                  : " between the two accesses");
}

/* ---- repairs ---- */

/* What lets one wait for the other. */
static const char *means(const struct fth_advice *advice)
{
    bool ranks = advice->x.is_rank && advice->y.is_rank && !advice->other_run;
    return ranks ? "a message or a barrier"
                 : "synchronization (waiting for the end of the process, a lock, a pipe)";
}

static void put_order(struct fth_sink *sink, const struct fth_advice *advice)
{
    fth_sink_text(sink, "add ");
    fth_sink_text(sink, means(advice));
    fth_sink_text(sink, " after the ");
    if (advice->lacks_order_only)
        fth_sink_text(sink, advice->x.done);
    else
        put_call(sink, &advice->x, false);
    fth_sink_text(sink, " of ");
    fth_sink_text(sink, advice->x.who);
    fth_sink_text(sink, " and before the ");
    if (advice->lacks_order_only && advice->y.done)
        fth_sink_text(sink, advice->y.done);
    else
        put_call(sink, &advice->y, true);
    fth_sink_text(sink, " of ");
    fth_sink_text(sink, advice->y.who);
    if (advice->other_run)
        fth_sink_text(sink, "; if one run ended before the other one began, use --in-sequence, "
                            "--workflow or --by-files");
}

/* MPI-IO's own way: both sides synchronize the file, and something orders that. Such calls are
 * collective. */
static bool is_sync_barrier_sync(const struct fth_advice *advice)
{
    const struct fth_construct *construct = advice->construct;
    if (construct->step_count != 2 || advice->step == 1)
        return false;
    for (size_t i = 0; i < 2; i++)
        if (is_of_second(construct, i) != (i == 1) ||
            fth_advice_operation(set_of(advice, i)) != FTH_ADVICE_FLUSH ||
            !side_of(advice, i)->above_mpiio)
            return false;
    return true;
}

/* The function of its library that the side calls for a step, or one of the set. */
static const char *function_or_example(const struct fth_advice *advice, size_t step)
{
    const struct fth_consistency_set *set = set_of(advice, step);
    const char *function = fth_advice_function(set, side_of(advice, step));
    return function ? function : fth_consistency_example(set->functions[0]);
}

static void put_sync_barrier_sync(struct fth_sink *sink, const struct fth_advice *advice)
{
    fth_sink_text(sink, "between the ");
    put_call(sink, &advice->x, false);
    fth_sink_text(sink, " of ");
    fth_sink_text(sink, advice->x.who);
    fth_sink_text(sink, " and the ");
    put_call(sink, &advice->y, true);
    fth_sink_text(sink, " of ");
    fth_sink_text(sink, advice->y.who);
    fth_sink_text(sink, ", let all ranks that have the file open call ");
    fth_sink_text(sink, function_or_example(advice, 0));
    put_file(sink, advice);
    put_handle(sink, &advice->x);
    fth_sink_text(sink, ", then MPI_Barrier, then ");
    fth_sink_text(sink, function_or_example(advice, 1));
    put_handle(sink, &advice->y);
}

/* Both are in one collective call: the second one's has to be another one. */
static void put_once_more(struct fth_sink *sink, const struct fth_advice *advice)
{
    fth_sink_text(sink, "let all ranks that have the file open call MPI_Barrier, and then ");
    fth_sink_text(sink, advice->y.done);
    put_file(sink, advice);
    fth_sink_text(sink, " once more, after the ");
    fth_sink_text(sink, advice->x.done);
    fth_sink_text(sink, " of ");
    fth_sink_text(sink, advice->x.who);
    fth_sink_text(sink, " and before the ");
    put_call(sink, &advice->y, true);
    fth_sink_text(sink, " of ");
    fth_sink_text(sink, advice->y.who);
}

static bool is_for_all(const struct fth_advice *advice, size_t step)
{
    const struct fth_advice_side *side = side_of(advice, step);
    const char *function = fth_advice_function(set_of(advice, step), side);
    return side->is_rank && function && fth_advice_is_collective(side, function);
}

/* `again`: all were named just before. */
static void put_who_calls(struct fth_sink *sink, const struct fth_advice *advice, size_t step,
                          bool again)
{
    const struct fth_advice_side *side = side_of(advice, step);
    bool all = is_for_all(advice, step);
    fth_sink_text(sink, "let ");
    fth_sink_text(sink, !all    ? side->who
                        : again ? "them all"
                                : "all ranks of the communicator that opened the file");
    fth_sink_text(sink, " call ");
    fth_advice_put_function(sink, set_of(advice, step), side);
    put_file(sink, advice);
    fth_sink_text(sink, all ? " (it is collective)" : "");
}

/* " after its pwrite (w.c:3)", " before the MPI_File_read_at of rank 1" */
static void put_when(struct fth_sink *sink, const struct fth_advice *advice, size_t step)
{
    const struct fth_advice_side *side = side_of(advice, step);
    bool all = is_for_all(advice, step);
    fth_sink_text(sink, is_of_second(advice->construct, step) ? " before " : " after ");
    fth_sink_text(sink, all ? "the " : "its ");
    put_call(sink, side, is_of_second(advice->construct, step));
    if (!all)
        return;
    fth_sink_text(sink, " of ");
    fth_sink_text(sink, side->who);
}

/* What the first access does by itself needs no call, but must be over. */
static bool is_done(const struct fth_advice *advice, size_t step)
{
    return !is_of_second(advice->construct, step) &&
           fth_advice_is_done_by_itself(set_of(advice, step), &advice->x);
}

static void put_steps(struct fth_sink *sink, const struct fth_advice *advice)
{
    static const char behind[] = ", after the synchronization of the two";
    static const char ahead[] = ", before the synchronization of the two";
    const struct fth_construct *construct = advice->construct;
    bool ordered = advice->ordered, all = false;
    size_t count = 0;
    for (size_t i = 0; i < construct->step_count; i++)
        ordered &= !is_done(advice, i);
    for (size_t i = 0; i < construct->step_count; i++) {
        bool second = is_of_second(construct, i);
        bool last_of_first =
            i + 1 < construct->step_count && !second && is_of_second(construct, i + 1);
        if (i < advice->step && advice->step < construct->step_count)
            continue; /* is there */
        if (is_done(advice, i))
            continue;
        fth_sink_text(sink, !count ? "" : ordered ? ", and " : ", ");
        put_who_calls(sink, advice, i, all);
        all = is_for_all(advice, i);
        put_when(sink, advice, i);
        if (ordered && second && !count)
            fth_sink_text(sink, behind);
        if (ordered && last_of_first)
            fth_sink_text(sink, ahead);
        count++;
    }
    if (!count) {
        put_order(sink, advice);
        return;
    }
    if (ordered) {
        fth_sink_text(sink, construct->last == FTH_HAPPENS_BEFORE ? ahead : "");
        return;
    }
    fth_sink_text(sink, ", and add ");
    fth_sink_text(sink, means(advice));
    fth_sink_text(sink, " after the calls of ");
    fth_sink_text(sink, advice->x.who);
    fth_sink_text(sink, " and before those of ");
    fth_sink_text(sink, advice->y.who);
}

/* Does a step ask a process to open, or close, what it has from another one; or a shell to do
 * something? */
static bool asks_in_vain(const struct fth_advice *advice)
{
    for (size_t i = 0; i < advice->construct->step_count; i++) {
        const struct fth_advice_side *side = side_of(advice, i);
        enum fth_advice_operation asked = fth_advice_operation(set_of(advice, i));
        bool is_there = i < advice->step && advice->step < advice->construct->step_count;
        if (is_there || is_done(advice, i))
            continue;
        if (side->runs_others ||
            (side->inherited && (asked == FTH_ADVICE_OPEN || asked == FTH_ADVICE_CLOSE)))
            return true;
    }
    return false;
}

/* A file that is opened anew is another descriptor; who opens it is not named. */
static void put_passed_on(struct fth_sink *sink, const struct fth_advice *advice)
{
    size_t last = advice->construct->step_count - 1;
    bool opens = fth_advice_operation(set_of(advice, last)) == FTH_ADVICE_OPEN;
    fth_sink_text(sink, "let ");
    if (opens) {
        fth_sink_text(sink, advice->y.who);
        fth_sink_text(sink, " have a descriptor");
        put_file(sink, advice);
        fth_sink_text(sink, " that is opened when ");
        fth_sink_text(sink, advice->x.who);
        fth_sink_text(sink, " has closed its own, or has ended");
    } else {
        fth_sink_text(sink, advice->x.who);
        fth_sink_text(sink, " and ");
        fth_sink_text(sink, advice->y.who);
        fth_sink_text(sink, " access different files");
    }
    fth_sink_text(sink, ", or use a file system with a stronger model");
    if (advice->ordered)
        return;
    fth_sink_text(sink, ", and add ");
    fth_sink_text(sink, means(advice));
}

/* No call fits between the parts of ranks in one collective call. */
static bool may_be_one_call(const struct fth_advice *advice)
{
    return !advice->ordered && advice->x.in_collective &&
           strcmp(advice->x.function, advice->y.function) == 0;
}

/* Nobody can let a library make other calls than it does. */
static void put_of_library(struct fth_sink *sink, const struct fth_advice *advice)
{
    const struct fth_advice_side *side = &advice->x;
    bool inside = side->call && !fth_layer_is(side->call->layer, FTH_LAYER_SYSTEM);
    fth_sink_text(sink, "no call of the program can repair this: the MPI library or the launcher "
                        "keeps the file for itself");
    if (inside) {
        fth_sink_text(sink, ", and accesses it inside ");
        put_call(sink, side, false);
    }
    if (inside && side->moves_bytes) {
        fth_sink_text(sink, "; do without ");
        fth_sink_text(sink, side->function);
        fth_sink_text(sink, advice->ordered ? ", or use a file system with a stronger model" : "");
    } else if (advice->ordered) {
        fth_sink_text(sink, "; use a file system with a stronger model");
    }
}

/* The calls that mapped the file are no place for a wait. */
static void put_mapping(struct fth_sink *sink, const struct fth_advice *advice)
{
    fth_sink_text(sink, "let ");
    fth_sink_text(sink, advice->x.who);
    fth_sink_text(sink, " and ");
    fth_sink_text(sink, advice->y.who);
    fth_sink_text(sink, " access different bytes of the mapped file, or add ");
    fth_sink_text(sink, means(advice));
    fth_sink_text(sink, " between their accesses, which are not seen");
}

/* What is renamed is there as a whole. */
static void put_rename(struct fth_sink *sink, const struct fth_advice *advice)
{
    fth_sink_text(sink, "let ");
    fth_sink_text(sink, advice->x.who);
    fth_sink_text(sink, " write to another name, and rename the file when all is written; or ");
}

void fth_advice_repair(struct fth_sink *sink, const struct fth_advice *advice)
{
    const struct fth_construct *construct = advice->construct;
    if (advice->of_library) {
        put_of_library(sink, advice);
        return;
    }
    if (advice->perhaps)
        fth_sink_text(sink, "only if the program does not order them: ");
    if (advice->by_mapping) {
        put_mapping(sink, advice);
        return;
    }
    if (advice->waits_for_name)
        put_rename(sink, advice);
    if (may_be_one_call(advice))
        fth_sink_text(
            sink,
            "if this is one collective call of both, let them access different bytes; otherwise ");
    if (advice->ordered && !construct)
        fth_sink_text(sink, "use a file system with a stronger model");
    else if (advice->in_one_call)
        put_once_more(sink, advice);
    else if (!construct || construct->step_count == 0 || advice->lacks_order_only)
        put_order(sink, advice);
    else if (is_sync_barrier_sync(advice))
        put_sync_barrier_sync(sink, advice);
    else if (asks_in_vain(advice))
        put_passed_on(sink, advice);
    else
        put_steps(sink, advice);
    if (!advice->ordered && !construct)
        fth_sink_text(sink, ", and use a file system with a stronger model");
}
