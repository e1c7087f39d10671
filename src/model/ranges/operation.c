/* Operations that do not block: from the call that starts one to the call that finds it complete,
 * whichever thread makes it. An operation is known by its request, by being the one split operation
 * of its file, by its event set, or, as the trace keeps no addresses, by what stands in its aiocb:
 * descriptor, offset and bytes. */
#include "base/memory.h"
#include "catalog/values.h"
#include "model/ranges/changed_operations.h"
#include "model/ranges/following.h"

#include <string.h>

enum {
    IN_PROGRESS = 115, /* EINPROGRESS */
    CANCELED = 125,    /* ECANCELED */
    MOST_IN_FLIGHT = 1 << 20,
    WAIT_FOR_ALL = 0, /* LIO_WAIT */
    /* NC_REQ_ALL, NC_GET_REQ_ALL, NC_PUT_REQ_ALL, in place of a number of requests */
    ALL_REQUESTS = -1,
    ALL_READS = -2,
    ALL_WRITES = -3,
};

static struct fth_call_name name_of(const struct fth_call *call)
{
    return (struct fth_call_name){call->thread, call->number};
}

static const struct fth_call_name no_call = {0, FTH_NO_CALL};

/* ---- begin ---- */

static struct fth_in_flight *begin(struct fth_accesses *accesses,
                                   const struct fth_range_semantics *semantics,
                                   const struct fth_call *call)
{
    if (accesses->operations.in_flight_count == MOST_IN_FLIGHT)
        return NULL;
    struct fth_in_flight *made = fth_new(1, sizeof *made);
    made->file = call->file ? fth_text_copy(call->file) : NULL;
    made->request_class = -1;
    made->about = fth_number_of(call, semantics->handles.file);
    made->event_set = FTH_NOWHERE;
    made->operation = (struct fth_operation){
        .proc = call->proc,
        .number = accesses->operations.count++,
        .reads = call->reads,
        .writes = call->writes,
        .collective = (semantics->row->flags & FTH_CALL_COLLECTIVE) != 0,
        .file = made->file,
        .begin = name_of(call),
        .function = call->function,
        .start = call->start,
        .issued = call->end,
        .first_test = no_call,
        .last_test = no_call,
        .completion = no_call,
        .end = fth_trace_info(accesses->trace)->end,
        .bytes_asked = call->bytes_asked != FTH_NO_BYTES ? call->bytes_asked
                       : call->bytes_known               ? call->bytes
                                                         : 0,
    };
    made->operation.bytes = made->operation.bytes_asked;
    FTH_GROW(accesses->operations.in_flight, accesses->operations.in_flight_count);
    accesses->operations.in_flight[accesses->operations.in_flight_count++] = made;
    return made;
}

static bool triple_of(const struct fth_call *call, int field, int64_t triple[3])
{
    const struct fth_value *value = fth_value_of(call, field);
    if (!value || value->type != FTH_VALUE_INTEGERS || value->count != 3)
        return false;
    memcpy(triple, value->integers, 3 * sizeof *triple);
    return true;
}

/* It was found over by this call, unless one before did. */
static void find_over(struct fth_in_flight *ended, const struct fth_call *call,
                      enum fth_operation_end how)
{
    if (ended->found)
        return;
    ended->found = true;
    ended->operation.how = how;
    ended->operation.completion = name_of(call);
    ended->operation.completed_by = call->function;
    ended->operation.end = call->end;
}

static void note_change(struct fth_accesses *accesses, struct fth_in_flight *changed)
{
    FTH_GROW(accesses->operations.changed, accesses->operations.changed_count);
    accesses->operations.changed[accesses->operations.changed_count++] = changed;
}

/* The same, and it stays in flight. */
static void find_over_only(struct fth_accesses *accesses, struct fth_in_flight *ended,
                           enum fth_operation_end how)
{
    find_over(ended, &accesses->access->call, how);
    note_change(accesses, ended);
}

