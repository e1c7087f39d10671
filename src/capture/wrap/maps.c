/* Shared maps of files that may only be read, of descriptors that may write: mprotect may make them
 * writable. Programs call that for many other reasons (code that is made while they run, stacks),
 * so that only calls on memory where there is, or was, such a map are recorded. */
#include "capture/wrap/maps.h"

#include "calls.h"
#include "capture/life/begin.h"
#include "interpose/reach/reals.h"

#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FRAME ((uintptr_t)__builtin_frame_address(0))

/* Where the first of these maps begins, and the last one ends. */
static uintptr_t first = UINTPTR_MAX, behind;

static void widen(uintptr_t start, uintptr_t end)
{
    uintptr_t known = __atomic_load_n(&first, __ATOMIC_RELAXED);
    while (start < known && !__atomic_compare_exchange_n(&first, &known, start, true,
                                                         __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    known = __atomic_load_n(&behind, __ATOMIC_RELAXED);
    while (end > known && !__atomic_compare_exchange_n(&behind, &known, end, true, __ATOMIC_RELAXED,
                                                       __ATOMIC_RELAXED))
        ;
}

void fth_after_mmap(void *result, void *address, size_t length, int prot, int flags, int fd,
                    off_t offset)
{
    (void)address, (void)offset;
    if (result == MAP_FAILED || fd < 0 || !(flags & MAP_SHARED) || (prot & PROT_WRITE) ||
        (flags & MAP_ANONYMOUS))
        return;
    int before = errno;
    long opened = syscall(SYS_fcntl, fd, F_GETFL);
    errno = before;
    if (opened >= 0 && (opened & O_ACCMODE) == O_RDWR)
        widen((uintptr_t)result, (uintptr_t)result + length);
}

/* Is there, or was there, such a map in this memory? */
static bool is_among(const void *address, size_t length)
{
    uintptr_t start = (uintptr_t)address;
    return start < __atomic_load_n(&behind, __ATOMIC_RELAXED) &&
           start + length > __atomic_load_n(&first, __ATOMIC_RELAXED);
}

/* A length of 0 makes another map of what a shared one is of. */
void fth_after_mremap(void *result, void *old, size_t old_length, size_t length, int flags,
                      void *address)
{
    (void)flags, (void)address;
    if (result != MAP_FAILED && is_among(old, old_length ? old_length : 1))
        widen((uintptr_t)result, (uintptr_t)result + length);
}

FTH_PUBLIC int mprotect(void *address, size_t length, int prot)
{
    static int (*real)(void *, size_t, int);
    struct fth_draft call;
    if (FTH_UNLIKELY(!real))
        real = (__typeof__(real))fth_real("mprotect");
    if (!(prot & PROT_WRITE) || !is_among(address, length) ||
        !fth_begin_at(&call, FTH_CALL_mprotect, FTH_CONTEXT_mprotect, FRAME))
        return real(address, length, prot);
    fth_start(&call);
    int result = real(address, length, prot);
    fth_end(&call);
    call.worked = result >= 0;
    fth_keep(&call, (int64_t)length);
    fth_keep(&call, prot);
    fth_keep(&call, result < 0 ? fth_failure(&call) : result);
    fth_commit(&call);
    return result;
}

FTH_PUBLIC int pkey_mprotect(void *address, size_t length, int prot, int key)
{
    static int (*real)(void *, size_t, int, int);
    struct fth_draft call;
    if (FTH_UNLIKELY(!real))
        real = (__typeof__(real))fth_real("pkey_mprotect");
    if (!(prot & PROT_WRITE) || !is_among(address, length) ||
        !fth_begin_at(&call, FTH_CALL_pkey_mprotect, FTH_CONTEXT_pkey_mprotect, FRAME))
        return real(address, length, prot, key);
    fth_start(&call);
    int result = real(address, length, prot, key);
    fth_end(&call);
    call.worked = result >= 0;
    fth_keep(&call, (int64_t)length);
    fth_keep(&call, prot);
    fth_keep(&call, key);
    fth_keep(&call, result < 0 ? fth_failure(&call) : result);
    fth_commit(&call);
    return result;
}
