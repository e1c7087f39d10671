/* The text of a proposed template: a function for each file, with its hints, and a main program
 * that calls them. The arrays have stand-ins for their contents, which the user replaces. */
#include "gen/infer/template_frames.h"
#include "gen/infer/template_lines.h"

#include "base/memory.h"
#include "base/visible.h"

#include <inttypes.h>
#include <string.h>

enum { WIDTH = 96 };

void fth_gen_remark(FILE *to, const char *text, bool fortran)
{
    int column = 3;
    char *visible = fth_visible(text);
    if (!visible)
        return fth_out_of_memory();
    fputs(fortran ? "!" : "/*", to);
    for (const char *at = visible; *at;) {
        size_t length = strcspn(at, " ");
        if (length && column + (int)length + 1 > WIDTH) {
            fputs(fortran ? "\n!" : "\n *", to);
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
    fputs(fortran ? "\n" : " */\n", to);
    free(visible);
}

/* ---- statements ---- */

/* Contents of what is written by these accesses, each variable once. */
static void write_contents(FILE *to, const struct fth_gen_frame *frame,
                           const struct fth_gen_layout *layout, const char *indent, size_t first,
                           size_t behind)
{
    for (size_t i = first; i < behind; i++) {
        bool before = false;
        for (size_t j = first; j < i; j++)
            before |= layout->accesses[j].variable == layout->accesses[i].variable;
        if (!before)
            frame->fill(to, indent, &layout->variables[layout->accesses[i].variable],
                        fth_gen_buffer_length(layout, layout->accesses[i].variable));
    }
}

/* Accesses of one round, as one set. */
static void write_round(FILE *to, const struct fth_gen_frame *frame,
                        const struct fth_gen_recorded *recorded,
                        const struct fth_gen_proposed_file *of, const char *indent, size_t first,
                        size_t behind, bool writes)
{
    const char *begin = frame->fortran ? "!" : "/*", *next = frame->fortran ? "!" : " *",
               *end = frame->fortran ? "" : " */";
    if (writes)
        write_contents(to, frame, &of->layout, indent, first, behind);
    if (of->rounds.rounds[of->layout.accesses[first].round].spread)
        fprintf(to,
                "%s%s CHECK: one process wrote these bytes, after it had gathered as many. This is "
                "right only\n%s%s if they are the parts of all, in the order of ranks.%s\n",
                indent, begin, indent, next, end);
    fprintf(to, "%s#begin_%s\n", indent, writes ? "write" : "read");
    for (size_t i = first; i < behind; i++)
        fth_gen_write_access(to, recorded, indent, &of->layout.accesses[i],
                             &of->layout.variables[of->layout.accesses[i].variable],
                             frame->fortran);
    fprintf(to, "%s#end_%s\n", indent, writes ? "write" : "read");
}

static void write_statements(FILE *to, const struct fth_gen_frame *frame,
                             const struct fth_gen_recorded *recorded,
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
            frame->begin_loop(to, statement->steps);
        open = loops ? access->statement : SIZE_MAX;
        write_round(to, frame, recorded, of, loops ? "        " : "    ", i, behind,
                    of->rounds.rounds[access->round].writes);
        if (loops && (behind == layout->access_count ||
                      layout->accesses[behind].statement != access->statement))
            fputs(frame->end_loop, to);
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

static bool has_loops(const struct fth_gen_proposed_file *of)
{
    for (size_t i = 0; i < of->layout.access_count; i++)
        if (of->rounds.statements[of->layout.accesses[i].statement].steps > 1)
            return true;
    return false;
}

static void write_file(FILE *to, const struct fth_gen_frame *frame,
                       const struct fth_gen_recorded *recorded, const char *library,
                       const struct fth_gen_proposed_file *of)
{
    const struct fth_gen_layout *layout = &of->layout;
    frame->begin_file(to, of, has_loops(of));
    fprintf(to, "    #begin_options\n    library: %s;\n    file: ", library);
    frame->quote(to, of->shown);
    fprintf(to, ";\n%s%s    processes: %" PRId64 ";\n    #end_options\n",
            of->file->writes ? "" : "    mode: read;\n", is_packed(layout) ? "    align: 1;\n" : "",
            recorded->ranks);
    for (uint32_t i = 0; i < layout->variable_count; i++)
        if (!layout->variables[i].gap)
            frame->take(to, &layout->variables[i], fth_gen_buffer_length(layout, i));
    fth_gen_write_dimensions(to, of);
    fth_gen_write_variables(to, of, frame->fortran);
    write_statements(to, frame, recorded, of);
    fputs("    #close\n", to);
    for (size_t i = 0; i < layout->variable_count; i++)
        if (!layout->variables[i].gap)
            frame->release(to, &layout->variables[i]);
    frame->end_file(to, of);
}

/* ---- the program ---- */

static void write_remarks(FILE *to, const struct fth_gen_recorded *recorded,
                          const struct fth_gen_proposed_file *of,
                          const struct fth_gen_expectation *expectations, size_t count,
                          bool fortran)
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
    fth_gen_remark(to, text, fortran);
    free(text);
}

static void write_head(FILE *to, const struct fth_gen_recorded *recorded,
                       const struct fth_gen_expectation *expectations, size_t count, bool fortran)
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
    if (fortran)
        fputs(" Its comments name the slowest dimension first; its hints, as Fortran does, last.",
              said);
    for (size_t i = 0; i < count; i++)
        if (!expectations[i].path)
            fprintf(said, " The report of the run, of no single file: %s", expectations[i].text);
    fclose(said);
    fth_gen_remark(to, text, fortran);
    free(text);
}

void fth_gen_template_write(FILE *to, const struct fth_gen_recorded *recorded, const char *library,
                            enum fth_gen_language language,
                            const struct fth_gen_proposed_file *files, size_t count,
                            const struct fth_gen_expectation *expectations,
                            size_t expectation_count)
{
    const struct fth_gen_frame *frame =
        language == FTH_GEN_FORTRAN ? &fth_gen_fortran_frame : &fth_gen_c_frame;
    bool writes = false;
    write_head(to, recorded, expectations, expectation_count, frame->fortran);
    for (size_t i = 0; i < count; i++)
        writes |= files[i].file->writes;
    frame->begin_program(to, recorded, files, count, writes);
    for (size_t i = 0; i < count; i++) {
        write_remarks(to, recorded, &files[i], expectations, expectation_count, frame->fortran);
        write_file(to, frame, recorded, library, &files[i]);
    }
    frame->end_program(to, recorded, files, count);
}
