/* Calls of which more is kept than their arguments say: semaphores of System V, whose operations
 * are structures; signals that are waited for, of which siginfo_t tells the sender; and several
 * messages at once through a socket. */
#include "calls.h"
#include "capture/connections.h"
#include "capture/process.h"
#include "capture/standing.h"

#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FRAME ((uintptr_t)__builtin_frame_address(0))
#define REAL(name) ((__typeof__(&name))find_real(&real_##name, #name))

enum { MOST_OPERATIONS = 100, MOST_SET = 64 };

static void *real_semop, *real_semtimedop, *real_semctl, *real_semget, *real_sigwaitinfo,
    *real_sigtimedwait, *real_sendmmsg, *real_recvmmsg;

static void *find_real(void **known, const char *name)
{
    void *function = __atomic_load_n(known, __ATOMIC_RELAXED);
    if (FTH_UNLIKELY(!function)) {
        function = fth_real(name);
        __atomic_store_n(known, function, __ATOMIC_RELAXED);
    }
    return function;
}

static void keep_status(struct fth_draft *call, int64_t result)
{
    fth_keep(call, result < 0 ? fth_failure(call) : result);
    fth_commit(call);
}

/* ---- semaphores of System V ---- */

/* Behind a filter of system calls it is not asked. */
static bool is_there(key_t key)
{
    return key != IPC_PRIVATE && (fth_is_filtered || fth_finds_filter() ||
                                  syscall(SYS_semget, key, 0, 0) >= 0 || errno != ENOENT);
}

FTH_PUBLIC int semget(key_t key, int n, int flags)
{
    struct fth_draft call;
    if (!fth_begin_at(&call, FTH_CALL_semget, FTH_CONTEXT_semget, FRAME))
        return REAL(semget)(key, n, flags);
    int before = errno;
    bool made = !is_there(key);
    errno = before;
    fth_start(&call);
    int result = REAL(semget)(key, n, flags);
    fth_end(&call);
    call.worked = result >= 0;
    fth_keep(&call, key);
    fth_keep(&call, n);
    fth_keep(&call, flags);
    fth_keep(&call, made);
    keep_status(&call, result);
    return result;
}

static void keep_operations(struct fth_draft *call, int id, const struct sembuf *operations,
                            size_t n)
{
    int32_t list[3 * MOST_OPERATIONS];
    bool kept = call->worked && n <= MOST_OPERATIONS;
    for (size_t i = 0; kept && i < n; i++) {
        list[3 * i] = operations[i].sem_num;
        list[3 * i + 1] = operations[i].sem_op;
        list[3 * i + 2] = operations[i].sem_flg;
    }
    fth_keep(call, id);
    fth_keep(call, fth_list(call, list, kept ? (int64_t)(3 * n) : -1, sizeof *list));
    fth_keep(call, (int64_t)n);
}

FTH_PUBLIC int semop(int id, struct sembuf *operations, size_t n)
{
    struct fth_draft call;
    if (!fth_begin_at(&call, FTH_CALL_semop, FTH_CONTEXT_semop, FRAME))
        return REAL(semop)(id, operations, n);
    fth_start(&call);
    int result = REAL(semop)(id, operations, n);
    fth_end(&call);
    call.worked = result >= 0;
    keep_operations(&call, id, operations, n);
    keep_status(&call, result);
    return result;
}

FTH_PUBLIC int semtimedop(int id, struct sembuf *operations, size_t n, const struct timespec *until)
{
    struct fth_draft call;
    if (!fth_begin_at(&call, FTH_CALL_semtimedop, FTH_CONTEXT_semtimedop, FRAME))
        return REAL(semtimedop)(id, operations, n, until);
    fth_start(&call);
    int result = REAL(semtimedop)(id, operations, n, until);
    fth_end(&call);
    call.worked = result >= 0;
    keep_operations(&call, id, operations, n);
    keep_status(&call, result);
    return result;
}

/* Returns how many there are; -1: it is not known which. */
static int64_t values_set(int id, int command, const void *argument, int32_t *values)
{
    struct semid_ds facts;
    if (command == SETVAL) {
        memcpy(values, &argument, sizeof *values); /* an int in a union of pointers */
        return 1;
    }
    if (command != SETALL)
        return 0;
    if (fth_is_filtered || fth_finds_filter() ||
        syscall(SYS_semctl, id, 0, IPC_STAT, &facts) != 0 || facts.sem_nsems > MOST_SET)
        return -1;
    for (unsigned long i = 0; i < facts.sem_nsems; i++)
        values[i] = ((const unsigned short *)argument)[i];
    return (int64_t)facts.sem_nsems;
}

