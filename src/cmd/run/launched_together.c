/* Who else was started by our launcher, and which of us is the last. */
#include "cmd/run/launched_together.h"

#include "base/hash.h"
#include "base/launchers.h"
#include "base/memory.h"
#include "base/processors.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Ranks are started at about the same time: who is not there so long after us does not come. */
enum { PATIENCE_SECONDS = 3, BETWEEN_LOOKS = 5 /* ms */ };

enum state {
    RUNNING,
    ENDED,
    NOT_STARTED,
    MERGING,
    MERGED,  /* or it cannot be: the spill folder stays */
    REMOVING /* the spill folder: the trace is made */
};

/* In the file `records`, which is read and changed under its lock. */
struct entry {
    int64_t pid;
    /* clock ticks since boot: distinguishes it from others that get this pid later */
    uint64_t born;
    int64_t start, end; /* of the command, ns since 1970 */
    int32_t status, state;
};

/* ---- the launcher ---- */

/* Reads the parent and the time of birth of a process: 0 when it is gone, or a zombie. */
static uint64_t born(int64_t pid, int64_t *parent)
{
    char path[64], text[1024], state = 'X';
    unsigned long long ticks = 0;
    long long its_parent = 0;
    snprintf(path, sizeof path, "/proc/%" PRId64 "/stat", pid);
    FILE *file = fopen(path, "re");
    size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[length] = 0;
    const char *after_name = strrchr(text, ')');
    if (!after_name ||
        sscanf(after_name + 1,
               " %c %lld %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu",
               &state, &its_parent, &ticks) != 3 ||
        strchr("ZX", state))
        return 0;
    if (parent)
        *parent = its_parent;
    return ticks;
}

/* Was it started with this variable? Not known of others' processes: no. */
static bool has_variable(int64_t pid, const char *name)
{
    char path[64], *text = NULL;
    size_t room = 0, length = strlen(name);
    bool found = false;
    snprintf(path, sizeof path, "/proc/%" PRId64 "/environ", pid);
    FILE *file = fopen(path, "re");
    while (file && !found && getdelim(&text, &room, 0, file) > 0)
        found = strncmp(text, name, length) == 0 && text[length] == '=';
    free(text);
    if (file)
        fclose(file);
    return found;
}

/* Our ranks' common ancestor is the first that is not of a rank itself; between it and us may be
 * scripts. */
static uint64_t key_of_launcher(const char *rank_variable)
{
    int64_t pid = getpid(), parent = 0;
    struct stat namespace = {0};
    do {
        if (!born(pid, &parent))
            return 0;
        pid = parent;
    } while (pid > 1 && has_variable(pid, rank_variable));
    uint64_t ticks = born(pid, NULL);
    stat("/proc/self/ns/pid", &namespace);
    const uint64_t all[] = {(uint64_t)pid, ticks, namespace.st_ino};
    return ticks ? fth_hash_bytes(FTH_HASH_START, all, sizeof all) | 1 : 0;
}

/* (Variables of torchrun are also set by hand, for one rank.) */
bool fth_together_find(struct fth_together *together)
{
    struct fth_launch launch;
    *together = (struct fth_together){.size = 1, .local_size = 1, .records = -1, .folder = -1};
    for (unsigned i = 0; i < fth_launcher_count; i++) {
        if (!fth_launchers[i].starts_mpi || !fth_launch_read(&fth_launchers[i], &launch) ||
            !launch.local_size)
            continue;
        together->key = launch.size > 1 ? key_of_launcher(launch.launcher->rank) : 0;
        if (!together->key)
            return false;
        together->rank = launch.rank;
        together->size = launch.size;
        together->local_size = launch.local_size;
        return true;
    }
    return false;
}

/* The rank that a launcher itself has given us; -1: none has. */
static int32_t own_rank(void)
{
    struct fth_launch launch;
    int32_t rank = -1;
    for (unsigned i = 0; i < fth_launcher_count; i++)
        if (fth_launchers[i].starts_mpi && fth_launch_read(&fth_launchers[i], &launch) &&
            launch.rank > rank && !has_variable(getppid(), launch.launcher->rank))
            rank = launch.rank;
    return rank;
}

