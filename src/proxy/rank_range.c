/* A program may run with other ranks than the run had where all that depends on the rank is an
 * expression of it. What says otherwise is here. */
#include "proxy/rank_range.h"

#include "base/memory.h"
#include "trace/record/builtin.h"

#include <inttypes.h>
#include <string.h>

/* ---- groups ---- */

static bool is_last_alone(const struct fth_proxy_parts *parts)
{
    const struct fth_proxy_process *last = &parts->processes[parts->process_count - 1];
    size_t alike = 0;
    for (size_t i = 0; i < parts->body_count; i++) {
        const struct fth_body *body = &parts->bodies[i];
        bool has_last = body->members[body->member_count - 1] == last;
        for (size_t m = 0; m < body->member_count && has_last; m++)
            alike += !body->makers || body->members[m]->group == last->group;
    }
    return alike < 2;
}

/* ---- calls ---- */

struct found {
    bool sends, has_lists, shares_memory;
};

static void look_at_field(const struct fth_known_form *known, size_t i, struct found *found)
{
    const struct fth_field *field = &known->form.row->fields[i];
    const struct fth_argument *argument = &known->form.arguments[i];
    bool is_list = argument->written == FTH_WRITTEN_LIST || argument->written == FTH_WRITTEN_TABLE;
    found->has_lists |= is_list && (!strcmp(known->form.row->kind, "comm") ||
                                    !strcmp(known->form.row->kind, "collective"));
    found->shares_memory |=
        argument->written == FTH_WRITTEN_BUFFER && !strcmp(known->form.row->kind, "collective");
    found->sends |= field->role == FTH_ROLE_PEER;
}

static struct found look_at_calls(const struct fth_proxy_parts *parts)
{
    struct found found = {0};
    for (size_t i = 0; i < parts->process_count; i++)
        for (uint32_t k = 0; k < parts->processes[i].forms.count; k++) {
            const struct fth_known_form *known = &parts->processes[i].known[k];
            for (size_t field = 0; field < known->form.row->field_count; field++)
                if (fth_layer_is(known->form.row->layer, FTH_LAYER_MESSAGES | FTH_LAYER_TOGETHER))
                    look_at_field(known, field, &found);
        }
    return found;
}

static bool has_peer(const struct fth_row *row)
{
    for (size_t i = 0; i < row->field_count; i++)
        if (row->fields[i].role == FTH_ROLE_PEER)
            return true;
    return false;
}

/* Are there messages that some groups only send or receive? */
static bool sends_apart(const struct fth_proxy_parts *parts)
{
    if (parts->body_count != 1)
        return true;
    const struct fth_body *body = &parts->bodies[0];
    uint32_t statements = fth_body_sequence(body, 0)->symbols.count, all = 0;
    for (size_t m = 0; m < body->member_count; m++)
        all |= 1u << body->members[m]->group;
    for (uint32_t i = 0; i < statements; i++)
        if (body->makers[i] != all && has_peer(fth_body_form(body, i)->form.row))
            return true;
    return false;
}

/* ---- the range ---- */

void fth_proxy_limit_ranks(struct fth_writing *writing, int64_t least, int64_t most,
                           const char *why)
{
    bool lowers = most<writing->most_ranks, raises = least> writing->least_ranks;
    if (fth_proxy_in_program(writing) || (!lowers && !raises))
        return;
    /* the other end of the range has a reason of its own, unless this one is of both */
    bool both =
        writing->why_ranks && least < most &&
        ((!lowers && writing->most_ranks != INT64_MAX) || (!raises && writing->least_ranks != 1));
    char *before = writing->why_ranks;
    writing->why_ranks = both ? fth_text_format("%s; %s", before, why) : fth_text_copy(why);
    free(before);
    writing->most_ranks = most < writing->most_ranks ? most : writing->most_ranks;
    writing->least_ranks = least > writing->least_ranks ? least : writing->least_ranks;
}

void fth_proxy_only_ranks_of_run(struct fth_writing *writing)
{
    if (fth_proxy_in_program(writing))
        return;
    writing->needs |= FTH_NEEDS_RANKS;
    if (!writing->unruled)
        writing->unruled = writing->numbered;
}

static void limit_to_run(struct fth_writing *writing)
{
    char *why = writing->unruled
                    ? fth_text_format("numbers of single ranks follow no rule of the rank (in %s)",
                                      writing->unruled->name)
                    : fth_text_copy("which ranks do what, follows no rule of the rank");
    fth_proxy_limit_ranks(writing, writing->rank_count, writing->rank_count, why);
    free(why);
}

