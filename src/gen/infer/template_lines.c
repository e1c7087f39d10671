/* Lines of hints of a proposed template: dimensions, variables, and who accesses which part. Those
 * of Fortran have the fastest dimension first, and count from 1. */
#include "gen/infer/rank_terms.h"
#include "gen/infer/template_lines.h"

#include "base/memory.h"

#include <inttypes.h>
#include <string.h>

/* ---- dimensions and variables ---- */

/* The first variable with the same dimensions, which they are named after. */
static const struct fth_gen_proposed_variable *
named_after(const struct fth_gen_layout *layout, const struct fth_gen_proposed_variable *variable)
{
    const struct fth_gen_proposed_variable *first = layout->variables;
    while (first->gap != variable->gap || first->dimensions != variable->dimensions ||
           memcmp(first->length, variable->length, first->dimensions * sizeof *first->length) != 0)
        first++;
    return first;
}

/* The name of dimension `k`, the slowest being 0. */
static struct fth_gen_rank_term dimension_name(const struct fth_gen_layout *layout,
                                               const struct fth_gen_proposed_variable *variable,
                                               unsigned k)
{
    variable = named_after(layout, variable);
    static const char letters[] = "xyz";
    unsigned from_last = variable->dimensions - 1 - k;
    struct fth_gen_rank_term name;
    if (from_last < 3)
        snprintf(name.text, sizeof name.text, "%.100s_%c", variable->name, letters[from_last]);
    else
        snprintf(name.text, sizeof name.text, "%.100s_d%u", variable->name, from_last + 1);
    return name;
}

static bool has_records(const struct fth_gen_layout *layout)
{
    for (size_t i = 0; i < layout->variable_count; i++)
        if (layout->variables[i].grows)
            return true;
    return false;
}

void fth_gen_write_dimensions(FILE *to, const struct fth_gen_proposed_file *of)
{
    const struct fth_gen_layout *layout = &of->layout;
    fputs("    #begin_dimensions\n", to);
    if (has_records(layout))
        fprintf(to, "    %s_step: unlimited;\n", of->stem);
    for (size_t i = 0; i < layout->variable_count; i++) {
        const struct fth_gen_proposed_variable *variable = &layout->variables[i];
        if (variable->steps > 1)
            fprintf(to, "    %s_steps: %zu;\n", variable->name, variable->steps);
        if (named_after(layout, variable) != variable)
            continue;
        for (unsigned k = 0; k < variable->dimensions; k++)
            fprintf(to, "%s%s: %" PRId64 ";", k ? " " : "    ",
                    dimension_name(layout, variable, k).text, variable->length[k]);
        fputc('\n', to);
    }
    fputs("    #end_dimensions\n", to);
}

/* The dimension of steps, in front of the others or, in Fortran, behind them. */
static void write_steps_dimension(FILE *to, const struct fth_gen_proposed_file *of,
                                  const struct fth_gen_proposed_variable *variable)
{
    if (variable->grows)
        fprintf(to, ", %s_step", of->stem);
    else if (variable->steps > 1)
        fprintf(to, ", %s_steps", variable->name);
}

void fth_gen_write_variables(FILE *to, const struct fth_gen_proposed_file *of, bool fortran)
{
    const struct fth_gen_layout *layout = &of->layout;
    fputs("    #begin_variables\n", to);
    for (size_t i = 0; i < layout->variable_count; i++) {
        const struct fth_gen_proposed_variable *variable = &layout->variables[i];
        unsigned more = variable->grows || variable->steps > 1, last = variable->dimensions - 1;
        fprintf(to, "    %s: %s, %u", variable->name, variable->type->name,
                variable->dimensions + more);
        if (!fortran)
            write_steps_dimension(to, of, variable);
        for (unsigned k = 0; k < variable->dimensions; k++)
            fprintf(to, ", %s", dimension_name(layout, variable, fortran ? last - k : k).text);
        if (fortran)
            write_steps_dimension(to, of, variable);
        fputs(";\n", to);
    }
    fputs("    #end_variables\n", to);
}

/* ---- accesses ---- */

/* Elements of the largest piece of a process. */
static int64_t largest(const struct fth_gen_array *array)
{
    int64_t most = 0;
    for (size_t i = 0; i < array->owned_count; i++) {
        int64_t count = 1;
        for (unsigned k = 0; k < array->dimensions; k++)
            count *= array->owned[i].count[k];
        most = count > most ? count : most;
    }
    return most;
}

/* Of all accesses of a variable: elements of a buffer that is large enough for each. */
int64_t fth_gen_buffer_length(const struct fth_gen_layout *layout, uint32_t variable)
{
    int64_t most = 0;
    for (size_t i = 0; i < layout->access_count; i++) {
        const struct fth_gen_array *array = layout->accesses[i].array;
        int64_t length = largest(array) * (int64_t)array->pieces;
        if (layout->accesses[i].variable == variable && length > most)
            most = length;
    }
    return most;
}

