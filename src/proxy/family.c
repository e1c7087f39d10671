/* Which processes a program has: see the header. */
#include "proxy/family.h"

#include "base/memory.h"
#include "repeat/what/played.h"

struct fth_family *fth_family_open(const struct fth_trace *trace)
{
    struct fth_family *family = fth_new(1, sizeof *family);
    family->count = fth_trace_process_count(trace);
    family->members = fth_new(family->count + 1, sizeof *family->members);
    for (size_t i = 0; i < family->count; i++) {
        fth_variables_open(&family->members[i].variables);
        family->members[i].is_root = fth_repeat_is_root(trace, i);
    }
    return family;
}

void fth_family_close(struct fth_family *family)
{
    if (!family)
        return;
    for (size_t i = 0; i < family->count; i++) {
        fth_variables_close(&family->members[i].variables);
        free(family->members[i].folder);
    }
    free(family->members);
    free(family);
}

void fth_family_begin(struct fth_family *family, size_t parent, size_t proc, bool is_new_program,
                      const struct fth_variables *variables,
                      const struct fth_standard_handles *standard, const char *folder)
{
    struct fth_family_member *member = &family->members[proc];
    member->is_started = true;
    member->rank = family->members[parent].rank;
    member->order = family->begun++;
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
size_t fth_family_choose(struct fth_family *family, const struct fth_trace *trace)
{
    size_t with_calls = 0;
    for (size_t i = family->count; i-- > 0;) {
        struct fth_family_member *member = &family->members[i];
        int64_t parent = fth_trace_process(trace, i)->parent_proc;
        if (!member->is_root && !member->is_started)
            continue;
        member->is_wanted |= member->calls > 0;
        if (member->is_wanted && !member->is_root && parent >= 0 && (size_t)parent < i)
            family->members[parent].is_wanted = true;
    }
    /* what starts with a process that is not repeated is not, either */
    for (size_t i = 0; i < family->count; i++) {
        struct fth_family_member *member = &family->members[i];
        int64_t parent = fth_trace_process(trace, i)->parent_proc;
        if (!member->is_root)
            member->is_wanted &= member->is_started && parent >= 0 && (size_t)parent < i &&
                                 family->members[parent].is_wanted;
        with_calls += member->is_wanted && member->calls;
    }
    return with_calls;
}
