/* Semaphores of POSIX. Which semaphore it is, is known from where it is: each process that has one
 * has it at an address of its own. So the map of the process is asked, once for an address, and the
 * name of the handle is what the memory there is of, with the numbers of its device and inode and
 * the place in it:
 *
 *     named NAME (0:26:17+0), made with 2    (of sem_open: it was not there before the call; the
 *                                            value that it was given)
 *     memory (0:1:1034+64)                   (in memory that is shared)
 *     somewhere                              (the map could not be asked)
 *
 * Semaphores that only the threads of one process have, the most of all, are known by a word of
 * their own and left alone, unless locks of threads are recorded. */
#include "capture/wrap/semaphores.h"

#include "calls.h"
#include "capture/follow/library_handles.h"
#include "capture/life/begin.h"
#include "capture/wrap/real.h"
#include "interpose/own/apart.h"
#include "interpose/own/own_files.h"
#include "interpose/own/put.h"
#include "interpose/own/sandbox.h"

#include <fcntl.h>
#include <semaphore.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static void *real_sem_init, *real_sem_wait, *real_sem_trywait, *real_sem_timedwait,
    *real_sem_clockwait, *real_sem_post, *real_sem_getvalue, *real_sem_destroy, *real_sem_close,
    *real_sem_open;

/* ---- of one process only? ---- */

/* glibc's has a word that says so (since 2.21; behind the 8 bytes of its value). What it says of
 * each kind is tried out: should there be no such word, all are looked at. */
enum { WORD = 2 };
union probe {
    sem_t semaphore;
    int words[sizeof(sem_t) / sizeof(int)];
};
static int private_word;
static enum { NOT_TRIED, SAYS_WHICH, SAYS_NOTHING } word_kind;

static bool word_says_which(void)
{
    if (FTH_UNLIKELY(__atomic_load_n(&word_kind, __ATOMIC_ACQUIRE) == NOT_TRIED)) {
        union probe own, shared;
        memset(&own, 0, sizeof own);
        memset(&shared, 0, sizeof shared);
        bool made = REAL(sem_init)(&own.semaphore, 0, 5) == 0 &&
                    REAL(sem_init)(&shared.semaphore, 1, 5) == 0;
        bool differ = made && own.words[WORD] != shared.words[WORD];
        private_word = own.words[WORD];
        __atomic_store_n(&word_kind, differ ? SAYS_WHICH : SAYS_NOTHING, __ATOMIC_RELEASE);
    }
    return word_kind == SAYS_WHICH;
}

static bool is_of_threads(const sem_t *semaphore)
{
    return word_says_which() && ((const union probe *)semaphore)->words[WORD] == private_word;
}

static bool threads_are_recorded(void)
{
    return fth_wanted[FTH_CALL_pthread_mutex_lock] == FTH_WANTED;
}

static bool is_left_alone(const sem_t *semaphore)
{
    return !threads_are_recorded() && is_of_threads(semaphore);
}

/* ---- where it is ---- */

struct question {
    uintptr_t address;
    char *room; /* for the map */
    size_t size;
    bool found, is_shared;
    uintptr_t start;
    uint64_t offset;
    char device[24], inode[24];
};

static const char *number(const char *at, unsigned base, uint64_t *value)
{
    for (*value = 0;; at++) {
        unsigned digit = *at >= '0' && *at <= '9'   ? (unsigned)(*at - '0')
                         : *at >= 'a' && *at <= 'f' ? (unsigned)(*at - 'a') + 10
                                                    : base;
        if (digit >= base)
            return at;
        *value = *value * base + digit;
    }
}

static const char *word(const char *at, char *to, size_t size)
{
    size_t length = 0;
    for (; *at && *at != ' ' && *at != '\n'; at++)
        if (length + 1 < size)
            to[length++] = *at;
    to[length] = 0;
    return *at == ' ' ? at + 1 : at;
}

