/* Adding up the live area of a stream: read as the merge reads it, in memory that is given back
 * behind it, into entries of a mapped file (trace/record/summed_file.h). */
#include "capture/record/sum_stream.h"

#include "base/memory.h"
#include "capture/process/budget.h"
#include "capture/process/process.h"
#include "capture/process/process_file.h"
#include "capture/process/spill_folder.h"
#include "capture/record/plugin.h"
#include "capture/record/stop.h"
#include "capture/record/summed_memory.h"
#include "interpose/own/apart.h"
#include "interpose/own/own_files.h"
#include "interpose/own/own_memory.h"
#include "trace/merge/definitions.h"
#include "trace/merge/walk_call.h"
#include "trace/record/builtin.h"
#include "trace/record/summed_file.h"

#include <fcntl.h>
#include <string.h>

enum {
    FIRST_PLACES = 1 << 8, /* of the index */
    FOR_FUNCTIONS = 4096,  /* bytes at the end of a file that cannot grow, which no path takes */
};

/* The file of a stream, and an index of its entries. */
struct fth_stream_sums {
    struct fth_summed_head *head;
    uint64_t bytes;   /* that are mapped */
    bool is_full;     /* it cannot grow */
    uint32_t *places; /* [hash]: where an entry is in the file; 0: free */
    uint32_t place_count, entry_count;
};

/* ---- the file ---- */

struct opening {
    const struct fth_stream *stream;
    uint64_t bytes;
    struct fth_summed_head *head; /* NULL: it failed */
};

static void map_file(void *argument)
{
    struct opening *opening = argument;
    char name[FTH_LONGEST_STREAM_NAME];
    int error;
    fth_name_stream_file(name, opening->stream->number, ".sums");
    int file = fth_spill_open(name, O_RDWR | O_CREAT, &error);
    if (file < 0)
        return;
    opening->head = fth_file_map(file, 0, opening->bytes, &error);
    fth_file_close(file);
}

/* Maps so much of it in place of what is mapped. */
static bool map_bytes(const struct fth_stream *stream, struct fth_stream_sums *sums, uint64_t bytes)
{
    struct opening opening = {.stream = stream, .bytes = bytes};
    fth_apart_or_alone(map_file, &opening);
    if (!opening.head)
        return false;
    if (sums->head)
        fth_unmap(sums->head, sums->bytes);
    sums->head = opening.head;
    sums->bytes = bytes;
    return true;
}

static bool grow(const struct fth_stream *stream, struct fth_stream_sums *sums)
{
    if (sums->is_full || sums->bytes > UINT32_MAX / 2 || !fth_budget_take(sums->bytes)) {
        sums->is_full = true;
        return false;
    }
    uint64_t more = sums->bytes;
    sums->is_full = !map_bytes(stream, sums, 2 * more);
    if (sums->is_full)
        fth_budget_give(more);
    return !sums->is_full;
}

/* ---- the index ---- */

static struct fth_summed_entry *entry_at(const struct fth_stream_sums *sums, uint32_t place)
{
    return (struct fth_summed_entry *)((char *)sums->head + place);
}

static uint32_t hash_of(const struct fth_summed_entry *key, const void *path)
{
    return (uint32_t)XXH3_64bits_withSeed(
        path, key->length, (uint64_t)key->kind << 48 | key->function << 8 | key->flags);
}

/* Where the entry is in the index, or a free place for it. */
static uint32_t *find_place(const struct fth_stream_sums *sums, const struct fth_summed_entry *key,
                            const void *path)
{
    uint32_t mask = sums->place_count - 1, at = hash_of(key, path) & mask;
    for (; sums->places[at]; at = (at + 1) & mask) {
        const struct fth_summed_entry *entry = entry_at(sums, sums->places[at]);
        if (entry->kind == key->kind && entry->function == key->function &&
            entry->flags == key->flags && entry->length == key->length &&
            memcmp(entry->path, path, key->length) == 0)
            break;
    }
    return &sums->places[at];
}

