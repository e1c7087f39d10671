/* The calls of a process one after the other, with the bytes that each accesses, and what they do
 * to handles, operations and dataspaces; also of turns that come again. */
#include "base/memory.h"
#include "catalog/values.h"
#include "model/calls/turns.h"
#include "model/ranges/file_positions.h"
#include "model/ranges/opening_rounds.h"
#include "model/ranges/spaces.h"

#include <string.h>

/* From now on writes go to the end, or do so no more; or another descriptor stands where this one
 * does. */
static void follow_command(struct fth_accesses *accesses,
                           const struct fth_range_semantics *semantics, const struct fth_call *call,
                           struct fth_opened *opened)
{
    const struct fth_value *argument = fth_value_of(call, semantics->control.argument);
    int64_t command = fth_number_of(call, semantics->control.flags);
    if (command == semantics->control.set_command && argument->type == FTH_VALUE_INTEGERS &&
        argument->count == 1) {
        bool appends = (argument->integers[0] & semantics->control.append) != 0;
        accesses->access->changes_appending = appends != opened->appends;
        opened->appends = appends;
    }
    if (command >= 0 && (command == semantics->control.copy_commands[0] ||
                         command == semantics->control.copy_commands[1])) {
        opened->references++;
        fth_following_made(accesses, semantics->handles.file_class, fth_number_of(call, FTH_RESULT),
                           opened);
    }
}

static void follow(struct fth_accesses *accesses)
{
    const struct fth_call *call = &accesses->access->call;
    const struct fth_range_semantics *semantics = fth_range_semantics_of(accesses, call);
    if (accesses->arrivals.count) {
        fth_following_arrivals(accesses, call);
        if (accesses->turns) /* sites know where descriptors stand that may be other ones now */
            fth_rounds_break(accesses->turns);
    }
    struct fth_opened *opened = fth_opened_of(accesses, semantics, call);
    if (!opened)
        opened = fth_following_found(accesses, semantics);
    fth_following_operations(accesses, semantics, opened);
    if (call->reads || call->writes)
        fth_file_position_access(accesses, semantics, opened);
    if (call->error_number)
        return;
    if ((call->reads || call->writes) && semantics->meaning->buffered)
        fth_following_selection(accesses, semantics);
    if (semantics->datatype >= 0) {
        struct fth_made_datatype *type = fth_datatype_of(accesses, call, semantics->datatype);
        accesses->access->datatype = type ? &type->tree : NULL;
    }
    accesses->children += semantics->makes_process;
    if (semantics->control.sets_flags && opened)
        follow_command(accesses, semantics, call, opened);
    if (semantics->seeks)
        fth_file_position_seek(accesses, semantics, opened);
    if (semantics->locks && opened && !semantics->is_mpi)
        accesses->access->stands = opened->position;
    fth_following_handles(accesses, semantics, opened);
    if (accesses->classes.space >= 0)
        fth_following_spaces(accesses, semantics);
}

/* ---- doors ---- */

/* Filters by file leave out all that is about a file: it is not missed with the others. So it is
 * said of a run that was not asked for all functions and calls; in a JSON text no string has a
 * quotation mark that is not escaped, so these can only be keys. */
static bool leaves_out_calls(const struct fth_trace *trace, const struct fth_model_process *process)
{
    static const char *const filters[] = {
        "\"functions\":", "\"min_bytes\":", "\"min_duration_ns\":"};
    const char *meta = trace->meta_json;
    if (!process->facts.excluded || !meta)
        return process->facts.excluded != 0;
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
        if (strstr(meta, filters[i]))
            return true;
    return false;
}

struct fth_accesses *fth_accesses_open(struct fth_trace *trace, size_t proc,
                                       struct fth_calls *calls)
{
    struct fth_accesses *accesses = fth_new(1, sizeof *accesses);
    const struct fth_catalog *catalog = &trace->catalog;
    accesses->calls = calls;
    accesses->trace = trace;
    accesses->process = &trace->processes[proc];
    accesses->proc = proc;
    accesses->flag_to_append = fth_flag_to_append(catalog);
    accesses->leaves_out = leaves_out_calls(trace, accesses->process);
    accesses->semantics_table = fth_new(catalog->row_count, sizeof *accesses->semantics_table);
    accesses->followed = fth_new(catalog->class_count, sizeof *accesses->followed);
    accesses->classes.file = fth_class_of_name(catalog, "mpi_file", strlen("mpi_file"));
    accesses->classes.datatype = fth_class_of_name(catalog, "datatype", strlen("datatype"));
    accesses->classes.descriptor = trace->descriptors;
    accesses->classes.space = -1;
    for (size_t i = 0; i < catalog->row_count && accesses->classes.space < 0; i++)
        if (fth_space_operation_of(catalog->rows[i].builds) != FTH_SPACE_NO_OPERATION)
            accesses->classes.space = fth_class_of_name(catalog, "hid", strlen("hid"));
    accesses->selection.means = (struct fth_selection_means){.steps = 1 << 30, .numbers = 1 << 26};
    return accesses;
}

