/* From rows to plans. Roles say most; what they leave open is found by convention (docs/catalog.md,
 * "Handles"). */
#include "model/handles/handle_plan.h"

#include "base/memory.h"
#include "trace/record/builtin.h"
#include "model/reading/trace_functions.h"
#include "model/handles/opened.h"

#include <string.h>

static bool is_tracked(const struct fth_trace *trace, int handle_class)
{
    return handle_class >= 0 && trace->catalog.classes[handle_class].form != FTH_CLASS_ANONYMOUS;
}

static bool is_file_class(const struct fth_trace *trace, int handle_class)
{
    return handle_class >= 0 && trace->catalog.classes[handle_class].form == FTH_CLASS_FILE;
}

static bool is_kind(const struct fth_row *row, const char *kind)
{
    return strcmp(row->kind, kind) == 0;
}

static bool is_named(const struct fth_field *field, enum fth_role role, const char *name)
{
    return field->role == role && strcmp(field->name, name) == 0;
}

/* ---- handles ---- */

static void add_use(struct fth_handle_plan *plan, int field, int handle_class, enum fth_role role)
{
    plan->uses[plan->use_count].field = field;
    plan->uses[plan->use_count].handle_class = handle_class;
    plan->uses[plan->use_count++].role = role;
}

static void list_uses(struct fth_handle_plan *plan, const struct fth_trace *trace)
{
    const struct fth_row *row = plan->row;
    for (size_t i = 0; i < row->field_count; i++) {
        const struct fth_field *field = &row->fields[i];
        if (field->role == FTH_ROLE_AIO || field->role == FTH_ROLE_AIO_LIST)
            add_use(plan, (int)i, trace->descriptors, field->role);
        else if (is_tracked(trace, field->class_index))
            add_use(plan, (int)i, field->class_index, field->role);
    }
    if (row->result.role == FTH_ROLE_NEW && is_tracked(trace, row->result.class_index))
        add_use(plan, FTH_RESULT, row->result.class_index, FTH_ROLE_NEW);
}

static int use_of_field(const struct fth_handle_plan *plan, int field)
{
    for (int i = 0; i < plan->use_count; i++)
        if (field >= FTH_RESULT && plan->uses[i].field == field)
            return i;
    return -1;
}

/* What the decoder takes the call to be about (fth_meaning); a call about no file may be about a
 * communicator or a datatype. */
static void find_about(struct fth_handle_plan *plan, const struct fth_trace *trace,
                       const struct fth_meaning *meaning)
{
    plan->about = -1;
    if (meaning->about.handle >= 0 && meaning->plan[meaning->about.handle].field == FTH_ON_STREAM) {
        plan->about = plan->use_count;
        add_use(plan, FTH_ON_STREAM, meaning->about.handle_class, FTH_ROLE_USE);
        return;
    }
    if (meaning->about.handle >= 0)
        plan->about = use_of_field(plan, meaning->plan[meaning->about.handle].field);
    for (int i = 0; i < plan->use_count && plan->about < 0 && meaning->about.path.value < 0; i++)
        if (plan->uses[i].role != FTH_ROLE_NEW && !is_file_class(trace, plan->uses[i].handle_class))
            plan->about = i;
}

static void find_made(struct fth_handle_plan *plan)
{
    plan->made = plan->in = -1;
    plan->name = FTH_ON_NO_PARAMETER;
    for (int i = 0; i < plan->use_count && plan->made < 0; i++) {
        if (plan->uses[i].role != FTH_ROLE_NEW)
            continue;
        int field = plan->uses[i].field;
        const struct fth_field *made =
            field == FTH_RESULT ? &plan->row->result : &plan->row->fields[field];
        plan->made = i;
        if (made->in_field >= 0)
            plan->in = use_of_field(plan, made->in_field);
        if (made->name_field >= 0)
            plan->name = made->name_field;
    }
}

static void find_group(struct fth_handle_plan *plan, const struct fth_trace *trace)
{
    plan->group = -1;
    for (int i = 0; i < plan->use_count && plan->group < 0; i++)
        if (plan->uses[i].role == FTH_ROLE_USE && plan->uses[i].field >= 0 &&
            strcmp(trace->catalog.classes[plan->uses[i].handle_class].name, "comm") == 0)
            plan->group = i;
}

/* A new handle of another class takes the one that it is made from for its own: fdopen,
 * fdopendir. */
static bool adopts(const struct fth_handle_plan *plan, const struct fth_trace *trace)
{
    return plan->opens && plan->made >= 0 && plan->about >= 0 && plan->in < 0 &&
           plan->uses[plan->about].role == FTH_ROLE_USE &&
           is_file_class(trace, plan->uses[plan->made].handle_class) &&
           is_file_class(trace, plan->uses[plan->about].handle_class) &&
           plan->uses[plan->made].handle_class != plan->uses[plan->about].handle_class;
}

