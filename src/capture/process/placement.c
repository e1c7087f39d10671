/* More than one node. `fathom record` runs on one of them, its spill folder is there. Processes on
 * another node make a folder of the same name there, and announce it in the folder
 * PARTS@/HOST~NUMBER beside the output. When they end normally they bring their files to that
 * place, from where `fathom record` takes them. Who starts the processes of other nodes, a
 * launcher, has made PARTS@ on the first node: where it cannot be seen, the file system is not
 * shared, and the files stay on their node. */
#include "capture/process/placement.h"

#include "base/hash.h"
#include "base/launchers.h"
#include "base/settings.h"
#include "capture/process/environment.h"
#include "capture/process/process.h"
#include "capture/process/spill_folder.h"
#include "interpose/own/apart.h"
#include "interpose/own/own_files.h"
#include "interpose/own/put.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { COPY = 32 << 10, LISTING = 4096 };

static bool another;                      /* this is not the node of `fathom record`, */
static bool elsewhere;                    /* and its spill folder is another one */
static char announced[FTH_LONGEST_SPILL]; /* PARTS@/HOST~NUMBER; "": nowhere to bring files to */
static char host[256];

static const char *last_part(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path;
}

/* ---- coming ---- */

static bool make_folder(const char *path)
{
    struct stat facts;
    if (syscall(SYS_mkdirat, AT_FDCWD, path, 0700) == 0)
        return true;
    return errno == EEXIST &&
           syscall(SYS_newfstatat, AT_FDCWD, path, &facts, AT_SYMLINK_NOFOLLOW) == 0 &&
           S_ISDIR(facts.st_mode) && facts.st_uid == (uid_t)syscall(SYS_geteuid) &&
           (facts.st_mode & 0077) == 0;
}

static int open_at(int folder, const char *name, int flags)
{
    return (int)syscall(SYS_openat, folder, name, flags | O_CLOEXEC | O_NOFOLLOW, 0600);
}

/* The last one that leaves takes the folder away; who comes then makes a new one. */
static int enter_folder(const char *path)
{
    struct stat ours, theirs;
    while (make_folder(path)) {
        int file = open_at(AT_FDCWD, path, O_RDONLY | O_DIRECTORY);
        if (file < 0 && errno != ENOENT)
            break;
        if (file < 0)
            continue;
        if (syscall(SYS_flock, file, LOCK_SH) == 0 && syscall(SYS_fstat, file, &ours) == 0 &&
            syscall(SYS_newfstatat, AT_FDCWD, path, &theirs, AT_SYMLINK_NOFOLLOW) == 0 &&
            ours.st_ino == theirs.st_ino && ours.st_dev == theirs.st_dev)
            return file;
        fth_file_close(file);
    }
    return -1;
}

/* For `fathom record`: there is a folder on this node. */
static void announce(void)
{
    int error;
    if (!announced[0] || !make_folder(announced))
        return;
    int place = open_at(AT_FDCWD, announced, O_RDONLY | O_DIRECTORY);
    int file = place < 0 ? -1 : open_at(place, "spill", O_WRONLY | O_CREAT);
    if (file >= 0) {
        fth_file_write(file, fth_spill_folder(), strlen(fth_spill_folder()), 0, &error);
        fth_file_close(file);
    }
    if (place >= 0)
        fth_file_close(place);
}

int fth_node_enter(void)
{
    if (!elsewhere)
        return -1;
    int entered = enter_folder(fth_spill_folder());
    if (entered >= 0)
        announce();
    return entered;
}

/* What is mounted here, as the kernel reports it: HOST.mounts. The first process of the node sees
 * to it. */
static void leave_mounts(const char *folder)
{
    static char text[COPY];
    static char path[FTH_LONGEST_SPILL + sizeof host + 16];
    int error;
    fth_put_text(fth_put_text(fth_put_text(fth_put_text(path, folder), "/"), host), ".mounts");
    int to = open_at(AT_FDCWD, path, O_WRONLY | O_CREAT | O_EXCL);
    int from = to < 0 ? -1 : fth_file_open("/proc/self/mountinfo");
    uint64_t at = 0;
    for (long length; from >= 0 && (length = syscall(SYS_read, from, text, sizeof text)) > 0;
         at += (uint64_t)length)
        if (!fth_file_write(to, text, (size_t)length, at, &error))
            break;
    if (from >= 0)
        fth_file_close(from);
    if (to >= 0)
        fth_file_close(to);
}

void fth_node_entered(void)
{
    static bool entered;
    if (!another || entered)
        return;
    entered = true;
    bool can_bring = announced[0] && syscall(SYS_faccessat, AT_FDCWD, announced, W_OK) == 0;
    const char *folder = can_bring ? announced : fth_spill_folder();
    leave_mounts(folder);
    fth_node_sample(folder, host);
}

/* ---- which folder ---- */

static bool puts_together(char *to, const char *first, const char *second, const char *third)
{
    if (strlen(first) + strlen(second) + strlen(third) >= FTH_LONGEST_SPILL)
        return false;
    fth_put_text(fth_put_text(fth_put_text(to, first), second), third);
    return true;
}

