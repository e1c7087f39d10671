/* Findings about calls that fail: data that could not be written, files that could not be opened,
 * waits for a file or a lock that ask again and again, and programs of which nearly every call
 * fails. */
#include "analysis/passes/failures.h"

#include "analysis/survey/findings.h"
#include "trace/record/builtin.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Of all I/O calls that a program makes itself, so many fail: it does not get on. */
static const double nearly_all = 0.9;
/* So many calls that fail may be what a program expects: it looks for a file, or whether a name is
 * there. */
static const double few = 20;

static bool is_one_of(int64_t error, const int *errors)
{
    for (; *errors; errors++)
        if (error == *errors)
            return true;
    return false;
}

/* Numbers mean the same in all calls of libc only. */
static bool is_of_system(const struct fth_function *function)
{
    return fth_layer_is(function->layer, FTH_LAYER_SYSTEM | FTH_LAYER_STREAMS);
}

/* errno: of the call, or of what a library called; 0: not known. */
static int64_t reason_of(const struct fth_failure_run *run, const struct fth_failure_key *key)
{
    const struct fth_function *function = fth_trace_function(run->survey->trace, key->function);
    int64_t reason = is_of_system(function) ? key->error : run->reasons[key->function];
    return reason > 0 && reason < 4096 ? reason : 0;
}

struct reason_phrase {
    char text[128];
};

static struct reason_phrase describe(const struct fth_failure_run *run,
                                     const struct fth_failure_key *key,
                                     const struct fth_failures *failures)
{
    const struct fth_function *function = fth_trace_function(run->survey->trace, key->function);
    int64_t reason = reason_of(run, key);
    const char *words = reason ? strerrordesc_np((int)reason) : NULL;
    const char *name = is_of_system(function) ? NULL : failures->error_name;
    struct reason_phrase phrase;
    if (name && words)
        snprintf(phrase.text, sizeof phrase.text, "%s (%s)", name, words);
    else
        snprintf(phrase.text, sizeof phrase.text, "%s",
                 name    ? name
                 : words ? words
                         : "the library reports an error");
    return phrase;
}

static struct fth_finding *add_finding(const struct fth_failure_run *run,
                                       struct fth_results *results,
                                       const struct fth_failures *failures, const char *kind,
                                       const char *title)
{
    struct fth_finding *finding =
        fth_finding_write(run->survey, results, failures->file, &failures->example, kind, title, 0);
    finding->wrong = true;
    fth_finding_spread(finding, failures->processes);
    return finding;
}

/* Does it fail as offsets, counts or addresses do not suit a descriptor with O_DIRECT, and does the
 * program not try otherwise? */
static bool find_direct(const struct fth_failure_run *run, struct fth_results *results,
                        const struct fth_failure_key *key, const struct fth_failures *failures)
{
    enum { SECTOR = 512 };
    const struct fth_function *function = fth_trace_function(run->survey->trace, key->function);
    enum fth_call_class_kind kind = run->survey->classes->list[key->function].kind;
    bool writes = kind == FTH_CALLS_WRITE;
    if (key->error != EINVAL || !is_of_system(function) || (!writes && kind != FTH_CALLS_READ) ||
        failures->direct != failures->calls || 2 * failures->calls <= run->calls[key->function])
        return false;
    struct fth_finding *finding =
        add_finding(run, results, failures, writes ? "write_failed" : "read_failed",
                    writes ? "Data could not be written" : "Data could not be read");
    fth_finding_say(finding,
                    "%s of %s on a descriptor with O_DIRECT %s: Invalid argument. Such a "
                    "descriptor needs the address, the number of bytes and the offset to be "
                    "multiples of the block of the device (512 B or 4 KiB).%s%s%s %s",
                    FTH_SEVERAL(failures->calls, "call", "calls"), function->name,
                    failures->calls == 1 ? "fails" : "fail",
                    failures->asked % SECTOR ? " A request of " : "",
                    failures->asked % SECTOR ? FTH_BYTES(failures->asked) : "",
                    failures->asked % SECTOR ? " is no multiple." : "",
                    writes ? "This data is not in the file." : "This data was not read.");
    fth_finding_advise(finding,
                       "Align buffers (posix_memalign), counts and offsets, or open the file "
                       "without O_DIRECT. Check what each %s returns.",
                       function->name);
    return true;
}

