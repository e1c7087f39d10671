/* Counters of events (eventfd): processes that have the same one may wait for each other; and
 * descriptors that signals are read from (signalfd), which say who sent them. Descriptors without
 * a name are left out otherwise, as event loops have many; of counters it is recorded what was
 * added and taken. Which one it is, the system says by a number that the next
 * one may have when it is gone:
 *
 *     counter of events (eventfd 7) */
#include "capture/wrap/counters.h"

#include "calls.h"
#include "capture/life/begin.h"
#include "interpose/own/apart.h"
#include "interpose/own/own_files.h"
#include "interpose/own/put.h"
#include "interpose/reach/reals.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FRAME ((uintptr_t)__builtin_frame_address(0))

/* ---- which one ---- */

struct question {
    int descriptor;
    char number[24]; /* "": not known */
};

static void ask_number(void *context)
{
    static const char key[] = "eventfd-id:";
    struct question *question = context;
    char name[64], facts[512];
    fth_put_decimal(fth_put_text(name, "/proc/self/fdinfo/"), (uint64_t)question->descriptor);
    int file = fth_file_open(name);
    if (file < 0)
        return;
    long size = syscall(SYS_read, file, facts, sizeof facts - 1);
    fth_own_read(size > 0 ? (uint64_t)size : 0);
    fth_file_close(file);
    facts[size > 0 ? size : 0] = 0;
    const char *at = strstr(facts, key);
    for (at = at ? at + sizeof key - 1 : facts + strlen(facts); *at == ' '; at++)
        ;
    for (size_t i = 0; *at >= '0' && *at <= '9' && i + 1 < sizeof question->number; i++, at++)
        question->number[i] = *at;
}

/* Unknown of what is no counter, or one that the filters do not leave out: its calls are recorded
 * as others. */
static int32_t slot_of(int descriptor)
{
    if (!fth_is_left_out_counter(descriptor))
        return FTH_SLOT_UNKNOWN;
    int32_t slot = fth_find_handle(FTH_CLASS_counter, fth_counter_handle(descriptor));
    if (slot != FTH_SLOT_UNKNOWN)
        return slot;
    struct question question = {.descriptor = descriptor};
    char text[128];
    fth_apart(ask_number, &question);
    if (*question.number)
        fth_put_text(
            fth_put_text(fth_put_text(text, "counter of events (eventfd "), question.number), ")");
    else
        fth_put_text(text, "somewhere");
    return fth_bind_handle(FTH_CLASS_counter, fth_counter_handle(descriptor), text);
}

/* ---- what is done with it ---- */

uint64_t fth_counter_since(int descriptor)
{
    bool wanted = fth_wanted[FTH_CALL_eventfd_read] || fth_wanted[FTH_CALL_eventfd_write] ||
                  fth_wanted[FTH_CALL_signalfd_read];
    return wanted && fth_is_left_out_counter(descriptor) ? fth_ticks() : 0;
}

static void keep(struct fth_draft *call, int descriptor, int64_t value)
{
    int32_t slot = slot_of(descriptor);
    fth_note_binding(call, FTH_CLASS_counter, slot);
    fth_about_now(call, -1, slot);
    fth_keep(call, slot);
    fth_keep(call, value);
}

/* It has been made since then; a signal handler may have made calls meanwhile. */
static bool begin_since(struct fth_draft *call, uint32_t function, uint32_t context, uint64_t since,
                        uintptr_t frame)
{
    if (!fth_begin_at(call, function, context, frame))
        return false;
    call->begin = since > call->recorder->last_exit ? since : call->recorder->last_exit;
    fth_end(call);
    call->worked = true;
    return true;
}

static void signals_read(const struct signalfd_siginfo *signals, size_t count, uint64_t since,
                         uintptr_t frame)
{
    struct fth_draft call;
    for (size_t i = 0; i < count; i++) {
        if (!begin_since(&call, FTH_CALL_signalfd_read, FTH_CONTEXT_signalfd_read, since, frame))
            return;
        fth_keep(&call, signals[i].ssi_code);
        bool of_process = signals[i].ssi_code <= 0 || signals[i].ssi_signo == SIGCHLD;
        fth_keep(&call, of_process ? signals[i].ssi_pid : 0);
        fth_keep(&call, signals[i].ssi_signo);
        fth_commit(&call);
    }
}

