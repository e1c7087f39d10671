/* Calls whose parameters are others than those of the function: they are put as that has them. */
#include "import/strace/strace_special.h"

#include "base/hash.h"

#include <inttypes.h>
#include <stdio.h>

/* {flags=O_RDONLY, mode=0644, resolve=RESOLVE_BENEATH} takes the place of three parameters. */
static void spread_how(struct fth_strace_call *call)
{
    static const char *const keys[] = {"flags=", "mode=", "resolve="};
    struct fth_strace_text how, item;
    if (call->count < 3 || !fth_strace_inside(call->arguments[2], &how))
        return;
    for (int i = 0; i < 3; i++)
        call->arguments[2 + i] = (struct fth_strace_text){"0", "0" + 1};
    while (fth_strace_item(&how, &item))
        for (int i = 0; i < 3; i++)
            if (fth_strace_skip(&item, keys[i]))
                call->arguments[2 + i] = item;
    call->count = 5;
}

/* {si_signo=SIGCHLD, si_code=CLD_EXITED, si_pid=17, ...}: two parameters of the row. */
static void spread_siginfo(struct fth_strace_call *call)
{
    struct fth_strace_text info, item;
    if (call->count < 4)
        return;
    for (int i = 4; i < 6; i++)
        call->arguments[i] = (struct fth_strace_text){"0", "0" + 1};
    call->count = 6;
    if (!fth_strace_inside(call->arguments[2], &info))
        return;
    while (fth_strace_item(&info, &item)) {
        if (fth_strace_skip(&item, "si_code="))
            call->arguments[4] = item;
        else if (fth_strace_skip(&item, "si_pid="))
            call->arguments[5] = item;
    }
}

/* {si_signo=SIGCHLD, si_code=CLD_EXITED, si_pid=17, ...}: what the row has of who sent it. */
static void spread_sender(struct fth_strace_call *call)
{
    static const struct {
        const char *name, *number;
    } codes[] = {{"SI_USER", "0"},    {"SI_QUEUE", "-1"},  {"SI_TKILL", "-6"},
                 {"CLD_EXITED", "1"}, {"CLD_KILLED", "2"}, {"CLD_DUMPED", "3"}};
    struct fth_strace_text info, item, code = {"4", "4" + 1}, sender = {"0", "0" + 1};
    if (call->count < 3)
        return;
    if (fth_strace_inside(call->arguments[1], &info))
        while (fth_strace_item(&info, &item)) {
            if (fth_strace_skip(&item, "si_pid="))
                sender = item;
            else if (fth_strace_skip(&item, "si_code="))
                for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
                    if (fth_strace_is(item, codes[i].name))
                        code = (struct fth_strace_text){codes[i].number,
                                                        codes[i].number + strlen(codes[i].number)};
        }
    call->arguments[1] = call->arguments[2];
    call->arguments[2] = code;
    call->arguments[3] = sender;
    call->count = 4;
}

/* A queue has the number of its name: a log does not tell its inode. */
static void number_queue(char queue[FTH_STRACE_QUEUE], struct fth_strace_call *call,
                         const char *name, size_t length, unsigned argument)
{
    size_t from = length && *name == '/';
    uint64_t hash = fth_hash_bytes(FTH_HASH_START, name + from, length - from);
    int written = snprintf(queue, FTH_STRACE_QUEUE, "%" PRIu64, hash >> 1 | 1);
    for (unsigned i = call->count; i < argument; i++)
        call->arguments[i] = (struct fth_strace_text){"0", "0" + 1};
    call->arguments[argument] = (struct fth_strace_text){queue, queue + written};
    call->count = argument + 1;
}

static void prepare_queue(struct fth_strace_log *log, const struct fth_strace_thread *thread,
                          char queue[FTH_STRACE_QUEUE], struct fth_strace_call *call, bool opens)
{
    struct fth_bytes *scratch = &log->scratch;
    uint64_t cut = 0;
    scratch->length = 0;
    if (opens && call->count) {
        fth_strace_string(call->arguments[0], scratch, &cut);
        call->count = call->count > 3 ? 3 : call->count;
        number_queue(queue, call, (const char *)scratch->data, scratch->length, 4);
    } else if (call->count) {
        struct fth_strace_text path;
        const struct fth_imported_descriptor *known = fth_imported_descriptor(
            thread->process->table, fth_strace_descriptor(call->arguments[0], &path));
        fth_strace_plain_path(path, scratch);
        const char *name = known ? known->path : (const char *)scratch->data;
        number_queue(queue, call, name, known ? strlen(name) : scratch->length, 5);
    }
}

/* A pseudo terminal is opened by posix_openpt, says the catalogue. */
static uint32_t function_of_open(struct fth_strace_call *call, uint32_t function)
{
    unsigned path = fth_strace_is(call->name, "openat");
    if (call->count < path + 2 || !fth_strace_is(call->arguments[path], "\"/dev/ptmx\""))
        return function;
    call->arguments[0] = call->arguments[path + 1];
    call->count = 1;
    return fth_imported_function("posix_openpt", strlen("posix_openpt"));
}

/* fstat is what libc makes of it. */
static uint32_t function_of_stat(struct fth_strace_call *call, uint32_t function)
{
    struct fth_strace_text behind;
    if (call->count != 4 || !fth_strace_is(call->arguments[1], "\"\"") ||
        !fth_strace_find(call->arguments[3], "AT_EMPTY_PATH", &behind))
        return function;
    call->count = 1;
    return fth_imported_function("fstat", strlen("fstat"));
}

bool fth_strace_prepare(struct fth_strace_log *log, const struct fth_strace_thread *thread,
                        struct fth_strace_call *call, char queue[FTH_STRACE_QUEUE],
                        uint32_t *function)
{
    const struct fth_strace_named *named = fth_strace_name(log, call->name);
    *function = named->function;
    switch ((enum fth_strace_special)named->special) {
    case FTH_STRACE_IGNORED:
        return false;
    case FTH_STRACE_STATS:
        *function = function_of_stat(call, *function);
        return true;
    case FTH_STRACE_OPENS:
        *function = function_of_open(call, *function);
        return true;
    case FTH_STRACE_OPENS_HOW:
        spread_how(call);
        return true;
    case FTH_STRACE_WAITS_ID:
        spread_siginfo(call);
        return true;
    case FTH_STRACE_WAITS_SIGNAL:
        spread_sender(call);
        return true;
    case FTH_STRACE_OPENS_QUEUE:
    case FTH_STRACE_USES_QUEUE:
        prepare_queue(log, thread, queue, call, named->special == FTH_STRACE_OPENS_QUEUE);
        return true;
    case FTH_STRACE_SETS_DEATH_SIGNAL:
        return call->count > 1 && fth_strace_is(call->arguments[0], "PR_SET_PDEATHSIG");
    default:
        return named->function != UINT32_MAX;
    }
}
