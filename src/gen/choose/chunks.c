/* Chunks of variables that grow: HDF5 and NetCDF-4 keep these in chunks, each contiguous in the
 * file and with an entry in an index. Weighed are
 *  - a record: all of one index of the dimension that grows;
 *  - several records, where one is so small that the index would have an entry for little;
 *  - the part of a process, where parts are equal and lie side by side: then a process moves one
 *    contiguous run, and shares no chunk with others.
 * What counts is the number of contiguous runs that all processes move in a step. A chunk has less
 * than 4 GiB in HDF5. What has fixed lengths is contiguous. */
#include "gen/choose/chunks.h"

#include "base/memory.h"
#include "base/phrase.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_CHUNK ((uint64_t)8 << 10)
#define LEAST_PART ((uint64_t)64 << 10)
#define MOST_CHUNK ((uint64_t)1 << 30)
enum { LEAST_VALUES = 1024 };

/* A variable, and what all processes access of one record. */
struct weighing {
    struct fth_gen_model *model;
    struct fth_gen_variable *variable;
    uint32_t dimensions; /* the slowest one, which grows, is number 0 */
    uint64_t length[FTH_GEN_MOST_DIMENSIONS], part[FTH_GEN_MOST_DIMENSIONS];
    uint64_t item, record; /* bytes */
    struct fth_gen_box *boxes;
    size_t count;
    const char *unknown; /* why boxes are not known; NULL: they are */
};

static uint64_t product(uint64_t item, const uint64_t *lengths, uint32_t count)
{
    uint64_t all = item;
    for (uint32_t i = 0; i < count; i++)
        if (__builtin_mul_overflow(all, lengths[i], &all))
            return UINT64_MAX;
    return all;
}

static bool find_lengths(struct weighing *weighing)
{
    const struct fth_gen_model *model = weighing->model;
    for (uint32_t i = 1; i < weighing->dimensions; i++) {
        const struct fth_gen_dimension *dimension =
            &model->dimensions[fth_gen_dimension_at(model, weighing->variable, i)];
        if (!dimension->known || dimension->value < 1)
            return false;
        weighing->length[i] = (uint64_t)dimension->value;
    }
    weighing->length[0] = 1;
    weighing->item = fth_gen_bytes_of(weighing->variable);
    weighing->record = product(weighing->item, weighing->length, weighing->dimensions);
    return weighing->record != UINT64_MAX;
}

/* Of all accesses of the variable. */
static void find_boxes(struct weighing *weighing)
{
    struct fth_gen_model *model = weighing->model;
    uint32_t number = (uint32_t)(weighing->variable - model->variables);
    int64_t processes = fth_gen_processes(model, weighing->variable->file);
    if (!processes)
        weighing->unknown = "the number of processes";
    for (uint32_t i = 0; i < model->access_count && !weighing->unknown; i++) {
        struct fth_gen_box *boxes = NULL;
        const char *unknown = NULL;
        size_t count;
        if (model->accesses[i].variable != number)
            continue;
        if (!fth_gen_record_boxes(model, &model->accesses[i], processes, &boxes, &count, &unknown))
            weighing->unknown = unknown ? unknown : "an expression";
        for (size_t j = 0; j < count && !weighing->unknown; j++) {
            FTH_GROW(weighing->boxes, weighing->count);
            weighing->boxes[weighing->count++] = boxes[j];
        }
        free(boxes);
    }
}

/* Are they within the record? The check of accesses says so elsewhere. */
static bool are_inside(const struct weighing *weighing)
{
    for (size_t i = 0; i < weighing->count; i++)
        for (uint32_t d = 1; d < weighing->dimensions; d++) {
            const struct fth_gen_box *box = &weighing->boxes[i];
            int64_t length = (int64_t)weighing->length[d];
            if (box->start[d] < 0 || box->count[d] < 1 || box->count[d] > length ||
                box->start[d] > length - box->count[d])
                return false;
        }
    return true;
}