/* One for each control block. */
static void start_list(struct fth_accesses *accesses, const struct fth_range_semantics *semantics)
{
    const struct fth_call *call = &accesses->access->call;
    bool waits = fth_number_of(call, semantics->control.flags) == WAIT_FOR_ALL;
    for (size_t i = 0; i < call->block_count; i++) {
        const struct fth_control_block *block = &call->blocks[i];
        struct fth_in_flight *made = begin(accesses, semantics, call);
        if (!made)
            continue;
        made->is_aio = true;
        made->aio[0] = block->descriptor;
        made->aio[1] = (int64_t)block->offset;
        made->aio[2] = (int64_t)block->bytes_asked;
        made->operation.reads = !block->writes;
        made->operation.writes = block->writes;
        made->operation.bytes = made->operation.bytes_asked = block->bytes_asked;
        if (waits)
            find_over(made, call, FTH_OPERATION_COMPLETE);
        note_change(accesses, made);
    }
}

static void start(struct fth_accesses *accesses, const struct fth_range_semantics *semantics,
                  struct fth_opened *opened)
{
    const struct fth_call *call = &accesses->access->call;
    const struct fth_value *request = fth_value_of(call, semantics->request.handle);
    int64_t event_set = fth_number_of(call, semantics->request.event_set);
    if (semantics->request.aio_list >= 0) {
        start_list(accesses, semantics);
        return;
    }
    if (semantics->request.event_set >= 0 && event_set < 0) /* H5ES_NONE: it has waited */
        return;
    struct fth_in_flight *made = begin(accesses, semantics, call);
    if (!made)
        return;
    made->event_set = event_set;
    made->is_aio = triple_of(call, semantics->place.aio, made->aio);
    if (made->is_aio)
        return;
    if (request && request->type == FTH_VALUE_HANDLE) {
        made->request_class = semantics->row->fields[semantics->request.handle].class_index;
        made->request = request->integer;
        fth_followed_put(accesses, made->request_class, made->request, made);
    } else if (opened && (semantics->row->flags & FTH_CALL_BEGIN)) {
        made->split_of = opened;
        opened->references++;
        opened->split = made;
    }
}

/* ---- tests, and the end ---- */

static void ask(struct fth_in_flight *asked, const struct fth_call *call)
{
    if (!asked->operation.tests++)
        asked->operation.first_test = name_of(call);
    asked->operation.last_test = name_of(call);
}

/* Out of the list of those in flight, and of wherever it can be found. */
static void take_out(struct fth_accesses *accesses, struct fth_in_flight *ended)
{
    struct fth_in_flight **in_flight = accesses->operations.in_flight;
    size_t behind = accesses->operations.in_flight_count;
    while (behind > 0 && in_flight[behind - 1] != ended)
        behind--;
    if (behind > 0)
        memmove(&in_flight[behind - 1], &in_flight[behind],
                (accesses->operations.in_flight_count-- - behind) * sizeof(*in_flight));
    if (ended->request_class >= 0 &&
        fth_followed_at(accesses, ended->request_class, ended->request) == ended)
        fth_followed_put(accesses, ended->request_class, ended->request, NULL);
    if (ended->split_of && ended->split_of->split == ended)
        ended->split_of->split = NULL;
}

/* `bytes`: moved; negative: not known. */
static void finish(struct fth_accesses *accesses, struct fth_in_flight *ended,
                   enum fth_operation_end how, int64_t bytes)
{
    find_over(ended, &accesses->access->call, how);
    if (bytes >= 0 || ended->operation.how != FTH_OPERATION_COMPLETE) {
        ended->operation.bytes = bytes >= 0 ? (uint64_t)bytes : 0;
        ended->operation.bytes_known = true;
    }
    take_out(accesses, ended);
    FTH_GROW(accesses->operations.over, accesses->operations.over_count);
    accesses->operations.over[accesses->operations.over_count++] = ended;
}

