/* Kills the server that it is preloaded into at the N-th instruction that writes to the journal of
 * the instance, which is mapped: KILLED_AT="before N" or "behind N". The map is kept read-only, so
 * each such instruction is a fault; it is done alone, with the trap flag of the processor. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum { TRAP = 0x100 /* in the flags: a signal behind the next instruction */ };

static uint8_t *map;
static size_t bytes;
static long count, at;
static int is_behind;

static void die(void)
{
    kill(getpid(), SIGKILL);
}

static void on_fault(int number, siginfo_t *info, void *context)
{
    ucontext_t *where = context;
    uint8_t *address = info->si_addr;
    if (!map || address < map || address >= map + bytes) {
        signal(number, SIG_DFL);
        return;
    }
    if (++count == at && !is_behind)
        die();
    mprotect(map, bytes, PROT_READ | PROT_WRITE);
#if defined __x86_64__
    where->uc_mcontext.gregs[REG_EFL] |= TRAP;
#else
    (void)where;
#endif
}

static void behind_instruction(int number, siginfo_t *info, void *context)
{
    ucontext_t *where = context;
    (void)number;
    (void)info;
    if (count == at && is_behind)
        die();
    mprotect(map, bytes, PROT_READ);
#if defined __x86_64__
    where->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP;
#else
    (void)where;
#endif
}

static int is_journal(int file)
{
    char link[64], name[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, name, sizeof name - 1);
    return length >= 8 && memcmp(name + length - 8, "/journal", 8) == 0;
}

static void begin(void)
{
    const struct sigaction fault = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO},
                           trap = {.sa_sigaction = behind_instruction, .sa_flags = SA_SIGINFO};
    char how[16];
    const char *when = getenv("KILLED_AT");
    if (!when || sscanf(when, "%15s %ld", how, &at) != 2)
        return;
    is_behind = strcmp(how, "behind") == 0;
    sigaction(SIGSEGV, &fault, NULL);
    sigaction(SIGTRAP, &trap, NULL);
}

void *mmap(void *where, size_t length, int protection, int flags, int file, off_t offset)
{
    void *made = (void *)syscall(SYS_mmap, where, length, protection, flags, file, offset);
    if (made == MAP_FAILED || !(flags & MAP_SHARED) || !(protection & PROT_WRITE) || file < 0 ||
        !is_journal(file))
        return made;
    if (!at)
        begin();
    if (at) {
        map = made;
        bytes = length;
        mprotect(map, bytes, PROT_READ);
    }
    return made;
}

void *mmap64(void *where, size_t length, int protection, int flags, int file, off_t offset)
{
    return mmap(where, length, protection, flags, file, offset);
}