FTH_PUBLIC int semctl(int id, int index, int command, ...)
{
    struct fth_draft call;
    int32_t values[MOST_SET];
    va_list more;
    va_start(more, command);
    void *argument = va_arg(more, void *); /* a union as wide as that, or nothing */
    va_end(more);
    if (!fth_begin_at(&call, FTH_CALL_semctl, FTH_CONTEXT_semctl, FRAME))
        return REAL(semctl)(id, index, command, argument);
    fth_start(&call);
    int result = REAL(semctl)(id, index, command, argument);
    fth_end(&call);
    call.worked = result >= 0;
    int64_t count = call.worked ? values_set(id, command, argument, values) : 0;
    fth_keep(&call, id);
    fth_keep(&call, index);
    fth_keep(&call, command);
    fth_keep(&call, fth_list(&call, values, count, sizeof *values));
    fth_keep(&call, count);
    keep_status(&call, result);
    return result;
}

/* ---- signals that are waited for ---- */

static void keep_sender(struct fth_draft *call, const siginfo_t *told)
{
    fth_keep(call, call->worked ? told->si_code : 0);
    fth_keep(call, call->worked && told->si_code <= 0 ? told->si_pid : 0);
}

FTH_PUBLIC int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
    struct fth_draft call;
    siginfo_t own = {0}, *told = info ? info : &own;
    if (!fth_begin_at(&call, FTH_CALL_sigwaitinfo, FTH_CONTEXT_sigwaitinfo, FRAME))
        return REAL(sigwaitinfo)(set, info);
    fth_start(&call);
    int result = REAL(sigwaitinfo)(set, told);
    fth_end(&call);
    call.worked = result >= 0;
    keep_sender(&call, told);
    keep_status(&call, result);
    return result;
}

FTH_PUBLIC int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info,
                            const struct timespec *restrict until)
{
    struct fth_draft call;
    siginfo_t own = {0}, *told = info ? info : &own;
    if (!fth_begin_at(&call, FTH_CALL_sigtimedwait, FTH_CONTEXT_sigtimedwait, FRAME))
        return REAL(sigtimedwait)(set, info, until);
    fth_start(&call);
    int result = REAL(sigtimedwait)(set, told, until);
    fth_end(&call);
    call.worked = result >= 0;
    keep_sender(&call, told);
    keep_status(&call, result);
    return result;
}

/* ---- several messages at once ---- */

static int64_t bytes_of(const struct mmsghdr *messages, int count)
{
    int64_t bytes = 0;
    for (int i = 0; i < count; i++)
        bytes += messages[i].msg_len;
    return bytes;
}

/* False: it is on a socket that is left out. */
static bool begin(struct fth_draft *call, int descriptor, int32_t *slot, int64_t *stood)
{
    *slot = fth_find_descriptor(FTH_CLASS_fd, descriptor);
    if (*slot == FTH_EXCLUDED) {
        fth_pass(call);
        return false;
    }
    fth_note_binding(call, FTH_CLASS_fd, *slot);
    fth_about(call, fth_class_ordinals[FTH_CLASS_fd], *slot);
    *stood = fth_standing(*slot, descriptor);
    fth_start(call);
    return true;
}

static int finish(struct fth_draft *call, int descriptor, int32_t slot, int64_t stood,
                  const struct mmsghdr *messages, unsigned n, int flags, int result)
{
    fth_end(call);
    call->worked = result >= 0;
    int64_t bytes = call->worked ? bytes_of(messages, result) : 0;
    fth_stood(call, slot, descriptor, stood, call->worked ? bytes : -1);
    fth_keep(call, slot);
    fth_keep(call, n);
    fth_keep(call, flags);
    fth_keep(call, bytes);
    keep_status(call, result);
    return result;
}

FTH_PUBLIC int sendmmsg(int descriptor, struct mmsghdr *messages, unsigned n, int flags)
{
    struct fth_draft call;
    int32_t slot;
    int64_t stood;
    if (!fth_begin_at(&call, FTH_CALL_sendmmsg, FTH_CONTEXT_sendmmsg, FRAME) ||
        !begin(&call, descriptor, &slot, &stood))
        return REAL(sendmmsg)(descriptor, messages, n, flags);
    int result = REAL(sendmmsg)(descriptor, messages, n, flags);
    return finish(&call, descriptor, slot, stood, messages, n, flags, result);
}

FTH_PUBLIC int recvmmsg(int descriptor, struct mmsghdr *messages, unsigned n, int flags,
                        struct timespec *until)
{
    struct fth_draft call;
    int32_t slot;
    int64_t stood;
    if (!fth_begin_at(&call, FTH_CALL_recvmmsg, FTH_CONTEXT_recvmmsg, FRAME) ||
        !begin(&call, descriptor, &slot, &stood))
        return REAL(recvmmsg)(descriptor, messages, n, flags, until);
    int result = REAL(recvmmsg)(descriptor, messages, n, flags, until);
    return finish(&call, descriptor, slot, stood, messages, n, flags, result);
}