/* False: so many bytes have no place in a file. */
static bool rewind_for(struct fth_accesses *accesses, int64_t length)
{
    int64_t end;
    if (length && accesses->ranges.tile)
        return fth_layout_walk(&accesses->walk, accesses->ranges.tile, accesses->ranges.at,
                               accesses->ranges.extent, accesses->ranges.skip, length);
    if (__builtin_add_overflow(accesses->ranges.at, length, &end))
        return false;
    fth_layout_walk_dense(&accesses->walk, accesses->ranges.at, length);
    return true;
}

void fth_accesses_rewind(struct fth_accesses *accesses)
{
    const struct fth_access *access = accesses->access;
    rewind_for(accesses, access && access->kind == FTH_ACCESS_BYTES ? (int64_t)access->length : 0);
}

void fth_accesses_rewind_asked(struct fth_accesses *accesses)
{
    enum { MOST_OF_A_CALL = 0x7ffff000 }; /* of the system's calls: they move no more at once */
    const struct fth_access *access = accesses->access;
    uint64_t asked = access ? access->call.bytes_asked : 0;
    if (asked != FTH_NO_BYTES && !accesses->ranges.tile && asked > MOST_OF_A_CALL)
        asked = MOST_OF_A_CALL;
    if (!access || access->kind != FTH_ACCESS_BYTES || asked == FTH_NO_BYTES ||
        asked <= access->length || asked > INT64_MAX || !rewind_for(accesses, (int64_t)asked))
        fth_accesses_rewind(accesses);
}

static void forget_call(struct fth_accesses *accesses)
{
    if (accesses->operations.over_count || accesses->operations.changed_count)
        fth_following_forget_operations(accesses);
    if (accesses->selection.selected_count)
        fth_selecting_forget(accesses);
}

/* All but the call itself. */
static void empty_access(struct fth_access *access)
{
    memset((char *)access + sizeof access->call, 0, sizeof *access - sizeof access->call);
    access->kind = FTH_ACCESS_NONE;
    access->position = access->stands = FTH_NOWHERE;
}

static int64_t *position_of(struct fth_opened *opened)
{
    return opened ? &opened->position : NULL;
}

static enum fth_site_way way_of(const struct fth_access *access,
                                const struct fth_range_semantics *semantics,
                                const struct fth_opened *opened)
{
    const struct fth_call *call = &access->call;
    const struct fth_value *offset = fth_value_of(call, semantics->place.offset);
    if (call->error_number || semantics->is_mpi || semantics->handles.other >= 0 ||
        semantics->place.aio >= 0 || semantics->handles.file_at >= 0 ||
        semantics->row->flags & FTH_CALL_ADVANCES)
        return FTH_SITE_ODD;
    if (call->reads || call->writes) {
        if (access->kind != FTH_ACCESS_BYTES || !access->length || !call->bytes_known)
            return FTH_SITE_ODD;
        return !offset                             ? FTH_SITE_AT_POSITION
               : offset->type == FTH_VALUE_INTEGER ? FTH_SITE_PLACED
                                                   : FTH_SITE_ODD;
    }
    if (access->kind != FTH_ACCESS_NONE || strcmp(semantics->row->kind, "sync") == 0)
        return FTH_SITE_ODD;
    if (!semantics->seeks || !opened)
        return FTH_SITE_STILL;
    return semantics->place.position == FTH_RESULT ? FTH_SITE_SEEKS : FTH_SITE_ODD;
}

static int value_of_offset(const struct fth_range_semantics *semantics)
{
    const struct fth_meaning *meaning = semantics->meaning;
    int i = 0;
    while (i < meaning->value_count && (meaning->plan[i].part != FTH_PART_OFFSET ||
                                        meaning->plan[i].field != semantics->place.offset))
        i++;
    return i;
}

/* The call that came last is of this site. */
static void keep_site(struct fth_accesses *accesses, struct fth_site *site)
{
    const struct fth_access *access = accesses->access;
    const struct fth_call *call = &access->call;
    const struct fth_range_semantics *semantics = fth_range_semantics_of(accesses, call);
    struct fth_opened *opened = fth_opened_of(accesses, semantics, call);
    site->access = *access;
    site->way = way_of(access, semantics, opened);
    bool moves = site->way == FTH_SITE_AT_POSITION || site->way == FTH_SITE_SEEKS;
    site->position = moves ? position_of(opened) : NULL;
    site->place = value_of_offset(semantics);
}