/* Contiguous runs of boxes that each lie in one chunk of this shape. */
static uint64_t runs_of(const struct weighing *weighing, const uint64_t *chunk)
{
    uint64_t all = 0;
    for (size_t i = 0; i < weighing->count; i++) {
        const int64_t *count = weighing->boxes[i].count;
        uint64_t runs = 1;
        uint32_t last = weighing->dimensions - 1;
        while (last > 0 && (uint64_t)count[last] == chunk[last])
            last--;
        for (uint32_t d = 1; d < last; d++)
            if (__builtin_mul_overflow(runs, (uint64_t)count[d], &runs))
                return UINT64_MAX;
        if (__builtin_add_overflow(all, runs, &all))
            return UINT64_MAX;
    }
    return all;
}

/* Is each box one of equal parts, or what is left of one at an end? */
static bool find_part(struct weighing *weighing)
{
    weighing->part[0] = 1;
    for (uint32_t d = 1; d < weighing->dimensions; d++) {
        weighing->part[d] = 1;
        for (size_t i = 0; i < weighing->count; i++)
            if ((uint64_t)weighing->boxes[i].count[d] > weighing->part[d])
                weighing->part[d] = (uint64_t)weighing->boxes[i].count[d];
    }
    for (size_t i = 0; i < weighing->count; i++)
        for (uint32_t d = 1; d < weighing->dimensions; d++) {
            uint64_t start = (uint64_t)weighing->boxes[i].start[d],
                     count = (uint64_t)weighing->boxes[i].count[d];
            if (start % weighing->part[d] ||
                (count != weighing->part[d] && start + count != weighing->length[d]))
                return false;
        }
    return true;
}

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* ---- what is chosen ---- */

/* The accesses of processes that have chunks of their own. */
static void forget_exchange(struct weighing *weighing)
{
    struct fth_gen_model *model = weighing->model;
    uint32_t number = (uint32_t)(weighing->variable - model->variables);
    for (uint32_t i = 0; i < model->access_count; i++) {
        struct fth_gen_choice *choice = &model->accesses[i].choice;
        if (model->accesses[i].variable != number || !choice->two_phase)
            continue;
        choice->two_phase = false;
        choice->buffer_bytes = 0;
        free(choice->reason);
        choice->reason =
            fth_text_copy("Collective, phases left to MPI-IO: each process has a chunk "
                          "of its own, so there is nothing to exchange.");
    }
}

static char *take_values(struct weighing *weighing, uint64_t *chunk)
{
    chunk[0] = LEAST_CHUNK / weighing->item;
    if (chunk[0] < LEAST_VALUES)
        chunk[0] = LEAST_VALUES;
    return fth_text_format("Chunks of %llu values: each value alone would be a chunk of its own.",
                           (unsigned long long)chunk[0]);
}

static char *take_records(struct weighing *weighing, uint64_t *chunk)
{
    chunk[0] = (LEAST_CHUNK + weighing->record - 1) / weighing->record;
    return fth_text_format("Chunks of %llu records, %s: the index would have an entry for each "
                           "record, which is only %s.",
                           (unsigned long long)chunk[0],
                           fth_phrase_bytes(chunk[0] * weighing->record).text,
                           fth_phrase_bytes(weighing->record).text);
}

static char *take_parts(struct weighing *weighing, uint64_t *chunk, uint64_t runs, uint64_t instead)
{
    memcpy(chunk, weighing->part, weighing->dimensions * sizeof *chunk);
    forget_exchange(weighing);
    return fth_text_format(
        "Chunks are the parts of processes, %s: these move %llu contiguous run%s "
        "in a step, %llu with a chunk for a record.",
        fth_phrase_bytes(product(weighing->item, chunk, weighing->dimensions)).text,
        (unsigned long long)runs, plural(runs), (unsigned long long)instead);
}

