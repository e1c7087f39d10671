/* The open calls of a thread, and what is wanted of all calls. */
#include "capture/record/runtime.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

__thread struct fth_recorder *fth_self __attribute__((tls_model("initial-exec")));
uint8_t fth_wanted[65536] = {[0 ... 65535] = FTH_UNDECIDED};
uint64_t fth_least_ticks;
int64_t fth_least_bytes = INT64_MIN;

/* A signal handler on a stack of its own is inside of what it interrupts, wherever that stack
 * is. */
static bool is_of_handler(uintptr_t stack, const struct fth_recorder_frame *frame)
{
    stack_t other;
    int before = errno;
    bool is_on_it = syscall(SYS_sigaltstack, NULL, &other) == 0 && (other.ss_flags & SS_ONSTACK);
    errno = before;
    uintptr_t start = is_on_it ? (uintptr_t)other.ss_sp : 0;
    return is_on_it && stack - start < other.ss_size && frame->stack - start >= other.ss_size;
}

void fth_drop_stale_frames(struct fth_recorder *recorder, uintptr_t stack)
{
    while (
        recorder->depth && !fth_is_inside(stack, &recorder->frames[recorder->depth - 1]) &&
        (stack == UINTPTR_MAX || !is_of_handler(stack, &recorder->frames[recorder->depth - 1]))) {
        recorder->depth--;
        fth_open_at(recorder, recorder->depth)->begin = 0;
        recorder->context = recorder->frames[recorder->depth].context;
        recorder->live->lost++;
        recorder->live->left++;
    }
}
