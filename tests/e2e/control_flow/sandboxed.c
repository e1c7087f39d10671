/* Takes system calls from itself and writes on: with an argument strictly (read, write, exit), else
 * by a filter that kills. */
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ALLOW(name)                                                                                \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1),                                         \
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static int filter(void)
{
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)), ALLOW(write),
        ALLOW(pwrite64), ALLOW(exit_group), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)};
    struct sock_fprog program = {sizeof steps / sizeof *steps, steps};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int argc, char **argv)
{
    (void)argv;
    int file = open("file", O_CREAT | O_WRONLY, 0644);
    if (write(file, "before", 6) != 6)
        return 1;
    if ((argc > 1 ? prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) : filter()) != 0)
        return 77;
    for (int i = 0; i < 100000; i++)
        if (write(file, "after", 5) != 5)
            return 2;
    if (argc > 1)
        syscall(SYS_exit, 3);
    return 7;
}
