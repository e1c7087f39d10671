/* Which memory there is: the kernel is asked to make it present, which changes nothing that the
 * copy would not change. Linux before 5.14 does not know that: there, all of it is taken to be. */
#include "prefix/program_memory.h"

#include <errno.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* of madvise (linux/mman.h), since Linux 5.14 */
enum { POPULATE_READ = 22, POPULATE_WRITE = 23 };

enum { PAGE = 4096, KNOWN = 256, FEW = 16 /* pages that are remembered */ };

/* One more than the numbers of pages that were there, at the place of their last bits; 0: none. */
static uintptr_t known[2][KNOWN];
static bool any_known;

static bool is_known(uintptr_t page, bool to_write)
{
    return __atomic_load_n(&known[to_write][page % KNOWN], __ATOMIC_RELAXED) == page + 1;
}

static void remember(uintptr_t page, bool to_write)
{
    __atomic_store_n(&known[to_write][page % KNOWN], page + 1, __ATOMIC_RELAXED);
    __atomic_store_n(&any_known, true, __ATOMIC_RELAXED);
}

void fth_memory_changed(void)
{
    if (!__atomic_load_n(&any_known, __ATOMIC_RELAXED))
        return;
    __atomic_store_n(&any_known, false, __ATOMIC_RELAXED);
    for (unsigned i = 0; i < KNOWN; i++) {
        __atomic_store_n(&known[0][i], 0, __ATOMIC_RELAXED);
        __atomic_store_n(&known[1][i], 0, __ATOMIC_RELAXED);
    }
}

static bool make_present(uintptr_t page, size_t count, bool to_write)
{
    long failed;
    do
        failed = syscall(SYS_madvise, page * PAGE, count * PAGE,
                         to_write ? POPULATE_WRITE : POPULATE_READ);
    while (failed && (errno == EINTR || errno == EAGAIN));
    return !failed;
}

static bool can_be_asked(void)
{
    static char own;
    static int can; /* 1: yes, 2: no */
    if (!can)
        can = make_present((uintptr_t)&own / PAGE, 1, false) ? 1 : 2;
    return can == 1;
}

/* To be read, memory of devices is there, though it cannot be made present. */
static bool is_there(uintptr_t page, size_t count, bool to_write)
{
    return make_present(page, count, to_write) || (errno == EINVAL && !to_write);
}

static bool are_few_there(uintptr_t first, uintptr_t last, bool to_write)
{
    for (uintptr_t page = first; page <= last; page++) {
        if (is_known(page, to_write))
            continue;
        if (!is_there(page, 1, to_write))
            return false;
        remember(page, to_write);
    }
    return true;
}

static size_t part_there(uintptr_t at, uintptr_t last, bool to_write)
{
    uintptr_t page = at / PAGE;
    while (page <= last && is_there(page, 1, to_write))
        page++;
    return page * PAGE > at ? page * PAGE - at : 0;
}

size_t fth_memory_there(const void *memory, size_t size, bool to_write)
{
    uintptr_t at = (uintptr_t)memory, first = at / PAGE, last;
    int before = errno;
    if (!size)
        return 0;
    if (__builtin_add_overflow(at, size - 1, &last))
        return 0;
    last /= PAGE;
    bool all = last - first < FEW ? are_few_there(first, last, to_write)
                                  : is_there(first, last - first + 1, to_write);
    if (!all && can_be_asked()) {
        size_t part = part_there(at, last, to_write);
        size = part < size ? part : size;
    }
    errno = before;
    return size;
}
