/* Opening spill files. They were written by the same build on this machine, but perhaps killed
 * half-way or cut by a full disk: nothing in them is believed before it is checked. */
#include "trace/spill/spill_files.h"

#include "base/memory.h"
#include "catalog/packed.h"
#include "trace/spill/spill_memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

static int map_file(const char *path, size_t least, struct fth_spill_map *map,
                    struct fth_error **error)
{
    struct stat facts;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0)
        return fth_fail_errno(error, "cannot open '%s'", path);
    if (fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode)) {
        close(file);
        return fth_fail(error, "'%s' is not a regular file", path);
    }
    if (facts.st_size < (off_t)least) {
        close(file);
        return fth_fail(error, "'%s' is too short", path);
    }
    map->length = (size_t)facts.st_size;
    map->bytes = mmap(NULL, map->length, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (map->bytes != MAP_FAILED)
        return 0;
    map->bytes = NULL;
    return fth_fail_errno(error, "cannot map '%s'", path);
}

static void unmap_file(struct fth_spill_map *map)
{
    if (map->bytes)
        munmap((void *)(uintptr_t)map->bytes, map->length);
    map->bytes = NULL;
}

bool fth_spill_read_unkept(const struct fth_spill_folder *folder, struct fth_spill_unkept *unkept)
{
    char *path;
    struct fth_spill_map map = {0};
    struct fth_error *error = NULL;
    path = fth_text_format("%s/" FTH_SPILL_UNKEPT, folder->path);
    bool is_there = map_file(path, FTH_SPILL_PAGE, &map, &error) == 0;
    if (is_there)
        memcpy(unkept, map.bytes, sizeof *unkept);
    unmap_file(&map);
    fth_error_free(error);
    free(path);
    return is_there;
}

/* ---- the folder ---- */