/* "7f00-7f10 rw-s 00000000 00:01 1034 ..." */
static void read_line(struct question *question, const char *line)
{
    uint64_t start, end;
    char rights[8];
    line = number(line, 16, &start);
    line = *line == '-' ? number(line + 1, 16, &end) : number(line, 16, &end);
    if (*line != ' ' || question->address < start || question->address >= end)
        return;
    line = word(line + 1, rights, sizeof rights);
    line = number(line, 16, &question->offset);
    line = word(line + (*line == ' '), question->device, sizeof question->device);
    word(line, question->inode, sizeof question->inode);
    question->start = start;
    question->is_shared = strchr(rights, 's') != NULL;
    question->found = true;
}

static void ask_map(void *context)
{
    struct question *question = context;
    size_t kept = 0;
    int map = fth_file_open("/proc/self/maps");
    while (map >= 0 && !question->found) {
        long more = syscall(SYS_read, map, question->room + kept, question->size - kept - 1);
        if (more <= 0)
            break;
        fth_own_read((uint64_t)more);
        size_t end = kept + (size_t)more, line = 0;
        question->room[end] = 0;
        for (char *next; !question->found && (next = strchr(question->room + line, '\n'));) {
            read_line(question, question->room + line);
            line = (size_t)(next + 1 - question->room);
        }
        kept = line < end && line ? end - line : 0; /* a line that does not fit is left out */
        memmove(question->room, question->room + line, kept);
    }
    if (map >= 0)
        fth_file_close(map);
}

/* False: no other process has it. */
static bool ask_place(const sem_t *semaphore, struct question *question)
{
    *question = (struct question){
        .address = (uintptr_t)semaphore, .room = fth_self->text, .size = sizeof fth_self->text};
    fth_apart(ask_map, question);
    return !question->found || question->is_shared;
}

/* Returns its end. `called` may be NULL: it is in memory. */
static char *put_place(char *to, const struct question *question, const char *called)
{
    if (!question->found)
        return fth_put_text(to, "somewhere");
    uint64_t place = question->address - question->start + question->offset;
    to = fth_put_text(fth_put_text(to, called ? called : "memory"), " (");
    to = fth_put_text(fth_put_text(to, question->device), ":");
    to = fth_put_text(fth_put_text(to, question->inode), "+");
    return fth_put_text(fth_put_decimal(to, place), ")");
}

/* ---- slots ---- */

static uint32_t adopted; /* that nobody was seen to make */

static int32_t bind_place(const sem_t *semaphore)
{
    struct question question;
    char text[128];
    bool shared = !is_of_threads(semaphore) && ask_place(semaphore, &question);
    if (!shared && !threads_are_recorded())
        return FTH_EXCLUDED;
    *text = 0;
    if (shared)
        put_place(text, &question, NULL);
    return fth_bind_handle(FTH_CLASS_semaphore, (uintptr_t)semaphore, text);
}

static int32_t slot_of(const sem_t *semaphore)
{
    int32_t slot = fth_find_handle(FTH_CLASS_semaphore, (uintptr_t)semaphore);
    if (FTH_LIKELY(slot != FTH_SLOT_UNKNOWN))
        return slot;
    __atomic_store_n(&adopted, 1, __ATOMIC_RELAXED);
    return bind_place(semaphore);
}

/* What was mapped there is not there any more: maybe other semaphores will be. */
void fth_after_munmap(int result)
{
    if (result == 0 && __atomic_exchange_n(&adopted, 0, __ATOMIC_RELAXED))
        fth_handles_forget_class(FTH_CLASS_semaphore);
}

/* ---- calls ---- */

/* Of a semaphore that nobody was seen to make there is nothing to follow. */
static bool is_unknown(uint32_t function, const sem_t *semaphore)
{
    return fth_wanted[function] == FTH_FOLLOWED &&
           fth_find_handle(FTH_CLASS_semaphore, (uintptr_t)semaphore) == FTH_SLOT_UNKNOWN;
}

/* False: it is not recorded. */
static bool begin(struct fth_draft *call, uint32_t function, uint32_t context, uintptr_t frame,
                  const sem_t *semaphore, int32_t *slot)
{
    if (!fth_wanted[function] || is_left_alone(semaphore) || is_unknown(function, semaphore) ||
        !fth_begin_at(call, function, context, frame))
        return false;
    *slot = slot_of(semaphore);
    if (*slot == FTH_EXCLUDED) {
        fth_pass(call);
        return false;
    }
    fth_note_binding(call, FTH_CLASS_semaphore, *slot);
    fth_about(call, -1, *slot);
    fth_start(call);
    return true;
}

