/* The plan of a replay in memory, and the functions that it calls. */
#include "player/player.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_CONTENT = 64 << 20 /* bytes; behind them there are zeros */ };

static const void *map_file(const char *path, size_t *length)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file < 0 || fstat(file, &status) < 0)
        fth_player_fail("cannot read '%s': %s", path, strerror(errno));
    *length = (size_t)status.st_size;
    void *mapped = *length ? mmap(NULL, *length, PROT_READ, MAP_PRIVATE, file, 0) : NULL;
    if (mapped == MAP_FAILED)
        fth_player_fail("cannot map '%s': %s", path, strerror(errno));
    close(file);
    return mapped;
}

static void *room(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory)
        fth_player_fail("out of memory");
    return memory;
}

static void find_functions(void)
{
    struct fth_player *player = &fth_player;
    player->addresses = room(player->plan->function_count, sizeof *player->addresses);
    for (uint32_t i = 0; i < player->plan->function_count; i++)
        player->addresses[i] = dlsym(RTLD_DEFAULT, fth_player_blob(player->functions[i].name));
}

static void make_slots(void)
{
    const struct fth_script_plan *plan = fth_player.plan;
    fth_player.slots = room(FTH_SCRIPT_CLASSES, sizeof *fth_player.slots);
    for (uint32_t i = 0; i < FTH_SCRIPT_CLASSES; i++)
        fth_player.slots[i] = room(plan->class_sizes[i], sizeof **fth_player.slots);
    for (uint32_t i = 0; i < plan->class_sizes[plan->fd_class]; i++)
        fth_player.slots[plan->fd_class][i] = -1;
}

static void make_content(void)
{
    size_t length = fth_player.plan->buffer_bytes;
    fth_player.given = mmap(NULL, length, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (fth_player.given == MAP_FAILED)
        fth_player_fail("no memory for the largest access, %zu bytes", length);
    for (size_t i = 0; i < length && i < MOST_CONTENT; i++)
        fth_player.given[i] = (char)('a' + (i * 7 + i / 4096) % 26);
}

/* A text of n bytes is the last n of it: one is enough for all. */
static void make_words(void)
{
    size_t length = fth_player.plan->words_bytes;
    char *words = room(length + 1, 1);
    memset(words, 'x', length);
    fth_player.words_end = words + length;
}

void fth_player_load(const char *folder, const char *mpi_library, const char *hdf5_library)
{
    struct fth_player *player = &fth_player;
    size_t length;
    char path[4200];
    player->folder = folder;
    snprintf(path, sizeof path, "%s/plan", folder);
    const char *mapped = map_file(path, &length);
    if (length < sizeof *player->plan ||
        ((const struct fth_script_plan *)(const void *)mapped)->magic != FTH_SCRIPT_MAGIC)
        fth_player_fail("'%s' is no plan of a replay", path);
    const struct fth_script_plan *plan = (const void *)mapped;
    player->plan = plan;
    player->processes = (const void *)(mapped + plan->processes_at);
    player->functions = (const void *)(mapped + plan->functions_at);
    player->blobs = (const void *)(mapped + plan->blobs_at);
    player->bytes = mapped + plan->bytes_at;
    if (plan->ranks)
        fth_player_load_mpi(*mpi_library ? mpi_library : NULL);
    if (plan->uses_hdf5)
        fth_player_load_hdf5(hdf5_library);
    if (plan->directory >= 0 && chdir(fth_player_blob(plan->directory)) != 0)
        fth_player_fail("cannot work in '%s': %s", fth_player_blob(plan->directory),
                        strerror(errno));
    find_functions();
    make_slots();
    make_content();
    make_words();
    player->known = room(plan->blob_count, sizeof *player->known);
    player->is_known = room(plan->blob_count, sizeof *player->is_known);
    player->children = room(plan->process_count, sizeof *player->children);
    player->outcomes = room(plan->function_count, sizeof *player->outcomes);
}

/* NULL: there is no such file. */
static const char *map_part(uint32_t process, uint32_t thread, const char *ending, size_t *length)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/%u.%u%s", fth_player.folder, process, thread, ending);
    *length = 0;
    if (access(path, R_OK) != 0)
        return NULL;
    const char *mapped = map_file(path, length);
    if (mapped) {
        madvise((void *)(uintptr_t)mapped, *length, MADV_SEQUENTIAL);
        madvise((void *)(uintptr_t)mapped, *length, MADV_WILLNEED);
    }
    return mapped;
}

const int64_t *fth_player_script(uint32_t process, uint32_t thread, const int64_t **end)
{
    size_t length;
    const char *mapped = map_part(process, thread, "", &length);
    *end = mapped ? (const void *)(mapped + length) : NULL;
    return (const void *)mapped;
}

const uint8_t *fth_player_times(uint32_t process, uint32_t thread, const uint8_t **end)
{
    size_t length;
    const char *mapped = map_part(process, thread, ".times", &length);
    *end = mapped ? (const void *)(mapped + length) : NULL;
    return (const void *)mapped;
}