static bool is_empty(const char *path)
{
    struct stat facts;
    return lstat(path, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size == 0;
}

static void add_problem(struct fth_spill_folder *folder, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void add_problem(struct fth_spill_folder *folder, const char *format, ...)
{
    char *text;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0)
        return;
    FTH_GROW(folder->problems, folder->problem_count);
    folder->problems[folder->problem_count++] = text;
}

/* A full disk leaves very many of these. */
static void say_what_is_missing(struct fth_spill_folder *folder)
{
    if (folder->empty_count)
        add_problem(
            folder,
            "%zu process%s (such as pid %" PRId64
            "): no space for %s spill file in '%s' (a full disk, a quota or a limit on file sizes)",
            folder->empty_count, folder->empty_count == 1 ? "" : "es",
            (int64_t)(folder->empty[0] & FTH_IMAGE_PID), folder->empty_count == 1 ? "its" : "a",
            folder->path);
    if (folder->emptied_count)
        add_problem(folder,
                    "%zu process%s (such as pid %" PRId64
                    "): %s spill file in '%s' has been emptied, and cannot be read",
                    folder->emptied_count, folder->emptied_count == 1 ? "" : "es",
                    folder->emptied_pid, folder->emptied_count == 1 ? "its" : "a", folder->path);
    if (folder->damaged_count)
        add_problem(folder, "%zu process%s (such as pid %" PRId64 "): killed while starting",
                    folder->damaged_count, folder->damaged_count == 1 ? "" : "es",
                    folder->damaged_pid);
    if (folder->foreign_count)
        add_problem(
            folder, "%zu process%s (such as pid %" PRId64 "): recorded by another build of Fathom",
            folder->foreign_count, folder->foreign_count == 1 ? "" : "es", folder->foreign_pid);
}

/* Its structures or its numbers of functions may be others. The magic is written last, so a file
 * that was only begun has none. */
static bool is_of_another_build(const struct fth_spill_process *process)
{
    return process->magic && (process->magic != FTH_SPILL_PROCESS_MAGIC ||
                              process->catalog != fth_packed_builtin.hash);
}

static bool is_within(int64_t number, int64_t most)
{
    return -most < number && number < most;
}

/* Differences of times are taken in many places; they are to fit into 64 bits. */
static bool has_times(const struct fth_spill_process *process)
{
    const int64_t most = 1LL << 60, most_since_1970 = 1LL << 62; /* ns: 36 years, the year 2116 */
    const struct fth_spill_anchor *anchors[] = {&process->start, &process->last};
    bool right = true;
    for (int i = 0; i < 2; i++)
        right = right && is_within(anchors[i]->monotonic, most) &&
                is_within(anchors[i]->realtime, most_since_1970);
    for (int i = 0; i < 2; i++)
        right = right && is_within(process->meetings[i].monotonic, most) &&
                is_within(process->meetings[i].offset, most) &&
                is_within(process->meetings[i].error, most);
    return right;
}

static bool is_whole(const struct fth_spill_image *image)
{
    const struct fth_spill_process *process = image->process;
    uint64_t room = image->map.length - sizeof *process;
    return process->magic == FTH_SPILL_PROCESS_MAGIC && process->image == image->image &&
           process->text_bytes <= room &&
           (!process->text_bytes || process->text[process->text_bytes - 1] == 0) &&
           has_times(process);
}

static void add_image(struct fth_spill_folder *folder, const char *place, const char *name)
{
    struct fth_spill_image image = {0};
    struct fth_error *error = NULL;
    image.path = fth_text_format("%s/%s", place, name);
    image.image = strtoull(name, NULL, 16);
    int status = map_file(image.path, sizeof *image.process, &image.map, &error);
    image.process = (const struct fth_spill_process *)image.map.bytes;
    bool foreign = status == 0 && is_of_another_build(image.process);
    if (status == 0 && !foreign && is_whole(&image)) {
        FTH_GROW(folder->images, folder->image_count);
        folder->images[folder->image_count++] = image;
        return;
    }
    if (foreign) {
        folder->foreign_count++;
        folder->foreign_pid = (int64_t)(image.image & FTH_IMAGE_PID);
    } else if (status == 0) {
        folder->damaged_count++;
        folder->damaged_pid = (int64_t)(image.image & FTH_IMAGE_PID);
    } else if (is_empty(image.path)) {
        FTH_GROW(folder->empty, folder->empty_count);
        folder->empty[folder->empty_count++] = image.image;
    } else {
        add_problem(folder, "%s", fth_error_text(error));
    }
    fth_error_free(error);
    unmap_file(&image.map);
    free(image.path);
}

static int by_start(const void *one, const void *other)
{
    const struct fth_spill_image *a = one, *b = other;
    int64_t difference = a->process->start.realtime - b->process->start.realtime;
    return difference < 0 ? -1 : difference > 0;
}

static int by_number(const void *one, const void *other)
{
    unsigned a = *(const unsigned *)one, b = *(const unsigned *)other;
    return a < b ? -1 : a > b;
}

static void add_stream(struct fth_spill_folder *folder, uint64_t image, unsigned number)
{
    for (size_t i = 0; i < folder->image_count; i++) {
        struct fth_spill_image *found = &folder->images[i];
        if (found->image != image)
            continue;
        FTH_GROW(found->streams, found->stream_count);
        found->streams[found->stream_count++] = number;
    }
    for (size_t i = 0; i < folder->empty_count; i++)
        if (folder->empty[i] == image) {
            folder->emptied_count++;
            folder->emptied_pid = (int64_t)(image & FTH_IMAGE_PID);
            folder->empty[i] = folder->empty[--folder->empty_count];
        }
}

static int read_place(struct fth_spill_folder *folder, const char *place, bool streams,
                      struct fth_error **error)
{
    DIR *directory = opendir(place);
    if (!directory)
        return fth_fail_errno(error, "cannot read the spill folder '%s'", place);
    for (const struct dirent *entry; (entry = readdir(directory));) {
        uint64_t image;
        unsigned number;
        int end = 0;
        if (!streams && sscanf(entry->d_name, "%16" SCNx64 ".process%n", &image, &end) == 1 &&
            end && !entry->d_name[end])
            add_image(folder, place, entry->d_name);
        if (streams &&
            sscanf(entry->d_name, "%16" SCNx64 ".%u.stream%n", &image, &number, &end) == 2 && end &&
            !entry->d_name[end])
            add_stream(folder, image, number);
    }
    closedir(directory);
    return 0;
}

static int read_folder(struct fth_spill_folder *folder, bool streams, struct fth_error **error)
{
    return folder->memory && read_place(folder, folder->memory, streams, error)
               ? -1
               : read_place(folder, folder->path, streams, error);
}

static void name_folder(struct fth_spill_folder *folder, const char *path)
{
    *folder =
        (struct fth_spill_folder){.path = fth_text_copy(path), .memory = fth_spill_memory_of(path)};
}

int fth_spill_folder_open(struct fth_spill_folder *folder, const char *path,
                          struct fth_error **error)
{
    name_folder(folder, path);
    if (read_folder(folder, false, error))
        return -1;
    if (folder->foreign_count && !folder->image_count)
        return fth_fail(
            error, "'%s' was recorded by another build of Fathom; use `fathom merge` of that build",
            folder->path);
    if (folder->image_count)
        qsort(folder->images, folder->image_count, sizeof *folder->images, by_start);
    if (read_folder(folder, true, error))
        return -1;
    say_what_is_missing(folder);
    for (size_t i = 0; i < folder->image_count; i++)
        if (folder->images[i].stream_count)
            qsort(folder->images[i].streams, folder->images[i].stream_count, sizeof(unsigned),
                  by_number);
    return 0;
}

/* A small file is in one of the two places. */
static bool is_in_memory(const struct fth_spill_folder *folder, const char *name)
{
    if (!folder->memory)
        return false;
    char *path = fth_text_format("%s/%s", folder->memory, name);
    bool found = access(path, F_OK) == 0;
    free(path);
    return found;
}

int fth_spill_folder_open_one(struct fth_spill_folder *folder, const char *path, uint64_t image,
                              struct fth_error **error)
{
    char name[64];
    name_folder(folder, path);
    snprintf(name, sizeof name, "%016" PRIx64 ".process", image);
    add_image(folder, is_in_memory(folder, name) ? folder->memory : folder->path, name);
    say_what_is_missing(folder);
    if (folder->image_count == 0)
        return fth_fail(error, "%s",
                        folder->problem_count ? folder->problems[0] : "there is no process file");
    for (unsigned i = 0; i < folder->images[0].process->streams; i++)
        add_stream(folder, image, i);
    return 0;
}

void fth_spill_folder_close(struct fth_spill_folder *folder)
{
    for (size_t i = 0; i < folder->image_count; i++) {
        unmap_file(&folder->images[i].map);
        free(folder->images[i].path);
        free(folder->images[i].streams);
    }
    for (size_t i = 0; i < folder->problem_count; i++)
        free(folder->problems[i]);
    free(folder->images);
    free(folder->problems);
    free(folder->empty);
    free(folder->memory);
    free(folder->path);
    *folder = (struct fth_spill_folder){0};
}

/* ---- a stream ---- */

/* A copy of it: its thread may be writing. False: it does not count. */
static bool read_commit(const struct fth_spill_commit *from, struct fth_spill_commit *commit)
{
    uint64_t check = __atomic_load_n(&from->check, __ATOMIC_ACQUIRE);
    commit->sequence = __atomic_load_n(&from->sequence, __ATOMIC_ACQUIRE);
    commit->sealed_end = __atomic_load_n(&from->sealed_end, __ATOMIC_ACQUIRE);
    commit->live_bytes = __atomic_load_n(&from->live_bytes, __ATOMIC_ACQUIRE);
    commit->check = __atomic_load_n(&from->check, __ATOMIC_ACQUIRE);
    return commit->sequence && check == commit->check && check == fth_spill_check(commit);
}

/* False: there is none. */
static bool newest_commit(const struct fth_spill_stream *page, struct fth_spill_commit *newest)
{
    struct fth_spill_commit commit;
    bool found = false;
    for (int i = 0; i < 2; i++) {
        if (!read_commit(&page->commits[i], &commit) ||
            (found && commit.sequence < newest->sequence))
            continue;
        *newest = commit;
        found = true;
    }
    return found;
}

static void find_live(struct fth_spill_reader *reader)
{
    const struct fth_spill_live *live = (const void *)(reader->map.bytes + FTH_SPILL_LIVE);
    uint64_t room = reader->commit.live_bytes;
    if (room < sizeof *live || room > FTH_SPILL_LIVE_LATER ||
        reader->map.length < FTH_SPILL_LIVE + room || live->sequence != reader->commit.sequence)
        return;
    uint32_t used = __atomic_load_n(&live->used, __ATOMIC_ACQUIRE);
    if (used > (room - sizeof *live) / 4)
        return;
    reader->live = live;
    reader->live_end = (const uint32_t *)(live + 1) + used;
}

bool fth_spill_is_of_this_node(const struct fth_spill_process *process)
{
    struct utsname node;
    const char *host = fth_spill_text(process, "host", NULL);
    return !host || uname(&node) != 0 || strcmp(host, node.nodename) == 0;
}

/* Was it never begun? Its thread was killed while it started, or there was no room for it, which
 * the process itself says. */
static bool is_unborn(const char *path)
{
    struct fth_spill_stream page = {0};
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0)
        return false;
    bool is_read = pread(file, &page, sizeof page, 0) >= 0;
    close(file);
    return is_read && (page.magic == 0 || page.magic == FTH_SPILL_STREAM_MAGIC) &&
           !page.commits[0].sequence && !page.commits[1].sequence;
}

