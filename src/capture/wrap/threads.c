/* Threads that are started inside a recorded call: by a library that lets another thread do its
 * work. Such a *start* has a number in its process. It is noted in the thread that made it, inside
 * the call, and by the new thread before its first call; so readers know inside of which call that
 * one works. A thread that is started inside no call is of the start that its own thread is of, if
 * it is of one.
 *
 * The new thread begins in a function of ours, which jumps to its own: nothing of ours is on its
 * stack, and its attributes are those that were asked for. */
#include "capture/wrap/threads.h"

#include "capture/process/process.h"
#include "capture/record/recorder_notes.h"
#include "capture/record/reference.h"
#include "interpose/reach/load.h"

#include <pthread.h>
#include <string.h>
#include <threads.h>

enum {
    ON_THEIR_WAY =
        /* threads that have been made, and have not begun: of more than these nothing is noted */
    256
};

/* What a thread is to do that has been made and has not begun. */
struct thread_start {
    bool taken;
    uint32_t start;
    void *function, *argument;
};
static struct thread_start pending_starts[ON_THEIR_WAY];
static uint32_t starts;
static __thread uint32_t start_of_this __attribute__((tls_model("initial-exec"))); /* 0: none */

uint32_t fth_start_of_thread(void)
{
    return start_of_this;
}

void fth_threads_in_child(void)
{
    memset(pending_starts, 0, sizeof pending_starts);
    starts = start_of_this = 0;
}

/* ---- in the new thread ---- */

static struct thread_start take_up(struct thread_start *given)
{
    struct thread_start begun = *given;
    start_of_this = begun.start;
    __atomic_store_n(&given->taken, false, __ATOMIC_RELEASE);
    return begun;
}

/* The compiler makes jumps of these calls. */
static void *begin_pthread(void *given)
{
    struct thread_start begun = take_up(given);
    return ((void *(*)(void *))begun.function)(begun.argument);
}

static int begin_thrd(void *given)
{
    struct thread_start begun = take_up(given);
    return ((thrd_start_t)begun.function)(begun.argument);
}

/* ---- in the thread that makes it ---- */

/* What is recorded now stands inside the call that is open, and this will be recorded when it is
 * over: filters that leave out calls by what they turn out to be would have others take its
 * place. */
static bool is_inside_a_call(struct fth_recorder *recorder, uintptr_t stack)
{
    uint64_t least = fth_reference_is_kept ? fth_reference_least_ticks : fth_least_ticks;
    if (!recorder || *fth_alive != 1 || recorder->busy || recorder->retired || fth_vforked ||
        fth_is_borrowed() || least || fth_least_bytes > 0)
        return false;
    if (recorder->depth)
        fth_drop_stale_frames(recorder, stack);
    return recorder->depth > 0;
}

static struct thread_start *give_errand(uint32_t start, void *function, void *argument)
{
    for (unsigned i = 0; start && i < ON_THEIR_WAY; i++) {
        struct thread_start *begun = &pending_starts[(start + i) % ON_THEIR_WAY];
        if (__atomic_exchange_n(&begun->taken, true, __ATOMIC_ACQUIRE))
            continue;
        begun->start = start;
        begun->function = function;
        begun->argument = argument;
        return begun;
    }
    return NULL;
}

/* A thread that is about to be made. */
struct making {
    uintptr_t stack; /* frame of the function that makes it */
    bool is_inside;  /* a call: it is a start of its own */
    uint32_t start;
    struct thread_start *begun; /* NULL: it is of no start, or too many are on their way */
};

static struct making before_making(uintptr_t stack, void *function, void *argument)
{
    struct making making = {.stack = stack, .is_inside = is_inside_a_call(fth_self, stack)};
    making.start =
        making.is_inside ? __atomic_add_fetch(&starts, 1, __ATOMIC_RELAXED) : start_of_this;
    making.begun = give_errand(making.start, function, argument);
    return making;
}

/* If it is made, it may have begun, and have left its begun to another one. */
static void after_making(const struct making *making, bool is_made)
{
    struct fth_recorder *recorder = fth_self;
    if (!making->begun)
        return;
    if (!is_made)
        __atomic_store_n(&making->begun->taken, false, __ATOMIC_RELEASE);
    if (!is_made || !making->is_inside || !is_inside_a_call(recorder, making->stack))
        return;
    int before = errno;
    recorder->busy = making->stack;
    fth_record_start(recorder, true, making->start);
    recorder->busy = 0;
    errno = before;
}

FTH_PUBLIC int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                              void *(*function)(void *), void *argument)
{
    static void *known;
    __typeof__(&pthread_create) real = fth_next_function(&known, "pthread_create");
    struct making making =
        before_making((uintptr_t)__builtin_frame_address(0), (void *)function, argument);
    int result = making.begun ? real(thread, attributes, begin_pthread, making.begun)
                              : real(thread, attributes, function, argument);
    after_making(&making, result == 0);
    return result;
}

FTH_PUBLIC int thrd_create(thrd_t *thread, thrd_start_t function, void *argument)
{
    static void *known;
    __typeof__(&thrd_create) real = fth_next_function(&known, "thrd_create");
    struct making making =
        before_making((uintptr_t)__builtin_frame_address(0), (void *)function, argument);
    int result =
        making.begun ? real(thread, begin_thrd, making.begun) : real(thread, function, argument);
    after_making(&making, result == thrd_success);
    return result;
}

void *fth_maker_of_threads(const char *name)
{
    if (strcmp(name, "pthread_create") == 0)
        return (void *)pthread_create;
    return strcmp(name, "thrd_create") == 0 ? (void *)thrd_create : NULL;
}
