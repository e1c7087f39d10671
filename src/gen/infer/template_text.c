/* The text of a proposed template: a function for each file, with its hints, and a main program
 * that calls them. The arrays have stand-ins for their contents, which the user replaces. */
#include "gen/infer/proposal.h"
#include "gen/infer/rank_terms.h"

#include "base/memory.h"
#include "base/visible.h"

#include <inttypes.h>
#include <string.h>

enum { WIDTH = 96 };

void fth_gen_remark(FILE *to, const char *text)
{
    int column = 3;
    char *visible = fth_visible(text);
    if (!visible)
        return fth_out_of_memory();
    fputs("/*", to);
    for (const char *at = visible; *at;) {
        size_t length = strcspn(at, " ");
        if (length && column + (int)length + 1 > WIDTH) {
            fputs("\n *", to);
            column = 2;
        }
        if (length)
            fputc(' ', to);
        for (size_t i = 0; i < length; i++) {
            bool ends = at[i] == '/' && i && at[i - 1] == '*';
            fputc(at[i] == '#' || ends ? '_' : at[i], to);
        }
        column += (int)length + 1;
        at += length + (at[length] == ' ');
    }
    fputs(" */\n", to);
    free(visible);
}

/* As a string of C: what is no letter by its number. */
static void write_quoted(FILE *to, const char *text)
{
    fputc('"', to);
    for (; *text; text++)
        if (strchr("\"\\?", *text))
            fprintf(to, "\\%c", *text);
        else if (*text < ' ' || *text > '~')
            fprintf(to, "\\%03o", (unsigned char)*text);
        else
            fputc(*text, to);
    fputc('"', to);
}

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

static void write_dimensions(FILE *to, const struct fth_gen_proposed_file *of)
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