/* ---- requests ---- */

/* Of the operation whose status is at `index`; -1: not known. */
static int64_t bytes_of_status(const struct fth_call *call, int field, size_t index)
{
    const struct fth_value *status = fth_value_of(call, field);
    bool is_known = status && status->type == FTH_VALUE_INTEGERS && 2 * index + 1 < status->count &&
                    status->integers[2 * index] == FTH_STATUS_MOVED;
    return is_known ? status->integers[2 * index + 1] : -1;
}

static struct fth_in_flight *request_at(const struct fth_accesses *accesses,
                                        const struct fth_range_semantics *semantics,
                                        const struct fth_value *value, size_t i)
{
    int64_t slot = value->type == FTH_VALUE_HANDLES ? value->integers[i] : value->integer;
    int request_class = semantics->row->fields[semantics->request.handle].class_index;
    int64_t about = fth_number_of(&accesses->access->call, semantics->handles.file);
    struct fth_in_flight *found = fth_followed_at(accesses, request_class, slot);
    if (!found || about < 0 || found->about == about)
        return found;
    for (i = accesses->operations.in_flight_count;
         i-- > 0;) { /* a request of another file has the same number */
        found = accesses->operations.in_flight[i];
        if (found->request_class == request_class && found->request == slot &&
            found->about == about)
            return found;
    }
    return NULL;
}

static size_t requests_in(const struct fth_value *value)
{
    return value->type == FTH_VALUE_HANDLES ? value->count : value->type == FTH_VALUE_HANDLE;
}

/* Request i of the call is complete; its status is the one at `status_at`. */
static void complete_request(struct fth_accesses *accesses,
                             const struct fth_range_semantics *semantics,
                             const struct fth_value *requests, int64_t i, size_t status_at)
{
    if (i < 0 || (uint64_t)i >= requests_in(requests))
        return;
    struct fth_in_flight *ended = request_at(accesses, semantics, requests, (size_t)i);
    if (ended)
        finish(accesses, ended, FTH_OPERATION_COMPLETE,
               bytes_of_status(&accesses->access->call, semantics->request.status, status_at));
}

static int64_t out_of(const struct fth_call *call, int field)
{
    const struct fth_value *value = fth_value_of(call, field);
    return value && value->type == FTH_VALUE_INTEGER ? value->integer : 0;
}

/* Which are complete: those in a list of indices; the one whose index is given; or all of them. */
static void ask_requests(struct fth_accesses *accesses, const struct fth_range_semantics *semantics,
                         const struct fth_value *requests)
{
    const struct fth_call *call = &accesses->access->call;
    size_t count = requests_in(requests);
    const struct fth_value *indices = fth_value_of(call, semantics->request.indices);
    bool is_counted = semantics->request.out_count > 0,
         some = is_counted && semantics->request.indices >= 0;
    bool any = !some && semantics->request.out_count == (semantics->request.waits ? 1 : 2);
    int64_t said =
        semantics->request.waits && !is_counted
            ? 1
            : out_of(call,
                     semantics->request.outs[is_counted ? semantics->request.out_count - 1 : 0]);
    if (semantics->request.asks && said == 0) {
        for (size_t i = 0; i < count; i++) {
            struct fth_in_flight *asked = request_at(accesses, semantics, requests, i);
            if (asked)
                ask(asked, call);
        }
    } else if (some) {
        size_t most = indices->type == FTH_VALUE_INTEGERS ? indices->count : 0;
        for (size_t i = 0; i < most && (int64_t)i < said; i++)
            complete_request(accesses, semantics, requests, indices->integers[i], i);
    } else if (any) {
        complete_request(accesses, semantics, requests, out_of(call, semantics->request.outs[0]),
                         0);
    } else {
        for (size_t i = 0; i < count; i++)
            complete_request(accesses, semantics, requests, (int64_t)i, i);
    }
}

