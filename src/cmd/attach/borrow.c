/* Borrowing a thread with ptrace(2).
 *
 * Which thread, and when: one that is at a safe point (borrow_safe.c). A thread that is not is let
 * go, and another one, or a later instant, tried.
 *
 * How it gives back what it was doing: all registers are put back at a stop of the kind that it was
 * found at (PTRACE_EVENT_STOP), where the kernel decides anew whether an interrupted system call
 * goes on or a signal handler runs first. Signals wait meanwhile (PTRACE_SETSIGMASK).
 *
 * How a call ends without a trap, which would be a signal: it returns to an instruction that makes
 * a system call, where we wait for it; that system call is made to be none. */
#include "cmd/attach/borrow.h"
#include "cmd/attach/borrow_safe.h"

#include <errno.h>
#include <string.h>

#if defined __x86_64__

#include <dirent.h>
#include <elf.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    STACK = 512 << 10, /* of our own, for its calls, */
    TEXT = 128 << 10,  /* at the start of it what is passed to them */
    WIDEST = 32 << 10, /* bytes of all the registers for numbers */
    PATIENCE = 15,     /* s to find a safe point */
    LONGEST_CALL = 60, /* s */
    LONGEST_STOP = 3,  /* s until it stops */
    SIGNAL_SET = 8,    /* bytes, as the kernel has it */
    EVENT = PTRACE_EVENT_STOP,
    /* the kernel's own errors of interrupted system calls (linux/errno.h) */
    RESTART_UNLESS_HANDLED = 514,
};

struct fth_borrowed_state {
    struct user_regs_struct registers;
    uint8_t wide[WIDEST];
    size_t wide_bytes;
    uint64_t mask;
    uint64_t stack; /* 0: none was made */
    bool used;      /* it has been made to do something */
    int held;       /* a signal that cannot be made to wait, which came meanwhile */
};

static int64_t seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

static void pause_ms(long ms)
{
    struct timespec length = {.tv_nsec = ms * 1000000};
    nanosleep(&length, NULL);
}

/* ---- stops ---- */

static bool is_event(int status)
{
    return WIFSTOPPED(status) && status >> 16 == EVENT;
}

static bool is_syscall_stop(int status)
{
    return WIFSTOPPED(status) && WSTOPSIG(status) == (SIGTRAP | 0x80);
}

/* Waits for its next stop; false: it has ended. 0 in *status: nothing came in this time. */
static bool wait_for(pid_t tid, int *status, int seconds)
{
    int64_t end = seconds_now() + seconds;
    for (int tries = 0;; tries++) {
        pid_t who = waitpid(tid, status, __WALL | WNOHANG);
        if (who == tid)
            return WIFSTOPPED(*status);
        if (who < 0 && errno != EINTR)
            return false;
        *status = 0;
        if (seconds_now() > end)
            return true;
        if (tries > 100)
            pause_ms(1);
        else
            sched_yield();
    }
}

/* Goes on to the stop that we ask for; signals that are on their way are delivered. */
static bool interrupt(pid_t tid)
{
    int status;
    if (ptrace(PTRACE_INTERRUPT, tid, 0, 0) != 0)
        return false;
    for (;;) {
        if (!wait_for(tid, &status, LONGEST_STOP) || !status)
            return false;
        if (is_event(status))
            return true;
        int number = is_syscall_stop(status) ? 0 : WSTOPSIG(status);
        if (ptrace(PTRACE_CONT, tid, 0, number) != 0)
            return false;
    }
}

/* ---- memory ---- */

static bool write_memory(pid_t pid, uint64_t at, const void *from, size_t size)
{
    struct iovec here = {(void *)(uintptr_t)from, size}, there = {(void *)(uintptr_t)at, size};
    return process_vm_writev(pid, &here, 1, &there, 1, 0) == (ssize_t)size;
}

/* ---- system calls that a mere stop ends ---- */

/* These return EINTR when their thread was stopped, handler or not (signal(7)). The program has not
 * been interrupted. */
static bool ends_at_a_stop(uint64_t call)
{
    switch (call) {
    case SYS_read:
    case SYS_readv:
    case SYS_write:
    case SYS_writev:
    case SYS_recvfrom:
    case SYS_recvmsg:
    case SYS_recvmmsg:
    case SYS_accept:
    case SYS_accept4:
    case SYS_sendto:
    case SYS_sendmsg:
    case SYS_sendmmsg:
    case SYS_connect:
    case SYS_epoll_wait:
    case SYS_epoll_pwait:
    case SYS_epoll_pwait2:
    case SYS_semop:
    case SYS_semtimedop:
    case SYS_rt_sigtimedwait:
    case SYS_io_getevents:
    case SYS_io_uring_enter:
        return true;
    }
    return false;
}