/* An index with so many places, of what the file holds. */
static bool index_all(struct fth_stream_sums *sums, uint32_t places)
{
    uint32_t *made = fth_map_memory(places * sizeof *made);
    if (!made)
        return false;
    if (sums->places)
        fth_unmap(sums->places, sums->place_count * sizeof *made);
    sums->places = made;
    sums->place_count = places;
    sums->entry_count = 0;
    for (uint64_t at = sizeof *sums->head; at < sums->head->used;) {
        const struct fth_summed_entry *entry = entry_at(sums, (uint32_t)at);
        *find_place(sums, entry, entry->path) = (uint32_t)at;
        sums->entry_count++;
        at += fth_summed_entry_bytes(entry->length);
    }
    return true;
}

static bool open_sums(const struct fth_stream *stream, struct fth_stream_sums *sums)
{
    if (!map_bytes(stream, sums, FTH_SUMMED_FIRST))
        return false;
    if (sums->head->magic != FTH_SUMMED_MAGIC)
        *sums->head =
            (struct fth_summed_head){FTH_SUMMED_MAGIC, fth_process->image, sizeof *sums->head};
    while (sums->head->used > sums->bytes) /* it has grown in this process before */
        if (!map_bytes(stream, sums, 2 * sums->bytes))
            return false;
    uint32_t places = FIRST_PLACES;
    while (places < sums->head->used / sizeof(struct fth_summed_entry) * 2)
        places *= 2;
    return index_all(sums, places);
}

static void close_sums(struct fth_stream_sums *sums)
{
    if (sums->head)
        fth_unmap(sums->head, sums->bytes);
    if (sums->places)
        fth_unmap(sums->places, sums->place_count * sizeof *sums->places);
    fth_unmap(sums, sizeof *sums);
}

static struct fth_stream_sums *sums_of(struct fth_stream *stream)
{
    if (stream->sums)
        return stream->sums;
    struct fth_stream_sums *sums = fth_map_memory(sizeof *sums);
    if (!sums)
        return NULL;
    if (!open_sums(stream, sums)) {
        close_sums(sums);
        return NULL;
    }
    return stream->sums = sums;
}

bool fth_summed_open(struct fth_stream *stream)
{
    return sums_of(stream) || fth_recording_lacks_memory();
}

void fth_summed_close(struct fth_stream *stream)
{
    if (stream->sums)
        close_sums(stream->sums);
    stream->sums = NULL;
}

/* ---- entries ---- */

static bool has_room(const struct fth_stream *stream, struct fth_stream_sums *sums,
                     const struct fth_summed_entry *key)
{
    uint64_t needed = fth_summed_entry_bytes(key->length), kept = FOR_FUNCTIONS;
    if (sums->head->used + needed + kept <= sums->bytes)
        return true;
    while (grow(stream, sums))
        if (sums->head->used + needed + kept <= sums->bytes)
            return true;
    bool is_path = key->kind == FTH_SUMMED_PATH || key->kind == FTH_SUMMED_MAPPED;
    return !is_path && sums->head->used + needed <= sums->bytes;
}

/* Its entry, made if there is none; NULL: there is no room. */
static struct fth_summed_entry *entry_of(const struct fth_stream *stream,
                                         struct fth_stream_sums *sums,
                                         const struct fth_summed_entry *key, const void *path)
{
    if (sums->entry_count * 2 >= sums->place_count && !index_all(sums, sums->place_count * 2))
        return NULL;
    uint32_t *place = find_place(sums, key, path);
    if (*place)
        return entry_at(sums, *place);
    if (!has_room(stream, sums, key))
        return NULL;
    *place = (uint32_t)sums->head->used;
    sums->entry_count++;
    struct fth_summed_entry *entry = entry_at(sums, *place);
    *entry = *key;
    memcpy(entry->path, path, key->length);
    atomic_signal_fence(memory_order_seq_cst);
    sums->head->used += fth_summed_entry_bytes(key->length);
    return entry;
}