bool fth_together_is_spare(void)
{
    return own_rank() > 0;
}

bool fth_together_shares(struct fth_together *together)
{
    return fth_together_find(together) && own_rank() >= 0;
}

unsigned fth_together_processors(const struct fth_together *together)
{
    int64_t share = fth_processors() / together->local_size;
    return share > 1 ? (unsigned)share : 1;
}

char *fth_together_rename(const char *output, const char *word)
{
    static const char ending[] = ".fathom";
    size_t length = strlen(output), stem = length;
    if (length > strlen(ending) && strcmp(output + length - strlen(ending), ending) == 0)
        stem -= strlen(ending);
    return fth_text_format("%.*s.%s%s", (int)stem, output, word, output + stem);
}

char *fth_together_apart(const struct fth_together *together)
{
    return fth_text_format("%" PRIu64 ":%" PRId64 ":%" PRId64, together->key, together->rank,
                           together->size);
}

/* ---- the entries ---- */

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

/* All entries, to be freed; the file is locked. */
static struct entry *read_entries(int file, int64_t *count)
{
    struct stat status;
    *count = 0;
    if (fstat(file, &status) != 0)
        return NULL;
    size_t bytes = (size_t)status.st_size / sizeof(struct entry) * sizeof(struct entry);
    struct entry *entries = malloc(bytes + 1);
    if (entries && pread(file, entries, bytes, 0) == (ssize_t)bytes) {
        *count = (int64_t)(bytes / sizeof *entries);
        return entries;
    }
    free(entries);
    return NULL;
}

static bool write_entry(int file, const struct entry *entry, int64_t place)
{
    return pwrite(file, entry, sizeof *entry, place * (int64_t)sizeof *entry) ==
           (ssize_t)sizeof *entry;
}

static bool is_alive(const struct entry *entry)
{
    return (entry->state == RUNNING || entry->state == MERGING) &&
           born(entry->pid, NULL) == entry->born;
}

static bool is_any(const struct entry *entries, int64_t count, enum state state)
{
    for (int64_t i = 0; i < count; i++)
        if (entries[i].state == (int32_t)state)
            return true;
    return false;
}

static bool is_closed(const struct entry *entries, int64_t count)
{
    return is_any(entries, count, MERGING) || is_any(entries, count, MERGED) ||
           is_any(entries, count, REMOVING);
}

static void set_state(int file, int64_t place, enum state state)
{
    int64_t count;
    flock(file, LOCK_EX);
    struct entry *entries = read_entries(file, &count);
    if (entries && place < count) {
        entries[place].state = (int32_t)state;
        write_entry(file, &entries[place], place);
    }
    free(entries);
    flock(file, LOCK_UN);
}

/* ---- in ---- */

/* The folder may be there: ours, or that of somebody who knows what it would be called. */
static int open_folder(const char *spill, struct fth_error **error)
{
    struct stat status;
    if (mkdir(spill, 0700) != 0 && errno != EEXIST)
        return fth_fail_errno(error, "cannot make the spill folder '%s'", spill);
    int folder = open(spill, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0)
        return fth_fail_errno(error, "cannot open the spill folder '%s'", spill);
    if (fstat(folder, &status) == 0 && status.st_uid == geteuid() &&
        (status.st_mode & 0777) == 0700)
        return folder;
    close(folder);
    return fth_fail(error, "the spill folder '%s' is not private", spill);
}

