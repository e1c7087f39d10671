/* Rows of both sides: what has the same name is one row, with the figures of each run. Files whose
 * names are made up anew in each run (plain_names.h) are one row together, and so are the processes
 * of a program outside MPI, whose numbers depend on who comes first. */
#include "diff/diff.h"
#include "diff/plain_names.h"

#include "analysis/passes/passes.h"
#include "analysis/select/noise.h"
#include "base/keyed.h"
#include "base/memory.h"
#include "base/saturating.h"

#include <string.h>

/* By the bytes of its key; the number of its row. */
struct place {
    uint32_t row; /* + 1; 0: none yet */
};

struct rows {
    const struct fth_diff *diff;
    struct fth_diff_part *part;
    struct fth_keyed places;
};

static struct fth_diff_row *row_of(struct rows *rows, const char *name, const char *layer,
                                   int64_t world, int64_t rank)
{
    char *key = rank != FTH_NO_RANK
                    ? fth_text_format("%lld %lld", (long long)world, (long long)rank)
                    : fth_text_format("%s\n%s", layer ? layer : "", name);
    struct place *place = fth_keyed_get(&rows->places, key, strlen(key));
    struct fth_diff_part *part = rows->part;
    free(key);
    if (place->row)
        return &part->rows[place->row - 1];
    FTH_GROW(part->rows, part->count);
    place->row = (uint32_t)part->count + 1;
    part->rows[part->count] = (struct fth_diff_row){
        .name = fth_text_copy(name),
        .layer = layer,
        .world = world,
        .rank = rank,
        .figures = fth_new(FTH_DIFF_QUANTITIES * fth_diff_run_count(rows->diff), sizeof(int64_t)),
    };
    return &part->rows[part->count++];
}

static void add(const struct rows *rows, struct fth_diff_row *row, enum fth_diff_quantity quantity,
                size_t run, int64_t figure)
{
    int64_t *sum = &row->figures[(size_t)quantity * fth_diff_run_count(rows->diff) + run];
    FTH_ADD_SATURATING(*sum, figure);
}

static int side_of(const struct fth_diff *diff, size_t run)
{
    return run >= diff->counts[0];
}

/* NULL: the table has no such column. */
static const struct fth_cell *cell_in(const struct fth_table *table, size_t row, const char *column)
{
    size_t place = fth_table_column(table, column);
    return place == SIZE_MAX ? NULL : fth_table_row(table, row) + place;
}

static int64_t integer_in(const struct fth_table *table, size_t row, const char *column)
{
    const struct fth_cell *cell = cell_in(table, row, column);
    return cell && cell->type == FTH_CELL_INTEGER ? cell->integer : 0;
}

static const char *text_in(const struct fth_table *table, size_t row, const char *column)
{
    const struct fth_cell *cell = cell_in(table, row, column);
    return cell && cell->type == FTH_CELL_TEXT ? cell->text : NULL;
}

/* A row of the statistics. */
static void add_figures(const struct rows *rows, struct fth_diff_row *row, size_t run,
                        const struct fth_table *table, size_t from)
{
    static const char *const columns[] = {"calls", "bytes_read", "bytes_written", "time", "opens"};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        add(rows, row, (enum fth_diff_quantity)i, run, integer_in(table, from, columns[i]));
}

/* ---- names of files ---- */

struct sides {
    bool of[2];
};

/* Letters that may be made up, of the first files of each side that have them. In names that
 * somebody chose they are nearly the same: n8p4t2, n8p8t2. */
enum { SAMPLES = 4, SAMPLED_LETTERS = 12 };
struct samples {
    bool there[2]; /* has the side a name with such letters, whatever they look like? */
    uint8_t counts[2];
    char letters[2][SAMPLES][SAMPLED_LETTERS];
};

struct files {
    struct fth_diff_pids pids;
    struct fth_keyed paths; /* of struct sides */
    struct fth_diff_spans spans;
    struct fth_keyed random; /* of struct samples, by temporary names */
};

static void note_pids(struct files *files, const struct fth_trace *trace)
{
    for (size_t proc = 0; proc < fth_trace_process_count(trace); proc++)
        fth_diff_pids_add(&files->pids, fth_trace_process(trace, proc)->pid);
}

