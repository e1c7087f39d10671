/* What is known of a variable, in words. */
#include "gen/infer/proposal.h"

#include "base/phrase.h"

#include <inttypes.h>
#include <string.h>

static void write_lengths(FILE *to, const int64_t *lengths, unsigned dimensions)
{
    for (unsigned k = 0; k < dimensions; k++)
        fprintf(to, "[%" PRId64 "]", lengths[k]);
}

/* "each of 4 processes has [16][32]" */
static void write_parts(FILE *to, const struct fth_gen_recorded *recorded,
                        const struct fth_gen_array *array, const char *does)
{
    bool even = true;
    for (size_t i = 1; i < array->owned_count; i++)
        even = even && !memcmp(array->owned[i].count, array->owned[0].count,
                               array->dimensions * sizeof *array->length);
    if (array->owned_count == 1) {
        fprintf(to, "process %" PRId64 " %s ", array->owned[0].rank, does);
        write_lengths(to, array->owned[0].count, array->dimensions);
    } else if (even && array->owned_count % (size_t)recorded->ranks == 0 &&
               array->pieces == array->owned_count / (size_t)recorded->ranks) {
        fprintf(to, "each of %" PRId64 " processes %s ", recorded->ranks, does);
        if (array->pieces > 1)
            fprintf(to, "%" PRIu32 " parts of ", array->pieces);
        write_lengths(to, array->owned[0].count, array->dimensions);
    } else {
        fprintf(to, "processes %s %zu parts of %s", does, array->owned_count,
                even ? "" : "different sizes");
        if (even)
            write_lengths(to, array->owned[0].count, array->dimensions);
    }
}

static void write_type(FILE *to, const struct fth_gen_proposed_variable *variable)
{
    if (variable->type_known)
        return;
    if (variable->space)
        fprintf(to,
                " Whether its elements of %" PRIu64 " bytes are of type %s the calls do not say.",
                variable->space->item, variable->type->name);
    else
        fputs(" Its type is not known, because the calls are of bytes, or of several types.", to);
}

/* What is first done with a variable; NULL: nothing. */
static const struct fth_gen_proposed_access *access_of(const struct fth_gen_layout *layout,
                                                       uint32_t variable)
{
    for (size_t i = 0; i < layout->access_count; i++)
        if (layout->accesses[i].variable == variable)
            return &layout->accesses[i];
    return NULL;
}

/* One with another name, but the same dimensions and parts; UINT32_MAX: none. */
static uint32_t find_like(const struct fth_gen_layout *layout, uint32_t variable)
{
    const struct fth_gen_proposed_variable *it = &layout->variables[variable];
    const struct fth_gen_proposed_access *access = access_of(layout, variable);
    for (uint32_t i = 0; i < variable; i++) {
        const struct fth_gen_proposed_variable *other = &layout->variables[i];
        const struct fth_gen_proposed_access *of = access_of(layout, i);
        struct fth_gen_array same;
        if (!of || other->grows != it->grows || other->steps != it->steps ||
            (other->space && other->space->rank != it->space->rank) ||
            (other->space && memcmp(other->space->extent, it->space->extent,
                                    other->space->rank * sizeof *other->space->extent) != 0))
            continue;
        same = *access->array;
        same.space = of->array->space;
        if (fth_gen_arrays_alike(&same, of->array))
            return i;
    }
    return UINT32_MAX;
}

void fth_gen_describe(FILE *to, const struct fth_gen_recorded *recorded,
                      const struct fth_gen_proposed_file *of, uint32_t variable)
{
    const struct fth_gen_proposed_variable *it = &of->layout.variables[variable];
    if (it->gap) {
        fprintf(to, "%s is %s that nobody accesses%s.", it->name,
                fth_phrase_bytes((uint64_t)it->bytes).text, it->grows ? ", in each record" : "");
        return;
    }
    uint32_t like = find_like(&of->layout, variable);
    if (like != UINT32_MAX) {
        fprintf(to, "%s is like %s.", it->name, of->layout.variables[like].name);
        return;
    }
    fprintf(to, "%s is %s", it->name, it->type->name);
    if (it->grows)
        fputs("[each step]", to);
    else if (it->steps > 1)
        fprintf(to, "[%zu]", it->steps);
    write_lengths(to, it->length, it->dimensions);
    const struct fth_gen_proposed_access *access = access_of(&of->layout, variable);
    const struct fth_gen_matched_round *round = &of->rounds.rounds[access->round];
    const struct fth_gen_statement *statement = &of->rounds.statements[access->statement];
    fputs(", of which ", to);
    write_parts(to, recorded, access->array, round->writes ? "writes" : "reads");
    if (statement->steps > 1)
        fprintf(to, " in each of %zu steps", statement->steps);
    if (round->spread)
        fputs(" (in the run one process wrote these, which it had gathered from them)", to);
    fputc('.', to);
    write_type(to, it);
    if (it->reshaped) {
        fputs(" The program gave it the dimensions ", to);
        write_lengths(to, it->space->extent, it->space->rank);
        fputs(": these are the same elements in the same order.", to);
    }
}