/* What was to be written is not in the file. A library may fail to write for reasons of its own;
 * what it does behind that counts only if the system says why. */
static bool loses_data(const struct fth_failure_run *run, const struct fth_failure_key *key)
{
    static const int lost[] = {ENOSPC, EDQUOT, EIO, EFBIG, EROFS, ESTALE, 0};
    const struct fth_function *function = fth_trace_function(run->survey->trace, key->function);
    enum fth_call_class_kind kind = run->survey->classes->list[key->function].kind;
    bool is_lost = is_one_of(reason_of(run, key), lost);
    return (kind == FTH_CALLS_WRITE && (is_lost || !is_of_system(function))) ||
           ((kind == FTH_CALLS_SYNC || kind == FTH_CALLS_CLOSE) && is_lost);
}

static bool find_unwritten(const struct fth_failure_run *run, struct fth_results *results,
                           const struct fth_failure_key *key, const struct fth_failures *failures)
{
    const struct fth_function *function = fth_trace_function(run->survey->trace, key->function);
    int64_t reason = reason_of(run, key);
    if (!loses_data(run, key))
        return false;
    struct fth_finding *finding =
        add_finding(run, results, failures, "write_failed", "Data could not be written");
    fth_finding_say(finding, "%s of %s %s: %s. Part of the data is not in the file.",
                    FTH_SEVERAL(failures->calls, "call", "calls"), function->name,
                    failures->calls == 1 ? "fails" : "fail", describe(run, key, failures).text);
    fth_finding_advise(
        finding, "Check what each write, sync and close returns.%s",
        reason == EFBIG ? " Raise the limit of the size of a file (ulimit -f), or write several."
        : reason == ENOSPC || reason == EDQUOT ? " Free some space, or write elsewhere."
        : reason ? " Write elsewhere, or have the file system checked."
                 : "");
    return true;
}

/* As somebody looks whether a file is there. */
static bool is_expected(int64_t reason)
{
    static const int expected[] = {ENOENT, ENOTDIR, EEXIST, ENXIO, EAGAIN, EINTR, ELOOP, 0};
    return is_one_of(reason, expected);
}

/* Is the process, or the node, at its limit of open files? Nobody expects that. */
static bool are_too_many(int64_t error)
{
    return error == EMFILE || error == ENFILE;
}

/* Many openings fail, and not as somebody looks for a file in several places: most of them, or as
 * too many files are open. */
static bool are_most(const struct fth_failure_run *run, const struct fth_failure_key *key,
                     const struct fth_failures *failures)
{
    return (double)failures->calls >= fth_threshold_of(run->survey, FTH_THRESHOLD_MANY) &&
           (double)failures->calls >= fth_threshold_of(run->survey, FTH_THRESHOLD_SPREAD) *
                                          (double)run->calls[key->function];
}

static bool find_unopened(const struct fth_failure_run *run, struct fth_results *results,
                          const struct fth_failure_key *key, const struct fth_failures *failures)
{
    const struct fth_function *function = fth_trace_function(run->survey->trace, key->function);
    if (run->survey->classes->list[key->function].kind != FTH_CALLS_OPEN ||
        !is_of_system(function) || is_expected(key->error) ||
        (are_too_many(key->error) ? (double)failures->calls < few : !are_most(run, key, failures)))
        return false;
    struct fth_finding *finding =
        add_finding(run, results, failures, "openings_fail", "Files cannot be opened");
    fth_finding_say(finding, "%s of %s of %s fail: %s. The program goes on without these files.",
                    FTH_COUNT(failures->calls),
                    FTH_SEVERAL(run->calls[key->function], "call", "calls"), function->name,
                    describe(run, key, failures).text);
    fth_finding_advise(
        finding, "%s",
        are_too_many(key->error)
            ? "Close files that are no longer needed, or raise the limit (ulimit -n)."
            : "Check what each open returns, and report the error or stop when it fails.");
    return true;
}

/* A library cannot open a file, and the program uses the handle all the same, or never opens the
 * file for a reason that it cannot have expected. */