static bool is_in_both(struct files *files, const char *path)
{
    const struct sides *sides = fth_keyed_get(&files->paths, path, strlen(path));
    return sides->of[0] && sides->of[1];
}

static void sample(struct samples *samples, int side, const char *plain, const char *name)
{
    if (samples->counts[side] == SAMPLES)
        return;
    char *letters = samples->letters[side][samples->counts[side]++];
    for (size_t i = 0, count = 0; name[i] && count < SAMPLED_LETTERS; i++)
        if (name[i] == 'X' && plain[i] != 'X')
            letters[count++] = plain[i];
}

static bool are_hexadecimal(const char *letters, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!strchr("0123456789abcdef", letters[i]))
            return false;
    return true;
}

/* So many letters are hardly ever the same in two names that nobody chose, in one of 250: two of
 * six letters and digits, three of six hexadecimal digits, half of a hash. */
static size_t many_of(const struct samples *samples)
{
    const char *letters = samples->letters[0][0], *others = samples->letters[1][0];
    size_t count = strnlen(letters, SAMPLED_LETTERS);
    if (count > 6)
        return count / 2;
    return are_hexadecimal(letters, count) && are_hexadecimal(others, count) ? 3 : 2;
}

static bool are_chosen(const struct samples *samples)
{
    size_t same = 0, pairs = (size_t)samples->counts[0] * samples->counts[1];
    for (unsigned a = 0; a < samples->counts[0]; a++)
        for (unsigned b = 0; b < samples->counts[1]; b++)
            for (unsigned i = 0; i < SAMPLED_LETTERS && samples->letters[0][a][i]; i++)
                same += samples->letters[0][a][i] == samples->letters[1][b][i];
    return pairs && same >= pairs * many_of(samples);
}

static void note_temporary(struct files *files, const char *path, const struct sides *sides)
{
    char *plain = fth_diff_plain_name(path, &files->pids, &files->spans);
    for (size_t endings = 0; endings <= FTH_DIFF_MOST_ENDINGS; endings++) {
        bool random;
        char *name = fth_diff_temporary_name(plain, endings, &random);
        struct samples *samples = name ? fth_keyed_get(&files->random, name, strlen(name)) : NULL;
        if (samples)
            samples->there[sides->of[1]] = true;
        if (samples && random)
            sample(samples, sides->of[1], plain, name);
        free(name);
    }
    free(plain);
}

static void note_files(struct files *files, const struct fth_diff *diff)
{
    files->paths.size = sizeof(struct sides);
    files->random.size = sizeof(struct samples);
    for (size_t run = 0; run < fth_diff_run_count(diff); run++) {
        const struct fth_table *table = diff->runs[run].stats->tables[FTH_STATS_FILES];
        note_pids(files, diff->runs[run].trace);
        fth_diff_spans_add(&files->spans, diff->runs[run].trace);
        for (size_t row = 0; row < fth_table_rows(table); row++) {
            const char *path = text_in(table, row, "path");
            struct sides *sides = path ? fth_keyed_get(&files->paths, path, strlen(path)) : NULL;
            if (sides)
                sides->of[side_of(diff, run)] = true;
        }
    }
    fth_diff_pids_sort(&files->pids);
    for (uint32_t i = 0; i < fth_keyed_count(&files->paths); i++) {
        size_t length;
        const uint8_t *key = fth_interned(&files->paths.keys, i, &length);
        char *path = fth_text_part((const char *)key, length);
        if (!is_in_both(files, path))
            note_temporary(files, path, fth_keyed_item(&files->paths, i));
        free(path);
    }
}

/* ccXXXXXX.cdtor.c: of a compiler. Its letters are the time of day, so that the last ones are the
 * same for a while. */
static bool is_of_compiler(const char *name)
{
    enum { LENGTH = 8 };
    const char *slash = strrchr(name, '/'), *last = slash ? slash + 1 : name;
    return !strncmp(last, "ccXXXXXX", LENGTH) && (!last[LENGTH] || last[LENGTH] == '.');
}

