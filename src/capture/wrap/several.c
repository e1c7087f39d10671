/* Calls of which more is kept than their arguments say: semaphores of System V, whose operations
 * are structures; message queues, which the system tells apart; signals that are waited for, of
 * which siginfo_t tells the sender; and several messages at once through a socket. */
#include "calls.h"
#include "capture/follow/standing.h"
#include "capture/life/begin.h"
#include "interpose/own/sandbox.h"
#include "interpose/reach/reals.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <mqueue.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FRAME ((uintptr_t)__builtin_frame_address(0))
#define REAL(name) ((__typeof__(&name))find_real(&real_##name, #name))

enum { MOST_OPERATIONS = 100, MOST_SET = 64 };

static void *real_semop, *real_semtimedop, *real_semctl, *real_semget, *real_sigwaitinfo,
    *real_sigwait, *real_sigtimedwait, *real_sendmmsg, *real_recvmmsg, *real_msgget, *real_mq_open,
    *real_mq_send, *real_mq_timedsend, *real_mq_receive, *real_mq_timedreceive, *real_mq_getattr,
    *real_mq_notify, *real___mq_open_2;

mqd_t __mq_open_2(const char *name, int flags);
int tkill(pid_t pid, int signal);
int rt_sigqueueinfo(pid_t pid, int signal, void *info);
int rt_tgsigqueueinfo(pid_t pid, pid_t thread, int signal, void *info);

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

/* By semget or msgget, which ask for it. Behind a filter of system calls they do not. */
static bool is_there(long get, key_t key)
{
    return key != IPC_PRIVATE && (fth_is_filtered || fth_finds_filter() ||
                                  syscall(get, key, 0, 0) >= 0 || errno != ENOENT);
}