/* The parts of one piece, by rank; false: not each rank has one. */
static bool by_rank(const struct fth_gen_array *array, uint32_t piece, int64_t ranks,
                    const struct fth_gen_owned **parts)
{
    int64_t found = 0;
    for (int64_t rank = 0; rank < ranks; rank++)
        parts[rank] = NULL;
    for (size_t i = 0; i < array->owned_count; i++)
        if (array->owned[i].piece == piece && !parts[array->owned[i].rank]) {
            parts[array->owned[i].rank] = &array->owned[i];
            found++;
        }
    return found == ranks;
}

struct terms {
    struct fth_gen_rank_term start[FTH_GEN_MOST_LENGTHS], count[FTH_GEN_MOST_LENGTHS];
};

/* Starts and counts of all ranks as expressions. Fortran counts from 1. */
static bool find_terms(const struct fth_gen_array *array, const struct fth_gen_owned **parts,
                       int64_t ranks, bool fortran, struct terms *terms)
{
    int64_t *starts = fth_new((size_t)ranks, sizeof *starts),
            *counts = fth_new((size_t)ranks, sizeof *counts);
    bool found = true;
    for (unsigned k = 0; k < array->dimensions && found; k++) {
        for (int64_t rank = 0; rank < ranks; rank++) {
            starts[rank] = parts[rank]->start[k] + fortran;
            counts[rank] = parts[rank]->count[k];
        }
        found = (fth_gen_rank_term(counts, ranks, fortran, &terms->count[k]) &&
                 fth_gen_rank_term(starts, ranks, fortran, &terms->start[k])) ||
                fth_gen_rank_shares(starts, counts, ranks, array->length[k], fortran,
                                    &terms->start[k], &terms->count[k]);
    }
    free(starts);
    free(counts);
    return found;
}

/* A line of one variable: which process, start and count of each dimension, the buffer. */
struct line {
    FILE *to;
    const char *indent;
    const struct fth_gen_proposed_access *access;
    const struct fth_gen_proposed_variable *variable;
    bool fortran;
};

/* Of the slowest dimension, whose places are those of the first step, further on in each. */
static void write_start(const struct line *line, unsigned k, const char *start)
{
    int64_t shift = k ? 0 : line->access->shift;
    const char *step = line->fortran ? "(step - 1)" : "step";
    if (!shift) {
        fprintf(line->to, ", %s", start);
        return;
    }
    fprintf(line->to, ", %s", step);
    if (shift > 1)
        fprintf(line->to, " * %" PRId64, shift);
    if (strcmp(start, "0") != 0)
        fprintf(line->to, " + %s", start);
}

static void write_step(const struct line *line)
{
    if (line->variable->grows || line->variable->steps > 1)
        fputs(", step, 1", line->to);
}

static void write_buffer(const struct line *line, uint32_t piece)
{
    int64_t first = piece * largest(line->access->array);
    const char *name = line->variable->name;
    if (!piece)
        fprintf(line->to, ", %s_part;\n", name);
    else if (line->fortran)
        fprintf(line->to, ", %s_part(%" PRId64 ":);\n", name, first + 1);
    else
        fprintf(line->to, ", %s_part + %" PRId64 ";\n", name, first);
}

/* Hints of Fortran have the fastest dimension first. */
static void write_line(const struct line *line, const char *process, const struct terms *terms,
                       uint32_t piece)
{
    unsigned dimensions = line->access->array->dimensions;
    fprintf(line->to, "%sarray: %s, %s", line->indent, process, line->variable->name);
    if (!line->fortran)
        write_step(line);
    for (unsigned i = 0; i < dimensions; i++) {
        unsigned k = line->fortran ? dimensions - 1 - i : i;
        write_start(line, k, terms->start[k].text);
        fprintf(line->to, ", %s", terms->count[k].text);
    }
    if (line->fortran)
        write_step(line);
    write_buffer(line, piece);
}

/* A line for each rank that has this piece. */
static void write_each(const struct line *line, uint32_t piece)
{
    const struct fth_gen_array *array = line->access->array;
    for (size_t i = 0; i < array->owned_count; i++) {
        const struct fth_gen_owned *owned = &array->owned[i];
        struct terms terms;
        char process[32];
        if (owned->piece != piece)
            continue;
        snprintf(process, sizeof process, "%" PRId64, owned->rank);
        for (unsigned k = 0; k < array->dimensions; k++) {
            snprintf(terms.start[k].text, sizeof terms.start[k].text, "%" PRId64,
                     owned->start[k] + line->fortran);
            snprintf(terms.count[k].text, sizeof terms.count[k].text, "%" PRId64, owned->count[k]);
        }
        write_line(line, process, &terms, piece);
    }
}

void fth_gen_write_access(FILE *to, const struct fth_gen_recorded *recorded, const char *indent,
                          const struct fth_gen_proposed_access *access,
                          const struct fth_gen_proposed_variable *variable, bool fortran)
{
    const struct line line = {to, indent, access, variable, fortran};
    const struct fth_gen_owned **parts = fth_new((size_t)recorded->ranks, sizeof *parts);
    for (uint32_t piece = 0; piece < access->array->pieces; piece++) {
        struct terms terms;
        if (by_rank(access->array, piece, recorded->ranks, parts) &&
            find_terms(access->array, parts, recorded->ranks, fortran, &terms))
            write_line(&line, "rank", &terms, piece);
        else
            write_each(&line, piece);
    }
    free(parts);
}