void fth_counter_changed(bool adds, int descriptor, const void *buffer, int64_t result,
                         uint64_t since, uintptr_t frame)
{
    struct fth_draft call;
    uint64_t value;
    if (since && !adds && buffer && result > 0 &&
        result % (int64_t)sizeof(struct signalfd_siginfo) == 0)
        signals_read(buffer, (size_t)result / sizeof(struct signalfd_siginfo), since, frame);
    if (!since || result != (int64_t)sizeof value ||
        !begin_since(&call, adds ? FTH_CALL_eventfd_write : FTH_CALL_eventfd_read,
                     adds ? FTH_CONTEXT_eventfd_write : FTH_CONTEXT_eventfd_read, since, frame))
        return;
    if (buffer)
        memcpy(&value, buffer, sizeof value);
    keep(&call, descriptor, buffer ? (int64_t)value : FTH_ABSENT);
    fth_keep(&call, 0);
    fth_commit(&call);
}

/* libc does both inside itself. NULL: the call is not to be recorded. */
static struct fth_draft *begin(struct fth_draft *call, bool adds, int descriptor, uintptr_t frame)
{
    if (!fth_begin_at(call, adds ? FTH_CALL_eventfd_write : FTH_CALL_eventfd_read,
                      adds ? FTH_CONTEXT_eventfd_write : FTH_CONTEXT_eventfd_read, frame))
        return NULL;
    fth_find_descriptor(FTH_CLASS_fd, descriptor);
    fth_start(call);
    return call;
}

static void end(struct fth_draft *call, int descriptor, const eventfd_t *value, int result)
{
    fth_end(call);
    call->worked = result >= 0;
    keep(call, descriptor, value ? (int64_t)*value : FTH_ABSENT);
    fth_keep(call, result < 0 ? fth_failure(call) : result);
    fth_commit(call);
}

FTH_PUBLIC int eventfd_write(int descriptor, eventfd_t value)
{
    static int (*real)(int, eventfd_t);
    struct fth_draft room, *call;
    if (FTH_UNLIKELY(!real))
        real = (__typeof__(real))fth_real("eventfd_write");
    call = begin(&room, true, descriptor, FRAME);
    int result = real(descriptor, value);
    if (call)
        end(call, descriptor, &value, result);
    return result;
}

FTH_PUBLIC int eventfd_read(int descriptor, eventfd_t *value)
{
    static int (*real)(int, eventfd_t *);
    struct fth_draft room, *call;
    if (FTH_UNLIKELY(!real))
        real = (__typeof__(real))fth_real("eventfd_read");
    call = begin(&room, false, descriptor, FRAME);
    int result = real(descriptor, value);
    if (call)
        end(call, descriptor, result >= 0 ? value : NULL, result);
    return result;
}

FTH_PUBLIC int eventfd(unsigned count, int flags)
{
    static int (*real)(unsigned, int);
    struct fth_draft call;
    if (FTH_UNLIKELY(!real))
        real = (__typeof__(real))fth_real("eventfd");
    if (!fth_begin_at(&call, FTH_CALL_eventfd, FTH_CONTEXT_eventfd, FRAME))
        return real(count, flags);
    fth_start(&call);
    int result = real(count, flags);
    fth_end(&call);
    call.worked = result >= 0;
    int64_t made = call.worked ? fth_open_descriptor(FTH_CLASS_fd, result, NULL, AT_FDCWD)
                               : fth_failure(&call);
    int32_t slot = slot_of(result);
    fth_note_binding(&call, FTH_CLASS_counter, slot);
    fth_keep(&call, count);
    fth_keep(&call, flags);
    fth_keep(&call, slot);
    fth_keep(&call, made);
    fth_keep(&call, call.worked ? result - made : 0);
    fth_commit(&call);
    return result;
}