FTH_PUBLIC int semget(key_t key, int n, int flags)
{
    struct fth_draft call;
    if (!fth_begin_at(&call, FTH_CALL_semget, FTH_CONTEXT_semget, FRAME))
        return REAL(semget)(key, n, flags);
    int before = errno;
    bool made = !is_there(SYS_semget, key);
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

/* ---- message queues ---- */

FTH_PUBLIC int msgget(key_t key, int flags)
{
    struct fth_draft call;
    if (!fth_begin_at(&call, FTH_CALL_msgget, FTH_CONTEXT_msgget, FRAME))
        return REAL(msgget)(key, flags);
    int before = errno;
    bool made = !is_there(SYS_msgget, key);
    errno = before;
    fth_start(&call);
    int result = REAL(msgget)(key, flags);
    fth_end(&call);
    call.worked = result >= 0;
    fth_keep(&call, key);
    fth_keep(&call, flags);
    fth_keep(&call, made);
    keep_status(&call, result);
    return result;
}

/* Which queue it is, whatever its descriptor here; -1: not known. */
static int64_t queue_of(mqd_t queue)
{
    struct stat facts;
    int before = errno;
    bool known = !fth_is_filtered && !fth_finds_filter() &&
                 syscall(SYS_fstat, queue, &facts) == 0 && facts.st_ino > 0;
    errno = before;
    return known ? (int64_t)facts.st_ino : -1;
}

/* Whether the call makes the queue is known of one that wants to, and nothing else. Where there is
 * one already that fails, and the call is made as it was asked for. */
static mqd_t open_queue(const char *name, int flags, mode_t mode, struct mq_attr *attributes,
                        bool *made)
{
    mqd_t queue = -1;
    *made = false;
    if (flags & O_CREAT) {
        queue = REAL(mq_open)(name, flags | O_EXCL, mode, attributes);
        *made = queue >= 0;
    }
    if (queue < 0 && (!(flags & O_CREAT) || (errno == EEXIST && !(flags & O_EXCL))))
        queue = REAL(mq_open)(name, flags, mode, attributes);
    return queue;
}

static void end_opening(struct fth_draft *call, mqd_t queue, bool made)
{
    fth_keep(call, made);
    fth_keep(call, call->worked ? queue_of(queue) : -1);
    keep_status(call, queue);
}

FTH_PUBLIC mqd_t mq_open(const char *name, int flags, ...)
{
    struct fth_draft call;
    mode_t mode = 0;
    struct mq_attr *attributes = NULL;
    if (flags & O_CREAT) {
        va_list more;
        va_start(more, flags);
        mode = va_arg(more, mode_t);
        attributes = va_arg(more, struct mq_attr *);
        va_end(more);
    }
    if (!fth_begin_at(&call, FTH_CALL_mq_open, FTH_CONTEXT_mq_open, FRAME))
        return REAL(mq_open)(name, flags, mode, attributes);
    bool made;
    int before = errno;
    const char *given = fth_given_text(&call, name);
    fth_start(&call);
    mqd_t queue = open_queue(name, flags, mode, attributes, &made);
    if (queue >= 0)
        errno = before;
    fth_end(&call);
    call.worked = queue >= 0;
    fth_keep(&call, fth_text(&call, given));
    fth_keep(&call, flags);
    fth_keep(&call, mode);
    end_opening(&call, queue, made);
    return queue;
}

/* Of the compiler, for calls with two arguments whose flags it does not know. */
FTH_PUBLIC mqd_t __mq_open_2(const char *name, int flags)
{
    struct fth_draft call;
    if (!fth_begin_at(&call, FTH_CALL___mq_open_2, FTH_CONTEXT___mq_open_2, FRAME))
        return REAL(__mq_open_2)(name, flags);
    const char *given = fth_given_text(&call, name);
    fth_start(&call);
    mqd_t queue = REAL(__mq_open_2)(name, flags);
    fth_end(&call);
    call.worked = queue >= 0;
    fth_keep(&call, fth_text(&call, given));
    fth_keep(&call, flags);
    end_opening(&call, queue, false);
    return queue;
}

static void end_message(struct fth_draft *call, mqd_t queue, int64_t result)
{
    fth_keep(call, queue_of(queue));
    keep_status(call, result);
}

FTH_PUBLIC int mq_send(mqd_t queue, const char *message, size_t size, unsigned priority)
{
    struct fth_draft call;
    if (!fth_begin_at(&call, FTH_CALL_mq_send, FTH_CONTEXT_mq_send, FRAME))
        return REAL(mq_send)(queue, message, size, priority);
    fth_start(&call);
    int result = REAL(mq_send)(queue, message, size, priority);
    fth_end(&call);
    call.worked = result >= 0;
    fth_keep(&call, queue);
    fth_keep(&call, (int64_t)size);
    fth_keep(&call, priority);
    end_message(&call, queue, result);
    return result;
}

FTH_PUBLIC int mq_timedsend(mqd_t queue, const char *message, size_t size, unsigned priority,
                            const struct timespec *until)
{
    struct fth_draft call;
    if (!fth_begin_at(&call, FTH_CALL_mq_timedsend, FTH_CONTEXT_mq_timedsend, FRAME))
        return REAL(mq_timedsend)(queue, message, size, priority, until);
    fth_start(&call);
    int result = REAL(mq_timedsend)(queue, message, size, priority, until);
    fth_end(&call);
    call.worked = result >= 0;
    fth_keep(&call, queue);
    fth_keep(&call, (int64_t)size);
    fth_keep(&call, priority);
    end_message(&call, queue, result);
    return result;
}

FTH_PUBLIC ssize_t mq_receive(mqd_t queue, char *message, size_t size, unsigned *priority)
{
    struct fth_draft call;
    if (!fth_begin_at(&call, FTH_CALL_mq_receive, FTH_CONTEXT_mq_receive, FRAME))
        return REAL(mq_receive)(queue, message, size, priority);
    fth_start(&call);
    ssize_t result = REAL(mq_receive)(queue, message, size, priority);
    fth_end(&call);
    call.worked = result >= 0;
    fth_keep(&call, queue);
    fth_keep(&call, (int64_t)size);
    end_message(&call, queue, result);
    return result;
}

FTH_PUBLIC ssize_t mq_timedreceive(mqd_t queue, char *restrict message, size_t size,
                                   unsigned *restrict priority,
                                   const struct timespec *restrict until)
{
    struct fth_draft call;
    if (!fth_begin_at(&call, FTH_CALL_mq_timedreceive, FTH_CONTEXT_mq_timedreceive, FRAME))
        return REAL(mq_timedreceive)(queue, message, size, priority, until);
    fth_start(&call);
    ssize_t result = REAL(mq_timedreceive)(queue, message, size, priority, until);
    fth_end(&call);
    call.worked = result >= 0;
    fth_keep(&call, queue);
    fth_keep(&call, (int64_t)size);
    end_message(&call, queue, result);
    return result;
}

FTH_PUBLIC int mq_getattr(mqd_t queue, struct mq_attr *attributes)
{
    struct fth_draft call;
    if (!fth_begin_at(&call, FTH_CALL_mq_getattr, FTH_CONTEXT_mq_getattr, FRAME))
        return REAL(mq_getattr)(queue, attributes);
    fth_start(&call);
    int result = REAL(mq_getattr)(queue, attributes);
    fth_end(&call);
    call.worked = result >= 0;
    fth_keep(&call, queue);
    end_message(&call, queue, result);
    return result;
}

FTH_PUBLIC int mq_notify(mqd_t queue, const struct sigevent *event)
{
    struct fth_draft call;
    if (!fth_begin_at(&call, FTH_CALL_mq_notify, FTH_CONTEXT_mq_notify, FRAME))
        return REAL(mq_notify)(queue, event);
    fth_start(&call);
    int result = REAL(mq_notify)(queue, event);
    fth_end(&call);
    call.worked = result >= 0;
    fth_keep(&call, queue);
    end_message(&call, queue, result);
    return result;
}

/* ---- signals that are waited for ---- */

static void keep_sender(struct fth_draft *call, const siginfo_t *told)
{
    bool of_process = told->si_code <= 0 || told->si_signo == SIGCHLD;
    fth_keep(call, call->worked ? told->si_code : 0);
    fth_keep(call, call->worked && of_process ? told->si_pid : 0);
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

/* glibc does it so, too, and passes over signals that interrupt it. */
static int wait_as_libc(const sigset_t *set, int *signal, siginfo_t *told)
{
    int result;
    do
        result = REAL(sigtimedwait)(set, told, NULL);
    while (result < 0 && errno == EINTR);
    if (result >= 0)
        *signal = result;
    return result < 0 ? errno : 0;
}

/* Where another library stands between us and libc, who sent the signal is not known. */
static bool sigwait_is_of_libc(void)
{
    static int known; /* plus 1 */
    if (!__atomic_load_n(&known, __ATOMIC_RELAXED)) {
        Dl_info facts;
        bool found = dladdr((void *)REAL(sigwait), &facts) && facts.dli_fname;
        const char *slash = found ? strrchr(facts.dli_fname, '/') : NULL;
        const char *name = slash ? slash + 1 : "";
        bool is = strncmp(name, "libc.so", 7) == 0 || strncmp(name, "libc-", 5) == 0 ||
                  strncmp(name, "libpthread", 10) == 0;
        __atomic_store_n(&known, 1 + is, __ATOMIC_RELAXED);
    }
    return __atomic_load_n(&known, __ATOMIC_RELAXED) == 2;
}

FTH_PUBLIC int sigwait(const sigset_t *restrict set, int *restrict signal)
{
    struct fth_draft call;
    siginfo_t told = {0};
    int came = 0;
    if (!fth_begin_at(&call, FTH_CALL_sigwait, FTH_CONTEXT_sigwait, FRAME))
        return REAL(sigwait)(set, signal);
    bool is_of_libc = sigwait_is_of_libc();
    fth_start(&call);
    int failure = is_of_libc ? wait_as_libc(set, &came, &told) : REAL(sigwait)(set, &came);
    int left = errno;
    errno = failure ? failure : left;
    fth_end(&call);
    call.worked = !failure;
    keep_sender(&call, &told);
    keep_status(&call, failure ? -1 : came);
    if (!failure)
        *signal = came;
    errno = left;
    return failure;
}

/* ---- signals that are sent by number only ---- */

/* `thread`: of the process; 0: there is none among the arguments. */
static int end_signal(struct fth_draft *call, int pid, int thread, int signal, long result)
{
    fth_end(call);
    call->worked = result >= 0;
    fth_keep(call, pid);
    if (thread)
        fth_keep(call, thread);
    fth_keep(call, signal);
    keep_status(call, result);
    return (int)result;
}

static long send_by_number(long number, long a, long b, long c, long d)
{
    static void *real;
    return ((long (*)(long, ...))find_real(&real, "syscall"))(number, a, b, c, d);
}

int tkill(pid_t pid, int signal)
{
    struct fth_draft call;
    if (!fth_begin_at(&call, FTH_CALL_tkill, FTH_CONTEXT_tkill, FRAME))
        return (int)send_by_number(SYS_tkill, pid, signal, 0, 0);
    fth_start(&call);
    return end_signal(&call, pid, 0, signal, send_by_number(SYS_tkill, pid, signal, 0, 0));
}

int rt_sigqueueinfo(pid_t pid, int signal, void *info)
{
    struct fth_draft call;
    if (!fth_begin_at(&call, FTH_CALL_rt_sigqueueinfo, FTH_CONTEXT_rt_sigqueueinfo, FRAME))
        return (int)send_by_number(SYS_rt_sigqueueinfo, pid, signal, (long)info, 0);
    fth_start(&call);
    return end_signal(&call, pid, 0, signal,
                      send_by_number(SYS_rt_sigqueueinfo, pid, signal, (long)info, 0));
}

int rt_tgsigqueueinfo(pid_t pid, pid_t thread, int signal, void *info)
{
    struct fth_draft call;
    if (!fth_begin_at(&call, FTH_CALL_rt_tgsigqueueinfo, FTH_CONTEXT_rt_tgsigqueueinfo, FRAME))
        return (int)send_by_number(SYS_rt_tgsigqueueinfo, pid, thread, signal, (long)info);
    fth_start(&call);
    return end_signal(&call, pid, thread, signal,
                      send_by_number(SYS_rt_tgsigqueueinfo, pid, thread, signal, (long)info));
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
