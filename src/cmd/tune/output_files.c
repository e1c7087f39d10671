/* What runs of a program leave in a folder, compared: see the header. Contents are compared by
 * their hash of 128 bits (XXH3). */
#include "cmd/tune/output_files.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

enum { MOST_ENTRIES = 500000, PIECE = 1 << 18 };

/* ---- reading ---- */

struct timespec fth_cmd_outputs_now(void)
{
    struct timespec time = {0};
    clock_gettime(CLOCK_REALTIME_COARSE, &time);
    return time;
}

static bool is_earlier(struct timespec one, struct timespec other)
{
    return one.tv_sec != other.tv_sec ? one.tv_sec < other.tv_sec : one.tv_nsec < other.tv_nsec;
}

static void set_hash(struct fth_cmd_output *output, XXH128_hash_t hash)
{
    output->hash[0] = hash.low64;
    output->hash[1] = hash.high64;
}

static int hash_file(struct fth_cmd_output *output, struct fth_error **error)
{
    int file = open(output->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    char *piece = fth_new(PIECE, 1);
    XXH3_state_t *state = XXH3_createState();
    ssize_t length = -1;
    if (file >= 0 && state) {
        XXH3_128bits_reset(state);
        while ((length = read(file, piece, PIECE)) > 0)
            XXH3_128bits_update(state, piece, (size_t)length);
    }
    if (!length)
        set_hash(output, XXH3_128bits_digest(state));
    int result = length ? fth_fail_errno(error, "cannot read '%s'", output->path) : 0;
    XXH3_freeState(state);
    free(piece);
    if (file >= 0)
        close(file);
    return result;
}

static int hash_link(struct fth_cmd_output *output, struct fth_error **error)
{
    char target[PATH_MAX];
    ssize_t length = readlink(output->path, target, sizeof target);
    if (length < 0)
        return fth_fail_errno(error, "cannot read '%s'", output->path);
    set_hash(output, XXH3_128bits(target, (size_t)length));
    return 0;
}

static int add(struct fth_cmd_outputs *outputs, const FTSENT *entry, struct fth_error **error)
{
    FTH_GROW(outputs->list, outputs->count);
    struct fth_cmd_output *output = &outputs->list[outputs->count++];
    *output = (struct fth_cmd_output){.path = fth_text_copy(entry->fts_path),
                                      .mode = entry->fts_statp->st_mode,
                                      .size = (uint64_t)entry->fts_statp->st_size};
    if (S_ISLNK(entry->fts_statp->st_mode))
        return hash_link(output, error);
    return S_ISREG(entry->fts_statp->st_mode) ? hash_file(output, error) : 0;
}

static int take(struct fth_cmd_outputs *outputs, FTS *walk, FTSENT *entry, struct timespec since,
                const char *without, struct fth_error **error)
{
    switch (entry->fts_info) {
    case FTS_D:
        if (!strcmp(entry->fts_path, without))
            fts_set(walk, entry, FTS_SKIP);
        return 0;
    case FTS_DNR:
    case FTS_ERR:
    case FTS_NS:
        errno = entry->fts_errno;
        return fth_fail_errno(error, "cannot read '%s'", entry->fts_path);
    case FTS_F:
    case FTS_SL:
    case FTS_SLNONE:
    case FTS_DEFAULT:
        return is_earlier(entry->fts_statp->st_ctim, since) ? 0 : add(outputs, entry, error);
    }
    return 0;
}

static int by_path(const void *one, const void *other)
{
    const struct fth_cmd_output *a = one, *b = other;
    return strcmp(a->path, b->path);
}

int fth_cmd_outputs_read(struct fth_cmd_outputs *outputs, const char *folder, struct timespec since,
                         const char *without, struct fth_error **error)
{
    char *roots[] = {(char *)(uintptr_t)folder, NULL};
    size_t entries = 0;
    int result = 0;
    *outputs = (struct fth_cmd_outputs){0};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    FTSENT *entry;
    while (walk && !result && (entry = fts_read(walk)))
        result =
            ++entries > MOST_ENTRIES
                ? fth_fail(error, "'%s' has more than %d files and folders", folder, MOST_ENTRIES)
                : take(outputs, walk, entry, since, without, error);
    if (!walk)
        return fth_fail_errno(error, "cannot read '%s'", folder);
    fts_close(walk);
    if (outputs->count)
        qsort(outputs->list, outputs->count, sizeof *outputs->list, by_path);
    return result;
}

void fth_cmd_outputs_free(struct fth_cmd_outputs *outputs)
{
    for (size_t i = 0; i < outputs->count; i++)
        free(outputs->list[i].path);
    free(outputs->list);
    *outputs = (struct fth_cmd_outputs){0};
}

/* ---- comparing ---- */

static const struct fth_cmd_output *find(const struct fth_cmd_outputs *outputs, const char *path)
{
    const struct fth_cmd_output key = {.path = (char *)(uintptr_t)path};
    return outputs->count
               ? bsearch(&key, outputs->list, outputs->count, sizeof *outputs->list, by_path)
               : NULL;
}

static bool is_same(const struct fth_cmd_output *one, const struct fth_cmd_output *other)
{
    return one->mode == other->mode && one->size == other->size && one->hash[0] == other->hash[0] &&
           one->hash[1] == other->hash[1];
}

void fth_cmd_outputs_meet(struct fth_cmd_outputs *outputs, const struct fth_cmd_outputs *other)
{
    size_t count = outputs->count;
    for (size_t i = 0; i < count; i++) {
        const struct fth_cmd_output *same = find(other, outputs->list[i].path);
        outputs->list[i].varies |= !same || !is_same(&outputs->list[i], same);
    }
    for (size_t i = 0; i < other->count; i++) {
        const struct fth_cmd_outputs known = {outputs->list, count};
        if (find(&known, other->list[i].path))
            continue;
        FTH_GROW(outputs->list, outputs->count);
        struct fth_cmd_output *added = &outputs->list[outputs->count++];
        *added = other->list[i];
        added->path = fth_text_copy(added->path);
        added->varies = true;
    }
    if (outputs->count)
        qsort(outputs->list, outputs->count, sizeof *outputs->list, by_path);
}

size_t fth_cmd_outputs_steady(const struct fth_cmd_outputs *outputs)
{
    size_t count = 0;
    for (size_t i = 0; i < outputs->count; i++)
        count += !outputs->list[i].varies;
    return count;
}

int fth_cmd_outputs_check(const struct fth_cmd_outputs *outputs,
                          const struct fth_cmd_outputs *changed, struct fth_error **error)
{
    size_t steady = fth_cmd_outputs_steady(outputs);
    if (!steady)
        return fth_fail(error,
                        "no file is the same in all unchanged runs, so none can be compared");
    for (size_t i = 0; i < outputs->count; i++) {
        const struct fth_cmd_output *file = &outputs->list[i];
        const struct fth_cmd_output *now = find(changed, file->path);
        if (!file->varies && (!now || !is_same(file, now)))
            return fth_fail(error, "'%s' is %s", file->path,
                            now ? "not the same as in unchanged runs" : "not made");
    }
    for (size_t i = 0; i < changed->count && steady == outputs->count; i++)
        if (!find(outputs, changed->list[i].path))
            return fth_fail(error, "'%s' is in no unchanged run", changed->list[i].path);
    return 0;
}