static bool says_descriptor(const struct fth_row *row)
{
    return fth_layer_is(row->layer, FTH_LAYER_STREAMS) && is_kind(row, "control") &&
           row->result.role == FTH_ROLE_RESULT_STATUS && row->field_count == 1;
}

/* ---- other parameters ---- */

bool fth_transfer_is_collective(const struct fth_flags *flags, int64_t value, bool *collective)
{
    for (size_t i = 0; flags && i < flags->count; i++) {
        if (flags->entries[i].value != value)
            continue;
        const char *end = strrchr(flags->entries[i].name, '_');
        *collective = end && strcmp(end, "_COLLECTIVE") == 0;
        return *collective || (end && strcmp(end, "_INDEPENDENT") == 0);
    }
    return false;
}

static bool says_transfer(const struct fth_flags *flags)
{
    bool collective = false;
    for (size_t i = 0; flags && i < flags->count; i++)
        if (fth_transfer_is_collective(flags, flags->entries[i].value, &collective))
            return true;
    return false;
}

static void find_flags(struct fth_handle_plan *plan, const struct fth_trace *trace, size_t proc)
{
    const struct fth_row *row = plan->row;
    plan->flags = plan->transfer = plan->command = FTH_ON_NO_PARAMETER;
    for (size_t i = 0; i < row->field_count; i++) {
        const struct fth_field *field = &row->fields[i];
        if (field->role != FTH_ROLE_FLAGS || field->flags_index < 0)
            continue;
        const struct fth_flags *flags =
            fth_trace_flags(trace, proc, trace->catalog.flags[field->flags_index].name);
        if (plan->command == FTH_ON_NO_PARAMETER)
            plan->command = (int)i;
        if (plan->made >= 0 && plan->flags == FTH_ON_NO_PARAMETER && fth_flags_open(flags))
            plan->flags = (int)i;
        if (plan->made < 0 && says_transfer(flags))
            plan->transfer = (int)i;
    }
}

static void find_others(struct fth_handle_plan *plan)
{
    const struct fth_row *row = plan->row;
    plan->mode = plan->variable = plan->size = plan->rank = FTH_ON_NO_PARAMETER;
    for (size_t i = 0; i < row->field_count; i++) {
        const struct fth_field *field = &row->fields[i];
        if (plan->made >= 0 && is_named(field, FTH_ROLE_STRING, "mode"))
            plan->mode = (int)i;
        if (is_named(field, FTH_ROLE_VALUE, "varid") || is_named(field, FTH_ROLE_NONE, "varid"))
            plan->variable = (int)i;
        if (plan->group >= 0 && is_kind(row, "comm") && is_named(field, FTH_ROLE_OUT, "size"))
            plan->size = (int)i;
        if (plan->group >= 0 && is_kind(row, "comm") && is_named(field, FTH_ROLE_OUT, "rank"))
            plan->rank = (int)i;
    }
}

static void make_plan(struct fth_handle_plan *plan, const struct fth_trace *trace, size_t proc,
                      const struct fth_meaning *meaning)
{
    plan->row = meaning->row;
    list_uses(plan, trace);
    find_about(plan, trace, meaning);
    find_made(plan);
    find_group(plan, trace);
    find_flags(plan, trace, proc);
    find_others(plan);
    plan->has_path = meaning->about.path.value >= 0;
    plan->moves_data = meaning->reads || meaning->writes;
    plan->duplicates = is_kind(plan->row, "dup") || (plan->row->flags & FTH_CALL_COPIES);
    plan->opens = is_kind(plan->row, "open") || is_kind(plan->row, "process");
    plan->adopts = adopts(plan, trace);
    plan->says_descriptor = says_descriptor(plan->row);
}

void fth_handle_plan_leave_out(struct fth_handle_plan *plan, int handle_class)
{
    plan->is_idle = plan->row && !(plan->row->flags & FTH_CALL_COLLECTIVE_IF_SHARED);
    for (int i = 0; i < plan->use_count; i++) {
        plan->uses[i].is_left_out |= plan->uses[i].handle_class == handle_class;
        plan->is_idle &= plan->uses[i].is_left_out;
    }
}

struct fth_handle_plan *fth_handle_plans(const struct fth_trace *trace, size_t proc)
{
    struct fth_handle_plan *plans = fth_new(trace->catalog.row_count, sizeof *plans);
    for (size_t i = 0; i < trace->catalog.row_count; i++)
        if (trace->catalog.rows[i].name)
            make_plan(&plans[i], trace, proc, &trace->meanings[i]);
    return plans;
}
