/* Writes three bytes behind a block of its heap, and a file; with "filter" or "raw" as an argument
 * behind a filter of system calls that kills, which is set up by syscall(2) or by an instruction of
 * its own, and with "exec" executes cat behind one that kills nobody. */
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ALLOW(name)                                                                                \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1),                                         \
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static long raw(long number, long a, long b, long c)
{
#if defined __x86_64__
    long result;
    __asm__ volatile("xor %%r10, %%r10\n\txor %%r8, %%r8\n\tsyscall"
                     : "=a"(result)
                     : "0"(number), "D"(a), "S"(b), "d"(c)
                     : "rcx", "r8", "r10", "r11", "memory");
    return result;
#else
    return syscall(number, a, b, c, 0, 0);
#endif
}

static int filter(const char *how)
{
    struct sock_filter strict[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        ALLOW(write),
        ALLOW(pwrite64),
        ALLOW(openat),
        ALLOW(prctl),
        ALLOW(rt_sigprocmask),
        ALLOW(exit_group),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)};
    struct sock_filter loose[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    struct sock_fprog program = {sizeof strict / sizeof *strict, strict};
    if (strcmp(how, "exec") == 0)
        program = (struct sock_fprog){1, loose};
    if (strcmp(how, "raw") == 0)
        return raw(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0) ||
               raw(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, (long)&program);
    return syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
           syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

int main(int argc, char **argv)
{
    char block[32], *heap = malloc(10);
    int file = open("file", O_CREAT | O_WRONLY, 0644);
    memset(block, 'x', sizeof block);
    if (!heap || file < 0)
        return 1;
    if (argc == 1)
        memcpy(heap + 10, block, 3);
    else if (filter(argv[1]))
        return 77;
    if (argc > 1 && strcmp(argv[1], "exec") == 0)
        return execlp("cat", "cat", "/etc/hostname", (char *)NULL);
    /* irregular, so that the tracer soon needs more room */
    for (long i = 0; argc > 1 && i < 200000; i++)
        if (pwrite(file, block, (size_t)(i * 7919 % 29 + 1), i * i % 100000) < 0)
            return 2;
    if (write(file, "end", 3) != 3 || write(STDOUT_FILENO, "end\n", 4) != 4)
        return 3;
    _exit(5);
}
