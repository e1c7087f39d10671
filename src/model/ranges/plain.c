/* Which functions are plain: what is known of handles, views, datatypes and operations is the same
 * after their calls as before. Only the positions of descriptors and file pointers move. */
#include "catalog/values.h"
#include "model/ranges/following.h"
#include "model/handles/handle_plan.h"
#include "model/ranges/spaces.h"
#include "model/calls/turns.h"

#include "base/memory.h"
#include "trace/record/builtin.h"

#include <string.h>

static bool has_plain_fields(const struct fth_row *row)
{
    for (size_t i = 0; i < row->field_count; i++)
        switch (row->fields[i].role) {
        case FTH_ROLE_NEW:
        case FTH_ROLE_CLOSE:
        case FTH_ROLE_AIO:
        case FTH_ROLE_AIO_LIST:
        case FTH_ROLE_ARGUMENT:
            return false;
        case FTH_ROLE_USE:
            if (fth_field_has_length(&row->fields[i]))
                return false;
            break;
        default:
            break;
        }
    return row->result.role != FTH_ROLE_NEW;
}

static bool is_of_plain_kind(const struct fth_row *row)
{
    static const char *const others[] = {
        "open",    "close",  "dup",   "map",   "lock",     "control", "view",  "pipe",
        "process", "thread", "mutex", "init",  "finalize", "probe",   "start", "wait",
        "test",    "cancel", "comm",  "group", "topology", "type",    "rma"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(row->kind, others[i]) == 0)
            return false;
    return !(row->flags & (FTH_CALL_NONBLOCKING | FTH_CALL_BEGIN | FTH_CALL_END));
}

static bool plans_nothing(const struct fth_handle_plan *plan)
{
    return plan->made < 0 && !plan->duplicates && !plan->opens && !plan->adopts &&
           plan->transfer < 0 && plan->size < 0 && plan->rank < 0;
}

static bool knows_no_more_than_files(const struct fth_range_semantics *semantics)
{
    return semantics->request.handle < 0 && semantics->place.aio < 0 &&
           semantics->request.aio_list < 0 && semantics->request.event_set < 0 &&
           !semantics->control.sets_flags && !semantics->sets_view && !semantics->gets_view &&
           !semantics->builds && !semantics->frees_type && !semantics->request.starts &&
           !semantics->request.asks && !semantics->request.waits && !semantics->request.cancels &&
           !semantics->request.ends && !semantics->makes_process &&
           semantics->array.space_operation == FTH_SPACE_NO_OPERATION;
}

static bool makes_no_sense_of_handles(const struct fth_range_semantics *semantics)
{
    return semantics->handles.made == FTH_NO_FIELD && semantics->handles.given_up < 0 &&
           knows_no_more_than_files(semantics);
}

bool *fth_plain_functions(struct fth_accesses *accesses)
{
    const struct fth_trace *trace = accesses->trace;
    bool *plain = fth_new(trace->catalog.row_count + 1, sizeof *plain);
    struct fth_handle_plan *plans = fth_handle_plans(trace, accesses->proc);
    for (size_t i = 0; i < trace->catalog.row_count; i++) {
        const struct fth_row *row = &trace->catalog.rows[i];
        const struct fth_call call = {.function = &trace->functions[i]};
        plain[i] = row->name && has_plain_fields(row) && is_of_plain_kind(row) &&
                   plans_nothing(&plans[i]) &&
                   makes_no_sense_of_handles(fth_range_semantics_of(accesses, &call));
    }
    free(plans);
    return plain;
}

/* ---- calls that open and close something ---- */

static bool has_fields_of(const struct fth_row *row, enum fth_opening_role opening)
{
    size_t made = row->result.role == FTH_ROLE_NEW, given_up = 0;
    for (size_t i = 0; i < row->field_count; i++)
        switch (row->fields[i].role) {
        case FTH_ROLE_AIO:
        case FTH_ROLE_AIO_LIST:
        case FTH_ROLE_ARGUMENT:
            return false;
        case FTH_ROLE_NEW:
            made++;
            break;
        case FTH_ROLE_CLOSE:
            given_up++;
            break;
        default:
            break;
        }
    return opening == FTH_OPENS_HANDLE ? made == 1 && !given_up : given_up == 1 && !made;
}

static bool plans_others(const struct fth_handle_plan *plan)
{
    return plan->duplicates || plan->adopts || plan->transfer >= 0 || plan->size >= 0 ||
           plan->rank >= 0 || plan->in >= 0;
}

static enum fth_opening_role opening_of(const struct fth_row *row,
                                        const struct fth_handle_plan *plan,
                                        const struct fth_range_semantics *semantics)
{
    enum fth_opening_role opening = !strcmp(row->kind, "open")    ? FTH_OPENS_HANDLE
                                    : !strcmp(row->kind, "close") ? FTH_CLOSES_HANDLES
                                                                  : FTH_OPENS_NOTHING;
    return opening != FTH_OPENS_NOTHING && !plans_others(plan) && plan->group < 0 &&
                   fth_layer_is(row->layer, FTH_LAYER_SYSTEM | FTH_LAYER_STREAMS) &&
                   !(row->flags & (FTH_CALL_NONBLOCKING | FTH_CALL_BEGIN | FTH_CALL_END)) &&
                   has_fields_of(row, opening) && knows_no_more_than_files(semantics)
               ? opening
               : FTH_OPENS_NOTHING;
}

/* Of messages and collective calls: a request is made, and waited for. Those of operations on files
 * are followed (operation.c). */
static enum fth_opening_role waiting_of(const struct fth_row *row,
                                        const struct fth_handle_plan *plan,
                                        const struct fth_range_semantics *semantics)
{
    static const char *const starting[] = {"send", "recv", "exchange", "collective"};
    enum fth_opening_role opening =
        !strcmp(row->kind, "wait") ? FTH_CLOSES_HANDLES : FTH_OPENS_NOTHING;
    for (size_t i = 0; i < sizeof starting / sizeof *starting; i++)
        if (row->flags & FTH_CALL_NONBLOCKING && !strcmp(row->kind, starting[i]))
            opening = FTH_OPENS_HANDLE;
    return opening != FTH_OPENS_NOTHING && !plans_others(plan) && !semantics->request.starts &&
                   semantics->handles.made == FTH_NO_FIELD && semantics->handles.given_up < 0 &&
                   fth_layer_is(row->layer, FTH_LAYER_MESSAGES) && has_fields_of(row, opening)
               ? opening
               : FTH_OPENS_NOTHING;
}

enum fth_opening_role *fth_opening_functions(struct fth_accesses *accesses)
{
    const struct fth_trace *trace = accesses->trace;
    enum fth_opening_role *openings = fth_new(trace->catalog.row_count + 1, sizeof *openings);
    struct fth_handle_plan *plans = fth_handle_plans(trace, accesses->proc);
    for (size_t i = 0; i < trace->catalog.row_count; i++) {
        const struct fth_row *row = &trace->catalog.rows[i];
        const struct fth_call call = {.function = &trace->functions[i]};
        if (!row->name)
            continue;
        const struct fth_range_semantics *semantics = fth_range_semantics_of(accesses, &call);
        openings[i] = opening_of(row, &plans[i], semantics);
        if (openings[i] == FTH_OPENS_NOTHING)
            openings[i] = waiting_of(row, &plans[i], semantics);
    }
    free(plans);
    return openings;
}