static char *stream_path(const struct fth_spill_folder *folder, uint64_t image, unsigned number,
                         const char *suffix)
{
    char name[64];
    snprintf(name, sizeof name, "%016" PRIx64 ".%u.%s", image, number, suffix);
    return fth_text_format("%s/%s", is_in_memory(folder, name) ? folder->memory : folder->path,
                           name);
}

bool fth_spill_stream_is_empty(const struct fth_spill_folder *folder, uint64_t image,
                               unsigned number)
{
    char *path = stream_path(folder, image, number, "stream");
    bool empty = is_empty(path);
    free(path);
    return empty;
}

/* Sealed records; a full disk may have cut them off. */
static int open_sealed(struct fth_spill_reader *reader, const struct fth_spill_folder *folder,
                       uint64_t image, unsigned number, struct fth_error **error)
{
    if (!reader->commit.sealed_end)
        return 0;
    char *path = stream_path(folder, image, number, "sealed");
    int status = map_file(path, 1, &reader->sealed, error);
    free(path);
    if (reader->commit.sealed_end > reader->sealed.length)
        reader->commit.sealed_end = reader->sealed.length;
    return status;
}

int fth_spill_stream_open(struct fth_spill_reader *reader, const struct fth_spill_folder *folder,
                          uint64_t image, unsigned number, struct fth_error **error)
{
    *reader = (struct fth_spill_reader){0};
    char *path = stream_path(folder, image, number, "stream");
    if (is_unborn(path)) {
        free(path);
        return 0;
    }
    int status = map_file(path, FTH_SPILL_LIVE, &reader->map, error);
    if (status == 0) {
        reader->page = (const struct fth_spill_stream *)reader->map.bytes;
        if (reader->page->magic != FTH_SPILL_STREAM_MAGIC ||
            !newest_commit(reader->page, &reader->commit))
            status = fth_fail(error, "'%s' is damaged", path);
    }
    free(path);
    if (status || open_sealed(reader, folder, image, number, error)) {
        fth_spill_stream_close(reader);
        return -1;
    }
    find_live(reader);
    return 0;
}