static int finish(struct fth_draft *call, int32_t slot, int result)
{
    fth_end(call);
    call->worked = result >= 0;
    fth_keep(call, slot);
    fth_keep(call, result < 0 ? fth_failure(call) : result);
    fth_commit(call);
    return result;
}

#define CALL(name, semaphore, ...)                                                                 \
    struct fth_draft call;                                                                         \
    int32_t slot;                                                                                  \
    if (!begin(&call, FTH_CALL_##name, FTH_CONTEXT_##name, FRAME, semaphore, &slot))               \
        return REAL(name)(__VA_ARGS__);                                                            \
    return finish(&call, slot, REAL(name)(__VA_ARGS__))

FTH_PUBLIC int sem_wait(sem_t *semaphore)
{
    CALL(sem_wait, semaphore, semaphore);
}

FTH_PUBLIC int sem_trywait(sem_t *semaphore)
{
    CALL(sem_trywait, semaphore, semaphore);
}

FTH_PUBLIC int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict until)
{
    CALL(sem_timedwait, semaphore, semaphore, until);
}

FTH_PUBLIC int sem_post(sem_t *semaphore)
{
    CALL(sem_post, semaphore, semaphore);
}

#if __GLIBC_PREREQ(2, 30)
FTH_PUBLIC int sem_clockwait(sem_t *restrict semaphore, clockid_t clock,
                             const struct timespec *restrict until)
{
    struct fth_draft call;
    int32_t slot;
    if (!begin(&call, FTH_CALL_sem_clockwait, FTH_CONTEXT_sem_clockwait, FRAME, semaphore, &slot))
        return REAL(sem_clockwait)(semaphore, clock, until);
    int result = REAL(sem_clockwait)(semaphore, clock, until);
    fth_end(&call);
    call.worked = result >= 0;
    fth_keep(&call, slot);
    fth_keep(&call, clock);
    fth_keep(&call, result < 0 ? fth_failure(&call) : result);
    fth_commit(&call);
    return result;
}
#endif

FTH_PUBLIC int sem_getvalue(sem_t *restrict semaphore, int *restrict value)
{
    struct fth_draft call;
    int32_t slot;
    if (!begin(&call, FTH_CALL_sem_getvalue, FTH_CONTEXT_sem_getvalue, FRAME, semaphore, &slot))
        return REAL(sem_getvalue)(semaphore, value);
    int result = REAL(sem_getvalue)(semaphore, value);
    fth_end(&call);
    call.worked = result >= 0;
    fth_keep(&call, slot);
    fth_keep(&call, call.worked ? *value : FTH_ABSENT);
    fth_keep(&call, result < 0 ? fth_failure(&call) : result);
    fth_commit(&call);
    return result;
}

/* ---- how they come and go ---- */

FTH_PUBLIC int sem_init(sem_t *semaphore, int shared, unsigned value)
{
    struct fth_draft call;
    bool recorded = fth_wanted[FTH_CALL_sem_init] && (shared || threads_are_recorded()) &&
                    fth_begin_at(&call, FTH_CALL_sem_init, FTH_CONTEXT_sem_init, FRAME);
    if (!recorded)
        return REAL(sem_init)(semaphore, shared, value);
    fth_start(&call);
    int result = REAL(sem_init)(semaphore, shared, value);
    fth_end(&call);
    call.worked = result >= 0;
    int32_t slot = result < 0 ? FTH_SLOT_UNKNOWN : bind_place(semaphore);
    fth_note_binding(&call, FTH_CLASS_semaphore, slot);
    fth_about_now(&call, -1, slot);
    fth_keep(&call, slot == FTH_EXCLUDED ? FTH_SLOT_UNKNOWN : slot);
    fth_keep(&call, shared);
    fth_keep(&call, value);
    fth_keep(&call, result < 0 ? fth_failure(&call) : result);
    fth_commit(&call);
    return result;
}

FTH_PUBLIC int sem_destroy(sem_t *semaphore)
{
    struct fth_draft call;
    int32_t slot;
    if (!begin(&call, FTH_CALL_sem_destroy, FTH_CONTEXT_sem_destroy, FRAME, semaphore, &slot))
        return REAL(sem_destroy)(semaphore);
    fth_close_handle(FTH_CLASS_semaphore, (uintptr_t)semaphore);
    return finish(&call, slot, REAL(sem_destroy)(semaphore));
}

FTH_PUBLIC int sem_close(sem_t *semaphore)
{
    struct fth_draft call;
    int32_t slot;
    if (!begin(&call, FTH_CALL_sem_close, FTH_CONTEXT_sem_close, FRAME, semaphore, &slot))
        return REAL(sem_close)(semaphore);
    fth_library_close(FTH_CLASS_semaphore, (uintptr_t)semaphore);
    return finish(&call, slot, REAL(sem_close)(semaphore));
}

/* Behind a filter of system calls nothing is asked. */
static bool may_ask(void)
{
    return !fth_is_filtered && !fth_finds_filter();
}

/* The file that it is in; false: there is none, or its name is too long. */
static bool find_file(const char *name, struct stat *status)
{
    char path[300];
    while (*name == '/')
        name++;
    if (strlen(name) > 255)
        return false;
    fth_put_text(fth_put_text(path, "/dev/shm/sem."), name);
    return syscall(SYS_newfstatat, AT_FDCWD, path, status, 0) == 0;
}

/* Its file says the same as the map, and is asked in a hundredth of the time. */
static void ask_file(const sem_t *semaphore, const char *name, struct question *question)
{
    struct stat status;
    int before = errno;
    if (!may_ask() || !find_file(name, &status)) {
        errno = before;
        ask_place(semaphore, question);
        return;
    }
    *question = (struct question){.address = (uintptr_t)semaphore,
                                  .start = (uintptr_t)semaphore,
                                  .found = true,
                                  .is_shared = true};
    char *end = fth_put_hexadecimal(question->device, major(status.st_dev), 2);
    fth_put_hexadecimal(fth_put_text(end, ":"), minor(status.st_dev), 2);
    *fth_put_decimal(question->inode, status.st_ino) = 0;
}

static int32_t open_named(struct fth_draft *call, const sem_t *semaphore, const char *name,
                          bool is_made, unsigned value)
{
    struct question question;
    char *text = call->recorder->path, called[264];
    while (*name == '/')
        name++;
    *fth_put_text(called, "named ") = 0;
    strncat(called, name, 255);
    ask_file(semaphore, name, &question);
    char *end = put_place(text, &question, called);
    if (is_made && question.found)
        fth_put_decimal(fth_put_text(end, ", made with "), value);
    return fth_library_open_named(FTH_CLASS_semaphore, (uintptr_t)semaphore,
                                  (struct fth_handle_name){text, strlen(text)});
}

FTH_PUBLIC sem_t *sem_open(const char *name, int flags, ...)
{
    struct fth_draft call;
    mode_t mode = 0;
    unsigned value = 0;
    if (flags & O_CREAT) {
        va_list more;
        va_start(more, flags);
        mode = va_arg(more, mode_t);
        value = va_arg(more, unsigned);
        va_end(more);
    }
    if (!fth_wanted[FTH_CALL_sem_open] ||
        !fth_begin_at(&call, FTH_CALL_sem_open, FTH_CONTEXT_sem_open, FRAME))
        return REAL(sem_open)(name, flags, mode, value);
    int before = errno;
    const char *given = fth_given_text(&call, name);
    struct stat status;
    bool is_made = (flags & O_CREAT) && given && may_ask() && !find_file(given, &status);
    errno = before;
    fth_start(&call);
    sem_t *semaphore = REAL(sem_open)(name, flags, mode, value);
    fth_end(&call);
    call.worked = semaphore != SEM_FAILED;
    int32_t slot =
        call.worked ? open_named(&call, semaphore, name, is_made, value) : FTH_SLOT_UNKNOWN;
    if (call.worked)
        fth_note_binding(&call, FTH_CLASS_semaphore, slot);
    fth_keep(&call, fth_text(&call, given));
    fth_keep(&call, flags);
    fth_keep(&call, mode);
    fth_keep(&call, value);
    fth_keep(&call, slot);
    fth_keep(&call, call.worked ? 1 : fth_failure(&call));
    fth_commit(&call);
    return semaphore;
}
