/* What came of a call: whether it did what the recorded one did. */
#include "player/player.h"

#include <errno.h>

bool fth_player_failed(const struct fth_script_function *function, int64_t result)
{
    switch ((enum fth_script_result)function->result) {
    case FTH_SCRIPT_MOVED:
    case FTH_SCRIPT_ITEMS:
    case FTH_SCRIPT_STATUS:
        return result < 0;
    case FTH_SCRIPT_CODE:
        return result != 0;
    case FTH_SCRIPT_POINTER:
        return !result;
    case FTH_SCRIPT_ANY:
        break;
    }
    return false;
}

static bool differs(const struct fth_script_function *function, const struct fth_script_op *op,
                    int64_t result, int error)
{
    bool was_failed = op->flags & FTH_SCRIPT_FAILED;
    if (op->what == FTH_SCRIPT_READ || op->what == FTH_SCRIPT_WRITE || op->what == FTH_SCRIPT_END)
        return result != op->expected;
    if (op->what != FTH_SCRIPT_CALL || function->result == FTH_SCRIPT_ANY)
        return false;
    if (op->flags & FTH_SCRIPT_RACES)
        return fth_player_failed(function, result) && error != ENOENT;
    if (fth_player_failed(function, result) != was_failed)
        return true;
    bool moves = function->result == FTH_SCRIPT_MOVED || function->result == FTH_SCRIPT_ITEMS;
    return moves && !was_failed && result != op->expected;
}

/* Bytes that it has really moved: as its result says; if that is a code, as many as were
 * recorded. */
static uint64_t moved_by(const struct fth_script_function *function, const struct fth_script_op *op,
                         int64_t result)
{
    bool tells = op->what == FTH_SCRIPT_READ || op->what == FTH_SCRIPT_WRITE ||
                 op->what == FTH_SCRIPT_END ||
                 (op->what == FTH_SCRIPT_CALL && function->result == FTH_SCRIPT_MOVED);
    if (tells)
        return result < 0 ? 0 : (uint64_t)result;
    if (op->what == FTH_SCRIPT_CALL && fth_player_failed(function, result))
        return 0;
    return op->what == FTH_SCRIPT_CALL && function->result == FTH_SCRIPT_ITEMS
               ? (uint64_t)result * (uint64_t)op->arguments[function->item_size]
               : (uint64_t)op->bytes;
}

void fth_player_note(struct fth_player_thread *thread, const struct fth_script_op *op, int64_t time,
                     int64_t result, int error)
{
    const struct fth_script_function *function = &fth_player.functions[op->function];
    struct fth_script_outcome *outcome = &thread->outcomes[op->function];
    outcome->calls++;
    outcome->time += time;
    uint64_t bytes = moved_by(function, op, result);
    outcome->bytes_read += function->reads ? bytes : 0;
    outcome->bytes_written += function->writes ? bytes : 0;
    if (!differs(function, op, result, error) || outcome->differences++)
        return;
    outcome->expected = op->expected;
    outcome->result = result;
    outcome->error = function->result == FTH_SCRIPT_CODE ? (int32_t)result : error;
    outcome->expected_failure = op->flags & FTH_SCRIPT_FAILED;
}
