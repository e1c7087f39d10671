/* More than one node. `fathom record` runs on one of them, its spill folder is there. Processes on another node make a folder of the same name
 * there, and announce it in the folder PARTS@/HOST~NUMBER beside the output. When they end normally they bring their files to that place, from where
 * `fathom record` takes them. Who starts the processes of other nodes, a launcher, has made PARTS@ on the first node: where it cannot be seen, the
 * file system is not shared, and the files stay on their node.
 *
 * Raw system calls: libc's functions of these names are wrapped. */
#include "capture/node.h"

#include "capture/process.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PATH = 4400, COPY = 32 << 10 };

static bool elsewhere;          /* this is not the node of `fathom record` */
static char announced[PATH];    /* PARTS@/HOST~NUMBER; "": nowhere to bring files to */
static char local_folder[PATH]; /* on this node */
static int entering = -1;       /* that folder while we come: it is not removed under us */

/* ---- folders ---- */

static uint64_t mix(uint64_t hash, const char *text)
{
    for (; text && *text; text++)
        hash = (hash ^ (uint8_t)*text) * UINT64_C(0x100000001b3);
    return hash;
}

static bool make_folder(const char *path)
{
    struct stat facts;
    long made = syscall(SYS_mkdirat, AT_FDCWD, path, 0700);
    if (made == 0)
        return true;
    return errno == EEXIST &&
           syscall(SYS_newfstatat, AT_FDCWD, path, &facts, AT_SYMLINK_NOFOLLOW) == 0 &&
           S_ISDIR(facts.st_mode) && facts.st_uid == (uid_t)syscall(SYS_geteuid) &&
           (facts.st_mode & 0077) == 0;
}

/* The last one that leaves takes the folder away; who comes then makes a new one. */
static bool enter_folder(const char *path)
{
    struct stat ours, theirs;
    int error;
    while (make_folder(path)) {
        entering = fth_open_file(path, O_RDONLY | O_DIRECTORY, &error);
        if (entering >= 0 && syscall(SYS_flock, entering, LOCK_SH) == 0 &&
            syscall(SYS_fstat, entering, &ours) == 0 &&
            syscall(SYS_newfstatat, AT_FDCWD, path, &theirs, AT_SYMLINK_NOFOLLOW) == 0 &&
            ours.st_ino == theirs.st_ino && ours.st_dev == theirs.st_dev)
            return true;
        if (entering >= 0)
            fth_close_file(entering);
        else if (error != ENOENT)
            break;
    }
    entering = -1;
    return false;
}