/* So that the processes on other nodes see whether they share the folder of the output. */
static void make_meeting_place(const char *parts)
{
    char path[FTH_LONGEST_SPILL];
    if (parts && fth_is_launcher(fth_process_program()) && puts_together(path, parts, "@", ""))
        make_folder(path);
}

static void name_announcement(const char *parts)
{
    char number[20], name[sizeof host + sizeof number + 4];
    fth_put_image(number, fth_hash_words(FTH_HASH_START, fth_spill_folder()));
    if (!parts || strchr(host, '/'))
        return;
    fth_put_text(fth_put_text(fth_put_text(fth_put_text(name, "@/"), host), "~"), number);
    puts_together(announced, parts, name, "");
}

/* Can the folder be had? */
static void try_folder(void *good)
{
    int entered = enter_folder(fth_spill_folder());
    *(bool *)good = entered >= 0;
    if (entered >= 0)
        fth_file_close(entered);
}

static bool choose_elsewhere(const char *spill)
{
    const char *parents[] = {NULL, getenv("TMPDIR"), "/tmp"};
    char path[FTH_LONGEST_SPILL];
    for (size_t i = 0; i < sizeof parents / sizeof *parents; i++) {
        bool good = false;
        if (i > 0 && (!parents[i] || *parents[i] != '/' ||
                      !puts_together(path, parents[i], "/", last_part(spill))))
            continue;
        if (fth_spill_here(i == 0 ? spill : path))
            fth_apart(try_folder, &good);
        if (good)
            return true;
    }
    return false;
}

bool fth_node_choose_folder(const char *spill)
{
    const char *home = fth_setting(FTH_SETTING_NAME(HOST)),
               *parts = fth_setting(FTH_SETTING_NAME(PARTS));
    char path[FTH_LONGEST_SPILL];
    gethostname(host, sizeof host - 1);
    another = home && *home && strcmp(home, host) != 0;
    if (!another) {
        const char *least = fth_setting(FTH_SETTING_NAME(MEMORY));
        fth_spill_uses_memory(least ? strtoull(least, NULL, 10) : 0);
        make_meeting_place(parts);
        return fth_spill_here(spill);
    }
    if (!choose_elsewhere(spill))
        return false;
    /* On a shared file system it is the very folder of `fathom record`. */
    elsewhere = !puts_together(path, fth_spill_folder(), "/run.json", "") ||
                syscall(SYS_faccessat, AT_FDCWD, path, F_OK) != 0;
    if (elsewhere)
        name_announcement(parts);
    return true;
}

bool fth_node_is_another(void)
{
    return another;
}

/* ---- bringing files home ---- */

/* Folders that files are brought from and to. */
struct way {
    int from, to;
};

static bool copy_range(int from, int to, int64_t at, int64_t end)
{
    static char buffer[COPY];
    int error;
    while (at < end) {
        long length = syscall(SYS_pread64, from, buffer, end - at < COPY ? end - at : COPY, at);
        fth_own_read(length > 0 ? (uint64_t)length : 0);
        if (length <= 0 || !fth_file_write(to, buffer, (size_t)length, (uint64_t)at, &error))
            return length == 0;
        at += length;
    }
    return true;
}

/* The holes of a stream stay holes. */
static bool copy_contents(int from, int to)
{
    struct stat facts;
    bool good = syscall(SYS_fstat, from, &facts) == 0;
    for (int64_t at = 0; good && at < facts.st_size;) {
        int64_t data = syscall(SYS_lseek, from, at, SEEK_DATA);
        if (data < 0)
            break; /* a hole up to the end */
        at = syscall(SYS_lseek, from, data, SEEK_HOLE);
        good = copy_range(from, to, data, at);
    }
    return good && syscall(SYS_ftruncate, to, facts.st_size) == 0;
}

static bool copy_file(const struct way *way, const char *name)
{
    int from = open_at(way->from, name, O_RDONLY);
    int to = from < 0 ? -1 : open_at(way->to, name, O_WRONLY | O_CREAT);
    bool good = to >= 0 && copy_contents(from, to);
    if (from >= 0)
        fth_file_close(from);
    if (to >= 0)
        fth_file_close(to);
    return good;
}

static bool remove_file(const struct way *way, const char *name)
{
    return syscall(SYS_unlinkat, way->from, name, 0) == 0;
}

static bool has_ended(const struct way *way, const char *name)
{
    struct fth_spill_process process;
    long length = -1;
    int file = open_at(way->from, name, O_RDONLY);
    if (file >= 0) {
        length = syscall(SYS_pread64, file, &process, sizeof process, 0);
        fth_file_close(file);
    }
    return length == sizeof process && (process.ended || syscall(SYS_kill, process.pid, 0) != 0);
}

struct entry { /* of getdents64 */
    uint64_t inode;
    int64_t next;
    unsigned short length;
    unsigned char type;
    char name[];
};

/* Calls `visit` for each file whose name has this beginning and this ending. `listing` has LISTING
 * bytes. */