/* A name with letters that nobody chose: both sides have one, and one of these looks like that. A
 * name that one side alone has is shown as it is. */
static bool is_temporary(const struct files *files, const char *name)
{
    if (!fth_keyed_has(&files->random, name, strlen(name)))
        return false;
    const struct samples *samples =
        fth_keyed_get((struct fth_keyed *)(uintptr_t)&files->random, name, strlen(name));
    return samples->there[0] && samples->there[1] && (samples->counts[0] || samples->counts[1]) &&
           (is_of_compiler(name) || !are_chosen(samples));
}

/* The name that a file is compared by, to be freed. */
static char *name_of(struct files *files, const char *path)
{
    if (is_in_both(files, path))
        return fth_text_copy(path);
    char *plain = fth_diff_plain_name(path, &files->pids, &files->spans);
    for (size_t endings = 0; endings <= FTH_DIFF_MOST_ENDINGS; endings++) {
        bool random;
        char *name = fth_diff_temporary_name(plain, endings, &random);
        if (name && is_temporary(files, name)) {
            free(plain);
            return name;
        }
        free(name);
    }
    return plain;
}

static void free_files(struct files *files)
{
    fth_diff_pids_free(&files->pids);
    fth_diff_spans_free(&files->spans);
    fth_keyed_free(&files->paths);
    fth_keyed_free(&files->random);
}

/* ---- tables ---- */

/* The process that this image belongs to. */
static int64_t process_of(const struct fth_diff_run *run, int64_t proc)
{
    while (fth_analysis_goes_on(run->selection, run->trace, (size_t)proc))
        proc = fth_trace_process(run->trace, (size_t)proc)->parent_proc;
    return proc;
}

struct gathering {
    struct fth_diff *diff;
    struct rows rows[FTH_DIFF_PARTS];
    struct files files;
    const char **programs; /* of the run at hand, by process; NULL: it is in the row of another */
};

static void gather_table(struct gathering *all, size_t run, enum fth_diff_by by,
                         const struct fth_table *table)
{
    static const char *const names[] = {"layer", "func", "path", "program"};
    struct rows *rows = &all->rows[by];
    for (size_t i = 0; i < fth_table_rows(table); i++) {
        const char *path = text_in(table, i, names[by]);
        char *name = path && by == FTH_DIFF_FILES ? name_of(&all->files, path)
                                                  : fth_text_copy(path ? path : "");
        bool ranked = by == FTH_DIFF_RANKS && fth_table_row(table, i)[1].type == FTH_CELL_INTEGER;
        struct fth_diff_row *row =
            row_of(rows, name, by == FTH_DIFF_FUNCTIONS ? text_in(table, i, "layer") : NULL,
                   ranked ? integer_in(table, i, "world") : FTH_NO_WORLD,
                   ranked ? integer_in(table, i, "rank") : FTH_NO_RANK);
        bool moved = integer_in(table, i, "bytes_read") || integer_in(table, i, "bytes_written");
        row->temporary = by == FTH_DIFF_FILES && is_temporary(&all->files, name);
        row->quiet = by == FTH_DIFF_FILES && fth_analysis_is_noise(path ? path : "", moved);
        add_figures(rows, row, run, table, i);
        free(name);
    }
}

static const struct fth_table *unsteady_of(const struct fth_diff_run *run)
{
    for (size_t i = 0; i < run->results.table_count; i++)
        if (!strcmp(fth_table_shape(run->results.tables[i])->name, "unsteady"))
            return run->results.tables[i];
    return NULL;
}