/* Its counts for the commit that comes next, those of the last one at first: the other version,
 * which may be of an attempt before. */
static uint64_t *counts_of(const struct fth_stream *stream, struct fth_summed_entry *entry)
{
    uint64_t next = stream->sequence + 1;
    const struct fth_summed_version *valid = fth_summed_at(entry, stream->sequence);
    struct fth_summed_version *version = &entry->versions[valid == &entry->versions[0]];
    version->sequence = 0;
    atomic_signal_fence(memory_order_seq_cst);
    for (int i = 0; i < FTH_SUMMED_COUNTS; i++)
        version->counts[i] = valid ? valid->counts[i] : 0;
    atomic_signal_fence(memory_order_seq_cst);
    version->sequence = next;
    return version->counts;
}

/* ---- adding up ---- */

struct adding {
    struct fth_recorder *recorder;
    struct fth_stream_sums *sums;
    struct fth_walk walk;
    struct fth_part part;
    struct fth_definitions defined;
    bool added;
};

static bool define(void *context, const uint32_t *words, const uint32_t *end)
{
    struct adding *adding = context;
    struct fth_signature *made;
    return fth_define(&adding->defined, &adding->walk, words, end, &made);
}

static bool add_call(void *context, const struct fth_live_call *call)
{
    struct adding *adding = context;
    struct fth_walked walked;
    if (!fth_call_kind_has(&adding->defined, call))
        return false;
    struct fth_call_kind *kind = fth_defined_kind(&adding->defined, call->symbol);
    fth_walk_step(&adding->walk, &kind->signature, call->gap, call->duration, call->literals,
                  &walked);
    fth_walk_sum(&adding->walk, kind, &walked);
    return true;
}

static bool add_function(struct adding *adding, const struct fth_sum *sum)
{
    const struct fth_stream *stream = adding->recorder->stream;
    const struct fth_summed_entry key = {
        .kind = FTH_SUMMED_FUNCTION, .function = sum->function, .flags = sum->flags};
    struct fth_summed_entry *entry = entry_of(stream, adding->sums, &key, "");
    if (!entry)
        return false;
    uint64_t *counts = counts_of(stream, entry);
    counts[5] = !counts[0] || sum->shortest < counts[5] ? sum->shortest : counts[5];
    counts[6] = sum->longest > counts[6] ? sum->longest : counts[6];
    counts[0] += sum->calls;
    counts[1] += sum->errors;
    counts[2] += sum->bytes_read;
    counts[3] += sum->bytes_written;
    counts[4] += sum->time;
    return true;
}

static struct fth_summed_entry *path_entry(struct adding *adding, enum fth_summed_kind kind,
                                           uint32_t path)
{
    size_t length;
    const struct fth_stream *stream = adding->recorder->stream;
    const void *text = fth_interned(&adding->walk.names.texts, path, &length);
    const struct fth_summed_entry key = {.kind = kind, .length = (uint32_t)length};
    return entry_of(stream, adding->sums, &key, text);
}

/* Two files may share the entry of the others: what the first one added is there already. */
static uint64_t *others(struct adding *adding, bool *are_begun)
{
    const struct fth_stream *stream = adding->recorder->stream;
    const struct fth_summed_entry key = {.kind = FTH_SUMMED_OTHERS};
    struct fth_summed_entry *entry = entry_of(stream, adding->sums, &key, "");
    if (!entry)
        return NULL;
    for (int i = 0; i < 2 && *are_begun; i++)
        if (entry->versions[i].sequence == stream->sequence + 1)
            return entry->versions[i].counts;
    *are_begun = true;
    return counts_of(stream, entry);
}

