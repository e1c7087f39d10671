/* Signals that are waited for, of which siginfo_t has the sender; and signals that are sent by
 * system call number only. */
#include "calls.h"
#include "capture/life/begin.h"
#include "capture/wrap/real.h"

#include <dlfcn.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *real_sigwaitinfo, *real_sigwait, *real_sigtimedwait;

int tkill(pid_t pid, int signal);
int rt_sigqueueinfo(pid_t pid, int signal, void *info);
int rt_tgsigqueueinfo(pid_t pid, pid_t thread, int signal, void *info);

/* ---- signals that are waited for ---- */

static void keep_sender(struct fth_draft *call, const siginfo_t *sender)
{
    bool of_process = sender->si_code <= 0 || sender->si_signo == SIGCHLD;
    fth_keep(call, call->worked ? sender->si_code : 0);
    fth_keep(call, call->worked && of_process ? sender->si_pid : 0);
}

FTH_PUBLIC int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
    struct fth_draft call;
    siginfo_t own = {0}, *sender = info ? info : &own;
    if (!fth_begin_at(&call, FTH_CALL_sigwaitinfo, FTH_CONTEXT_sigwaitinfo, FRAME))
        return REAL(sigwaitinfo)(set, info);
    fth_start(&call);
    int result = REAL(sigwaitinfo)(set, sender);
    fth_end(&call);
    call.worked = result >= 0;
    keep_sender(&call, sender);
    fth_keep_status(&call, result);
    return result;
}

FTH_PUBLIC int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info,
                            const struct timespec *restrict until)
{
    struct fth_draft call;
    siginfo_t own = {0}, *sender = info ? info : &own;
    if (!fth_begin_at(&call, FTH_CALL_sigtimedwait, FTH_CONTEXT_sigtimedwait, FRAME))
        return REAL(sigtimedwait)(set, info, until);
    fth_start(&call);
    int result = REAL(sigtimedwait)(set, sender, until);
    fth_end(&call);
    call.worked = result >= 0;
    keep_sender(&call, sender);
    fth_keep_status(&call, result);
    return result;
}

/* glibc does it so, too, and passes over signals that interrupt it. */
static int wait_as_libc(const sigset_t *set, int *signal, siginfo_t *sender)
{
    int result;
    do
        result = REAL(sigtimedwait)(set, sender, NULL);
    while (result < 0 && errno == EINTR);
    if (result >= 0)
        *signal = result;
    return result < 0 ? errno : 0;
}

/* Where another library stands between us and libc, who sent the signal is not known. */
static bool sigwait_is_of_libc(void)
{
    static int known; /* plus 1 */
    if (!__atomic_load_n(&known, __ATOMIC_RELAXED)) {
        Dl_info facts;
        bool found = dladdr((void *)REAL(sigwait), &facts) && facts.dli_fname;
        const char *slash = found ? strrchr(facts.dli_fname, '/') : NULL;
        const char *name = slash ? slash + 1 : "";
        bool is = strncmp(name, "libc.so", 7) == 0 || strncmp(name, "libc-", 5) == 0 ||
                  strncmp(name, "libpthread", 10) == 0;
        __atomic_store_n(&known, 1 + is, __ATOMIC_RELAXED);
    }
    return __atomic_load_n(&known, __ATOMIC_RELAXED) == 2;
}

FTH_PUBLIC int sigwait(const sigset_t *restrict set, int *restrict signal)
{
    struct fth_draft call;
    siginfo_t sender = {0};
    int came = 0;
    if (!fth_begin_at(&call, FTH_CALL_sigwait, FTH_CONTEXT_sigwait, FRAME))
        return REAL(sigwait)(set, signal);
    bool is_of_libc = sigwait_is_of_libc();
    fth_start(&call);
    int failure = is_of_libc ? wait_as_libc(set, &came, &sender) : REAL(sigwait)(set, &came);
    int left = errno;
    errno = failure ? failure : left;
    fth_end(&call);
    call.worked = !failure;
    keep_sender(&call, &sender);
    fth_keep_status(&call, failure ? -1 : came);
    if (!failure)
        *signal = came;
    errno = left;
    return failure;
}

/* ---- signals that are sent by number only ---- */

/* `thread`: of the process; 0: there is none among the arguments. */
static int end_signal(struct fth_draft *call, int pid, int thread, int signal, long result)
{
    fth_end(call);
    call->worked = result >= 0;
    fth_keep(call, pid);
    if (thread)
        fth_keep(call, thread);
    fth_keep(call, signal);
    fth_keep_status(call, result);
    return (int)result;
}

static long send_by_number(long number, long a, long b, long c, long d)
{
    static void *real;
    return ((long (*)(long, ...))fth_find_real(&real, "syscall"))(number, a, b, c, d);
}

int tkill(pid_t pid, int signal)
{
    struct fth_draft call;
    if (!fth_begin_at(&call, FTH_CALL_tkill, FTH_CONTEXT_tkill, FRAME))
        return (int)send_by_number(SYS_tkill, pid, signal, 0, 0);
    fth_start(&call);
    return end_signal(&call, pid, 0, signal, send_by_number(SYS_tkill, pid, signal, 0, 0));
}

int rt_sigqueueinfo(pid_t pid, int signal, void *info)
{
    struct fth_draft call;
    if (!fth_begin_at(&call, FTH_CALL_rt_sigqueueinfo, FTH_CONTEXT_rt_sigqueueinfo, FRAME))
        return (int)send_by_number(SYS_rt_sigqueueinfo, pid, signal, (long)info, 0);
    fth_start(&call);
    return end_signal(&call, pid, 0, signal,
                      send_by_number(SYS_rt_sigqueueinfo, pid, signal, (long)info, 0));
}

int rt_tgsigqueueinfo(pid_t pid, pid_t thread, int signal, void *info)
{
    struct fth_draft call;
    if (!fth_begin_at(&call, FTH_CALL_rt_tgsigqueueinfo, FTH_CONTEXT_rt_tgsigqueueinfo, FRAME))
        return (int)send_by_number(SYS_rt_tgsigqueueinfo, pid, thread, signal, (long)info);
    fth_start(&call);
    return end_signal(&call, pid, thread, signal,
                      send_by_number(SYS_rt_tgsigqueueinfo, pid, thread, signal, (long)info));
}
