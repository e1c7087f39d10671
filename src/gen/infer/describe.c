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

/* "each of 4 processes writes [16][32]", "processes write 3 parts of [8]" */
static void write_parts(FILE *to, const struct fth_gen_recorded *recorded,
                        const struct fth_gen_array *array, bool writes)
{
    const char *does = writes ? "writes" : "reads";
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
        fprintf(to, "processes %s %zu parts of %s", writes ? "write" : "read", array->owned_count,
                even ? "" : "different sizes");
        if (even)
            write_lengths(to, array->owned[0].count, array->dimensions);
    }
}

/* Of an array of a library. */
static void write_type_of_array(FILE *to, const struct fth_gen_proposed_variable *variable)
{
    const struct fth_gen_space *space = variable->space;
    if (variable->type_known && space->defined) {
        if (space->gives_several)
            fputs(" The program has its elements in memory as several types: the library converts "
                  "them.",
                  to);
        else if (space->given && space->given != space->defined)
            fprintf(to, " The program has its elements in memory as %s: the library converts them.",
                    space->given->name);
    } else if (variable->type_known && space->number >= 0)
        fprintf(to,
                " %s is the type that its elements have in the memory of the program; that in the "
                "file the calls do not say.",
                variable->type->name);
    else if (space->foreign)
        fprintf(
            to,
            " It was defined as %s, which hints do not have: %s stands for it, by the size that "
            "its elements have in the memory of the program (%s).",
            space->foreign, variable->type->name, fth_phrase_bytes(space->item).text);
    else if (!variable->type_known)
        fprintf(
            to,
            " Its type is not known, because the calls have %s: %s stands for it, by the size of "
            "its elements (%s).",
            space->gives_several ? "several types" : "none that hints have", variable->type->name,
            fth_phrase_bytes(space->item).text);
}

static void write_type(FILE *to, const struct fth_gen_proposed_variable *variable)
{
    if (variable->space)
        write_type_of_array(to, variable);
    else if (!variable->type_known)
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

/* Did one process write it, at any time, after it had gathered as many bytes? */
static bool is_spread(const struct fth_gen_proposed_file *of, uint32_t variable)
{
    for (size_t i = 0; i < of->layout.access_count; i++)
        if (of->layout.accesses[i].variable == variable &&
            of->rounds.rounds[of->layout.accesses[i].round].spread)
            return true;
    return false;
}

/* Is the same said of both accesses? */
static bool reads_alike(const struct fth_gen_proposed_file *of, uint32_t a, uint32_t b)
{
    const struct fth_gen_proposed_access *one = access_of(&of->layout, a),
                                         *other = access_of(&of->layout, b);
    return is_spread(of, a) == is_spread(of, b) &&
           of->layout.variables[a].type_known == of->layout.variables[b].type_known &&
           of->rounds.rounds[one->round].writes == of->rounds.rounds[other->round].writes;
}

/* Are the same things to be said of their types? */
static bool has_type_like(const struct fth_gen_space *a, const struct fth_gen_space *b)
{
    return a->defined == b->defined && a->given == b->given &&
           a->gives_several == b->gives_several && !a->foreign && !b->foreign;
}

/* One with another name, but the same dimensions and parts; UINT32_MAX: none. */
static uint32_t find_like(const struct fth_gen_proposed_file *file, uint32_t variable)
{
    const struct fth_gen_layout *layout = &file->layout;
    const struct fth_gen_proposed_variable *it = &layout->variables[variable];
    const struct fth_gen_proposed_access *access = access_of(layout, variable);
    for (uint32_t i = 0; i < variable; i++) {
        const struct fth_gen_proposed_variable *other = &layout->variables[i];
        const struct fth_gen_proposed_access *of = access_of(layout, i);
        struct fth_gen_array same;
        if (!of || !reads_alike(file, i, variable) || other->grows != it->grows ||
            other->steps != it->steps ||
            (other->space &&
             (other->space->rank != it->space->rank || !has_type_like(other->space, it->space))) ||
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
    uint32_t like = find_like(of, variable);
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
    if (round->spread)
        fputs(", which in the run one process wrote, after it had gathered as many bytes from all "
              "processes. Whether they are the same bytes, and in which order, the calls do not "
              "say. Condition, for you to check: they are the parts of all processes, in the order "
              "of their ranks. Then ",
              to);
    else
        fputs(", of which ", to);
    write_parts(to, recorded, access->array, round->writes);
    if (statement->steps > 1)
        fprintf(to, " in each of %zu steps", statement->steps);
    fputc('.', to);
    if (!round->spread && is_spread(of, variable))
        fputs(" Later one process wrote it, after it had gathered as many bytes: see CHECK in the "
              "template.",
              to);
    write_type(to, it);
    if (it->reshaped) {
        fputs(" The program gave it the dimensions ", to);
        write_lengths(to, it->space->extent, it->space->rank);
        fputs(": these are the same elements in the same order.", to);
    }
}