static bool each_file(const struct way *way, void *listing, const char *beginning,
                      const char *ending, bool (*visit)(const struct way *way, const char *name))
{
    int folder = open_at(way->from, ".", O_RDONLY | O_DIRECTORY);
    bool good = folder >= 0;
    for (long length;
         folder >= 0 && (length = syscall(SYS_getdents64, folder, listing, LISTING)) > 0;)
        for (long at = 0; at < length;) {
            const struct entry *entry = (const struct entry *)((char *)listing + at);
            size_t whole = strlen(entry->name), tail = strlen(ending);
            if (strncmp(entry->name, beginning, strlen(beginning)) == 0 && whole > tail &&
                strcmp(entry->name + whole - tail, ending) == 0)
                good = visit(way, entry->name) && good;
            at += entry->length;
        }
    if (folder >= 0)
        fth_file_close(folder);
    return good;
}

/* All that one process image has left: the process file last, as without it the streams do not
 * count. */
static bool bring_process(const struct way *way, const char *name)
{
    static _Alignas(8) char listing[LISTING];
    char beginning[32];
    size_t length = strcspn(name, ".");
    if (length >= sizeof beginning || !has_ended(way, name))
        return false;
    memcpy(beginning, name, length);
    beginning[length] = 0;
    return each_file(way, listing, beginning, ".stream", copy_file) &&
           each_file(way, listing, beginning, ".sealed", copy_file) &&
           each_file(way, listing, beginning, ".sums", copy_file) &&
           each_file(way, listing, beginning, ".watched", copy_file) && copy_file(way, name) &&
           each_file(way, listing, beginning, ".stream", remove_file) &&
           each_file(way, listing, beginning, ".sealed", remove_file) &&
           each_file(way, listing, beginning, ".sums", remove_file) &&
           each_file(way, listing, beginning, ".watched", remove_file) && remove_file(way, name);
}

static void leave_folder(const struct way *way)
{
    static _Alignas(8) char listing[LISTING];
    if (syscall(SYS_flock, way->from, LOCK_EX) == 0 &&
        each_file(way, listing, "", ".process", bring_process) &&
        each_file(way, listing, "", ".world", remove_file) &&
        each_file(way, listing, "", ".mounts", remove_file) &&
        each_file(way, listing, "", ".page", remove_file)) {
        syscall(SYS_unlinkat, way->to, "spill",
                0); /* before others can make the folder again, and announce it */
        syscall(SYS_unlinkat, AT_FDCWD, fth_spill_folder(), AT_REMOVEDIR);
    }
}

static void leave(void *unused)
{
    (void)unused;
    struct way way = {.from = open_at(AT_FDCWD, fth_spill_folder(), O_RDONLY | O_DIRECTORY),
                      .to = open_at(AT_FDCWD, announced, O_RDONLY | O_DIRECTORY)};
    if (way.from >= 0 && way.to >= 0)
        leave_folder(&way);
    if (way.from >= 0)
        fth_file_close(way.from);
    if (way.to >= 0)
        fth_file_close(way.to);
}

void fth_node_leave(bool (*remap)(void))
{
    if (!elsewhere || !announced[0])
        return;
    fth_apart(leave, NULL);
    /* What exit() still does, emptying the buffers of streams, is recorded at the new place. */
    char here[FTH_LONGEST_SPILL];
    strcpy(here, fth_spill_folder());
    fth_spill_here(announced);
    if (remap())
        elsewhere = false;
    else
        fth_spill_here(here);
}

/* ---- the rank ---- */

/* The same on all processes that one launcher started, and even: those of MPI are odd. */
static uint64_t number_of_launch(const struct fth_launch *launch)
{
    uint64_t hash = fth_hash_words(FTH_HASH_START, last_part(fth_setting(FTH_SETTING_NAME(SPILL))));
    hash = fth_hash_words(hash, launch->launcher->rank) + (uint64_t)launch->size;
    for (unsigned i = 0; i < fth_launcher_count; i++)
        for (size_t j = 0; j < 2 && fth_launchers[i].job[j]; j++)
            hash = fth_hash_words(hash + 1, getenv(fth_launchers[i].job[j]));
    return (hash | 2) & ~UINT64_C(1);
}

/* By variables that the user names: FATHOM_RANK=RANK,SIZE. */
static bool read_named(struct fth_launch *launch)
{
    static char names[128];
    static struct fth_launcher named = {.rank = names};
    const char *setting = fth_setting(FTH_SETTING_NAME(RANK));
    if (!setting || strlen(setting) >= sizeof names)
        return false;
    char *comma = strchr(strcpy(names, setting), ',');
    if (comma)
        *comma = 0;
    named.size = comma ? comma + 1 : NULL;
    return fth_launch_read(&named, launch);
}

/* Forked children are of the same rank, whatever became of the environment. */
void fth_node_take_rank(struct fth_spill_process *process)
{
    static bool looked, found;
    static struct fth_launch launch;
    static uint64_t number;
    if (!looked && (found = read_named(&launch) || fth_launch_find(&launch)))
        number = number_of_launch(&launch);
    looked = true;
    process->rank = found ? launch.rank : -1;
    process->size = found ? launch.size : -1;
    process->world = number;
    process->elsewhere = found && launch.local_size && launch.local_size < launch.size;
}