void fth_spill_stream_close(struct fth_spill_reader *reader)
{
    unmap_file(&reader->map);
    unmap_file(&reader->sealed);
}

const struct fth_spill_record *fth_spill_next(struct fth_spill_reader *reader)
{
    if (reader->at + sizeof(struct fth_spill_record) > reader->commit.sealed_end)
        return NULL;
    const struct fth_spill_record *record = (const void *)(reader->sealed.bytes + reader->at);
    uint64_t left = reader->commit.sealed_end - reader->at - sizeof *record;
    if (record->magic != FTH_SPILL_RECORD_MAGIC || record->bytes > left)
        return NULL;
    reader->at += sizeof *record + (record->bytes + 7) / 8 * 8;
    return record;
}

/* ---- its sums ---- */

static bool is_sound(const struct fth_summed_entry *entry, uint64_t room)
{
    return room >= sizeof *entry && entry->kind >= FTH_SUMMED_FUNCTION &&
           entry->kind <= FTH_SUMMED_OTHERS && entry->length <= room &&
           fth_summed_entry_bytes(entry->length) <= room;
}

static bool take_entries(const struct fth_spill_map *map, uint64_t image, uint64_t sequence,
                         void (*take)(void *context, const struct fth_summed_entry *entry,
                                      const uint64_t *counts),
                         void *context)
{
    const struct fth_summed_head *head = (const void *)map->bytes;
    uint64_t used = head->used;
    if (head->magic != FTH_SUMMED_MAGIC || head->image != image || used > map->length)
        return false;
    for (uint64_t at = sizeof *head; at < used;) {
        const struct fth_summed_entry *entry = (const void *)(map->bytes + at);
        if (!is_sound(entry, used - at))
            return false;
        const struct fth_summed_version *version = fth_summed_at(entry, sequence);
        if (version)
            take(context, entry, version->counts);
        at += fth_summed_entry_bytes(entry->length);
    }
    return true;
}

int fth_spill_take_sums(const struct fth_spill_folder *folder, uint64_t image, unsigned number,
                        uint64_t sequence,
                        void (*take)(void *context, const struct fth_summed_entry *entry,
                                     const uint64_t *counts),
                        void *context, struct fth_error **error)
{
    struct fth_spill_map map = {0};
    char *path = fth_text_format("%s/%016" PRIx64 ".%u.sums", folder->path, image, number);
    int status = map_file(path, sizeof(struct fth_summed_head), &map, error);
    if (status == 0 && !take_entries(&map, image, sequence, take, context))
        status = fth_fail(error, "'%s' is damaged", path);
    unmap_file(&map);
    free(path);
    return status;
}

bool fth_spill_map_watched(const struct fth_spill_folder *folder, uint64_t image,
                           struct fth_spill_map *map)
{
    struct fth_error *none = NULL;
    char *path = fth_text_format("%s/%016" PRIx64 ".0.watched", folder->path, image);
    *map = (struct fth_spill_map){0};
    bool is_there = map_file(path, 1, map, &none) == 0;
    fth_error_free(none);
    free(path);
    return is_there;
}

void fth_spill_unmap(struct fth_spill_map *map)
{
    unmap_file(map);
}

bool fth_process_is_alive(int64_t pid)
{
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%" PRId64 "/stat", pid);
    FILE *file = fopen(path, "re");
    size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[length] = 0;
    const char *state = strrchr(text, ')');
    return state && state[1] == ' ' && !strchr("ZX", state[2]);
}
