/* Asking the system where descriptors stand. */
#include "capture/follow/standing.h"

#include "capture/follow/connected_sockets.h"
#include "capture/process/process.h"
#include "capture/record/recorder_notes.h"
#include "capture/record/reference.h"
#include "capture/record/watch_phases.h"
#include "interpose/own/own_memory.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

_Static_assert(O_APPEND == 02000, "standing.h has it");

enum { NOWHERE = -1 };

struct fth_standing *fth_standings;
static struct fth_memory_table standings = {.most = FTH_SLOTS, .size = sizeof *fth_standings};
uint32_t fth_copies = 1;
static uint32_t first_copies; /* when this process became one of its own */

bool fth_standing_is_kept(int32_t slot)
{
    if (!fth_table_reach(&standings, (size_t)slot))
        return false;
    __atomic_store_n(&fth_standings, standings.start, __ATOMIC_RELEASE);
    return true;
}

void fth_standing_begins(int32_t slot, bool own)
{
    if (slot < 0)
        return;
    uint32_t copies = own ? fth_copies : 0;
    fth_standings[slot] = (struct fth_standing){.quiet = copies, .own = copies, .at = NOWHERE};
}

void fth_standing_is_copied(int32_t slot, int32_t of)
{
    if (slot >= 0 && of >= 0 && slot != of && fth_standings[of].quiet != fth_copies)
        fth_standings[slot].own = fth_standings[of].own;
}

void fth_standings_copied(void)
{
    fth_copies++;
}

/* A descriptor that nobody else moves is asked about once, and is quiet again. */
void fth_standings_unseen(void)
{
    for (size_t slot = 0; fth_standings && slot < standings.count; slot++) {
        struct fth_standing *standing = &fth_standings[slot];
        standing->at = NOWHERE;
        if (standing->quiet != fth_copies)
            continue;
        standing->once = fth_copies;
        standing->quiet = 0;
    }
}

void fth_standings_in_child(void)
{
    first_copies = ++fth_copies;
}

/* A signal is mostly delivered behind a system call. The recorder is not at work meanwhile, so that
 * the calls of a handler are recorded: as calls inside the one that this is for. Nobody holds a
 * lock here, and nothing of that call has moved a cursor. */
static int64_t seek(int descriptor)
{
    struct fth_recorder *recorder = fth_self;
    uintptr_t busy = recorder ? recorder->busy : 0;
    if (recorder)
        recorder->busy = 0;
    atomic_signal_fence(memory_order_seq_cst);
    int64_t position = syscall(SYS_lseek, descriptor, 0, SEEK_CUR);
    atomic_signal_fence(memory_order_seq_cst);
    if (recorder)
        recorder->busy = busy;
    return position;
}

/* A pipe or a terminal stands nowhere: it is not asked again before it may have become something
 * else. A socket's connection is recorded once, and looked for so often. */
enum { MOST_LOOKS = 4 };

static int64_t ask(int32_t slot, int descriptor)
{
    int before = errno;
    int64_t position = seek(descriptor);
    if (position < 0 && errno == ESPIPE) {
        fth_standings[slot].quiet = fth_copies;
        if (fth_standings[slot].looks < MOST_LOOKS && fth_is_socket(descriptor)) {
            fth_standings[slot].quiet = 0;
            position = FTH_ON_SOCKET;
        }
    }
    errno = before;
    return position;
}

int64_t fth_ask_standing(int32_t slot, int descriptor)
{
    if (!fth_process || fth_process->stopped || fth_is_only_watched)
        return FTH_QUIET;
    if (fth_standings[slot].own == fth_copies)
        return FTH_TO_END;
    int64_t position = ask(slot, descriptor);
    return position >= 0 || position == FTH_ON_SOCKET ? position : FTH_QUIET;
}

void fth_standing_is_sought(int32_t slot, int64_t position)
{
    struct fth_standing *standing = &fth_standings[slot];
    bool is_noted = standing->reported && standing->reported >= first_copies;
    standing->at = is_noted ? position : NOWHERE;
    if (is_noted)
        standing->reported = fth_copies;
}

/* The note is about the next call: there must be one. */
static bool is_left_out(const struct fth_draft *draft, int64_t moved)
{
    uint64_t least = fth_reference_is_kept ? fth_reference_least_ticks : fth_least_ticks;
    return moved < fth_least_bytes || draft->end - draft->begin < least || fth_is_only_watched;
}

void fth_note_standing(struct fth_draft *draft, int32_t slot, int descriptor, int64_t before,
                       int64_t moved)
{
    struct fth_standing *standing = &fth_standings[slot];
    if (before == FTH_ON_SOCKET) {
        bool is_known = !is_left_out(draft, moved) && fth_note_connection(draft, slot, descriptor);
        standing->looks = is_known ? MOST_LOOKS : standing->looks + 1;
        return;
    }
    int64_t behind = ask(slot, descriptor);
    /* Whoever moves it meanwhile leaves it elsewhere. */
    if (draft->cursor) /* a handler may have moved it meanwhile */
        draft->cursor_before = *draft->cursor;
    bool known = behind >= moved && (before == FTH_TO_END || behind - before == moved);
    int64_t at = known ? behind - moved : NOWHERE;
    if (is_left_out(draft, moved)) {
        standing->at = NOWHERE;
        return;
    }
    if (!known || at != standing->at || standing->reported < first_copies)
        fth_record_standing(draft, at);
    standing->at = known ? behind : NOWHERE;
    standing->reported = fth_copies;
    if (standing->once == fth_copies)
        standing->quiet = fth_copies;
}
