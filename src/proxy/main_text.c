/* The main function: until the rank is known, and then the body of the group that it is in. */
#include "proxy/main_text.h"
#include "proxy/handle_class.h"
#include "proxy/programs_text.h"

#include "base/memory.h"
#include "catalog/values.h"
#include "proxy/run_arguments.h"
#include "proxy/named_ranks.h"
#include "proxy/rank_range.h"
#include "proxy/sizes.h"
#include "proxy/main_loop.h"

#include <inttypes.h>
#include <string.h>

static void declare_field(struct fth_writing *writing, const struct fth_field *field)
{
    if (field->class_index < 0)
        return;
    writing->classes = fth_reach(writing->classes, &writing->class_limit,
                                 (uint32_t)field->class_index, sizeof *writing->classes);
    struct fth_written_class *of = &writing->classes[field->class_index];
    if (of->type)
        return;
    fth_form_class(field, of->name);
    const char *type = field->type;
    if (!strncmp(type, "const ", 6))
        type += 6;
    size_t length = strlen(type);
    bool is_pointer = length && type[length - 1] == '*' && !field->array;
    bool is_opaque = !strncmp(type, "FILE", 4) || !strncmp(type, "DIR", 3);
    if (is_pointer && !is_opaque)
        length--;
    while (length && type[length - 1] == ' ')
        length--;
    of->type = fth_text_part(type, length);
}

/* A number that grows, where an int holds it as if it were so much larger. */
static void see_largest(struct fth_writing *writing, const struct fth_known_form *known)
{
    const struct fth_form *form = &known->form;
    for (size_t i = 0; i < form->row->field_count; i++) {
        const struct fth_argument *argument = &form->arguments[i];
        bool is_text = argument->written == FTH_WRITTEN_FORMAT,
             grows = is_text || argument->written == FTH_WRITTEN_CONTENT ||
                     fth_proxy_grows(form->row, i);
        bool is_int = is_text || !strcmp(form->row->fields[i].type, "int");
        for (uint32_t k = 0; k < argument->count && grows; k++) {
            uint64_t most = (uint64_t)known->numbers[argument->first + k].most;
            uint64_t as_long = is_int ? most << 32 : most;
            writing->largest = as_long > writing->largest ? as_long : writing->largest;
        }
    }
}

static void declare_blocks(struct fth_writing *writing)
{
    writing->classes = fth_reach(writing->classes, &writing->class_limit, FTH_BLOCK_CLASS,
                                 sizeof *writing->classes);
    struct fth_written_class *of = &writing->classes[FTH_BLOCK_CLASS];
    if (of->type)
        return;
    const struct fth_field *descriptor = fth_form_descriptor(writing->trace);
    writing->descriptor_class = descriptor ? (uint32_t)descriptor->class_index : 0;
    snprintf(of->name, sizeof of->name, "block");
    of->type = fth_text_copy("struct aiocb");
}

static uint32_t more_of(const struct fth_variable_space *space, uint32_t k, uint32_t most)
{
    return k < space->class_limit && space->classes[k].most > most ? space->classes[k].most : most;
}

static void declare_variables(struct fth_writing *writing, const struct fth_proxy_process *process)
{
    for (uint32_t k = 0; k < writing->class_limit; k++) {
        struct fth_written_class *of = &writing->classes[k];
        of->most = more_of(&process->variables, k, of->most);
        of->most_shared = more_of(&process->shared, k, of->most_shared);
    }
}

static void declare(const struct fth_proxy_parts *parts)
{
    struct fth_writing *writing = parts->writing;
    for (size_t i = 0; i < parts->all_count; i++) {
        const struct fth_proxy_process *process = &parts->processes[i];
        writing->slots = process->slots > writing->slots ? process->slots : writing->slots;
        writing->threads = process->slot > writing->threads ? process->slot : writing->threads;
        for (uint32_t k = 0; k < process->forms.count; k++) {
            const struct fth_row *row = process->known[k].form.row;
            see_largest(writing, &process->known[k]);
            fth_intern(&writing->used, row->layer, strlen(row->layer));
            fth_intern(&writing->used, row->kind, strlen(row->kind));
            size_t descriptors = 0;
            for (size_t field = 0; field < row->field_count; field++)
                descriptors += !strcmp(row->fields[field].role_words, "use fd");
            if (descriptors > 1)
                fth_intern(&writing->used, FTH_WRITING_COPIES, strlen(FTH_WRITING_COPIES));
            for (size_t field = 0; field < row->field_count; field++)
                declare_field(writing, &row->fields[field]);
            if (fth_field_with_role(row, FTH_ROLE_AIO) >= 0)
                declare_blocks(writing);
            declare_field(writing, &row->result);
        }
        declare_variables(writing, process);
        if (process->bytes > writing->buffer_bytes)
            writing->buffer_bytes = process->bytes;
        if (parts->in_mpi && i < parts->process_count && process->rank >= writing->rank_count)
            writing->rank_count = process->rank + 1;
    }
    if (writing->buffer_bytes < 4096)
        writing->buffer_bytes = 4096;
    if (writing->largest < writing->buffer_bytes)
        writing->largest = writing->buffer_bytes;
}

