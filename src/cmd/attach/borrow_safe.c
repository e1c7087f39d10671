/* Is a thread at a point where it may be made to call dlopen? That takes the locks of the dynamic
 * linker and of malloc, so the thread must not be inside of these. Mostly that is a thread that
 * waits in a system call: one made by libc on behalf of neither. Otherwise one that is in code
 * which is no part of them. Signal handlers that it may be in are looked through: what they
 * interrupted must be safe as well. */
#include "cmd/attach/borrow_safe.h"

#if defined __x86_64__

#include <linux/futex.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>

enum { NEAR = 64 << 20 }; /* bytes of its stack that are looked through for signal handlers */

static const struct fth_borrow_object *object_at(const struct fth_borrowed *borrowed, uint64_t at)
{
    for (size_t i = 0; i < borrowed->object_count; i++)
        if (at >= borrowed->objects[i].start && at < borrowed->objects[i].end)
            return &borrowed->objects[i];
    return NULL;
}

bool fth_borrow_read(pid_t pid, uint64_t at, void *to, size_t size)
{
    struct iovec here = {to, size}, there = {(void *)(uintptr_t)at, size};
    return process_vm_readv(pid, &here, 1, &there, 1, 0) == (ssize_t)size;
}

static bool is_behind_system_call(pid_t pid, uint64_t pc)
{
    uint8_t before[2];
    return fth_borrow_read(pid, pc - 2, before, 2) && before[0] == 0x0f && before[1] == 0x05;
}

/* A lock of malloc or of the linker is waited for by a plain FUTEX_WAIT; conditions, joins and
 * semaphores wait with a bit set. */
static bool may_wait_for_a_lock(uint64_t operation)
{
    return (operation & (uint64_t)FUTEX_CMD_MASK) != FUTEX_WAIT_BITSET;
}

static bool manages_memory_or_tasks(uint64_t call)
{
    switch (call) {
    case SYS_mmap:
    case SYS_munmap:
    case SYS_mremap:
    case SYS_mprotect:
    case SYS_madvise:
    case SYS_brk:
    case SYS_clone:
    case SYS_clone3:
    case SYS_fork:
    case SYS_vfork:
    case SYS_execve:
    case SYS_execveat:
    case SYS_exit:
    case SYS_exit_group:
    case SYS_sched_yield: /* spinning for a lock */
        return true;
    }
    return false;
}

/* `call`: the system call that it waits in, or -1. */
bool fth_borrow_is_safe_place(const struct fth_borrowed *borrowed, uint64_t pc, int64_t call,
                              uint64_t second_argument)
{
    const struct fth_borrow_object *object = object_at(borrowed, pc);
    if (call >= 0 && manages_memory_or_tasks((uint64_t)call))
        return false;
    if (!object)
        return true;
    if (object->loads)
        return false;
    if (!object->allocates)
        return true;
    return call >= 0 && !(call == SYS_futex && may_wait_for_a_lock(second_argument));
}

/* What a signal handler interrupted, if there is one's frame at `at` (struct rt_sigframe of the
 * kernel). */
static bool is_safe_frame(const struct fth_borrowed *borrowed, uint64_t at)
{
    enum { R_SP = 15, R_IP = 16, R_CS = 18, WORDS = 19, CODE = 0x33 };
    uint64_t words[WORDS];
    if (!fth_borrow_read(borrowed->pid, at + 8 + 40, words, sizeof words) ||
        (words[R_CS] & 0xffff) != CODE || !words[R_SP])
        return true; /* it is none */
    const struct fth_borrow_object *object = object_at(borrowed, words[R_IP]);
    if (!object || (!object->loads && !object->allocates))
        return true;
    return !object->loads && is_behind_system_call(borrowed->pid, words[R_IP]);
}

static bool are_handlers_safe(const struct fth_borrowed *borrowed, uint64_t stack)
{
    enum { PIECE = 4096 };
    uint64_t words[PIECE / 8];
    for (uint64_t at = stack & ~UINT64_C(7), end = stack + NEAR; borrowed->restorer && at < end;) {
        size_t size = PIECE - at % PIECE;
        if (!fth_borrow_read(borrowed->pid, at, words, size))
            return true; /* the stack ends here */
        for (size_t i = 0; i < size / 8; i++)
            if (words[i] == borrowed->restorer && !is_safe_frame(borrowed, at + i * 8))
                return false;
        at += size;
    }
    return true;
}

bool fth_borrow_is_safe(const struct fth_borrowed *borrowed, const struct user_regs_struct *now)
{
    bool waits = (int64_t)now->orig_rax >= 0 && is_behind_system_call(borrowed->pid, now->rip);
    return fth_borrow_is_safe_place(borrowed, now->rip, waits ? (int64_t)now->orig_rax : -1,
                                    now->rsi) &&
           are_handlers_safe(borrowed, now->rsp);
}

#endif
