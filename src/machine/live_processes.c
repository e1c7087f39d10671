/* Processes show up as files IMAGE.process in the spill folder; whether one is alive is seen when
 * it is sampled. */
#include "machine/live_processes.h"

#include "base/memory.h"
#include "trace/spill/spill_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

enum { MOST_WATCHED = 4096 };

/* ---- one process ---- */

static void open_files(struct fth_watched *process)
{
    static const char *const names[FTH_WATCHED_FILES] = {"stat", "status", "io"};
    char path[64];
    for (int i = 0; i < FTH_WATCHED_FILES; i++) {
        snprintf(path, sizeof path, "/proc/%" PRId64 "/%s", process->pid, names[i]);
        process->files[i] = open(path, O_RDONLY | O_CLOEXEC);
    }
}

static void close_files(struct fth_watched *process)
{
    for (int i = 0; i < FTH_WATCHED_FILES; i++)
        if (process->files[i] >= 0)
            close(process->files[i]);
    fth_hardware_close(&process->hardware);
}

static struct fth_watched *find(struct fth_watch *watch, int64_t pid)
{
    for (size_t i = 0; i < watch->count; i++)
        if (watch->processes[i].pid == pid)
            return &watch->processes[i];
    return NULL;
}

static void add(struct fth_watch *watch, const struct fth_spill_process *facts)
{
    struct fth_watched *known = find(watch, facts->pid);
    if (facts->ended || !fth_spill_is_of_this_node(facts))
        return;
    if (known) { /* exec: the process goes on, its image is another one */
        if (facts->start.monotonic < known->image_began)
            return;
        known->previous = known->image;
        known->image = facts->image;
        known->image_began = facts->start.monotonic;
        return;
    }
    if (watch->count == MOST_WATCHED)
        return;
    struct fth_watched process = {
        .image = facts->image, .pid = facts->pid, .image_began = facts->start.monotonic};
    open_files(&process);
    if (process.files[0] < 0) { /* it is gone */
        close_files(&process);
        return;
    }
    FTH_GROW(watch->processes, watch->count);
    watch->processes[watch->count++] = process;
}

/* False: the file is not whole yet. */
static bool read_process(const struct fth_watch *watch, uint64_t image)
{
    static _Alignas(struct fth_spill_process) char room[FTH_SPILL_TEXTS];
    const struct fth_spill_process *facts = (const struct fth_spill_process *)room;
    char path[4096];
    snprintf(path, sizeof path, "%s/%016" PRIx64 ".process", watch->folder, image);
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0)
        return errno == ENOENT;
    ssize_t length = read(file, room, sizeof room);
    close(file);
    if (length < (ssize_t)sizeof *facts || facts->magic != FTH_SPILL_PROCESS_MAGIC ||
        facts->text_bytes == 0 || facts->text_bytes > (size_t)length - sizeof *facts ||
        facts->text[facts->text_bytes - 1] != 0)
        return false;
    add((struct fth_watch *)(uintptr_t)watch, facts);
    return true;
}

/* ---- the folder ---- */

static void take_name(struct fth_watch *watch, const char *name)
{
    uint64_t image;
    int end = 0;
    if (sscanf(name, "%16" SCNx64 ".process%n", &image, &end) != 1 || !end || name[end] ||
        fth_interned_before(&watch->seen, &image, sizeof image))
        return;
    fth_intern(&watch->seen, &image, sizeof image);
    FTH_GROW(watch->begun, watch->begun_count);
    watch->begun[watch->begun_count++] = image;
}

static void list_folder(struct fth_watch *watch)
{
    DIR *folder = opendir(watch->folder);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        take_name(watch, entry->d_name);
    if (folder)
        closedir(folder);
}

static void take_changes(struct fth_watch *watch)
{
    _Alignas(struct inotify_event) char events[8192];
    for (ssize_t length; (length = read(watch->changes, events, sizeof events)) > 0;)
        for (ssize_t at = 0; at < length;) {
            const struct inotify_event *event = (const struct inotify_event *)(events + at);
            if (event->mask & IN_Q_OVERFLOW)
                list_folder(watch);
            else if (event->len)
                take_name(watch, event->name);
            at += (ssize_t)(sizeof *event + event->len);
        }
}

void fth_watch_begin(struct fth_watch *watch, const char *folder)
{
    *watch =
        (struct fth_watch){.folder = folder, .changes = inotify_init1(IN_NONBLOCK | IN_CLOEXEC)};
    if (watch->changes >= 0 && inotify_add_watch(watch->changes, folder, IN_CREATE) < 0) {
        close(watch->changes);
        watch->changes = -1;
    }
    list_folder(watch);
}

void fth_watch_look(struct fth_watch *watch)
{
    if (watch->changes >= 0)
        take_changes(watch);
    else
        list_folder(watch);
    size_t left = 0;
    for (size_t i = 0; i < watch->begun_count; i++)
        if (!read_process(watch, watch->begun[i]))
            watch->begun[left++] = watch->begun[i];
    watch->begun_count = left;
}

void fth_watch_forget(struct fth_watch *watch, size_t number)
{
    close_files(&watch->processes[number]);
    watch->processes[number] = watch->processes[--watch->count];
}

void fth_watch_end(struct fth_watch *watch)
{
    while (watch->count)
        fth_watch_forget(watch, 0);
    if (watch->changes >= 0)
        close(watch->changes);
    free(watch->processes);
    free(watch->begun);
    fth_intern_free(&watch->seen);
}