static int enter(struct fth_together *together, int file, struct fth_error **error)
{
    struct stat status;
    struct entry mine = {.pid = getpid(), .born = born(getpid(), NULL)};
    struct entry *entries = flock(file, LOCK_EX) ? NULL : read_entries(file, &together->place);
    int result = 0;
    if (!entries || fstat(file, &status) != 0 || flock(together->folder, LOCK_SH | LOCK_NB) != 0)
        result = fth_fail_errno(error, "cannot read the state of the other ranks");
    else if (status.st_nlink == 0 || is_closed(entries, together->place))
        result = fth_fail(error, "the trace of the other ranks is already being made");
    else if (!write_entry(file, &mine, together->place))
        result = fth_fail_errno(error, "cannot notify the other ranks");
    flock(file, LOCK_UN);
    free(entries);
    return result;
}

static void forget(struct fth_together *together)
{
    if (together->folder >= 0)
        close(together->folder);
    if (together->records >= 0)
        close(together->records);
    together->folder = together->records = -1;
}

int fth_together_enter(struct fth_together *together, struct fth_cmd_run *run, const char *parent,
                       struct fth_error **error)
{
    char name[64];
    uint64_t hash = fth_hash_words(together->key, run->output);
    snprintf(name, sizeof name, "%u-%016" PRIx64, geteuid(), hash);
    if (fth_run_name_spill(run, parent, name, error))
        return -1;
    together->folder = open_folder(run->spill, error);
    int file = together->folder < 0 ? -1
                                    : openat(together->folder, "records",
                                             O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file >= 0 && enter(together, file, error) == 0) {
        together->records = file;
        together->since = now();
        return 0;
    }
    if (file >= 0)
        close(file);
    else if (together->folder >= 0)
        fth_fail_errno(error, "cannot open '%s/records'", run->spill);
    forget(together);
    fth_run_forget_spill(run);
    return -1;
}

static void add_blind_spots(struct fth_cmd_run *run, const json_t *more)
{
    for (size_t i = 0; i < json_array_size(more); i++) {
        json_t *spot = json_array_get(more, i);
        bool known = false;
        for (size_t k = 0; k < json_array_size(run->blind_spots) && !known; k++)
            known = json_equal(json_array_get(run->blind_spots, k), spot);
        if (!known)
            json_array_append(run->blind_spots, spot);
    }
}

int fth_together_save(const struct fth_together *together, const struct fth_cmd_run *run,
                      struct fth_error **error)
{
    struct fth_cmd_run first = {0};
    flock(together->records, LOCK_EX);
    int result = 0;
    if (!fth_run_is_saved(run)) {
        result = fth_run_save(run, error);
    } else if (json_array_size(run->blind_spots)) {
        result = fth_run_load(&first, run->spill, error);
        if (result == 0) {
            first.end = 0;
            add_blind_spots(&first, run->blind_spots);
            result = fth_run_save(&first, error);
        }
        fth_run_free(&first);
    }
    flock(together->records, LOCK_UN);
    return result;
}

/* ---- out ---- */

static bool has_any_failed(const struct entry *entries, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (entries[i].state == ENDED && entries[i].status)
            return true;
    return false;
}

/* From the first start to the last end; the first failure is that of all. */
static void sum_up(const struct entry *entries, int64_t count, struct fth_outcome *outcome)
{
    bool first = true;
    for (int64_t i = 0; i < count; i++) {
        const struct entry *entry = &entries[i];
        if (entry->state != ENDED)
            continue;
        outcome->start = first || entry->start < outcome->start ? entry->start : outcome->start;
        outcome->end = first || entry->end > outcome->end ? entry->end : outcome->end;
        outcome->status = first || !outcome->status ? entry->status : outcome->status;
        first = false;
    }
    outcome->duration = outcome->end - outcome->start;
}