/* A library that moves all or nothing reports for each request what became of it: 0 is success. */
static void finish_whole(struct fth_accesses *accesses, struct fth_in_flight *ended,
                         enum fth_operation_end how)
{
    bool moved = how == FTH_OPERATION_COMPLETE;
    finish(accesses, ended, how, moved ? (int64_t)ended->operation.bytes_asked : 0);
}

static enum fth_operation_end end_of(const struct fth_range_semantics *semantics,
                                     const struct fth_value *codes, size_t i)
{
    bool failed =
        codes && codes->type == FTH_VALUE_INTEGERS && i < codes->count && codes->integers[i];
    return failed                       ? FTH_OPERATION_FAILED
           : semantics->request.cancels ? FTH_OPERATION_CANCELLED
                                        : FTH_OPERATION_COMPLETE;
}

static void finish_given(struct fth_accesses *accesses, const struct fth_range_semantics *semantics,
                         const struct fth_value *requests)
{
    const struct fth_value *codes = fth_value_of(&accesses->access->call, semantics->request.codes);
    for (size_t i = 0; i < requests_in(requests); i++) {
        struct fth_in_flight *ended = request_at(accesses, semantics, requests, i);
        if (ended)
            finish_whole(accesses, ended, end_of(semantics, codes, i));
    }
}

/* All of the file, or those that read, or those that write. */
static void finish_all(struct fth_accesses *accesses, const struct fth_range_semantics *semantics,
                       int64_t which)
{
    int64_t about = fth_number_of(&accesses->access->call, semantics->handles.file);
    int request_class = semantics->row->fields[semantics->request.handle].class_index;
    for (size_t i = accesses->operations.in_flight_count; i-- > 0 && about >= 0;) {
        struct fth_in_flight *found = accesses->operations.in_flight[i];
        bool meant = which == ALL_REQUESTS || (which == ALL_READS && found->operation.reads) ||
                     (which == ALL_WRITES && found->operation.writes);
        if (meant && found->request_class == request_class && found->about == about)
            finish_whole(accesses, found, end_of(semantics, NULL, 0));
    }
}

static void follow_codes(struct fth_accesses *accesses, const struct fth_range_semantics *semantics,
                         const struct fth_value *requests)
{
    int length = semantics->row->fields[semantics->request.handle].length_field;
    int64_t count = length >= 0 ? fth_number_of(&accesses->access->call, length) : 0;
    if (count < 0)
        finish_all(accesses, semantics, count);
    else
        finish_given(accesses, semantics, requests);
}

/* ---- event sets of HDF5 ---- */

/* A wait, or a cancel: how many are still there, and whether one of them failed. Which one that was
 * is not known, unless there is only one. */
static void follow_event_set(struct fth_accesses *accesses,
                             const struct fth_range_semantics *semantics)
{
    const struct fth_call *call = &accesses->access->call;
    int64_t event_set = fth_number_of(call, semantics->request.event_set);
    bool all = semantics->request.out_count > 0 && out_of(call, semantics->request.outs[0]) == 0;
    bool failed = semantics->request.out_count > 1 && out_of(call, semantics->request.outs[1]) != 0;
    size_t members = 0;
    for (size_t i = 0; i < accesses->operations.in_flight_count; i++)
        members += accesses->operations.in_flight[i]->event_set == event_set;
    for (size_t i = accesses->operations.in_flight_count; i-- > 0 && event_set >= 0;) {
        struct fth_in_flight *found = accesses->operations.in_flight[i];
        if (found->event_set != event_set)
            continue;
        if (!all)
            ask(found, call);
        else if (semantics->request.cancels)
            finish_whole(accesses, found, FTH_OPERATION_CANCELLED);
        else if (failed && members > 1)
            finish(accesses, found, FTH_OPERATION_COMPLETE, -1);
        else
            finish_whole(accesses, found, failed ? FTH_OPERATION_FAILED : FTH_OPERATION_COMPLETE);
    }
}