/* Halves the longest dimension until it is small enough. */
static char *take_pieces(struct weighing *weighing, uint64_t *chunk)
{
    while (product(weighing->item, chunk, weighing->dimensions) > MOST_CHUNK) {
        uint32_t longest = 1;
        for (uint32_t d = 2; d < weighing->dimensions; d++)
            if (chunk[d] > chunk[longest])
                longest = d;
        if (chunk[longest] < 2)
            break;
        chunk[longest] = (chunk[longest] + 1) / 2;
    }
    return fth_text_format(
        "Chunks are pieces of a record, %s: HDF5 has none of 4 GiB, and a record "
        "has %s.",
        fth_phrase_bytes(product(weighing->item, chunk, weighing->dimensions)).text,
        fth_phrase_bytes(weighing->record).text);
}

static char *take_record(const struct weighing *weighing)
{
    if (weighing->unknown)
        return fth_text_format("Chunks are records, %s. Which parts processes access is not known, "
                               "because of %s.",
                               fth_phrase_bytes(weighing->record).text, weighing->unknown);
    uint64_t runs = runs_of(weighing, weighing->length);
    return fth_text_format(
        "Chunks are records, %s: processes move %llu contiguous run%s in a step, "
        "and smaller chunks do not make these fewer.",
        fth_phrase_bytes(weighing->record).text, (unsigned long long)runs, plural(runs));
}

static char *weigh_parts(struct weighing *weighing, uint64_t *chunk)
{
    bool known = !weighing->unknown && are_inside(weighing);
    if (known && find_part(weighing)) {
        uint64_t bytes = product(weighing->item, weighing->part, weighing->dimensions),
                 runs = runs_of(weighing, weighing->part),
                 instead = runs_of(weighing, weighing->length);
        if (bytes >= LEAST_PART && bytes <= MOST_CHUNK && runs < instead)
            return take_parts(weighing, chunk, runs, instead);
    }
    return weighing->record > MOST_CHUNK ? take_pieces(weighing, chunk) : take_record(weighing);
}

/* --explain says it of each access of the variable. */
static void explain(const struct weighing *weighing, const char *reason)
{
    struct fth_gen_model *model = weighing->model;
    uint32_t number = (uint32_t)(weighing->variable - model->variables);
    for (uint32_t i = 0; i < model->access_count; i++) {
        struct fth_gen_choice *choice = &model->accesses[i].choice;
        if (model->accesses[i].variable != number || !choice->weighed)
            continue;
        char *longer = fth_text_format("%s%s\n", choice->weighed, reason);
        free(choice->weighed);
        choice->weighed = longer;
    }
}

static void choose(struct fth_gen_model *model, struct fth_gen_variable *variable)
{
    struct weighing weighing = {
        .model = model, .variable = variable, .dimensions = variable->dimension_count};
    if (!find_lengths(&weighing))
        return;
    find_boxes(&weighing);
    uint64_t *chunk = fth_arena_take(&model->hints->arena, weighing.dimensions * sizeof *chunk);
    memcpy(chunk, weighing.length, weighing.dimensions * sizeof *chunk);
    char *reason = weighing.dimensions == 1        ? take_values(&weighing, chunk)
                   : weighing.record < LEAST_CHUNK ? take_records(&weighing, chunk)
                                                   : weigh_parts(&weighing, chunk);
    size_t size = strlen(reason) + 1;
    variable->chunk = chunk;
    variable->chunk_reason = memcpy(fth_arena_take(&model->hints->arena, size), reason, size);
    explain(&weighing, reason);
    free(reason);
    free(weighing.boxes);
}

void fth_gen_chunks_choose(struct fth_gen_model *model)
{
    for (uint32_t i = 0; i < model->variable_count; i++) {
        struct fth_gen_variable *variable = &model->variables[i];
        enum fth_gen_library library = model->files[variable->file].library;
        if ((library == FTH_GEN_HDF5 || library == FTH_GEN_NETCDF) &&
            model->dimensions[fth_gen_dimension_at(model, variable, 0)].unlimited)
            choose(model, variable);
    }
}
