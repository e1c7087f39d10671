/* Between the caller and the command: signals, statuses, and a start that can fail in the child. */
#include "cmd/run/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SECOND INT64_C(1000000000)

/* Signals that are meant for the command when they come to us. */
static const int passed_on[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM,
                                SIGUSR1, SIGUSR2, SIGALRM, SIGWINCH};

/* What we were started with. */
struct inheritance {
    sigset_t mask;
    struct sigaction child;
};

static int64_t now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * SECOND + time.tv_nsec;
}

/* ---- signals ---- */

static sigset_t awaited_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    for (size_t i = 0; i < sizeof passed_on / sizeof *passed_on; i++)
        sigaddset(&set, passed_on[i]);
    return set;
}

/* Signals are blocked and waited for, not handled: so their dispositions stay as the command is to
 * inherit them. But an ignored SIGCHLD would lose the command's status. */
static void take_signals(struct inheritance *inherited)
{
    const struct sigaction plain = {.sa_handler = SIG_DFL};
    sigset_t set = awaited_signals();
    sigprocmask(SIG_BLOCK, &set, &inherited->mask);
    sigaction(SIGCHLD, &plain, &inherited->child);
}

static void give_signals_back(const struct inheritance *inherited)
{
    sigaction(SIGCHLD, &inherited->child, NULL);
    sigprocmask(SIG_SETMASK, &inherited->mask, NULL);
}

/* What came for the command while it ended. */
static void forget_pending_signals(void)
{
    const struct timespec at_once = {0, 0};
    sigset_t set = awaited_signals();
    while (sigtimedwait(&set, NULL, &at_once) > 0 || errno == EINTR)
        ;
}

/* The kernel signals a key, a hangup or a new size to the whole foreground group of a terminal;
 * the command got that, too. */
static bool came_from_the_terminal(const siginfo_t *info)
{
    return info->si_code > 0 && info->si_signo != SIGALRM;
}

int fth_launch_wait(pid_t child)
{
    sigset_t set = awaited_signals();
    siginfo_t info;
    int status;
    for (;;) {
        int number = sigwaitinfo(&set, &info);
        if (number > 0 && number != SIGCHLD && !came_from_the_terminal(&info))
            kill(child, number);
        if (number == SIGCHLD && waitpid(child, &status, WNOHANG) == child)
            return status;
    }
}

/* ---- start ---- */

static void die_with(pid_t parent)
{
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() != parent)
        _exit(127); /* too late for the signal */
}

/* In the child. `report` closes by itself when the command starts. */
static void become(char *const *argv, const struct fth_setting *settings,
                   const struct inheritance *inherited, int report)
{
    for (; settings->name; settings++)
        if (settings->value)
            setenv(settings->name, settings->value, 1);
        else
            unsetenv(settings->name);
    give_signals_back(inherited);
    execvp(argv[0], argv);
    int error = errno;
    while (write(report, &error, sizeof error) < 0 && errno == EINTR)
        ;
    _exit(127);
}

/* The errno of a failed exec, 0 when the command runs. */
static int read_report(int report)
{
    int error = 0;
    ssize_t length;
    while ((length = read(report, &error, sizeof error)) < 0 && errno == EINTR)
        ;
    return length == (ssize_t)sizeof error ? error : 0;
}

int fth_launch(char *const *argv, const struct fth_setting *settings, bool dies_with_us,
               void (*meanwhile)(void), struct fth_outcome *outcome)
{
    pid_t self = getpid();
    struct inheritance inherited;
    int report[2];
    if (pipe2(report, O_CLOEXEC) != 0)
        return -1;
    take_signals(&inherited);
    outcome->start = now(CLOCK_REALTIME);
    outcome->duration = -now(CLOCK_MONOTONIC);
    outcome->pid = fork();
    if (outcome->pid == 0 && dies_with_us)
        die_with(self);
    if (outcome->pid == 0)
        become(argv, settings, &inherited, report[1]);
    int error = errno;
    close(report[1]);
    if (outcome->pid > 0) {
        outcome->exec_error = read_report(report[0]);
        if (!outcome->exec_error)
            meanwhile();
        outcome->status = fth_launch_wait(outcome->pid);
    }
    close(report[0]);
    outcome->duration += now(CLOCK_MONOTONIC);
    outcome->end = now(CLOCK_REALTIME);
    forget_pending_signals();
    give_signals_back(&inherited);
    errno = error;
    return outcome->pid > 0 ? 0 : -1;
}

/* ---- end ---- */

int fth_launch_status_of_error(int exec_error)
{
    return exec_error == ENOENT || exec_error == ENOTDIR ? 127 : 126;
}

int fth_launch_end_alike(int status)
{
    if (!WIFSIGNALED(status))
        return WEXITSTATUS(status);
    int number = WTERMSIG(status);
    sigset_t set;
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    prctl(PR_SET_DUMPABLE, 0); /* where cores go to a program, the limit does not hold */
    sigemptyset(&set);
    sigaddset(&set, number);
    signal(number, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    raise(number);
    return 128 + number;
}