/* ---- the main function ---- */

static void put_condition(struct fth_writing *writing, const struct fth_body *body)
{
    int64_t *ranks = fth_new(body->member_count, sizeof *ranks);
    for (size_t m = 0; m < body->member_count; m++)
        ranks[m] = body->members[m]->rank;
    char *text = fth_proxy_write_condition(writing, ranks, body->member_count);
    fputs(text, writing->main.file);
    free(text);
    free(ranks);
}

/* The largest group is that of all other ranks, so that there may be more of them. */
static size_t largest_group(const struct fth_proxy_parts *parts)
{
    size_t largest = 0;
    for (size_t i = 1; i < parts->body_count; i++)
        if (parts->bodies[i].member_count >= parts->bodies[largest].member_count)
            largest = i;
    return largest;
}

static void put_bodies(const struct fth_proxy_parts *parts)
{
    struct fth_writing *writing = parts->writing;
    FILE *to = writing->main.file;
    size_t last = largest_group(parts);
    if (parts->body_count == 1) {
        fth_proxy_write_body(writing, &parts->bodies[0], to, 1);
        return;
    }
    for (size_t i = 0; i < parts->body_count; i++) {
        const struct fth_body *body = &parts->bodies[i];
        struct fth_growing_text text;
        fth_growing_text_open(&text);
        fth_proxy_write_body(writing, body, text.file, 1);
        fth_growing_text_end(&text);
        fprintf(writing->functions.file, "\nstatic void run_as_rank_%" PRId64 "(void)\n{\n%s}\n",
                body->members[0]->rank, text.text);
        free(text.text);
    }
    const char *before = "    ";
    for (size_t i = 0; i < parts->body_count; i++) {
        if (i == last)
            continue;
        fprintf(to, "%sif (", before);
        put_condition(writing, &parts->bodies[i]);
        fprintf(to, ")\n        run_as_rank_%" PRId64 "();\n", parts->bodies[i].members[0]->rank);
        before = "    else ";
    }
    fprintf(to, "    else\n        run_as_rank_%" PRId64 "();\n",
            parts->bodies[last].members[0]->rank);
}

static void mark_rank(const struct fth_proxy_parts *parts)
{
    struct fth_proxy_process *process = parts->start->members[0];
    for (uint32_t i = 0; i < process->forms.count; i++)
        if (fth_form_asks_rank(&process->known[i].form))
            process->known[i].form.arguments[1].written = FTH_WRITTEN_RANK;
}

static void find_counting(const struct fth_proxy_parts *parts)
{
    if (parts->start->member_count)
        fth_proxy_find_counting(parts->writing, parts->start);
    for (size_t i = 0; i < parts->body_count; i++)
        fth_proxy_find_counting(parts->writing, &parts->bodies[i]);
    for (uint32_t i = 1; i <= parts->program_count; i++)
        fth_proxy_find_counting(parts->writing, &parts->programs[i]);
}

/* As soon as the rank is known: the arguments, and how many ranks there are. */
static void put_checks_behind(struct fth_writing *writing, size_t before)
{
    struct fth_growing_text text;
    char *check = fth_proxy_ranks_check(writing);
    fth_growing_text_open(&text);
    fwrite(writing->main.text, 1, before, text.file);
    fth_proxy_put_parameters_check(writing, text.file);
    fprintf(text.file, "%s%s", check ? check : "", writing->main.text + before);
    fth_growing_text_end(&text);
    free(check);
    free(writing->main.text);
    writing->main = text;
}

void fth_proxy_write_main(const struct fth_proxy_parts *parts)
{
    struct fth_writing *writing = parts->writing;
    writing->least_ranks = 1;
    writing->most_ranks = INT64_MAX;
    writing->self = "rank";
    fth_growing_text_open(&writing->functions);
    fth_growing_text_open(&writing->main);
    fth_growing_text_open(&writing->tables);
    fth_growing_text_open(&writing->declarations);
    declare(parts);
    fth_proxy_find_steps(parts);
    find_counting(parts);
    fth_proxy_write_programs(parts);
    if (parts->start->member_count) {
        mark_rank(parts);
        fth_proxy_write_body(writing, parts->start, writing->main.file, 1);
        if (parts->asks)
            fputs("    /* The run asked later, or not at all. */\n"
                  "    MPI_Comm_rank(MPI_COMM_WORLD, &own_rank);\n",
                  writing->main.file);
        fputs("    rank = own_rank;\n", writing->main.file);
    }
    size_t before = (size_t)ftell(writing->main.file);
    put_bodies(parts);
    writing->body = NULL;
    fth_growing_text_end(&writing->functions);
    fth_growing_text_end(&writing->main);
    fth_growing_text_end(&writing->tables);
    fth_growing_text_end(&writing->declarations);
    if (!parts->start->member_count)
        return;
    fth_proxy_find_ranks(parts);
    fth_proxy_limit_named(writing);
    put_checks_behind(writing, before);
}
