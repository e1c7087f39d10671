/* Semaphores of System V, whose operations are structures; and message queues of POSIX and System
 * V, which the system identifies. More is kept of these calls than their arguments. */
#include "calls.h"
#include "capture/life/begin.h"
#include "capture/wrap/real.h"
#include "interpose/own/sandbox.h"

#include <fcntl.h>
#include <mqueue.h>
#include <stdarg.h>
#include <string.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST_OPERATIONS = 100, MOST_SET = 64 };

static void *real_semop, *real_semtimedop, *real_semctl, *real_semget, *real_msgget, *real_mq_open,
    *real_mq_send, *real_mq_timedsend, *real_mq_receive, *real_mq_timedreceive, *real_mq_getattr,
    *real_mq_notify, *real___mq_open_2;

mqd_t __mq_open_2(const char *name, int flags);

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
    fth_keep_status(&call, result);
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
    fth_keep_status(&call, result);
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
    fth_keep_status(&call, result);
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
    fth_keep_status(&call, result);
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
    fth_keep_status(&call, result);
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
    fth_keep_status(call, queue);
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
    fth_keep_status(call, result);
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