/* ---- asynchronous I/O of POSIX ---- */

/* The last one that was begun so: nobody may ever have asked about those before it. */
static struct fth_in_flight *find_aio(const struct fth_accesses *accesses, const int64_t triple[3])
{
    for (size_t i = accesses->operations.in_flight_count; i-- > 0;) {
        struct fth_in_flight *found = accesses->operations.in_flight[i];
        if (found->is_aio && memcmp(found->aio, triple, sizeof found->aio) == 0)
            return found;
    }
    return NULL;
}

static void follow_aio(struct fth_accesses *accesses, const struct fth_range_semantics *semantics)
{
    const struct fth_call *call = &accesses->access->call;
    int64_t triple[3], result = call->result.integer;
    struct fth_in_flight *found =
        triple_of(call, semantics->place.aio, triple) ? find_aio(accesses, triple) : NULL;
    if (!found)
        return;
    if (semantics->request.asks && result == IN_PROGRESS)
        ask(found, call);
    else if (semantics->request.asks)
        find_over_only(accesses, found,
                       result == 0          ? FTH_OPERATION_COMPLETE
                       : result == CANCELED ? FTH_OPERATION_CANCELLED
                                            : FTH_OPERATION_FAILED);
    else if (semantics->request.waits && call->error_number)
        finish(accesses, found,
               call->error_number == CANCELED ? FTH_OPERATION_CANCELLED : FTH_OPERATION_FAILED, 0);
    else if (semantics->request.waits)
        finish(accesses, found, FTH_OPERATION_COMPLETE, result);
    else if (semantics->request.cancels && result == 0)
        find_over_only(accesses, found, FTH_OPERATION_CANCELLED);
}

/* One of those in the list is over, or none before the time: which one is known if there is only
 * one. */
static void follow_aio_list(struct fth_accesses *accesses,
                            const struct fth_range_semantics *semantics)
{
    const struct fth_call *call = &accesses->access->call;
    const struct fth_value *list = fth_value_of(call, semantics->request.aio_list);
    size_t count = list->type == FTH_VALUE_INTEGERS ? list->count / FTH_AIO_NUMBERS : 0;
    for (size_t i = 0; i < count; i++) {
        struct fth_in_flight *found = find_aio(accesses, list->integers + i * FTH_AIO_NUMBERS);
        if (!found || found->found)
            continue;
        if (count == 1 && !call->error_number)
            find_over_only(accesses, found, FTH_OPERATION_COMPLETE);
        else
            ask(found, call);
    }
}

/* Without a control block all of the descriptor are meant. */
static void cancel_all(struct fth_accesses *accesses, const struct fth_range_semantics *semantics)
{
    const struct fth_call *call = &accesses->access->call;
    const struct fth_value *descriptor = fth_value_of(call, semantics->handles.file);
    if (call->error_number || call->result.integer != 0 || !descriptor)
        return;
    for (size_t i = 0; i < accesses->operations.in_flight_count; i++) {
        struct fth_in_flight *found = accesses->operations.in_flight[i];
        if (found->is_aio && found->aio[0] == descriptor->integer)
            find_over_only(accesses, found, FTH_OPERATION_CANCELLED);
    }
}

/* ---- a call ---- */

static int by_begin(const void *one, const void *other)
{
    const struct fth_in_flight *a = *(struct fth_in_flight *const *)one,
                               *b = *(struct fth_in_flight *const *)other;
    return (a->operation.number > b->operation.number) -
           (a->operation.number < b->operation.number);
}

static void give_over(struct fth_accesses *accesses)
{
    size_t count = accesses->operations.over_count;
    qsort(accesses->operations.over, count, sizeof *accesses->operations.over, by_begin);
    accesses->operations.given =
        fth_resize(accesses->operations.given, count, sizeof *accesses->operations.given);
    for (size_t i = 0; i < count; i++)
        accesses->operations.given[i] = accesses->operations.over[i]->operation;
    accesses->access->operations = accesses->operations.given;
    accesses->access->operation_count = count;
}