static void let_go_on(struct user_regs_struct *registers)
{
    if ((int64_t)registers->orig_rax >= 0 && registers->rax == (uint64_t)-EINTR &&
        ends_at_a_stop(registers->orig_rax))
        registers->rax = (uint64_t)-RESTART_UNLESS_HANDLED;
}

/* ---- stopping and letting go ---- */

static bool save(struct fth_borrowed *borrowed)
{
    struct fth_borrowed_state *state = borrowed->state;
    struct iovec wide = {state->wide, sizeof state->wide};
    if (ptrace(PTRACE_GETREGS, borrowed->tid, 0, &state->registers) != 0 ||
        ptrace(PTRACE_GETREGSET, borrowed->tid, NT_X86_XSTATE, &wide) != 0 ||
        ptrace(PTRACE_GETSIGMASK, borrowed->tid, SIGNAL_SET, &state->mask) != 0)
        return false;
    state->wide_bytes = wide.iov_len;
    let_go_on(&state->registers);
    return true;
}

/* At a stop of the kind that we found it at. */
static void restore(const struct fth_borrowed *borrowed)
{
    struct fth_borrowed_state *state = borrowed->state;
    struct iovec wide = {state->wide, state->wide_bytes};
    if (state->used) {
        ptrace(PTRACE_SETREGSET, borrowed->tid, NT_X86_XSTATE, &wide);
        ptrace(PTRACE_SETSIGMASK, borrowed->tid, SIGNAL_SET, &state->mask);
    }
    ptrace(PTRACE_SETREGS, borrowed->tid, 0, &state->registers);
}

static void let_go(struct fth_borrowed *borrowed)
{
    restore(borrowed);
    ptrace(PTRACE_DETACH, borrowed->tid, 0, 0);
    if (borrowed->state->held)
        syscall(SYS_tgkill, borrowed->pid, borrowed->tid, borrowed->state->held);
    free(borrowed->state);
    borrowed->state = NULL;
    borrowed->tid = 0;
}

/* 0: not now. -1: the system does not let us. */
static int seize(pid_t tid)
{
    for (int tries = 0; tries < 3; tries++) {
        if (ptrace(PTRACE_SEIZE, tid, 0, PTRACE_O_TRACESYSGOOD) == 0)
            return 1;
        int why = errno;
        if (why == ESRCH || (why == EPERM && fth_borrow_tracer(tid)))
            return 0; /* another `fathom attach` has just borrowed it */
        errno = why;
    }
    /* and nobody has it: the other one would have had to come and go in between each time */
    return -1;
}

/* Stops this thread if it is at a safe point. -1: the system does not let us. */
static int try(struct fth_borrowed *borrowed, pid_t tid)
{
    int seized = seize(tid);
    if (seized <= 0)
        return seized;
    borrowed->state = calloc(1, sizeof *borrowed->state);
    borrowed->tid = tid;
    if (!borrowed->state || !interrupt(tid)) {
        free(borrowed->state);
        borrowed->state = NULL;
        borrowed->tid =
            0; /* it ended, or is stuck in the kernel: it goes free when this process ends */
        return 0;
    }
    if (save(borrowed) && fth_borrow_is_safe(borrowed, &borrowed->state->registers))
        return 1;
    let_go(borrowed);
    return 0;
}

/* What the kernel says that the thread waits in, before it is touched. The higher the better, 0:
 * leave it alone. */
static int promise(const struct fth_borrowed *borrowed, pid_t tid)
{
    char name[96], text[256] = "";
    int64_t call = -1;
    uint64_t first, second = 0, stack, pc = 0;
    snprintf(name, sizeof name, "/proc/%d/task/%d/syscall", (int)borrowed->pid, (int)tid);
    FILE *file = fopen(name, "re");
    if (file && !fgets(text, sizeof text, file))
        text[0] = 0;
    if (file)
        fclose(file);
    if (sscanf(text, "%" SCNd64 " %" SCNx64 " %" SCNx64 " %*x %*x %*x %*x %" SCNx64 " %" SCNx64,
               &call, &first, &second, &stack, &pc) != 5)
        return 1; /* it is running, or the system does not say */
    if (!fth_borrow_is_safe_place(borrowed, pc, call, second))
        return 0;
    return ends_at_a_stop((uint64_t)call) ? 2 : 3;
}