static void write_variables(FILE *to, const struct fth_gen_proposed_file *of)
{
    const struct fth_gen_layout *layout = &of->layout;
    fputs("    #begin_variables\n", to);
    for (size_t i = 0; i < layout->variable_count; i++) {
        const struct fth_gen_proposed_variable *variable = &layout->variables[i];
        unsigned more = variable->grows || variable->steps > 1;
        fprintf(to, "    %s: %s, %u", variable->name, variable->type->name,
                variable->dimensions + more);
        if (variable->grows)
            fprintf(to, ", %s_step", of->stem);
        else if (more)
            fprintf(to, ", %s_steps", variable->name);
        for (unsigned k = 0; k < variable->dimensions; k++)
            fprintf(to, ", %s", dimension_name(layout, variable, k).text);
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
static int64_t buffer_length(const struct fth_gen_layout *layout, uint32_t variable)
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

/* Starts and counts of all ranks as expressions. */
static bool find_terms(const struct fth_gen_array *array, const struct fth_gen_owned **parts,
                       int64_t ranks, struct terms *terms)
{
    int64_t *starts = fth_new((size_t)ranks, sizeof *starts),
            *counts = fth_new((size_t)ranks, sizeof *counts);
    bool found = true;
    for (unsigned k = 0; k < array->dimensions && found; k++) {
        for (int64_t rank = 0; rank < ranks; rank++) {
            starts[rank] = parts[rank]->start[k];
            counts[rank] = parts[rank]->count[k];
        }
        found = (fth_gen_rank_term(counts, ranks, &terms->count[k]) &&
                 fth_gen_rank_term(starts, ranks, &terms->start[k])) ||
                fth_gen_rank_shares(starts, counts, ranks, array->length[k], &terms->start[k],
                                    &terms->count[k]);
    }
    free(starts);
    free(counts);
    return found;
}

/* "array: PROCESS, VARIABLE", and the dimension of steps in front. */
static void begin_line(FILE *to, const char *indent, const char *process,
                       const struct fth_gen_proposed_variable *variable)
{
    fprintf(to, "%sarray: %s, %s", indent, process, variable->name);
    if (variable->grows || variable->steps > 1)
        fputs(", step, 1", to);
}

static void write_start(FILE *to, const struct fth_gen_proposed_access *access, unsigned k,
                        const char *start)
{
    if (k || !access->shift)
        fprintf(to, ", %s", start);
    else {
        fputs(", step", to);
        if (access->shift > 1)
            fprintf(to, " * %" PRId64, access->shift);
        if (strcmp(start, "0") != 0)
            fprintf(to, " + %s", start);
    }
}

static void end_line(FILE *to, const struct fth_gen_proposed_variable *variable,
                     const struct fth_gen_array *array, uint32_t piece)
{
    if (piece)
        fprintf(to, ", %s_part + %" PRId64 ";\n", variable->name, piece * largest(array));
    else
        fprintf(to, ", %s_part;\n", variable->name);
}

/* A line for each rank that has this piece. */
static void write_each(FILE *to, const char *indent, const struct fth_gen_proposed_access *access,
                       const struct fth_gen_proposed_variable *variable, uint32_t piece)
{
    const struct fth_gen_array *array = access->array;
    for (size_t i = 0; i < array->owned_count; i++) {
        const struct fth_gen_owned *owned = &array->owned[i];
        char number[32];
        if (owned->piece != piece)
            continue;
        snprintf(number, sizeof number, "%" PRId64, owned->rank);
        begin_line(to, indent, number, variable);
        for (unsigned k = 0; k < array->dimensions; k++) {
            snprintf(number, sizeof number, "%" PRId64, owned->start[k]);
            write_start(to, access, k, number);
            fprintf(to, ", %" PRId64, owned->count[k]);
        }
        end_line(to, variable, array, piece);
    }
}

static void write_access(FILE *to, const struct fth_gen_recorded *recorded, const char *indent,
                         const struct fth_gen_proposed_access *access,
                         const struct fth_gen_proposed_variable *variable)
{
    const struct fth_gen_array *array = access->array;
    const struct fth_gen_owned **parts = fth_new((size_t)recorded->ranks, sizeof *parts);
    for (uint32_t piece = 0; piece < array->pieces; piece++) {
        struct terms terms;
        if (!by_rank(array, piece, recorded->ranks, parts) ||
            !find_terms(array, parts, recorded->ranks, &terms)) {
            write_each(to, indent, access, variable, piece);
            continue;
        }
        begin_line(to, indent, "rank", variable);
        for (unsigned k = 0; k < array->dimensions; k++) {
            write_start(to, access, k, terms.start[k].text);
            fprintf(to, ", %s", terms.count[k].text);
        }
        end_line(to, variable, array, piece);
    }
    free(parts);
}

/* ---- statements ---- */

/* Contents of what is written by these accesses, each variable once. */
static void write_contents(FILE *to, const struct fth_gen_layout *layout, const char *indent,
                           size_t first, size_t behind)
{
    for (size_t i = first; i < behind; i++) {
        bool before = false;
        for (size_t j = first; j < i; j++)
            before |= layout->accesses[j].variable == layout->accesses[i].variable;
        const char *name = layout->variables[layout->accesses[i].variable].name;
        if (!before)
            fprintf(to, "%sfill(%s_part, %" PRId64 " * sizeof *%s_part, rank);\n", indent, name,
                    buffer_length(layout, layout->accesses[i].variable), name);
    }
}

/* Accesses of one round, as one set. */
static void write_round(FILE *to, const struct fth_gen_recorded *recorded,
                        const struct fth_gen_proposed_file *of, const char *indent, size_t first,
                        size_t behind, bool writes)
{
    if (writes)
        write_contents(to, &of->layout, indent, first, behind);
    if (of->rounds.rounds[of->layout.accesses[first].round].spread)
        fprintf(to,
                "%s/* CHECK: one process wrote these bytes, after it had gathered as many. This is "
                "right only\n%s * if they are the parts of all, in the order of ranks. */\n",
                indent, indent);
    fprintf(to, "%s#begin_%s\n", indent, writes ? "write" : "read");
    for (size_t i = first; i < behind; i++)
        write_access(to, recorded, indent, &of->layout.accesses[i],
                     &of->layout.variables[of->layout.accesses[i].variable]);
    fprintf(to, "%s#end_%s\n", indent, writes ? "write" : "read");
}

static void write_statements(FILE *to, const struct fth_gen_recorded *recorded,
                             const struct fth_gen_proposed_file *of)
{
    const struct fth_gen_layout *layout = &of->layout;
    size_t open = SIZE_MAX;
    for (size_t i = 0; i < layout->access_count;) {
        const struct fth_gen_proposed_access *access = &layout->accesses[i];
        const struct fth_gen_statement *statement = &of->rounds.statements[access->statement];
        size_t behind = i;
        while (behind < layout->access_count && layout->accesses[behind].round == access->round)
            behind++;
        bool loops = statement->steps > 1;
        if (loops && open != access->statement)
            fprintf(to, "    for (int step = 0; step < %zu; step++) {\n", statement->steps);
        open = loops ? access->statement : SIZE_MAX;
        write_round(to, recorded, of, loops ? "        " : "    ", i, behind,
                    of->rounds.rounds[access->round].writes);
        if (loops && (behind == layout->access_count ||
                      layout->accesses[behind].statement != access->statement))
            fputs("    }\n", to);
        i = behind;
    }
}

/* Variables of raw files begin at multiples of 8, unless options say otherwise. */
static bool is_packed(const struct fth_gen_layout *layout)
{
    for (size_t i = 0; i < layout->variable_count; i++) {
        const struct fth_gen_proposed_variable *of = &layout->variables[i];
        if (!of->space && (of->at % 8 || of->bytes * (int64_t)of->steps % 8))
            return true;
    }
    return false;
}

static void write_file(FILE *to, const struct fth_gen_recorded *recorded, const char *library,
                       const struct fth_gen_proposed_file *of)
{
    const struct fth_gen_layout *layout = &of->layout;
    fprintf(to,
            "static void save_%s(int rank)\n{\n    #begin_options\n    library: %s;\n    file: ",
            of->stem, library);
    write_quoted(to, of->shown);
    fprintf(to, ";\n%s%s    processes: %" PRId64 ";\n    #end_options\n",
            of->file->writes ? "" : "    mode: read;\n", is_packed(layout) ? "    align: 1;\n" : "",
            recorded->ranks);
    for (uint32_t i = 0; i < layout->variable_count; i++) {
        const struct fth_gen_proposed_variable *variable = &layout->variables[i];
        if (!variable->gap)
            fprintf(to, "    %s *%s_part = (%s *)take(%" PRId64 ", sizeof *%s_part);\n",
                    variable->type->in_c, variable->name, variable->type->in_c,
                    buffer_length(layout, i), variable->name);
    }
    write_dimensions(to, of);
    write_variables(to, of);
    write_statements(to, recorded, of);
    fputs("    #close\n", to);
    for (size_t i = 0; i < layout->variable_count; i++)
        if (!layout->variables[i].gap)
            fprintf(to, "    free(%s_part);\n", layout->variables[i].name);
    fputs("    (void)rank;\n}\n\n", to);
}

/* ---- the program ---- */

static const char head[] =
    "#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n";
static const char take[] =
    "static void *take(size_t count, size_t size)\n{\n    void *memory = calloc(count + 1, size);\n"
    "    if (!memory)\n        MPI_Abort(MPI_COMM_WORLD, 1);\n    return memory;\n}\n\n";
static const char fill[] =
    "/* Stands for your data: what a process has, without a hole, in the order of the file. */\n"
    "static void fill(void *part, size_t bytes, int rank)\n{\n"
    "    memset(part, 'a' + rank % 26, bytes);\n}\n\n";

static void write_main(FILE *to, const struct fth_gen_recorded *recorded,
                       const struct fth_gen_proposed_file *files, size_t count)
{
    fputs("int main(int argc, char **argv)\n{\n    int rank, size;\n    MPI_Init(&argc, &argv);\n"
          "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n    MPI_Comm_size(MPI_COMM_WORLD, &size);\n",
          to);
    fprintf(to,
            "    if (size != %" PRId64 ") {\n"
            "        fprintf(stderr, \"the recorded run had %" PRId64
            " ranks, this one has %%d\\n\", size);\n"
            "        MPI_Abort(MPI_COMM_WORLD, 1);\n    }\n",
            recorded->ranks, recorded->ranks);
    for (size_t i = 0; i < count; i++)
        fprintf(to, "    save_%s(rank);\n", files[i].stem);
    fputs("    MPI_Finalize();\n    return 0;\n}\n", to);
}

static void write_remarks(FILE *to, const struct fth_gen_recorded *recorded,
                          const struct fth_gen_proposed_file *of,
                          const struct fth_gen_expectation *expectations, size_t count)
{
    char *text = NULL;
    size_t length = 0;
    FILE *remark = open_memstream(&text, &length);
    if (!remark)
        return fth_out_of_memory();
    fprintf(remark, "%s:", of->shown);
    for (uint32_t i = 0; i < of->layout.variable_count; i++) {
        fputc(' ', remark);
        fth_gen_describe(remark, recorded, of, i);
    }
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        if (!expectations[i].path || strcmp(expectations[i].path, of->file->path) != 0)
            continue;
        fprintf(remark, "%s %s", any ? "" : " The report of the run:", expectations[i].text);
        any = true;
    }
    if (!any)
        fputs(" The report of the run has no finding about how it is accessed.", remark);
    fclose(remark);
    fth_gen_remark(to, text);
    free(text);
}

static void write_head(FILE *to, const struct fth_gen_recorded *recorded,
                       const struct fth_gen_expectation *expectations, size_t count)
{
    char *text = NULL;
    size_t length = 0;
    FILE *said = open_memstream(&text, &length);
    if (!said)
        return fth_out_of_memory();
    fprintf(said,
            "A template for `fathom generate`, proposed from what a recorded run%s%s did with "
            "%" PRId64 " process%s. It is right for as many processes, for arrays of these sizes, "
            "and where each condition holds that is marked by CHECK.",
            recorded->program ? " of " : "", recorded->program ? recorded->program : "",
            recorded->ranks, recorded->ranks == 1 ? "" : "es");
    for (size_t i = 0; i < count; i++)
        if (!expectations[i].path)
            fprintf(said, " The report of the run, of no single file: %s", expectations[i].text);
    fclose(said);
    fth_gen_remark(to, text);
    free(text);
}

void fth_gen_template_write(FILE *to, const struct fth_gen_recorded *recorded, const char *library,
                            const struct fth_gen_proposed_file *files, size_t count,
                            const struct fth_gen_expectation *expectations,
                            size_t expectation_count)
{
    bool writes = false;
    write_head(to, recorded, expectations, expectation_count);
    fputs(head, to);
    fputs(take, to);
    for (size_t i = 0; i < count; i++)
        writes |= files[i].file->writes;
    if (writes)
        fputs(fill, to);
    for (size_t i = 0; i < count; i++) {
        write_remarks(to, recorded, &files[i], expectations, expectation_count);
        write_file(to, recorded, library, &files[i]);
    }
    write_main(to, recorded, files, count);
}
