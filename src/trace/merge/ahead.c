/* Merging ahead: finds the processes that are worth it, and walks through what they have sealed. */
#include "trace/merge/ahead.h"

#include "base/memory.h"
#include "trace/file/container.h"
#include "trace/merge/image_facts.h"
#include "trace/record/builtin.h"
#include "trace/spill/memory_left.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

void fth_ahead_open(struct fth_ahead *ahead, const char *spill, const struct fth_time_mode *times)
{
    *ahead = (struct fth_ahead){.spill = fth_text_copy(spill),
                                .gather = {.times = *times},
                                .meanings = fth_builtin_meanings_new()};
}

static bool take_block(void *context, const void *bytes, size_t length, struct fth_error **error)
{
    struct fth_ahead_image *image = context;
    if (fth_write_at(image->columns, bytes, length, image->column_bytes, "columns", error))
        return false;
    image->column_bytes += length;
    return true;
}

static void leave(struct fth_ahead_image *image)
{
    if (image->columns < 0)
        return;
    close(image->columns);
    image->columns = -1;
    fth_image_walk_close(&image->walk);
    fth_part_free(&image->part);
}

void fth_ahead_close(struct fth_ahead *ahead)
{
    for (size_t i = 0; i < ahead->count; i++) {
        leave(ahead->images[i]);
        free(ahead->images[i]);
    }
    fth_gather_free(&ahead->gather);
    free(ahead->meanings);
    free(ahead->spill);
    *ahead = (struct fth_ahead){0};
}

/* ---- memory ---- */

static uint64_t taken(const struct fth_ahead *ahead)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < ahead->count; i++)
        bytes += ahead->images[i]->columns >= 0 ? FTH_AHEAD_MEMORY : 0;
    return bytes;
}

/* Nothing that can be done later is a reason for the command to be out of memory: where it needs
 * more than it did, it gets that. */
static void leave_memory_to_command(struct fth_ahead *ahead, uint64_t left)
{
    if (left < 2 * taken(ahead))
        for (size_t i = 0; i < ahead->count; i++)
            leave(ahead->images[i]);
}

/* ---- which processes ---- */

static bool is_here(const struct fth_ahead *ahead, uint64_t image)
{
    for (size_t i = 0; i < ahead->count; i++)
        if (ahead->images[i]->image == image)
            return true;
    return false;
}

static void add_image(struct fth_ahead *ahead, uint64_t number)
{
    struct fth_ahead_image *image = fth_new(1, sizeof *image);
    image->image = number;
    image->columns = open(ahead->spill, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (image->columns >= 0) {
        fth_part_init(&image->part, fth_builtin_catalog());
        fth_image_walk_open(&image->walk, &image->part, take_block, image);
        image->walk.walk.meanings = ahead->meanings;
    }
    ahead->images[ahead->count++] = image;
}

/* Is there room for one more? `left`: bytes. */
static bool has_room(const struct fth_ahead *ahead, uint64_t left)
{
    return ahead->count < FTH_AHEAD_MOST &&
           left / FTH_AHEAD_SHARE >= taken(ahead) + FTH_AHEAD_MEMORY;
}

/* Those whose first stream has become long. */
static void look_for_images(struct fth_ahead *ahead, uint64_t left)
{
    struct stat facts;
    DIR *folder = has_room(ahead, left) ? opendir(ahead->spill) : NULL;
    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        uint64_t image;
        int end = 0;
        if (sscanf(entry->d_name, "%16" SCNx64 ".0.sealed%n", &image, &end) == 1 && end &&
            !entry->d_name[end] && !is_here(ahead, image) && has_room(ahead, left) &&
            fstatat(dirfd(folder), entry->d_name, &facts, AT_SYMLINK_NOFOLLOW) == 0 &&
            facts.st_size >= FTH_AHEAD_LEAST)
            add_image(ahead, image);
    }
    if (folder)
        closedir(folder);
}

/* ---- going on ---- */

/* Ranks that have much merge it themselves, in MPI_Finalize, and what others have is little. */
static bool is_of_mpi(const struct fth_spill_process *process)
{
    return process->world & 1;
}

static enum fth_ahead_state go_on(struct fth_ahead *ahead, struct fth_ahead_image *image,
                                  const bool *is_over)
{
    struct fth_spill_folder folder;
    struct fth_error *error = NULL;
    enum fth_ahead_state state = FTH_AHEAD_WAITS; /* its file is not where it was, for the moment */
    if (fth_spill_folder_open_one(&folder, ahead->spill, image->image, &error) == 0) {
        struct fth_clock *clock = fth_clocks_of(folder.images, 1);
        state = is_of_mpi(folder.images[0].process)
                    ? FTH_AHEAD_FAILED
                    : fth_gather_ahead(&ahead->gather, &image->walk, &folder, &folder.images[0],
                                       clock, is_over);
        free(clock);
    }
    fth_error_free(error);
    fth_spill_folder_close(&folder);
    return state;
}

bool fth_ahead_go_on(struct fth_ahead *ahead, const bool *is_over)
{
    const uint64_t left = fth_memory_left();
    bool moved = false;
    leave_memory_to_command(ahead, left);
    look_for_images(ahead, left);
    for (size_t i = 0; i < ahead->count && !__atomic_load_n(is_over, __ATOMIC_RELAXED); i++) {
        struct fth_ahead_image *image = ahead->images[i];
        enum fth_ahead_state state =
            image->columns < 0 ? FTH_AHEAD_WAITS : go_on(ahead, image, is_over);
        if (state == FTH_AHEAD_FAILED)
            leave(image);
        moved |= state == FTH_AHEAD_MOVED;
    }
    return moved;
}

/* ---- at the end ---- */

struct fth_ahead_image *fth_ahead_find(struct fth_ahead *ahead, const struct fth_spill_image *image,
                                       const struct fth_clock *clock)
{
    for (size_t i = 0; i < ahead->count; i++) {
        struct fth_ahead_image *found = ahead->images[i];
        if (found->image != image->image)
            continue;
        bool fits = found->columns >= 0 && found->walk.is_ahead && image->stream_count &&
                    image->streams[0] == 0 &&
                    found->walk.walk.process.facts.quantum ==
                        fth_clock_quantum(clock, &ahead->gather.times);
        return fits ? found : NULL;
    }
    return NULL;
}