void fth_proxy_find_ranks(const struct fth_proxy_parts *parts)
{
    struct fth_writing *writing = parts->writing;
    const struct found found = look_at_calls(parts);
    int64_t ranks = writing->rank_count;
    writing->shares_memory = found.shares_memory;
    writing->body = NULL;
    bool grouped = parts->body_count > 1 || (parts->body_count && parts->bodies[0].makers);
    if (writing->programs)
        fth_proxy_limit_ranks(writing, ranks, ranks,
                              writing->threads ? "ranks start threads, as many as in the run"
                                               : "ranks start processes, as many as in the run");
    if (writing->constant_peer)
        fth_proxy_limit_ranks(writing, writing->constant_peer + 1, INT64_MAX,
                              "calls name a rank by its number");
    if (writing->counted_peer)
        fth_proxy_limit_ranks(writing, writing->counted_peer + 1, INT64_MAX,
                              "calls count ranks as in the run");
    if (writing->needs & FTH_NEEDS_RANKS)
        limit_to_run(writing);
    else if (found.has_lists)
        fth_proxy_limit_ranks(writing, ranks, ranks,
                              "a communicator or a collective call has a list for these ranks");
    else if (grouped && found.sends && sends_apart(parts))
        fth_proxy_limit_ranks(writing, ranks, ranks,
                              "ranks that do not all do the same send messages to each other");
    else if (grouped && is_last_alone(parts))
        fth_proxy_limit_ranks(writing, ranks, ranks, "the last rank does what no other one does");
}

char *fth_proxy_ranks_text(const struct fth_writing *writing)
{
    int64_t least = writing->least_ranks, most = writing->most_ranks;
    if (least == most)
        return fth_text_format("%" PRId64 " %s", most, most == 1 ? "rank" : "ranks");
    if (most == INT64_MAX)
        return least == 1 ? fth_text_copy("any number of ranks")
                          : fth_text_format("%" PRId64 " ranks or more", least);
    return fth_text_format("%" PRId64 " to %" PRId64 " ranks", least, most);
}

/* Collective calls have a part of the buffer for each rank. */
static char *memory_text(const struct fth_writing *writing)
{
    int64_t run = writing->rank_count;
    bool other = writing->needs & FTH_NEEDS_OTHER;
    char *parts = fth_text_format("ranks / %" PRId64 " + 1", run);
    char *text =
             fth_text_format("    if (ranks > %" PRId64 ") { /* with a part for each of them */\n"
                             "        free(buffer);\n"
                             "        buffer = calloc((size_t)(%s), BUFFER_BYTES);\n"
                             "        memset(buffer, 'x', BUFFER_BYTES);\n",
                             run, parts),
         *whole = other ? fth_text_format("%s        free(other);\n"
                                          "        other = calloc((size_t)(%s), BUFFER_BYTES);\n"
                                          "    }\n",
                                          text, parts)
                        : fth_text_format("%s    }\n", text);
    free(parts);
    free(text);
    return whole;
}

/* Through the names of MPI for tools: a recording of the program has the calls of the run only. */
char *fth_proxy_ranks_check(const struct fth_writing *writing)
{
    int64_t least = writing->least_ranks, most = writing->most_ranks, run = writing->rank_count;
    bool is_any = least == 1 && most == INT64_MAX;
    bool grows = writing->shares_memory && most > run;
    if (is_any && !grows && !(writing->needs & FTH_NEEDS_SIZE))
        return NULL;
    char *memory = grows ? memory_text(writing) : fth_text_copy("");
    char *size =
        fth_text_format("    %sranks;\n"
                        "    PMPI_Comm_size(MPI_COMM_WORLD, &%sranks);\n%s%s",
                        writing->needs & FTH_NEEDS_SIZE ? "int own_" : "int ",
                        writing->needs & FTH_NEEDS_SIZE ? "own_" : "",
                        writing->needs & FTH_NEEDS_SIZE ? "    ranks = own_ranks;\n" : "", memory);
    free(memory);
    if (is_any)
        return size;
    char *range = fth_proxy_ranks_text(writing);
    char *wrong = least == most       ? fth_text_format("ranks != %" PRId64, most)
                  : most == INT64_MAX ? fth_text_format("ranks < %" PRId64, least)
                  : least == 1
                      ? fth_text_format("ranks > %" PRId64, most)
                      : fth_text_format("ranks < %" PRId64 " || ranks > %" PRId64, least, most);
    char *check =
        fth_text_format("%s    if (%s) {\n"
                        "        if (!rank)\n"
                        "            fprintf(stderr,\n"
                        "                    \"This program repeats a run of %" PRId64
                        " %s, and cannot repeat it with %%ld: \"\n"
                        "                    \"%s.\\n\"\n"
                        "                    \"Start it with %s.\\n\",\n"
                        "                    (long)ranks);\n"
                        "        PMPI_Finalize();\n"
                        "        return 1;\n"
                        "    }\n",
                        size, wrong, run, run == 1 ? "rank" : "ranks", writing->why_ranks, range);
    free(size);
    free(range);
    free(wrong);
    return check;
}