static int try_threads(struct fth_borrowed *borrowed, int least)
{
    char name[64];
    int found = 0;
    snprintf(name, sizeof name, "/proc/%d/task", (int)borrowed->pid);
    DIR *tasks = opendir(name);
    for (struct dirent *task; tasks && !found && (task = readdir(tasks));) {
        pid_t tid = (pid_t)strtol(task->d_name, NULL, 10);
        if (tid > 0 && promise(borrowed, tid) >= least)
            found = try(borrowed, tid);
    }
    if (tasks)
        closedir(tasks);
    return found;
}

int fth_borrow(struct fth_borrowed *borrowed, struct fth_error **error)
{
    int64_t end = seconds_now() + PATIENCE;
    for (int turn = 0; seconds_now() < end; turn++) {
        int found = 0;
        for (int least = 3; least > 0 && !found; least--)
            found = try_threads(borrowed, least);
        if (found > 0 && fth_borrow_is_same(borrowed))
            return 0;
        if (found > 0) {
            let_go(borrowed);
            return fth_fail(error, "process %d has just started another program (exec): try again",
                            (int)borrowed->pid);
        }
        if (found < 0 && errno == EPERM)
            return fth_fail(error,
                            "no permission to attach to process %d: it belongs to another user, or "
                            "/proc/sys/kernel/yama/ptrace_scope is not 0; run this as root, or "
                            "change that setting",
                            (int)borrowed->pid);
        if (found < 0)
            return fth_fail_errno(error, "cannot stop a thread of process %d", (int)borrowed->pid);
        if (kill(borrowed->pid, 0) != 0 && errno == ESRCH)
            return fth_fail(error, "process %d has ended", (int)borrowed->pid);
        pause_ms(turn < 20 ? 1 : 10);
    }
    if (fth_borrow_tracer(borrowed->pid))
        return fth_fail(error, "process %d is being traced by process %d: end that first",
                        (int)borrowed->pid, (int)fth_borrow_tracer(borrowed->pid));
    return fth_fail(error,
                    "process %d could not be interrupted safely: all its threads wait for locks or "
                    "are allocating memory; try again later",
                    (int)borrowed->pid);
}

/* ---- calls ---- */

/* Signals that a fault in the call would raise: were they made to wait, the kernel would take the
 * program's handlers away. */
static uint64_t mask_of_a_call(void)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS};
    uint64_t mask = ~UINT64_C(0);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        mask &= ~(UINT64_C(1) << (faults[i] - 1));
    return mask;
}

static int lost(const struct fth_borrowed *borrowed, struct fth_error **error)
{
    return fth_fail(error, "process %d has ended", (int)borrowed->pid);
}

/* Goes on to the next entry into or end of a system call. */
static int to_system_call(struct fth_borrowed *borrowed, struct fth_error **error)
{
    int status;
    for (;;) {
        if (ptrace(PTRACE_SYSCALL, borrowed->tid, 0, 0) != 0 ||
            !wait_for(borrowed->tid, &status, LONGEST_CALL))
            return lost(borrowed, error);
        if (!status)
            return fth_fail(error, "a call of the tracer in process %d does not return",
                            (int)borrowed->pid);
        if (is_syscall_stop(status))
            return 0;
        if (is_event(status))
            continue;
        siginfo_t info = {0};
        ptrace(PTRACE_GETSIGINFO, borrowed->tid, 0, &info);
        if (WSTOPSIG(status) == SIGSTOP || info.si_code <= 0)
            borrowed->state->held = WSTOPSIG(status);
        else
            return fth_fail(error, "the call of the tracer in process %d failed (signal %d)",
                            (int)borrowed->pid, WSTOPSIG(status));
    }
}

static bool set(struct fth_borrowed *borrowed, struct user_regs_struct *registers)
{
    uint64_t mask = mask_of_a_call();
    if (!borrowed->state->used && ptrace(PTRACE_SETSIGMASK, borrowed->tid, SIGNAL_SET, &mask) != 0)
        return false;
    borrowed->state->used = true;
    return ptrace(PTRACE_SETREGS, borrowed->tid, 0, registers) == 0;
}

/* A system call, made at the gate. */
static int make_system_call(struct fth_borrowed *borrowed, uint64_t number, uint64_t first,
                            uint64_t second, uint64_t *result, struct fth_error **error)
{
    struct user_regs_struct now = borrowed->state->registers;
    now.rip = borrowed->gate;
    now.orig_rax = UINT64_MAX;
    now.rax = number;
    now.rdi = first;
    now.rsi = second;
    now.rdx = PROT_READ | PROT_WRITE; /* of mmap; munmap does not look */
    now.r10 = MAP_PRIVATE | MAP_ANONYMOUS;
    now.r8 = UINT64_MAX;
    now.r9 = 0;
    if (!set(borrowed, &now) || to_system_call(borrowed, error) ||
        to_system_call(borrowed, error) || ptrace(PTRACE_GETREGS, borrowed->tid, 0, &now) != 0)
        return *error ? -1 : lost(borrowed, error);
    *result = now.rax;
    return 0;
}