static bool add_path(struct adding *adding, const struct fth_path_sum *sum, bool *are_begun)
{
    struct fth_summed_entry *entry = path_entry(adding, FTH_SUMMED_PATH, sum->path);
    uint64_t *counts =
        entry ? counts_of(adding->recorder->stream, entry) : others(adding, are_begun);
    if (!counts)
        return false;
    counts[0] += sum->opens;
    counts[1] += sum->calls;
    counts[2] += sum->bytes_read;
    counts[3] += sum->bytes_written;
    counts[4] += sum->time;
    return true;
}

static void add_mapped(struct adding *adding, const struct fth_mapped_file *file)
{
    struct fth_summed_entry *entry = path_entry(adding, FTH_SUMMED_MAPPED, file->path);
    uint64_t *counts = entry ? counts_of(adding->recorder->stream, entry) : NULL;
    if (counts && file->bytes > counts[0])
        counts[0] = file->bytes;
}

/* What the live area adds up to goes to the entries. */
static bool add_sums(struct adding *adding)
{
    const struct fth_part_process *process = &adding->walk.process;
    bool added = true, are_begun = false;
    for (size_t i = 0; i < process->sum_count; i++)
        added = add_function(adding, &process->sums[i]) && added;
    for (size_t i = 0; i < process->path_count; i++)
        added = add_path(adding, &process->paths[i], &are_begun) && added;
    for (size_t i = 0; i < adding->walk.mapped.count; i++)
        add_mapped(adding, &adding->walk.mapped.files[i]);
    return added;
}

/* The rows of plug-ins count, too. */
static bool take_plugins(void)
{
    struct fth_error *error = NULL;
    bool complete = true;
    for (unsigned i = 0; complete && i < fth_plugin_count(); i++) {
        const struct fth_plugin *plugin = fth_plugin_at(i);
        complete = fth_builtin_extend(plugin->library.name, plugin->text, plugin->text_length,
                                      &error) == 0;
    }
    return complete;
}

/* The catalogue, once in this process: it stays. */
static bool is_prepared(void)
{
    static bool is_tried, is_ready;
    if (is_tried)
        return is_ready;
    is_tried = true;
    fth_summed_memory_lasting();
    is_ready = take_plugins() && fth_builtin_meanings();
    return is_ready;
}

static void add_up(void *argument)
{
    struct adding *adding = argument;
    struct fth_recorder *recorder = adding->recorder;
    struct fth_walk *walk = &adding->walk;
    const struct fth_spill_live *live = recorder->live;
    if (!is_prepared())
        return;
    fth_summed_memory_passing();
    adding->part.catalog = fth_builtin_catalog();
    *walk = (struct fth_walk){.part = &adding->part, .meanings = fth_builtin_meanings()};
    walk->sum_places =
        fth_new(adding->part.catalog->row_count * FTH_INSIDE_ALL, sizeof *walk->sum_places);
    fth_process_names_init(&walk->names);
    walk->process.facts.quantum = 1;
    walk->quantum = fth_divisor_of(1);
    walk->process.facts.directory = (char *)(uintptr_t)fth_spill_text(fth_process, "cwd", NULL);
    walk->now = walk->units = live->base;
    walk->thread = live->thread;
    fth_thread_state_init(&walk->state, adding->part.catalog, &walk->names, walk->meanings);
    fth_definitions_start(&adding->defined);
    adding->added =
        fth_live_read((const uint32_t *)(live + 1), recorder->at, define, add_call, adding) &&
        add_sums(adding);
}

/* ---- one thread at a time ---- */

static struct fth_lock adding_up;

bool fth_summed_add(struct fth_recorder *recorder)
{
    static struct adding adding; /* too large for the stack that we may be on */
    fth_lock(&adding_up);
    adding = (struct adding){.recorder = recorder, .sums = sums_of(recorder->stream)};
    if (adding.sums)
        fth_summed_memory_in(add_up, &adding);
    bool added = adding.added;
    fth_unlock(&adding_up);
    return added || fth_recording_lacks_memory();
}

void fth_summed_in_child(void)
{
    if (adding_up.owner)
        adding_up.owner = NULL;
}