void fth_node_has_come(void)
{
    if (entering >= 0)
        fth_close_file(entering);
    entering = -1;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_launcher(void)
{
    static const char *const names[] = {"mpirun", "mpiexec", "orterun", "prte", "prun", "srun"};
    char path[PATH];
    ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(last_part(path), names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* For `fathom record`: there is a folder on this node. */
static void announce(void)
{
    char path[PATH];
    int error;
    if (!announced[0] || !make_folder(announced))
        return;
    snprintf(path, sizeof path, "%s/spill", announced);
    int file = fth_open_file(path, O_WRONLY | O_CREAT, &error);
    if (file < 0)
        return;
    fth_write_file(file, local_folder, strlen(local_folder), 0, &error);
    fth_close_file(file);
}

void fth_node_choose_folder(const char *spill, char *folder, size_t size)
{
    const char *home = getenv("FATHOM_HOST"), *parts = getenv("FATHOM_PARTS"),
               *parents[] = {NULL, getenv("TMPDIR"), "/tmp"};
    char host[256] = "", path[PATH];
    int before = errno;
    gethostname(host, sizeof host - 1);
    snprintf(folder, size, "%s", spill);
    elsewhere = home && *home && strcmp(home, host) != 0;
    if (!elsewhere) {
        if (parts && strlen(parts) < sizeof path - 2 && is_launcher()) {
            snprintf(path, sizeof path, "%s@", parts);
            make_folder(path);
        }
        errno = before;
        return;
    }
    for (size_t i = 0; i < sizeof parents / sizeof *parents; i++) {
        if (i > 0 && (!parents[i] || *parents[i] != '/'))
            continue;
        if (i == 0)
            snprintf(path, sizeof path, "%s", spill);
        else
            snprintf(path, sizeof path, "%s/%s", parents[i], last_part(spill));
        if (strlen(path) >= size || !enter_folder(path))
            continue;
        strcpy(folder, path);
        strcpy(local_folder, path);
        if (parts && strlen(parts) + strlen(host) + 16 < sizeof announced && !strchr(host, '/'))
            snprintf(announced, sizeof announced, "%s@/%s~%08x", parts, host,
                     (unsigned)mix(UINT64_C(0xcbf29ce484222325), folder));
        snprintf(path, sizeof path, "%s/run.json", folder);
        if (syscall(SYS_faccessat, AT_FDCWD, path, F_OK) == 0)
            elsewhere = false; /* a shared file system: it is the very folder of `fathom record` */
        else
            announce();
        break;
    }
    errno = before;
}

void fth_node_come_again(void)
{
    int before = errno;
    if (elsewhere && local_folder[0] && enter_folder(local_folder))
        announce();
    errno = before;
}

/* ---- bringing files home ---- */

static bool copy_range(int from, int to, int64_t at, int64_t end)
{
    static char buffer[COPY];
    int error;
    while (at < end) {
        long length = syscall(SYS_pread64, from, buffer, end - at < COPY ? end - at : COPY, at);
        if (length <= 0 || !fth_write_file(to, buffer, (size_t)length, (uint64_t)at, &error))
            return length == 0;
        at += length;
    }
    return true;
}

/* The holes of a stream stay holes. */
static bool copy_file(const char *name)
{
    static char path[2 * PATH]; /* only the last thread comes here, perhaps on a small stack */
    struct stat facts;
    int error = 0;
    snprintf(path, sizeof path, "%s/%s", local_folder, name);
    int from = fth_open_file(path, O_RDONLY, &error);
    snprintf(path, sizeof path, "%s/%s", announced, name);
    int to = from < 0 ? -1 : fth_open_file(path, O_WRONLY | O_CREAT, &error);
    bool good = to >= 0 && syscall(SYS_fstat, from, &facts) == 0;
    for (int64_t at = 0; good && at < facts.st_size;) {
        int64_t data = syscall(SYS_lseek, from, at, SEEK_DATA);
        if (data < 0)
            break; /* a hole up to the end */
        int64_t end = syscall(SYS_lseek, from, data, SEEK_HOLE);
        good = copy_range(from, to, data, end);
        at = end;
    }
    good = good && syscall(SYS_ftruncate, to, facts.st_size) == 0;
    if (from >= 0)
        fth_close_file(from);
    if (to >= 0)
        fth_close_file(to);
    return good;
}

static bool has_ended(int folder, const char *name)
{
    struct fth_spill_process process;
    long length = -1, file = syscall(SYS_openat, folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file >= 0) {
        length = syscall(SYS_pread64, file, &process, sizeof process, 0);
        fth_close_file((int)file);
    }
    return length == sizeof process && (process.ended || syscall(SYS_kill, process.pid, 0) != 0);
}

/* Calls `visit` for each file whose name has this beginning and this ending. */
struct entry { /* of getdents64 */
    uint64_t inode;
    int64_t next;
    unsigned short length;
    unsigned char type;
    char name[];
};
static bool each_file(int folder, const char *beginning, const char *ending,
                      bool (*visit)(int folder, const char *name))
{
    char buffer[4096] __attribute__((aligned(8)));
    bool good = true;
    syscall(SYS_lseek, folder, 0, SEEK_SET);
    for (long length; (length = syscall(SYS_getdents64, folder, buffer, sizeof buffer)) > 0;)
        for (long at = 0; at < length;) {
            const struct entry *entry = (const struct entry *)(buffer + at);
            size_t whole = strlen(entry->name), tail = strlen(ending);
            if (strncmp(entry->name, beginning, strlen(beginning)) == 0 && whole > tail &&
                strcmp(entry->name + whole - tail, ending) == 0)
                good = visit(folder, entry->name) && good;
            at += entry->length;
        }
    return good;
}

static bool copy_stream(int folder, const char *name)
{
    (void)folder;
    return copy_file(name);
}

static bool remove_file(int folder, const char *name)
{
    return syscall(SYS_unlinkat, folder, name, 0) == 0;
}

/* All that one process image has left: the process file last, as without it the streams do not count. */
static bool bring_process(int folder, const char *name)
{
    char beginning[32];
    size_t length = strcspn(name, ".");
    if (length >= sizeof beginning - 1 || !has_ended(folder, name))
        return false;
    memcpy(beginning, name, length);
    beginning[length] = 0;
    int again = (int)syscall(SYS_openat, folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool good =
        again >= 0 && each_file(again, beginning, ".stream", copy_stream) && copy_file(name);
    if (good)
        each_file(again, beginning, ".stream", remove_file);
    if (again >= 0)
        fth_close_file(again);
    return good && remove_file(folder, name);
}

void fth_node_leave(void)
{
    static char path[PATH + 8];
    int error, before = errno;
    if (!elsewhere || !announced[0])
        return;
    int folder = fth_open_file(local_folder, O_RDONLY | O_DIRECTORY, &error);
    if (folder < 0)
        return;
    if (syscall(SYS_flock, folder, LOCK_EX) == 0 &&
        each_file(folder, "", ".process", bring_process) &&
        each_file(folder, "", ".world", remove_file)) {
        snprintf(path, sizeof path, "%s/spill",
                 announced); /* before others can make the folder again, and announce it */
        syscall(SYS_unlinkat, AT_FDCWD, path, 0);
        syscall(SYS_unlinkat, AT_FDCWD, local_folder, AT_REMOVEDIR);
    }
    fth_close_file(folder);
    errno = before;
}

/* ---- the rank ---- */

static bool read_number(const char *name, int32_t *number)
{
    const char *text = name ? getenv(name) : NULL;
    char *end;
    if (!text || *text < '0' || *text > '9')
        return false;
    long long value = strtoll(text, &end, 10);
    *number = (int32_t)value;
    return *end == 0 && value <= INT32_MAX;
}

/* The same on all processes that one launcher started, and even: those of MPI are odd. */
static uint64_t number_of_launch(const char *rank_variable, int32_t size)
{
    static const char *const jobs[] = {"PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid", "SLURM_JOB_ID",
                                       "SLURM_STEP_ID", "TORCHELASTIC_RUN_ID"};
    uint64_t hash = mix(UINT64_C(0xcbf29ce484222325), last_part(getenv("FATHOM_SPILL")));
    hash = mix(hash, rank_variable) + (uint64_t)size;
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
        hash = mix(hash + 1, getenv(jobs[i]));
    return (hash | 2) & ~UINT64_C(1);
}

static void find_rank(int32_t *rank_found, int32_t *size_found, uint64_t *launch)
{
    /* Of Slurm only those of a step: in a batch script, the variables of the job say nothing about the process. */
    static const struct {
        const char *rank, *size;
    } variables[] = {
        {"RANK", "WORLD_SIZE"}, /* torchrun, itself started by one of the others */
        {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
        {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"},
        {"PMI_RANK", "PMI_SIZE"},
        {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"},
    };
    const char *own = getenv("FATHOM_RANK"); /* "RANK,SIZE": names of the user's */
    char rank_name[128] = "", *size_name = NULL;
    int32_t rank, size;
    if (own && strlen(own) < sizeof rank_name) {
        strcpy(rank_name, own);
        size_name = strchr(rank_name, ',');
        if (size_name)
            *size_name++ = 0;
    }
    const char *found = NULL;
    if (size_name && read_number(rank_name, &rank) && read_number(size_name, &size))
        found = rank_name;
    for (size_t i = 0; !found && i < sizeof variables / sizeof *variables; i++)
        if (read_number(variables[i].rank, &rank) && read_number(variables[i].size, &size))
            found = variables[i].rank;
    if (!found || rank >= size)
        return;
    *rank_found = rank;
    *size_found = size;
    *launch = number_of_launch(found, size);
}

/* Forked children are of the same rank, whatever became of the environment. */
void fth_node_take_rank(struct fth_spill_process *process)
{
    static bool looked;
    static int32_t rank = -1, size = -1;
    static uint64_t launch;
    if (!looked)
        find_rank(&rank, &size, &launch);
    looked = true;
    process->rank = rank;
    process->size = size;
    process->world = launch;
}