static bool find_refused(struct fth_failure_run *run, struct fth_results *results,
                         const struct fth_failure_key *key, const struct fth_failures *failures)
{
    const struct fth_function *function = fth_trace_function(run->survey->trace, key->function);
    const struct fth_failure_going_on *going_on =
        &run->going_on[run->survey->classes->list[key->function].layer];
    int64_t reason = reason_of(run, key);
    bool is_found = fth_number_set_has(&run->found, key->file);
    if (!going_on->calls && (is_found || !reason || is_expected(reason)))
        return false;
    struct fth_finding *finding =
        add_finding(run, results, failures, "openings_fail", "Files cannot be opened");
    if (!going_on->calls)
        fth_finding_say(finding, "%s of %s %s: %s.", FTH_SEVERAL(failures->calls, "call", "calls"),
                        function->name, failures->calls == 1 ? "fails" : "fail",
                        describe(run, key, failures).text);
    else
        fth_finding_say(finding,
                        "%s of %s %s: %s. The program goes on, and %s behind it (%s%s) %s without "
                        "an open file.%s",
                        FTH_SEVERAL(failures->calls, "call", "calls"), function->name,
                        failures->calls == 1 ? "fails" : "fail", describe(run, key, failures).text,
                        FTH_SEVERAL(going_on->calls, "call", "calls"), going_on->name,
                        going_on->calls > 1 ? " ..." : "", going_on->calls == 1 ? "fails" : "fail",
                        going_on->writes ? " Their data is in no file." : "");
    fth_finding_advise(finding, "%s",
                       fth_layer_is(function->layer, FTH_LAYER_TOGETHER)
                           ? "Check what each open returns, or set the error handler "
                             "MPI_ERRORS_ARE_FATAL for files: by default MPI goes on after errors "
                             "of files."
                           : "Check what each open returns, and report the error or stop when it "
                             "fails.");
    return true;
}

/* ---- waits ---- */

static struct fth_finding *add_wait(const struct fth_failure_run *run, struct fth_results *results,
                                    const struct fth_failure_wait *wait, const char *kind,
                                    const char *title)
{
    struct fth_finding *finding =
        fth_finding_write(run->survey, results, wait->file, &wait->example, kind, title, 0);
    fth_finding_spread(finding, 1);
    return finding;
}

static bool find_wait_for_file(const struct fth_failure_run *run, struct fth_results *results)
{
    const struct fth_failure_wait *wait = &run->for_file;
    if (!wait->calls)
        return false;
    struct fth_finding *finding =
        add_wait(run, results, wait, "calls_fail", "One file is asked for again and again");
    finding->wrong = true;
    fth_finding_say(finding,
                    "%s of %s ask for one name until it exists: the file is polled for. "
                    "From the first to the last of them it takes %s; waits between "
                    "them are not in the times of calls.",
                    FTH_SEVERAL(wait->calls, "call", "calls"),
                    fth_trace_function(run->survey->trace, wait->function)->name,
                    FTH_TIME(wait->time));
    fth_finding_advise(finding, "Be notified of the file (inotify), or let the one that makes it "
                                "send a message. If the wait is for its work, let it work faster.");
    return true;
}

/* Who got the lock before that, beside the one that waits. */
static void add_holders(const struct fth_failure_run *run, struct fth_finding *finding,
                        const struct fth_failure_wait *wait)
{
    for (uint32_t i = 0; i < fth_keyed_count(&run->holders); i++) {
        struct fth_failure_holder_key key;
        const struct fth_failure_holder *holder = fth_keyed_item(&run->holders, i);
        memcpy(&key, fth_keyed_key(&run->holders, i), sizeof key);
        if (key.file == wait->file && key.proc != wait->example.proc &&
            holder->since < wait->from + wait->time)
            fth_finding_late(finding, run->survey->trace, key.proc);
    }
}

/* " They are of the process that asks the longest; 3 processes are refused locks in 1,003
 * calls." */
struct others_phrase {
    char text[224];
};

static struct others_phrase others_of(const struct fth_failure_run *run)
{
    struct others_phrase phrase = {""};
    if (run->refused_locks.processes > 1)
        snprintf(
            phrase.text, sizeof phrase.text,
            " They are of the process that asks the longest; %s processes are refused locks in "
            "%s calls.",
            FTH_COUNT(run->refused_locks.processes), FTH_COUNT(run->refused_locks.calls));
    return phrase;
}

