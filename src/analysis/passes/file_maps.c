/* Maps of the files of a run: each process makes its own; they are merged in order of processes. */
#include "analysis/extents/file_map.h"
#include "analysis/passes/passes.h"

#include "base/memory.h"

#include <string.h>

/* A map may take half a MiB. Files that come when there are so many have none. */
enum { MOST_OF_PROCESS = 128, MOST_OF_RUN = 1024 };

struct maps {
    uint32_t *places; /* by number of the file: place in `list` + 1 */
    uint32_t limit, count;
    uint32_t *numbers; /* by place */
    struct fth_file_map *list;
};

struct process {
    const struct fth_file_maps *maps;
    uint32_t proc;
    struct maps files;
    uint64_t left_out;
};

struct run {
    const struct fth_survey *survey;
    struct fth_file_maps *maps;
    struct maps files;
};

/* NULL: there are `most` already. */
static struct fth_file_map *map_of(struct maps *maps, uint32_t file, uint32_t most)
{
    maps->places = fth_reach(maps->places, &maps->limit, file, sizeof *maps->places);
    if (maps->places[file])
        return &maps->list[maps->places[file] - 1];
    if (maps->count >= most)
        return NULL;
    if (!maps->list) {
        maps->list = fth_new(most, sizeof *maps->list);
        maps->numbers = fth_new(most, sizeof *maps->numbers);
    }
    maps->numbers[maps->count] = file;
    maps->places[file] = maps->count + 1;
    return &maps->list[maps->count++];
}

static void free_maps(struct maps *maps)
{
    free(maps->places);
    free(maps->numbers);
    free(maps->list);
}

static void *begin(const struct fth_survey *survey)
{
    struct run *run = fth_new(1, sizeof *run);
    run->survey = survey;
    run->maps = fth_new(1, sizeof *run->maps);
    struct fth_selected_span span = fth_analysis_selected_span(survey->selection, survey->trace);
    run->maps->begin = span.begin;
    run->maps->column_width =
        (int64_t)(((uint64_t)span.end - (uint64_t)span.begin) / FTH_FILE_MAP_COLUMNS) + 1;
    return run;
}

static void *open_process(void *state, size_t proc)
{
    const struct run *run = state;
    struct process *process = fth_new(1, sizeof *process);
    process->maps = run->maps;
    process->proc = (uint32_t)proc;
    return process;
}

static struct fth_again_time time_of(const struct fth_frame *frame, uint64_t i)
{
    if (i)
        return frame->times.behind[(i - 1) * frame->times.apart];
    int64_t start = frame->times.began;
    return (struct fth_again_time){start, frame->calls > 1 ? start + frame->times.first
                                                           : frame->times.end};
}

static void keep(struct process *process, struct fth_file_map *map, const struct fth_frame *frame)
{
    if (map->accesses > FTH_FILE_MAP_ACCESSES)
        return;
    for (uint64_t i = 0; i < frame->calls; i++) {
        uint64_t on = (uint64_t)frame->data.step * i;
        struct fth_again_time time = time_of(frame, i);
        FTH_GROW(map->kept, map->access_count);
        map->kept[map->access_count++] = (struct fth_file_map_access){
            .proc = process->proc,
            .thread = frame->thread,
            .number = frame->first_number + (i ? i * frame->times.apart : 0),
            .start = time.start,
            .end = time.end,
            .first = frame->data.first + on,
            .behind = frame->data.behind + on,
            .writes = frame->writes,
        };
    }
}

static void each(void *state, const struct fth_frame *frame)
{
    struct process *process = state;
    if (frame->file.number == FTH_NO_FILE || !frame->class->system || !frame->class->data ||
        !frame->data.bytes)
        return;
    struct fth_file_map *map = map_of(&process->files, frame->file.number, MOST_OF_PROCESS);
    if (!map) {
        process->left_out += frame->calls;
        return;
    }
    uint64_t bytes = frame->data.bytes * frame->calls;
    map->accesses += frame->calls;
    *(frame->writes ? &map->written : &map->read) += bytes;
    if (frame->data.behind <= frame->data.first) {
        map->unplaced += frame->calls;
        return;
    }
    keep(process, map, frame);
    fth_file_map_put(map, process->maps->begin, process->maps->column_width,
                     &(struct fth_file_map_run){
                         .first = frame->data.first,
                         .behind = frame->data.behind,
                         .bytes = frame->data.bytes,
                         .calls = frame->calls,
                         .step = frame->data.step,
                         .start = frame->calls > 1 ? frame->times.began : frame->times.start,
                         .last = frame->calls > 1 ? frame->times.last : frame->times.start,
                         .writes = frame->writes,
                     });
}

