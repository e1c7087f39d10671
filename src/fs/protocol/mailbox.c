/* Requests and answers through memory. */
#include "fs/protocol/mailbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The server answers within a few microseconds if it runs; if it does not, who looks on only keeps
 * it from the processor. */
enum { YIELDS = 1, LOOKS = 20, WAIT = 20000000 /* ns, until somebody sees whether it lives */ };

struct fth_mailbox *fth_mailbox_make(int *descriptor)
{
    *descriptor = (int)syscall(SYS_memfd_create, "fathom mailbox", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (*descriptor < 0)
        return NULL;
    void *map = MAP_FAILED;
    if (ftruncate(*descriptor, sizeof(struct fth_mailbox)) == 0 &&
        fcntl(*descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
        map = mmap(NULL, sizeof(struct fth_mailbox), PROT_READ | PROT_WRITE, MAP_SHARED,
                   *descriptor, 0);
    if (map != MAP_FAILED)
        return map;
    close(*descriptor);
    return NULL;
}

struct fth_mailbox *fth_mailbox_map(int descriptor)
{
    struct stat facts;
    void *map = MAP_FAILED;
    if (fstat(descriptor, &facts) == 0 && facts.st_size == sizeof(struct fth_mailbox))
        map = mmap(NULL, sizeof(struct fth_mailbox), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor,
                   0);
    close(descriptor);
    if (map == MAP_FAILED)
        return NULL;
    if (syscall(SYS_madvise, map, sizeof(struct fth_mailbox), MADV_DONTFORK) == 0)
        return map;
    munmap(map, sizeof(struct fth_mailbox));
    return NULL;
}

void fth_mailbox_unmap(struct fth_mailbox *box)
{
    if (box)
        munmap(box, sizeof *box);
}

/* ---- the client ---- */

bool fth_mailbox_ask(struct fth_mailbox *box, const void *request, size_t length, bool *wake)
{
    if (length > FTH_MAILBOX_REQUEST)
        return false;
    memcpy(box->request, request, length);
    box->request_length = (uint32_t)length;
    /* the server looks once more behind setting `sleeps`: one of the two sees the other */
    __atomic_store_n(&box->asked, box->asked + 1, __ATOMIC_SEQ_CST);
    *wake = __atomic_load_n(&box->sleeps, __ATOMIC_SEQ_CST) != 0;
    return true;
}

static void pause_shortly(void)
{
#if defined __x86_64__
    __builtin_ia32_pause();
#endif
}

static bool has_come(const struct fth_mailbox *box)
{
    return __atomic_load_n(&box->answered, __ATOMIC_ACQUIRE) == box->asked;
}

bool fth_mailbox_is_answered(struct fth_mailbox *box)
{
    static const struct timespec wait = {.tv_nsec = WAIT};
    for (int i = 0; i < YIELDS; i++) {
        for (int j = 0; j < LOOKS; j++) {
            if (has_come(box))
                return true;
            pause_shortly();
        }
        syscall(SYS_sched_yield);
    }
    __atomic_store_n(&box->waits, 1, __ATOMIC_SEQ_CST);
    uint32_t before = __atomic_load_n(&box->answered, __ATOMIC_SEQ_CST);
    if (before != box->asked)
        syscall(SYS_futex, &box->answered, FUTEX_WAIT, before, &wait, NULL, 0);
    __atomic_store_n(&box->waits, 0, __ATOMIC_RELAXED);
    return has_come(box);
}

void fth_mailbox_withdraw(struct fth_mailbox *box)
{
    __atomic_store_n(&box->asked, box->asked - 1, __ATOMIC_SEQ_CST);
}

bool fth_mailbox_take(struct fth_mailbox *box, struct fth_bytes *answer)
{
    uint32_t length = __atomic_load_n(&box->answer_length, __ATOMIC_RELAXED);
    errno = length == FTH_MAILBOX_BY_SOCKET || length <= FTH_MAILBOX_ANSWER ? 0 : EBADMSG;
    if (length > FTH_MAILBOX_ANSWER || !length)
        return false;
    answer->length = 0;
    fth_bytes_put(answer, box->answer, length);
    return true;
}

/* ---- the server ---- */

int fth_mailbox_look(struct fth_mailbox *box, uint32_t *number, struct fth_bytes *request)
{
    uint32_t asked = __atomic_load_n(&box->asked, __ATOMIC_SEQ_CST);
    if (asked == *number)
        return 0;
    *number = asked;
    uint32_t length = __atomic_load_n(&box->request_length, __ATOMIC_RELAXED);
    if (!length || length > FTH_MAILBOX_REQUEST)
        return -1;
    request->length = 0;
    fth_bytes_put(request, box->request, length);
    return 1;
}

bool fth_mailbox_answer(struct fth_mailbox *box, uint32_t number, const void *answer, size_t length)
{
    if (answer && length > FTH_MAILBOX_ANSWER)
        return false;
    if (answer)
        memcpy(box->answer, answer, length);
    box->answer_length = answer ? (uint32_t)length : FTH_MAILBOX_BY_SOCKET;
    __atomic_store_n(&box->answered, number, __ATOMIC_SEQ_CST);
    if (__atomic_exchange_n(&box->waits, 0, __ATOMIC_SEQ_CST))
        syscall(SYS_futex, &box->answered, FUTEX_WAKE, 1, NULL, NULL, 0);
    return true;
}

void fth_mailbox_sleep(struct fth_mailbox *box, bool sleeps)
{
    __atomic_store_n(&box->sleeps, sleeps, __ATOMIC_SEQ_CST);
}