static bool find_wait_for_lock(const struct fth_failure_run *run, struct fth_results *results)
{
    const struct fth_failure_wait *wait = &run->for_lock;
    if (!wait->calls || !fth_finding_is_worth(run->survey, wait->time))
        return false;
    struct fth_finding *finding =
        add_wait(run, results, wait, "lock_polled", "A lock is asked for again and again");
    fth_finding_say(finding,
                    "%s of %s are refused as another one holds the lock of the "
                    "file.%s From the first to the last of them it takes %s; waits between them "
                    "are not in the times of calls.",
                    FTH_SEVERAL(wait->calls, "call", "calls"),
                    fth_trace_function(run->survey->trace, wait->function)->name,
                    others_of(run).text, FTH_TIME(wait->time));
    fth_finding_advise(finding, "Wait inside the call (flock without LOCK_NB, fcntl with "
                                "F_SETLKW), and hold the lock for shorter times.");
    add_holders(run, finding, wait);
    return true;
}

/* ---- most calls ---- */

static void find_nothing_works(const struct fth_failure_run *run, struct fth_results *results)
{
    const struct fth_failures *most = NULL;
    const struct fth_function *function = NULL;
    struct fth_failure_key of_most = {0};
    bool are_many = (double)run->failed >= 10 * fth_threshold_of(run->survey, FTH_THRESHOLD_MANY);
    if ((!are_many && (double)run->failed < few) ||
        (double)run->failed < nearly_all * (double)run->all)
        return;
    for (uint32_t i = 0; i < fth_keyed_count(&run->failures); i++) {
        const struct fth_failures *failures = fth_keyed_item(&run->failures, i);
        if (most && failures->calls <= most->calls)
            continue;
        memcpy(&of_most, fth_keyed_key(&run->failures, i), sizeof of_most);
        most = failures;
    }
    if (!most)
        return;
    function = fth_trace_function(run->survey->trace, of_most.function);
    bool polls = of_most.error == ENOENT && is_of_system(function) &&
                 (double)most->most >= nearly_all * (double)run->failed;
    struct fth_finding *finding = add_finding(run, results, most, "calls_fail",
                                              polls ? "One file is asked for again and again"
                                                    : "Nearly all calls on files fail");
    finding->wrong = are_many;
    finding->explains = most->time;
    finding->aside = finding->of_most_calls = !are_many;
    if (polls) {
        fth_finding_say(finding,
                        "%s of %s of %s ask for one name that does not exist at the time: "
                        "the file is polled for.",
                        FTH_COUNT(most->calls),
                        FTH_SEVERAL(run->calls[of_most.function], "call", "calls"), function->name);
        fth_finding_advise(finding,
                           "If the program waits for the file, sleep longer between two "
                           "calls, be notified of it (inotify), or let the one that makes it "
                           "send a message. If not, check the name.");
        return;
    }
    fth_finding_say(finding, "%s of %s fail, most of them calls of %s: %s.", FTH_COUNT(run->failed),
                    FTH_SEVERAL(run->all, "call", "calls"), function->name,
                    describe(run, &of_most, most).text);
    fth_finding_advise(finding, "Check %s. `fathom dump --where 'failed'` shows these calls.",
                       is_expected(of_most.error) || of_most.error == EACCES
                           ? "whether the program finds its files"
                           : "why these calls fail");
}

void fth_failures_find(struct fth_failure_run *run, struct fth_results *results)
{
    struct fth_failure_key key;
    bool is_found = find_wait_for_file(run, results);
    is_found |= find_wait_for_lock(run, results);
    for (uint32_t i = 0; i < fth_keyed_count(&run->refused); i++) {
        memcpy(&key, fth_keyed_key(&run->refused, i), sizeof key);
        is_found |= find_refused(run, results, &key, fth_keyed_item(&run->refused, i));
    }
    for (uint32_t i = 0; i < fth_keyed_count(&run->failures); i++) {
        const struct fth_failures *failures = fth_keyed_item(&run->failures, i);
        memcpy(&key, fth_keyed_key(&run->failures, i), sizeof key);
        is_found |= find_direct(run, results, &key, failures);
        is_found |= find_unwritten(run, results, &key, failures);
        is_found |= find_unopened(run, results, &key, failures);
    }
    if (!is_found)
        find_nothing_works(run, results);
}
