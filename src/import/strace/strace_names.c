/* Names of system calls, with the functions that they are calls of. */
#include "import/strace/strace_special.h"

#include "base/memory.h"

#include <sched.h>
#include <signal.h>

static const struct {
    const char *call, *function; /* function NULL: the same */
    enum fth_strace_special special;
} others[] = {
    {"newfstatat", "fstatat", FTH_STRACE_STATS},
    {"exit_group", "_exit", FTH_STRACE_ENDS},
    {"fadvise64", "posix_fadvise", FTH_STRACE_PLAIN},
    {"faccessat2", "faccessat", FTH_STRACE_PLAIN},
    {"fchmodat2", "fchmodat", FTH_STRACE_PLAIN},
    {"poll", NULL, FTH_STRACE_ASKS_READY},
    {"ppoll", NULL, FTH_STRACE_ASKS_READY},
    {"select", NULL, FTH_STRACE_ASKS_READY},
    {"pselect6", "pselect", FTH_STRACE_ASKS_READY},
    {"epoll_wait", NULL, FTH_STRACE_ASKS_READY},
    {"epoll_pwait", NULL, FTH_STRACE_ASKS_READY},
    {"epoll_pwait2", NULL, FTH_STRACE_ASKS_READY},
    {"eventfd", NULL, FTH_STRACE_PLAIN},
    {"eventfd2", "eventfd", FTH_STRACE_PLAIN},
    {"rt_sigtimedwait", "sigtimedwait", FTH_STRACE_WAITS_SIGNAL},
    {"mq_open", NULL, FTH_STRACE_OPENS_QUEUE},
    {"mq_timedsend", NULL, FTH_STRACE_USES_QUEUE},
    {"mq_timedreceive", NULL, FTH_STRACE_USES_QUEUE},
    {"clone3", "clone", FTH_STRACE_CREATES},
    {"clone", NULL, FTH_STRACE_CREATES},
    {"fork", NULL, FTH_STRACE_CREATES},
    {"vfork", NULL, FTH_STRACE_CREATES},
    {"execve", NULL, FTH_STRACE_EXECUTES},
    {"execveat", NULL, FTH_STRACE_EXECUTES},
    {"open", NULL, FTH_STRACE_OPENS},
    {"openat", NULL, FTH_STRACE_OPENS},
    {"openat2", NULL, FTH_STRACE_OPENS_HOW},
    {"waitid", NULL, FTH_STRACE_WAITS_ID},
    {"prctl", NULL, FTH_STRACE_SETS_DEATH_SIGNAL},
    {"ioctl", NULL, FTH_STRACE_PLAIN},
    {"kill", NULL, FTH_STRACE_KILLS},
    {"tgkill", NULL, FTH_STRACE_KILLS},
    {"tkill", NULL, FTH_STRACE_KILLS},
    {"pidfd_send_signal", NULL, FTH_STRACE_KILLS},
    {"rt_sigqueueinfo", NULL, FTH_STRACE_PLAIN},
    {"rt_tgsigqueueinfo", NULL, FTH_STRACE_PLAIN},
    {"semop", NULL, FTH_STRACE_PLAIN},
    {"semtimedop", NULL, FTH_STRACE_PLAIN},
    {"epoll_create1", NULL, FTH_STRACE_PLAIN},
    {"signalfd4", "signalfd", FTH_STRACE_PLAIN},
    {"rt_sigsuspend", "sigsuspend", FTH_STRACE_PLAIN},
    {"exit", NULL, FTH_STRACE_IGNORED},
};

static struct fth_strace_named look_up(const struct fth_strace_log *log,
                                       struct fth_strace_text name)
{
    struct fth_strace_named found = {
        .function = fth_imported_function(name.at, (size_t)(name.end - name.at))};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (!fth_strace_is(name, others[i].call))
            continue;
        const char *function = others[i].function ? others[i].function : others[i].call;
        found.function = fth_imported_function(function, strlen(function));
        found.special = (uint8_t)others[i].special;
        return found;
    }
    /* What is written by hand keeps what only the process knows. */
    if (found.function != UINT32_MAX) {
        const struct fth_row *row = &log->catalog->rows[found.function];
        if (row->flags & FTH_CALL_BY_HAND || strcmp(row->library, "libc") != 0)
            found.function = UINT32_MAX;
    }
    return found;
}

struct fth_strace_named *fth_strace_name(struct fth_strace_log *log, struct fth_strace_text name)
{
    uint32_t known = log->names.count;
    uint32_t number = fth_intern(&log->names, name.at, (size_t)(name.end - name.at));
    if (number == known) {
        FTH_GROW(log->named, known);
        log->named[number] = look_up(log, name);
    }
    return &log->named[number];
}

bool fth_strace_creates(const struct fth_strace_named *named)
{
    return named->special == FTH_STRACE_CREATES;
}

int64_t fth_strace_clone_flags(struct fth_strace_log *log, const struct fth_strace_call *call)
{
    static int flags = -1;
    struct fth_strace_text behind, end;
    if (fth_strace_is(call->name, "fork"))
        return SIGCHLD;
    if (fth_strace_is(call->name, "vfork"))
        return CLONE_VM | CLONE_VFORK | SIGCHLD;
    if (flags < 0)
        flags = fth_strace_flags_named(log->catalog, "clone");
    for (unsigned i = 0; i < call->count; i++) {
        if (!fth_strace_find(call->arguments[i], "flags=", &behind))
            continue;
        end = behind;
        while (end.at < end.end && *end.at != ',' && *end.at != '}' && *end.at != ' ')
            end.at++;
        behind.end = end.at;
        /* of which the catalogue has no name, as it has no call with it */
        int64_t thread = fth_strace_find(behind, "CLONE_THREAD", &end) ? CLONE_THREAD : 0;
        return fth_strace_flags(log->catalog, flags, behind) | thread;
    }
    return SIGCHLD;
}