int fth_accesses_next(struct fth_accesses *accesses, struct fth_access *access,
                      struct fth_error **error)
{
    forget_call(accesses);
    if (accesses->replaced.count)
        fth_following_drop_replaced(accesses);
    if (accesses->turns && accesses->turns->loops && fth_opening_rounds_come(accesses))
        return FTH_OPENED_AGAIN;
    empty_access(access);
    accesses->access = access;
    int more = fth_calls_next(accesses->calls, &access->call, error);
    if (more <= 0 || more == FTH_AGAIN)
        return more;
    follow(accesses);
    fth_accesses_rewind(accesses);
    if (accesses->turns && accesses->turns->given != FTH_NO_SITE)
        keep_site(accesses, accesses->turns->sites[accesses->turns->given]);
    if (accesses->turns && accesses->turns->loops)
        fth_opening_rounds_keep(accesses);
    return 1;
}

bool fth_accesses_range(struct fth_accesses *accesses, struct fth_range *range)
{
    int64_t at, length;
    if (!fth_layout_walk_next(&accesses->walk, &at, &length))
        return false;
    *range = (struct fth_range){(uint64_t)at, (uint64_t)length};
    return true;
}

void fth_accesses_close(struct fth_accesses *accesses)
{
    if (!accesses)
        return;
    fth_following_drop_replaced(accesses);
    fth_following_free_handles(accesses);
    fth_following_free_operations(accesses);
    fth_selecting_forget(accesses);
    free(accesses->selection.selected);
    free(accesses->semantics_table);
    free(accesses);
}

/* ---- turns that come again ---- */

void fth_accesses_know_turns(struct fth_accesses *accesses)
{
    fth_calls_know_turns(accesses->calls, fth_plain_functions(accesses));
    accesses->turns = fth_calls_turns(accesses->calls);
}

uint32_t fth_accesses_site(const struct fth_accesses *accesses, uint32_t *around)
{
    uint32_t site = accesses->turns ? accesses->turns->given : FTH_NO_SITE;
    *around = site == FTH_NO_SITE ? FTH_NO_SITE : accesses->turns->sites[site]->around;
    return site;
}

const struct fth_operation *fth_accesses_completed(const struct fth_accesses *accesses,
                                                   size_t *count)
{
    *count = accesses->access->operation_count;
    return accesses->access->operations;
}

void fth_accesses_refuse(struct fth_accesses *accesses)
{
    const struct fth_turns *turns = accesses->turns;
    if (turns && turns->given != FTH_NO_SITE)
        turns->sites[turns->given]->turn->refused = true;
}

void fth_accesses_refuse_alone(struct fth_accesses *accesses)
{
    const struct fth_turns *turns = accesses->turns;
    if (turns && turns->given != FTH_NO_SITE && !turns->sites[turns->given]->turn->of_round)
        fth_accesses_refuse(accesses);
}

uint32_t fth_accesses_turn(const struct fth_accesses *accesses, uint32_t *first_site)
{
    *first_site = accesses->turns->turn->first_site;
    return accesses->turns->turn->count;
}

/* Those in a row behind a call move what stands at its descriptor as it does. */
static void follow_row(const struct fth_site *site, struct fth_rounds *rounds)
{
    int64_t length;
    if (site->way != FTH_SITE_AT_POSITION || !site->position)
        return;
    rounds->places->step = (int64_t)site->access.length;
    *site->position = __builtin_mul_overflow(rounds->places->step, rounds->count, &length)
                          ? FTH_NOWHERE
                          : fth_file_position_behind(*site->position, length);
}

const struct fth_rounds *fth_accesses_rounds(struct fth_accesses *accesses)
{
    struct fth_turns *turns = accesses->turns;
    fth_calls_rounds(accesses->calls);
    if (turns->rounds.count && turns->rounds.in_a_row)
        follow_row(turns->sites[turns->rounds.sites[0]], &turns->rounds);
    return &turns->rounds;
}

const struct fth_access *fth_accesses_again(struct fth_accesses *accesses, uint32_t entry)
{
    const struct fth_turns *turns = accesses->turns;
    struct fth_site *site = turns->sites[turns->turn->first_site + entry];
    struct fth_access *access = &site->access;
    forget_call(accesses);
    empty_access(access);
    accesses->access = access;
    fth_calls_again(accesses->calls, entry);
    follow(accesses);
    if (site->position) { /* another file may have come there */
        const struct fth_range_semantics *semantics =
            fth_range_semantics_of(accesses, &access->call);
        site->position = position_of(fth_opened_of(accesses, semantics, &access->call));
    }
    fth_accesses_rewind(accesses);
    return access;
}

uint32_t fth_accesses_over(const struct fth_accesses *accesses, uint32_t exit)
{
    return accesses->turns->turn->entries[exit];
}