void fth_following_operations(struct fth_accesses *accesses,
                              const struct fth_range_semantics *semantics,
                              struct fth_opened *opened)
{
    const struct fth_call *call = &accesses->access->call;
    const struct fth_value *requests = fth_value_of(call, semantics->request.handle);
    if (semantics->request.starts && !call->error_number)
        start(accesses, semantics, opened);
    if (!accesses->operations.in_flight_count)
        return;
    if (semantics->place.aio >= 0 && !semantics->request.starts)
        follow_aio(accesses, semantics);
    if (semantics->request.waits && semantics->request.aio_list >= 0)
        follow_aio_list(accesses, semantics);
    if (semantics->request.event_set >= 0 &&
        (semantics->request.waits || semantics->request.cancels) && !call->error_number)
        follow_event_set(accesses, semantics);
    if (semantics->request.cancels && semantics->place.aio >= 0 &&
        fth_value_of(call, semantics->place.aio)->type == FTH_VALUE_NONE)
        cancel_all(accesses, semantics);
    if (semantics->request.codes >= 0 && (semantics->request.waits || semantics->request.cancels) &&
        !call->error_number)
        follow_codes(accesses, semantics, requests);
    else if ((semantics->request.asks || semantics->request.waits) && requests &&
             !call->error_number)
        ask_requests(accesses, semantics, requests);
    if (semantics->request.ends && opened && opened->split)
        finish(accesses, opened->split,
               call->error_number ? FTH_OPERATION_FAILED : FTH_OPERATION_COMPLETE,
               call->bytes_known && !call->error_number ? (int64_t)call->bytes : -1);
    if (accesses->operations.over_count)
        give_over(accesses);
}

/* ---- life ---- */

/* The file that a split operation was of is let go by whoever holds it last. */
static void free_operation(struct fth_in_flight *operation)
{
    if (operation->split_of)
        fth_opened_drop(operation->split_of);
    free(operation->file);
    free(operation);
}

void fth_following_forget_operations(struct fth_accesses *accesses)
{
    for (size_t i = 0; i < accesses->operations.over_count; i++)
        free_operation(accesses->operations.over[i]);
    free(accesses->operations.over);
    accesses->operations.over = NULL;
    accesses->operations.over_count = accesses->operations.changed_count = 0;
    free(accesses->operations.changed);
    accesses->operations.changed = NULL;
}

void fth_following_free_operations(struct fth_accesses *accesses)
{
    fth_following_forget_operations(accesses);
    for (size_t i = 0; i < accesses->operations.in_flight_count; i++)
        free_operation(accesses->operations.in_flight[i]);
    free(accesses->operations.in_flight);
    free(accesses->operations.given);
    free(accesses->operations.shown);
}

const struct fth_operation *fth_accesses_in_flight(struct fth_accesses *accesses, size_t *count)
{
    *count = accesses->operations.in_flight_count;
    accesses->operations.shown =
        fth_resize(accesses->operations.shown, *count + 1, sizeof *accesses->operations.shown);
    for (size_t i = 0; i < *count; i++)
        accesses->operations.shown[i] = accesses->operations.in_flight[i]->operation;
    return accesses->operations.shown;
}

const struct fth_operation *fth_accesses_changed(struct fth_accesses *accesses, size_t *count)
{
    *count = accesses->operations.changed_count;
    if (*count)
        qsort(accesses->operations.changed, *count, sizeof *accesses->operations.changed, by_begin);
    accesses->operations.shown =
        fth_resize(accesses->operations.shown, *count + 1, sizeof *accesses->operations.shown);
    for (size_t i = 0; i < *count; i++)
        accesses->operations.shown[i] = accesses->operations.changed[i]->operation;
    return accesses->operations.shown;
}
