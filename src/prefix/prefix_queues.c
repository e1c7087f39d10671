/* Queues of reads and writes between a program and the system (io_uring, libaio): nobody sees what
 * goes through them, so a program gets none, as from a system that does not have them, and does
 * without. Functions that make one are ours. Where there are instructions that make one by
 * themselves (queue_code.h), the kernel refuses it as well (seccomp(2)). Every other system call
 * takes 40 to 50 ns more for that: the kernel finds by its number that it is allowed, but goes a
 * longer way to there. */
#include "prefix/prefix_queues.h"

#include "prefix/prefix.h"
#include "prefix/prefix_calls.h"
#include "prefix/queue_code.h"
#include "prefix/queue_instructions.h"

#include <dlfcn.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined __x86_64__
#define THIS_MACHINE AUDIT_ARCH_X86_64
#else
#define THIS_MACHINE AUDIT_ARCH_AARCH64
#endif

#define PUBLIC __attribute__((visibility("default")))
PUBLIC int io_setup(int events, void *context);
PUBLIC int io_queue_init(int events, void *context);
PUBLIC int io_uring_setup(unsigned entries, void *parameters);
PUBLIC int io_uring_queue_init(unsigned entries, void *ring, unsigned flags);
PUBLIC int io_uring_queue_init_params(unsigned entries, void *ring, void *parameters);

#define FIELD(name) offsetof(struct seccomp_data, name)

static bool are_refused(void)
{
    return syscall(SYS_io_uring_setup, 0, NULL) < 0 && errno == ENOSYS &&
           syscall(SYS_io_setup, 0, NULL) < 0 && errno == ENOSYS;
}

static bool set_filter(const struct sock_fprog *filter)
{
    enum { FLAGS = SECCOMP_FILTER_FLAG_SPEC_ALLOW | SECCOMP_FILTER_FLAG_TSYNC };
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, FLAGS, filter) == 0;
}

/* A process of 64 bits has the system calls of 32 bits, too, and those with short pointers.
 * Without rights over the system, only a process that gives up to get any may do it. */
static bool refuse(void)
{
    struct sock_filter lines[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, FIELD(arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, THIS_MACHINE, 0, 5),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, FIELD(nr)),
        BPF_STMT(BPF_ALU | BPF_AND | BPF_K, ~(uint32_t)FTH_SHORT_POINTERS),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 6, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_setup, 5, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, FTH_IO_SETUP_SHORT, 4, 5),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_I386, 0, 4),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, FIELD(nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, FTH_IO_SETUP_32, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog filter = {sizeof lines / sizeof *lines, lines};
    return set_filter(&filter) ||
           (syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && set_filter(&filter));
}

static void say(void)
{
    static bool said;
    static const char text[] = "fathom fs: io_uring and libaio are refused (ENOSYS), as the file "
                               "system does not see what goes through them\n";
    if (!__atomic_exchange_n(&said, true, __ATOMIC_RELAXED))
        write(STDERR_FILENO, text, sizeof text - 1);
}

static bool has_looked, has_refused;

static void refuse_once(void)
{
    static const char text[] = "fathom fs: io_uring and libaio cannot be refused here: a program "
                               "that uses them works on the folder below\n";
    has_refused = true;
    if (!are_refused() && !refuse())
        write(STDERR_FILENO, text, sizeof text - 1);
}

void fth_prefix_refuse_queues(void)
{
    int before = errno;
    fth_prefix_begin_queue_code(fth_client.instance.folder);
    has_looked = true;
    fth_prefix_looks_again();
    errno = before;
}

void fth_prefix_looks_again(void)
{
    int before = errno;
    if (has_looked && !has_refused && fth_prefix_has_queue_code())
        refuse_once();
    errno = before;
}

/* Where a name without a slash leads is known when it has been loaded. */
void fth_prefix_expects_code(const char *path)
{
    int before = errno;
    if (has_looked && !has_refused && strchr(path, '/') && fth_prefix_file_has_queue_code(path))
        refuse_once();
    errno = before;
}

/* ---- before the libraries: who asks for one by name gets a message ---- */

/* Of a process that has no instance. */
static void *next(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

static int refused_here(void)
{
    say();
    return -ENOSYS;
}

PUBLIC int io_setup(int events, void *context)
{
    int (*real)(int, void *) = fth_prefix.is_on ? NULL : next("io_setup");
    return real ? real(events, context) : refused_here();
}

PUBLIC int io_queue_init(int events, void *context)
{
    int (*real)(int, void *) = fth_prefix.is_on ? NULL : next("io_queue_init");
    return real ? real(events, context) : refused_here();
}

PUBLIC int io_uring_setup(unsigned entries, void *parameters)
{
    int (*real)(unsigned, void *) = fth_prefix.is_on ? NULL : next("io_uring_setup");
    return real ? real(entries, parameters) : refused_here();
}

PUBLIC int io_uring_queue_init(unsigned entries, void *ring, unsigned flags)
{
    int (*real)(unsigned, void *, unsigned) = fth_prefix.is_on ? NULL : next("io_uring_queue_init");
    return real ? real(entries, ring, flags) : refused_here();
}

PUBLIC int io_uring_queue_init_params(unsigned entries, void *ring, void *parameters)
{
    int (*real)(unsigned, void *, void *) =
        fth_prefix.is_on ? NULL : next("io_uring_queue_init_params");
    return real ? real(entries, ring, parameters) : refused_here();
}

static long (*real_syscall)(long, ...);

/* Those that functions of libc do as well have gone their way before. */
static long in_place_of_syscall(long number, long a, long b, long c, long d, long e, long f)
{
    if (fth_prefix.is_on && (number == SYS_io_uring_setup || number == SYS_io_setup)) {
        say();
        errno = ENOSYS;
        return -1;
    }
    return real_syscall(number, a, b, c, d, e, f);
}

const struct fth_prefix_call fth_prefix_queue_calls[] = {FTH_PREFIX_ROW(syscall, syscall),
                                                         {NULL, NULL, NULL}};
