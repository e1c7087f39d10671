/* Counting calls that are only watched. */
#include "capture/record/watched_calls.h"

#include "capture/process/budget.h"
#include "capture/process/process.h"
#include "capture/process/process_file.h"
#include "capture/process/spill_folder.h"
#include "interpose/own/apart.h"
#include "interpose/own/own_files.h"
#include "interpose/own/own_memory.h"
#include "interpose/own/stack.h"

#include <fcntl.h>

const uint8_t *fth_watched_as;

/* ---- blocks ---- */

static uint64_t blocks; /* of the process's file that were handed out */

/* A block on its way. */
struct mapping {
    uint64_t at;
    struct fth_watched_head *head, *over;
    int error;
};

static void map_block(void *argument)
{
    struct mapping *mapping = argument;
    char name[FTH_LONGEST_STREAM_NAME];
    fth_name_stream_file(name, 0, ".watched");
    int file = fth_spill_open(name, O_RDWR | O_CREAT, &mapping->error);
    if (file < 0)
        return;
    if (!mapping->over)
        mapping->head = fth_file_map(file, mapping->at, FTH_WATCHED_BLOCK, &mapping->error);
    else if (fth_file_map_over(file, mapping->at, FTH_WATCHED_BLOCK, mapping->over))
        mapping->head = mapping->over;
    fth_file_close(file);
}

struct fth_watched_head *fth_watched_map(enum fth_watched_kind kind, uint64_t *at)
{
    struct mapping mapping = {0};
    if (!fth_process || fth_process->stopped || !fth_budget_take(FTH_WATCHED_BLOCK))
        return NULL;
    mapping.at = __atomic_fetch_add(&blocks, 1, __ATOMIC_RELAXED) * FTH_WATCHED_BLOCK;
    fth_apart_or_alone(map_block, &mapping);
    if (!mapping.head) {
        fth_budget_give(FTH_WATCHED_BLOCK);
        return NULL;
    }
    *at = mapping.at;
    mapping.head->image = fth_process->image;
    mapping.head->kind = kind;
    mapping.head->magic = FTH_WATCHED_MAGIC;
    return mapping.head;
}

void fth_watched_in_child(void)
{
    blocks = 0;
}

bool fth_watched_map_again(struct fth_watched_head *head, uint64_t at)
{
    struct mapping mapping = {.at = at, .over = head};
    fth_apart_or_alone(map_block, &mapping);
    return mapping.head;
}

bool fth_watched_remap(const struct fth_recorder *recorder)
{
    const struct fth_watching *watching = recorder->watching;
    return !watching || fth_watched_map_again(watching->head, watching->at);
}

/* ---- of a thread ---- */

static size_t watching_bytes(uint32_t functions)
{
    return sizeof(struct fth_watching) + sizeof(uint16_t) * FTH_WATCHED_FLAGS * functions;
}

static void open_watching(void *argument)
{
    struct fth_recorder *recorder = argument;
    uint32_t count = fth_call_count; /* those of plug-ins are always recorded */
    struct fth_watching *made = fth_map_memory(watching_bytes(count));
    if (!made)
        return;
    made->places_count = count;
    made->head = fth_watched_map(FTH_WATCHED_CALLS, &made->at);
    if (made->head)
        recorder->watching = made;
    else
        fth_unmap(made, watching_bytes(count));
}

void fth_watched_close(struct fth_recorder *recorder)
{
    struct fth_watching *watching = recorder->watching;
    if (!watching)
        return;
    recorder->watching = NULL;
    fth_unmap(watching->head, FTH_WATCHED_BLOCK);
    fth_unmap(watching, watching_bytes(watching->places_count));
}

static struct fth_watched_calls *entries(const struct fth_watching *watching)
{
    return (struct fth_watched_calls *)(watching->head + 1);
}

__attribute__((noinline)) struct fth_watched_calls *
fth_watched_make(struct fth_recorder *recorder, uint32_t function, uint32_t flags)
{
    if (!recorder->watching && !recorder->nowhere && !recorder->retired)
        fth_on_own_stack(open_watching, recorder);
    struct fth_watching *watching = recorder->watching;
    if (!watching || function >= watching->places_count || watching->used == FTH_WATCHED_CALLS_ROOM)
        return NULL;
    struct fth_watched_calls *entry = &entries(watching)[watching->used++];
    entry->function = function;
    entry->flags = (uint16_t)(flags % FTH_INSIDE_ALL);
    entry->is_timed = flags < FTH_INSIDE_ALL;
    watching->places[function * FTH_WATCHED_FLAGS + flags] = (uint16_t)watching->used;
    return entry;
}

/* ---- counting ---- */

void fth_watched_count(struct fth_recorder *recorder, uint32_t function)
{
    struct fth_watched_calls *entry = fth_watched_entry(recorder, function, FTH_INSIDE_ALL);
    if (FTH_LIKELY(entry))
        entry->calls++;
    else if (recorder->watching)
        recorder->watching->head->others++;
    else
        recorder->live->unkept++;
}