static int make_stack(struct fth_borrowed *borrowed, struct fth_error **error)
{
    uint64_t made = 0;
    if (borrowed->state->stack)
        return 0;
    if (make_system_call(borrowed, SYS_mmap, 0, STACK, &made, error))
        return -1;
    if (made > (uint64_t)-4096)
        return fth_fail(error, "process %d has no memory left for the tracer", (int)borrowed->pid);
    borrowed->state->stack = made;
    return 0;
}

/* Lets it go on until it has returned to the gate on our stack; there the result is where the
 * number of a system call would be. */
static int await_return(struct fth_borrowed *borrowed, uint64_t top, uint64_t *result,
                        struct fth_error **error)
{
    struct user_regs_struct now;
    for (;;) {
        if (to_system_call(borrowed, error))
            return -1;
        if (ptrace(PTRACE_GETREGS, borrowed->tid, 0, &now) != 0)
            return lost(borrowed, error);
        bool returned = now.rsp == top && now.rip == borrowed->gate + 2;
        if (returned) {
            *result = now.orig_rax;
            now.orig_rax = UINT64_MAX; /* no system call after all */
            ptrace(PTRACE_SETREGS, borrowed->tid, 0, &now);
        }
        if (to_system_call(borrowed, error))
            return -1;
        if (returned)
            return 0;
    }
}

int fth_borrow_call(struct fth_borrowed *borrowed, uint64_t function, const void *text, size_t size,
                    uint64_t second, uint64_t *result, struct fth_error **error)
{
    enum { TRACE_BIT = 0x100, DIRECTION_BIT = 0x400 };
    if (size > TEXT)
        return fth_fail(error, "the settings for process %d are too long", (int)borrowed->pid);
    if (make_stack(borrowed, error))
        return -1;
    uint64_t top = borrowed->state->stack + STACK - 64, returns_at = top - 8;
    struct user_regs_struct now = borrowed->state->registers;
    now.rip = function;
    now.rsp = returns_at;
    now.rbp = 0;
    now.orig_rax = UINT64_MAX;
    now.rax = 0;
    now.rdi = borrowed->state->stack;
    now.rsi = second;
    now.eflags &= ~(uint64_t)(TRACE_BIT | DIRECTION_BIT);
    if ((size && !write_memory(borrowed->pid, borrowed->state->stack, text, size)) ||
        !write_memory(borrowed->pid, returns_at, &borrowed->gate, sizeof borrowed->gate) ||
        !set(borrowed, &now))
        return fth_fail_errno(error, "cannot write into process %d", (int)borrowed->pid);
    return await_return(borrowed, top, result, error);
}

/* From the end of a call to a stop like the one that it was found at. None of the program's
 * instructions comes before. */
static void to_event(struct fth_borrowed *borrowed)
{
    int status = 0;
    ptrace(PTRACE_INTERRUPT, borrowed->tid, 0, 0);
    do {
        if (status && !is_syscall_stop(status) && WSTOPSIG(status) == SIGSTOP)
            borrowed->state->held = SIGSTOP;
        if (ptrace(PTRACE_CONT, borrowed->tid, 0, 0) != 0 ||
            !wait_for(borrowed->tid, &status, LONGEST_CALL) || !status)
            return;
    } while (!is_event(status));
}

void fth_borrow_end(struct fth_borrowed *borrowed)
{
    struct fth_error *error = NULL;
    uint64_t done;
    if (!borrowed->tid)
        return;
    if (borrowed->state->stack)
        make_system_call(borrowed, SYS_munmap, borrowed->state->stack, STACK, &done, &error);
    fth_error_free(error);
    if (borrowed->state->used)
        to_event(borrowed);
    let_go(borrowed);
}

#else

int fth_borrow(struct fth_borrowed *borrowed, struct fth_error **error)
{
    return fth_fail(error, "process %d: attach is not supported on this kind of processor yet",
                    (int)borrowed->pid);
}

int fth_borrow_call(struct fth_borrowed *borrowed, uint64_t function, const void *text, size_t size,
                    uint64_t second, uint64_t *result, struct fth_error **error)
{
    (void)borrowed, (void)function, (void)text, (void)size, (void)second, (void)result;
    return fth_fail(error, "attach is not supported on this kind of processor yet");
}

void fth_borrow_end(struct fth_borrowed *borrowed)
{
    (void)borrowed;
}

#endif