/* The file is locked. */
static enum fth_together_end look_around(struct fth_together *together, struct entry *entries,
                                         int64_t count, struct fth_outcome *outcome, bool *settled)
{
    *settled = true;
    for (int64_t i = 0; i < count; i++)
        if (i != together->place && is_alive(&entries[i]))
            return FTH_OTHERS_GO_ON;
    if (is_closed(entries, count))
        return FTH_OTHERS_GO_ON;
    *settled = count >= together->local_size ||
               now() - together->since > PATIENCE_SECONDS * INT64_C(1000000000);
    if (!*settled)
        return FTH_OTHERS_GO_ON;
    bool any = is_any(entries, count, ENDED);
    if (!any && is_any(entries, count, RUNNING))
        return FTH_OTHERS_GO_ON; /* all but us were killed: the guard's */
    sum_up(entries, count, outcome);
    entries[together->place].state = MERGING; /* who comes now is too late */
    write_entry(together->records, &entries[together->place], together->place);
    return any ? FTH_ALL_ENDED : FTH_NOTHING_RAN;
}

static enum fth_together_end end_entry(struct fth_together *together, struct fth_outcome *outcome,
                                       bool ran, bool *settled)
{
    int64_t count;
    enum fth_together_end end = FTH_OTHERS_GO_ON;
    flock(together->records, LOCK_EX);
    struct entry *entries = read_entries(together->records, &count);
    *settled = true;
    if (entries && together->place < count) {
        struct entry *mine = &entries[together->place];
        if (mine->state == RUNNING) {
            together->first_to_fail = ran && outcome->status && !has_any_failed(entries, count);
            mine->state = ran ? ENDED : NOT_STARTED;
            mine->start = outcome->start;
            mine->end = outcome->end;
            mine->status = outcome->status;
            write_entry(together->records, mine, together->place);
        }
        end = look_around(together, entries, count, outcome, settled);
    }
    free(entries);
    flock(together->records, LOCK_UN);
    return end;
}

enum fth_together_end fth_together_leave(struct fth_together *together, struct fth_cmd_run *run,
                                         struct fth_outcome *outcome, bool ran)
{
    const struct timespec pause = {.tv_nsec = BETWEEN_LOOKS * 1000000};
    bool settled;
    enum fth_together_end end;
    while (end = end_entry(together, outcome, ran, &settled), !settled)
        nanosleep(&pause, NULL);
    struct fth_cmd_run all = {0};
    if (end == FTH_ALL_ENDED && fth_run_load(&all, run->spill, NULL) == 0) {
        fth_run_free(run);
        *run = all;
    } else {
        fth_run_free(&all);
    }
    if (end == FTH_OTHERS_GO_ON)
        forget(together);
    return end;
}

void fth_together_done(struct fth_together *together, const struct fth_cmd_run *run,
                       bool removes_spill)
{
    if (together->records >= 0)
        set_state(together->records, together->place, removes_spill ? REMOVING : MERGED);
    if (removes_spill)
        fth_run_remove_spill(run);
    forget(together);
}

/* ---- the guard ---- */

/* Nothing of the launcher's is kept open, as it may wait for the end of it. */
static void step_aside(void)
{
    setsid();
    if (syscall(SYS_close_range, 0, ~0U, 0) != 0)
        for (int file = 0; file < 1024; file++)
            close(file);
    open("/dev/null", O_RDWR);
    if (dup(0) < 0 || dup(0) < 0 || chdir("/") != 0)
        _exit(0);
}

void fth_together_guard(struct fth_together *together, const struct fth_cmd_run *run,
                        void (*make_trace)(struct fth_cmd_run *run, void *context), void *context)
{
    int64_t count;
    if (together->place != 0 || fork() != 0)
        return;
    step_aside();
    int folder = open(run->spill, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0 || flock(folder, LOCK_EX) != 0)
        _exit(0);
    int file = openat(folder, "records", O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    struct entry *entries = file < 0 ? NULL : read_entries(file, &count);
    if (file < 0)
        rmdir(run->spill); /* killed between the two */
    else if (entries && is_any(entries, count, REMOVING))
        fth_run_remove_spill(run);
    if (!entries || is_any(entries, count, MERGED) || is_any(entries, count, REMOVING))
        _exit(0);
    struct fth_cmd_run all = {0};
    set_state(file, 0, MERGING);
    if (fth_run_load(&all, run->spill, NULL) == 0)
        make_trace(&all, context);
    _exit(0);
}