/* Accesses that are kept are in their order. */
static void turns(void *state, const struct fth_frames_in_turn *turns)
{
    struct process *process = state;
    uint32_t file = turns->frames[0].first->file.number;
    const struct fth_file_map *map =
        file == FTH_NO_FILE ? NULL : map_of(&process->files, file, MOST_OF_PROCESS);
    bool keeps = map && map->accesses <= FTH_FILE_MAP_ACCESSES;
    for (uint64_t i = 0; keeps && i < turns->frames[0].all->calls; i++)
        for (uint32_t k = 0; k < turns->count; k++) {
            if (i >= turns->frames[k].all->calls)
                continue;
            const struct fth_frame one = fth_frame_of_turn(&turns->frames[k], turns->apart, i);
            each(state, &one);
        }
    for (uint32_t k = 0; !keeps && k < turns->count; k++)
        each(state, turns->frames[k].all);
}

/* ---- merging ---- */

static void add_cell(struct fth_file_map_cell *into, struct fth_file_map_cell from)
{
    into->read += from.read;
    into->written += from.written;
}

static void add_share(struct fth_file_map *map, const struct fth_file_map *more, uint32_t proc)
{
    struct fth_file_map_share share = {proc, fth_new(FTH_FILE_MAP_ROWS, sizeof *share.rows)};
    for (size_t row = 0; row < FTH_FILE_MAP_ROWS; row++)
        for (size_t column = 0; more->rows[row] && column < FTH_FILE_MAP_COLUMNS; column++)
            add_cell(&share.rows[row], fth_file_map_at(more, row, column));
    FTH_GROW(map->shares, map->share_count);
    map->shares[map->share_count++] = share;
}

static void grow(struct fth_file_map *map, uint64_t row_size)
{
    if (!map->row_size)
        map->row_size = row_size;
    while (map->row_size < row_size)
        fth_file_map_double(map);
}

static void merge_map(struct fth_file_map *map, struct fth_file_map *more, uint32_t proc)
{
    bool all = !map->accesses || map->all;
    map->read += more->read;
    map->written += more->written;
    map->accesses += more->accesses;
    map->unplaced += more->unplaced;
    if (more->row_size) {
        grow(map, more->row_size);
        grow(more, map->row_size);
        add_share(map, more, proc);
        for (size_t row = 0; row < FTH_FILE_MAP_ROWS; row++)
            fth_file_map_add_row(map, row, more->rows[row]);
    }
    map->all = all && more->accesses - more->unplaced == more->access_count &&
               map->access_count + more->access_count <= FTH_FILE_MAP_KEPT;
    for (size_t i = 0; map->all && i < more->access_count; i++) {
        FTH_GROW(map->kept, map->access_count);
        map->kept[map->access_count++] = more->kept[i];
    }
    free(more->kept);
}

static void merge(void *run_state, void *state, const uint32_t *files)
{
    struct run *run = run_state;
    struct process *process = state;
    run->maps->left_out += process->left_out;
    for (uint32_t i = 0; i < process->files.count; i++) {
        struct fth_file_map *more = &process->files.list[i];
        struct fth_file_map *map =
            map_of(&run->files, files[process->files.numbers[i]], MOST_OF_RUN);
        if (map) {
            merge_map(map, more, process->proc);
        } else {
            run->maps->left_out += more->accesses;
            fth_file_map_free(more);
        }
    }
    free_maps(&process->files);
    free(process);
}

/* ---- the outcome ---- */

/* A file of the run, as candidates for maps are sorted: those of the program first, the most bytes
 * first. */
struct candidate {
    struct fth_file_map *map;
    const struct fth_survey_file *file;
};

static int by_bytes(const void *one, const void *other)
{
    const struct candidate *a = one, *b = other;
    uint64_t mine = a->map->read + a->map->written, its = b->map->read + b->map->written;
    if (a->file->noise != b->file->noise)
        return a->file->noise - b->file->noise;
    return mine != its ? (mine < its) - (mine > its) : strcmp(a->file->path, b->file->path);
}

/* Files of the system and of libraries have none. */
static void choose(struct run *run)
{
    struct fth_file_maps *maps = run->maps;
    struct candidate *list = fth_new(run->files.count + 1, sizeof *list);
    for (uint32_t i = 0; i < run->files.count; i++)
        list[i] =
            (struct candidate){&run->files.list[i], &run->survey->files[run->files.numbers[i]]};
    qsort(list, run->files.count, sizeof *list, by_bytes);
    maps->list = fth_new(FTH_FILE_MAPS, sizeof *maps->list);
    for (uint32_t i = 0; i < run->files.count; i++) {
        if (i < FTH_FILE_MAPS && !list[i].file->noise) {
            maps->list[maps->count] = *list[i].map;
            maps->list[maps->count++].path =
                list[i].file->host
                    ? fth_text_format("%s:%s", list[i].file->host, list[i].file->path)
                    : fth_text_copy(list[i].file->path);
            continue;
        }
        maps->left_out += list[i].file->noise ? 0 : list[i].map->accesses;
        fth_file_map_free(list[i].map);
    }
    free(list);
}

static void finish(void *state, struct fth_results *results)
{
    struct run *run = state;
    choose(run);
    results->file_maps = run->maps;
    free_maps(&run->files);
    free(run);
}

const struct fth_pass fth_pass_file_maps = {
    "file maps", begin, open_process,         NULL, merge, finish, each, NULL,
    NULL,        turns, fth_pass_takes_rounds};
