/* Which processes a program has: see the header. */
#include "proxy/relatives.h"

#include "base/memory.h"
#include "repeat/what/played.h"

struct fth_relatives *fth_relatives_open(const struct fth_trace *trace)
{
    struct fth_relatives *relatives = fth_new(1, sizeof *relatives);
    relatives->count = fth_trace_process_count(trace);
    relatives->members = fth_new(relatives->count + 1, sizeof *relatives->members);
    for (size_t i = 0; i < relatives->count; i++) {
        fth_variables_open(&relatives->members[i].variables);
        relatives->members[i].is_root = fth_repeat_is_root(trace, i);
    }
    return relatives;
}

void fth_relatives_close(struct fth_relatives *relatives)
{
    if (!relatives)
        return;
    for (size_t i = 0; i < relatives->count; i++) {
        fth_variables_close(&relatives->members[i].variables);
        free(relatives->members[i].folder);
    }
    free(relatives->members);
    free(relatives);
}

void fth_relatives_begin(struct fth_relatives *relatives, size_t parent, size_t proc,
                         bool is_new_program, const struct fth_variables *variables,
                         const struct fth_standard_handles *standard, const char *folder)
{
    struct fth_relatives_member *member = &relatives->members[proc];
    member->is_started = true;
    member->rank = relatives->members[parent].rank;
    member->order = relatives->begun++;
    member->is_new_program = is_new_program;
    free(member->folder);
    member->folder = folder ? fth_text_copy(folder) : NULL;
    fth_variables_close(&member->variables);
    fth_variables_open(&member->variables);
    if (!is_new_program)
        fth_variables_copy(&member->variables, variables);
    for (size_t i = 0; i < FTH_STANDARD_HANDLES; i++)
        member->states[i] = standard->states[i];
}

/* Processes stand behind those that started them. */
size_t fth_relatives_choose(struct fth_relatives *relatives, const struct fth_trace *trace)
{
    size_t with_calls = 0;
    for (size_t i = relatives->count; i-- > 0;) {
        struct fth_relatives_member *member = &relatives->members[i];
        int64_t parent = fth_trace_process(trace, i)->parent_proc;
        if (!member->is_root && !member->is_started)
            continue;
        member->is_wanted |= member->calls > 0;
        if (member->is_wanted && !member->is_root && parent >= 0 && (size_t)parent < i)
            relatives->members[parent].is_wanted = true;
    }
    /* what starts with a process that is not repeated is not, either */
    for (size_t i = 0; i < relatives->count; i++) {
        struct fth_relatives_member *member = &relatives->members[i];
        int64_t parent = fth_trace_process(trace, i)->parent_proc;
        if (!member->is_root)
            member->is_wanted &= member->is_started && parent >= 0 && (size_t)parent < i &&
                                 relatives->members[parent].is_wanted;
        with_calls += member->is_wanted && member->calls;
    }
    return with_calls;
}