static void gather_unsteady_row(struct gathering *all, size_t run, const struct fth_cell *cells)
{
    const struct fth_diff_run *of = &all->diff->runs[run];
    const char *layer = cells[FTH_UNSTEADY_LAYER].text, *path = cells[FTH_UNSTEADY_PATH].text;
    bool ranked = cells[FTH_UNSTEADY_RANK].type == FTH_CELL_INTEGER;
    int64_t proc = cells[FTH_UNSTEADY_PROC].integer;
    const char *program = all->programs[all->programs[proc] ? proc : process_of(of, proc)];
    char *name = cells[FTH_UNSTEADY_PATH].type == FTH_CELL_TEXT ? name_of(&all->files, path) : NULL;
    struct fth_diff_row *rows[FTH_DIFF_PARTS] = {
        row_of(&all->rows[FTH_DIFF_LAYERS], layer, NULL, FTH_NO_WORLD, FTH_NO_RANK),
        row_of(&all->rows[FTH_DIFF_FUNCTIONS], cells[FTH_UNSTEADY_FUNCTION].text, layer,
               FTH_NO_WORLD, FTH_NO_RANK),
        name ? row_of(&all->rows[FTH_DIFF_FILES], name, NULL, FTH_NO_WORLD, FTH_NO_RANK) : NULL,
        row_of(&all->rows[FTH_DIFF_RANKS], program ? program : "", NULL,
               ranked ? cells[FTH_UNSTEADY_WORLD].integer : FTH_NO_WORLD,
               ranked ? cells[FTH_UNSTEADY_RANK].integer : FTH_NO_RANK)};
    for (enum fth_diff_by by = 0; by < FTH_DIFF_PARTS; by++)
        for (size_t i = 0; rows[by] && i <= FTH_UNSTEADY_WRITTEN - FTH_UNSTEADY_CALLS; i++)
            add(&all->rows[by], rows[by], FTH_DIFF_UNSTEADY + (enum fth_diff_quantity)i, run,
                cells[FTH_UNSTEADY_CALLS + i].integer);
    free(name);
}

static void gather_run(struct gathering *all, size_t run)
{
    static const enum fth_stats_table tables[] = {FTH_STATS_LAYERS, FTH_STATS_FUNCTIONS,
                                                  FTH_STATS_FILES, FTH_STATS_RANKS};
    const struct fth_diff_run *of = &all->diff->runs[run];
    const struct fth_table *unsteady = unsteady_of(of), *ranks = of->stats->tables[FTH_STATS_RANKS];
    all->programs = fth_new(fth_trace_process_count(of->trace) + 1, sizeof *all->programs);
    for (size_t row = 0; row < fth_table_rows(ranks); row++)
        all->programs[integer_in(ranks, row, "proc")] = text_in(ranks, row, "program");
    for (enum fth_diff_by by = 0; by < FTH_DIFF_PARTS; by++)
        gather_table(all, run, by, of->stats->tables[tables[by]]);
    for (size_t row = 0; unsteady && row < fth_table_rows(unsteady); row++)
        gather_unsteady_row(all, run, fth_table_row(unsteady, row));
    free(all->programs);
}

/* In how many runs of each side a row has calls. */
static void count_runs(const struct fth_diff *diff, struct fth_diff_row *row)
{
    for (size_t run = 0; run < fth_diff_run_count(diff); run++)
        row->there[side_of(diff, run)] += fth_diff_figures(diff, row, FTH_DIFF_CALLS)[run] > 0;
}

static void name_signatures(struct gathering *all, size_t run)
{
    const struct fth_diff_signatures *signatures = &all->diff->runs[run].signatures;
    for (uint32_t i = 0; i < fth_keyed_count(&signatures->found); i++) {
        const char *path = fth_diff_signature_at(signatures, i)->path;
        char **name = path ? fth_keyed_get(&all->diff->names, path, strlen(path)) : NULL;
        if (name && !*name)
            *name = name_of(&all->files, path);
    }
}

void fth_diff_gather(struct fth_diff *diff)
{
    struct gathering all = {.diff = diff};
    note_files(&all.files, diff);
    for (enum fth_diff_by by = 0; by < FTH_DIFF_PARTS; by++)
        all.rows[by] = (struct rows){diff, &diff->parts[by], {.size = sizeof(struct place)}};
    diff->names.size = sizeof(char *);
    for (size_t run = 0; run < fth_diff_run_count(diff); run++) {
        gather_run(&all, run);
        name_signatures(&all, run);
    }
    for (enum fth_diff_by by = 0; by < FTH_DIFF_PARTS; by++) {
        for (size_t row = 0; row < diff->parts[by].count; row++)
            count_runs(diff, &diff->parts[by].rows[row]);
        fth_keyed_free(&all.rows[by].places);
    }
    free_files(&all.files);
}
