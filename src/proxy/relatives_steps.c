/* Steps from the calls of a process: see the header. */
#include "proxy/relatives_steps.h"

#include "base/memory.h"
#include "catalog/values.h"
#include "repeat/what/played.h"

#include <string.h>

void fth_relatives_steps_open(struct fth_proxy_calls *kept, const struct fth_trace *trace,
                              size_t proc)
{
    fth_repeat_children_open(&kept->children, trace);
    kept->had_bytes.size = sizeof(bool);
    fth_repeat_children_start(&kept->children, proc);
    struct fth_relatives_member *member = &kept->scope.relatives->members[proc];
    fth_variables_copy(&kept->variables, &member->variables);
    memcpy(kept->standard.states, member->states, sizeof member->states);
    if (kept->scope.directory)
        kept->context.folders.directory = kept->scope.directory;
    if (member->folder)
        kept->context.folders.own = member->folder;
}

void fth_relatives_steps_close(struct fth_proxy_calls *kept)
{
    fth_repeat_children_close(&kept->children);
    free(kept->slots);
    fth_keyed_free(&kept->had_bytes);
}

void fth_relatives_steps_take(struct fth_proxy_calls *kept)
{
    kept->child = (struct fth_repeat_child){0};
    kept->is_looked_at = false;
}

/* ---- which ---- */

static bool find_made(struct fth_proxy_calls *kept, const struct fth_call *call)
{
    if (kept->is_looked_at || !kept->is_outermost)
        return false;
    kept->is_looked_at = true;
    enum fth_repeat_how how = fth_repeat_way_of(kept->scope.ways, call->function)->how;
    return (how == FTH_REPEAT_FORK && fth_repeat_child_made(&kept->children, call, &kept->child)) ||
           (how == FTH_REPEAT_REAP && fth_repeat_child_reaped(&kept->children, call, &kept->child));
}

static bool find_child(struct fth_proxy_calls *kept, bool is_over)
{
    const struct fth_call *call = &kept->access.call;
    return fth_repeat_child_until(&kept->children, is_over ? INT64_MAX : call->start,
                                  &kept->child) ||
           (!is_over && find_made(kept, call));
}

/* ---- places for those that are running ---- */

static uint32_t slot_for(struct fth_proxy_calls *kept, size_t child)
{
    uint32_t slot = 0;
    while (slot < kept->slot_limit && kept->slots[slot])
        slot++;
    kept->slots = fth_reach(kept->slots, &kept->slot_limit, slot, sizeof *kept->slots);
    kept->slots[slot] = child + 1;
    if (slot >= kept->most_slots)
        kept->most_slots = slot + 1;
    return slot;
}

/* False: it was not started. */
static bool take_slot(struct fth_proxy_calls *kept, size_t child, uint32_t *slot)
{
    for (*slot = 0; *slot < kept->slot_limit; ++*slot)
        if (kept->slots[*slot] == child + 1) {
            kept->slots[*slot] = 0;
            return true;
        }
    return false;
}

/* ---- steps ---- */

static void read_step(struct fth_proxy_calls *kept, enum fth_relatives_step what, size_t child,
                      uint32_t slot)
{
    const struct fth_relatives_member *member = &kept->scope.relatives->members[child];
    bool awaits = what == FTH_RELATIVES_AWAITS;
    const struct fth_form_step step = {
        what,
        !awaits && member->is_new_program,
        {[FTH_STEP_SLOT] = slot,
         [FTH_STEP_NUMBER] = awaits ? 0 : member->number,
         [FTH_STEP_PROGRAM] = awaits ? 0 : member->program},
    };
    fth_form_read_step(&kept->context, kept->standard.proc, &step, &kept->reading);
}

/* What it inherits is found out once. Returns whether the program starts it. */
static bool begin(struct fth_proxy_calls *kept, size_t child, bool is_new_program)
{
    struct fth_relatives *relatives = kept->scope.relatives;
    if (relatives->is_looking)
        fth_relatives_begin(relatives, kept->standard.proc, child, is_new_program, &kept->variables,
                            &kept->standard, kept->context.folders.own);
    return !relatives->is_looking && relatives->members[child].is_wanted;
}

static bool is_new_program(const struct fth_proxy_calls *kept, size_t child)
{
    const struct fth_trace *trace = kept->context.trace;
    return fth_repeat_is_other_program(fth_trace_process(trace, kept->standard.proc),
                                       fth_trace_process(trace, child));
}

static bool take_begin(struct fth_proxy_calls *kept)
{
    size_t child = kept->child.proc;
    kept->child.begins = false;
    if (kept->children.thread || !begin(kept, child, is_new_program(kept, child)))
        return false;
    read_step(kept, FTH_RELATIVES_STARTS, child, slot_for(kept, child));
    return true;
}

static bool take_end(struct fth_proxy_calls *kept)
{
    uint32_t slot;
    kept->child.ends = false;
    if (!take_slot(kept, kept->child.proc, &slot))
        return false;
    read_step(kept, FTH_RELATIVES_AWAITS, kept->child.proc, slot);
    return true;
}

/* At its end a process may become another program. */
static bool become(struct fth_proxy_calls *kept)
{
    int64_t next = fth_repeat_becomes(kept->context.trace, kept->standard.proc);
    if (kept->has_become || next < 0)
        return false;
    kept->has_become = true;
    if (!begin(kept, (size_t)next, true))
        return false;
    read_step(kept, FTH_RELATIVES_BECOMES, (size_t)next, 0);
    return true;
}

bool fth_relatives_step_next(struct fth_proxy_calls *kept, bool is_over)
{
    while (kept->child.begins || kept->child.ends || find_child(kept, is_over))
        if (kept->child.begins ? take_begin(kept) : take_end(kept))
            return true;
    return is_over && become(kept);
}

bool fth_relatives_had_bytes(struct fth_proxy_calls *kept, int64_t stream)
{
    const struct fth_row *row = kept->reading.form.row;
    int field = fth_field_with_role(row, FTH_ROLE_USE);
    struct fth_relatives_member *member = &kept->scope.relatives->members[kept->standard.proc];
    bool *is_known = fth_keyed_get(&kept->had_bytes, &stream, sizeof stream);
    bool is_first = !*is_known;
    *is_known = true;
    return is_first && field >= 0 &&
           fth_variable_of(&member->variables, (uint32_t)row->fields[field].class_index, stream) !=
               FTH_NO_VARIABLE;
}

bool fth_relatives_is_step(const struct fth_proxy_calls *kept, const struct fth_call *call)
{
    enum fth_repeat_how how = fth_repeat_way_of(kept->scope.ways, call->function)->how;
    return how == FTH_REPEAT_FORK || how == FTH_REPEAT_REAP;
}
