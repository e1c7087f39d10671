/* Which handle is meant by a descriptor or a slot is a matter of time: a call that closes one gives
 * its place away when it is entered (the tracer does so, before the real close), and a call that
 * makes one takes its place when it is left. Calls come in order of entry; so what they make waits
 * until calls come that were entered later than that. Meanwhile calls inside can be given already
 * what they are working for.
 *
 * A handle is kept as long as something refers to it: its place, a child, an open call, the list of
 * those that have ended. */
#include "model/handles/handle_places.h"

#include "base/memory.h"
#include "model/reading/trace_functions.h"
#include "model/handles/opened.h"
#include "base/text.h"

#include <string.h>

/* ---- handles of a call ---- */

/* "/data/run.h5:/group/set" is an object in a file; "H5P_DEFAULT" has a name and nothing else. */
static void name_it(struct fth_node *handle, const char *text)
{
    const char *object = NULL;
    if (!strchr(text, '/')) {
        fth_node_set_text(&handle->shown.name, text);
        return;
    }
    for (const char *at = strstr(text, ":/"); at; at = strstr(at + 1, ":/"))
        object = at;
    if (!object) {
        fth_node_set_path(handle, text);
        return;
    }
    char *path = fth_new((size_t)(object - text) + 1, 1);
    memcpy(path, text, (size_t)(object - text));
    fth_node_set_path(handle, path);
    fth_node_set_text(&handle->shown.name, object + 1);
    free(path);
}

/* Of a communicator that MPI itself has made. */
static void size_group(const struct fth_handle_tree *tree, struct fth_node *handle)
{
    const struct fth_process *process = &tree->trace->processes[tree->proc].facts;
    if (!handle->is_file)
        handle->shown.group_name = handle->shown.name;
    bool is_world = fth_text_same(handle->shown.name, "MPI_COMM_WORLD");
    if (!is_world && !fth_text_same(handle->shown.name, "MPI_COMM_SELF"))
        return;
    handle->shown.group_size = !is_world ? 1 : process->size > 0 ? process->size : -1;
    handle->shown.group_rank = !is_world ? 0 : process->rank;
}

/* Of a descriptor that was there: what F_GETFL said, and so of the stream on top of it. */
static void set_flags(const struct fth_handle_search *finding, struct fth_node *handle,
                      int64_t flags)
{
    enum { O_OF_ACCESS = 3 };
    static const unsigned access[] = {FTH_ACCESS_READ, FTH_ACCESS_WRITE,
                                      FTH_ACCESS_READ | FTH_ACCESS_WRITE, 0};
    const struct fth_flags *words =
        fth_trace_flags(finding->tree->trace, finding->tree->proc, "open");
    struct fth_open_mode opened = {0};
    if (words)
        fth_opened_by_flags(&opened, words, flags);
    handle->shown.access = access[flags & O_OF_ACCESS];
    handle->shown.status_flags = opened.status;
    struct fth_node *stream = fth_node_of(handle->shown.parent);
    if (stream && stream->shown.origin == FTH_HANDLE_THERE && !stream->shown.access)
        stream->shown.access = handle->shown.access;
}

/* The stream that a call has said to stand on this descriptor; or NULL. */
static struct fth_node *stream_on(const struct fth_handle_tree *tree, int64_t descriptor)
{
    for (size_t i = 0; i < tree->trace->catalog.class_count; i++) {
        const struct fth_place_list *list = &tree->classes[i];
        for (uint32_t k = 0; tree->trace->catalog.classes[i].buffered && k < list->limit; k++)
            if (list->handles[k] && list->handles[k]->descriptor == descriptor + 1)
                return list->handles[k];
    }
    return NULL;
}

/* A handle that is used and that no call has made. */
static struct fth_node *meet(const struct fth_handle_search *finding, int handle_class,
                             int64_t value, const char *text, int64_t flags, bool is_about)
{
    struct fth_handle_tree *tree = finding->tree;
    struct fth_node *handle = fth_node_new(tree, handle_class, value);
    bool is_standard = handle_class == tree->trace->descriptors && value <= 2;
    struct fth_node *around = fth_frames_file(tree, finding->thread);
    struct fth_node *stream =
        handle_class == tree->trace->descriptors ? stream_on(tree, value) : NULL;
    around = stream ? stream : around;
    if (is_about) {
        fth_node_set_path(handle, finding->call->file);
        fth_node_set_text(&handle->shown.name, finding->call->object);
    } else if (handle_class == tree->trace->descriptors) {
        fth_node_set_path(handle, text); /* of a pipe, too: "pipe:[123]" */
    } else if (text) {
        name_it(handle, text);
    }
    if (is_about && !handle->shown.path && text)
        name_it(handle, text);
    bool is_known = handle->shown.path || handle->shown.name;
    handle->shown.origin = is_known ? FTH_HANDLE_THERE : FTH_HANDLE_UNKNOWN_ORIGIN;
    if (is_known && handle->is_file && around && around->handle_class != handle_class &&
        fth_text_same(around->shown.path, handle->shown.path)) {
        fth_node_set_parent(handle, around);
        handle->shown.access = around->shown.access;
        if (!is_standard)
            handle->shown.origin = FTH_HANDLE_INSIDE;
    }
    if (handle_class == tree->trace->descriptors && flags > 0)
        set_flags(finding, handle, flags - 1);
    size_group(tree, handle);
    fth_node_take_place(tree, handle, value);
    return handle;
}

static struct fth_node *unknown_one(struct fth_handle_tree *tree, int handle_class)
{
    struct fth_node **unknown = &tree->classes[handle_class].unknown;
    if (!*unknown) {
        *unknown = fth_node_hold(fth_node_new(tree, handle_class, FTH_HANDLE_UNKNOWN));
        (*unknown)->shown.origin = FTH_HANDLE_UNKNOWN_ORIGIN;
    }
    return *unknown;
}

static bool is_of(const struct fth_node *handle, const char *file)
{
    const struct fth_handle *shown = &handle->shown;
    for (; shown; shown = shown->duplicate ? shown->parent : NULL)
        if (fth_text_same(shown->path, file) ||
            fth_text_same(shown->identity.path, file)) /* /dev/stdout leads there */
            return true;
    return false;
}

/* Is what stood at this place gone, without a call that reports it (libc closes some of its
 * descriptors where nobody sees it)? The stream that the call is inside of has a file that it has
 * not. */
static bool is_gone(const struct fth_handle_search *finding, const struct fth_node *handle)
{
    const struct fth_node *around = fth_frames_file(finding->tree, finding->thread);
    const char *file = finding->call->file;
    return file && around && around->is_file && around->handle_class != handle->handle_class &&
           fth_text_same(around->shown.path, file) && !is_of(handle, file);
}

static struct fth_node *find_used(const struct fth_handle_search *finding, int handle_class,
                                  int64_t value, const char *text, int64_t flags, bool is_about)
{
    struct fth_node *handle = fth_node_at(finding->tree, handle_class, value);
    if (handle && is_about && handle_class == finding->tree->trace->descriptors &&
        is_gone(finding, handle)) {
        fth_node_leave_place(finding->tree, handle);
        handle = NULL;
    }
    if (!handle && value >= 0 && value < FTH_MOST_PLACES)
        return meet(finding, handle_class, value, text, flags, is_about);
    if (!handle)
        return unknown_one(finding->tree, handle_class);
    if (is_about) {
        fth_node_set_path(handle, finding->call->file);
        fth_node_set_text(&handle->shown.name, finding->call->object);
    } else if (handle_class == finding->tree->trace->descriptors) {
        fth_node_set_path(handle, text);
    }
    return handle;
}

static void close_it(const struct fth_handle_search *finding, struct fth_node *handle)
{
    const struct fth_call *call = finding->call;
    bool is_there = fth_node_at(finding->tree, handle->handle_class, handle->shown.value) == handle;
    if (!is_there || --handle->opened)
        return;
    handle->shown.closed_thread = call->thread;
    handle->shown.closed_by = call->number;
    handle->shown.closed_at = call->start;
    fth_node_leave_place(finding->tree, handle);
}

/* A `dup` may fail, or copy onto itself, and then closes nothing; other calls give their handle up
 * however they end. */
static bool closes(const struct fth_handle_search *finding)
{
    return !finding->is_copy_on_itself &&
           !(finding->plan->duplicates && finding->call->error_number);
}

/* One handle that the call uses or closes. */
static void use_one(struct fth_handle_search *finding, int use, int64_t value, const char *text,
                    int64_t flags, const struct fth_identity *identity)
{
    const struct fth_handle_plan *plan = finding->plan;
    int handle_class = plan->uses[use].handle_class;
    bool gives_up = plan->uses[use].role == FTH_ROLE_CLOSE, is_about = use == plan->about;
    if (value == FTH_HANDLE_NULL)
        return;
    if (gives_up && (!closes(finding) || (value < 0 && plan->duplicates)))
        return;
    struct fth_node *handle = find_used(finding, handle_class, value, text, flags, is_about);
    fth_node_set_identity(handle, identity);
    if (is_about)
        finding->about = handle;
    if (use == plan->in)
        finding->in = handle;
    if (use == plan->group)
        finding->group = handle;
    fth_finding_note_use(finding, handle, plan->uses[use].field,
                         gives_up ? FTH_HANDLE_CLOSED : FTH_HANDLE_USED);
}

static void find_uses(struct fth_handle_search *finding)
{
    const struct fth_handle_plan *plan = finding->plan;
    const struct fth_call *call = finding->call;
    for (int use = 0; use < plan->use_count; use++) {
        int field = plan->uses[use].field;
        if (plan->uses[use].role == FTH_ROLE_NEW || plan->uses[use].is_left_out)
            continue;
        if (field == FTH_ON_STREAM) {
            use_one(finding, use, call->stream, NULL, 0, NULL);
            continue;
        }
        const struct fth_value *value = &call->arguments[field];
        if (value->type == FTH_VALUE_HANDLE)
            use_one(finding, use, value->integer, value->text, value->flags, value->identity);
        else if (value->type == FTH_VALUE_HANDLES)
            for (size_t i = 0; i < value->count; i++)
                use_one(finding, use, value->integers[i], value->texts[i], 0, NULL);
        else if (plan->uses[use].role == FTH_ROLE_AIO && value->type == FTH_VALUE_INTEGERS &&
                 value->count)
            use_one(finding, use, value->integers[0], NULL, 0, value->identity);
        else if (plan->uses[use].role == FTH_ROLE_AIO_LIST && value->type == FTH_VALUE_INTEGERS)
            for (size_t i = 0; i < value->count; i += FTH_AIO_NUMBERS)
                use_one(finding, use, value->integers[i], NULL, 0, NULL);
    }
}

/* ---- what calls say ---- */

static struct fth_transfer *transfer_of(struct fth_node *handle, int64_t variable)
{
    for (size_t i = 0; i < handle->transfer_count; i++)
        if (handle->transfers[i].variable == variable)
            return &handle->transfers[i];
    return NULL;
}

static bool integer_of(const struct fth_call *call, int field, int64_t *integer)
{
    if (field < 0 || call->arguments[field].type != FTH_VALUE_INTEGER)
        return false;
    *integer = call->arguments[field].integer;
    return true;
}

/* All of a file's variables: NC_GLOBAL. */
static void set_transfer(const struct fth_handle_search *finding)
{
    const struct fth_handle_plan *plan = finding->plan;
    struct fth_node *about = finding->about;
    const struct fth_catalog *catalog = &finding->tree->trace->catalog;
    int64_t value, variable = -1;
    bool collective;
    if (!integer_of(finding->call, plan->transfer, &value) ||
        !fth_transfer_is_collective(&catalog->flags[plan->row->fields[plan->transfer].flags_index],
                                    value, &collective))
        return;
    if (!integer_of(finding->call, plan->variable, &variable) || variable < 0) {
        about->has_transfer = true;
        about->transfer = collective;
        about->transfer_count = 0;
        return;
    }
    struct fth_transfer *transfer = transfer_of(about, variable);
    if (!transfer) {
        if (!about->transfer_count) { /* it was emptied, perhaps */
            free(about->transfers);
            about->transfers = NULL;
        }
        FTH_GROW(about->transfers, about->transfer_count);
        transfer = &about->transfers[about->transfer_count++];
    }
    *transfer = (struct fth_transfer){variable, collective};
}

/* Of a data call: by its variable, or else by any of its handles (a property list). */
static bool transfers_together(const struct fth_handle_search *finding)
{
    int64_t variable;
    if (integer_of(finding->call, finding->plan->variable, &variable)) {
        const struct fth_transfer *transfer = transfer_of(finding->about, variable);
        if (transfer)
            return transfer->collective;
    }
    for (size_t i = 0; i < finding->call->use_count; i++) {
        const struct fth_node *handle = fth_node_of(finding->call->uses[i].handle);
        if (handle->has_transfer && handle->transfer)
            return true;
    }
    return false;
}

static void learn(const struct fth_handle_search *finding)
{
    const struct fth_handle_plan *plan = finding->plan;
    struct fth_node *about = finding->about;
    int64_t value;
    if (finding->call->error_number)
        return;
    if (about && plan->transfer >= 0)
        set_transfer(finding);
    if (about && plan->says_descriptor && finding->call->result.type == FTH_VALUE_INTEGER)
        about->descriptor = finding->call->result.integer + 1;
    if (about && finding->group && plan->made < 0 && about->is_file)
        fth_node_set_group(about, finding->group);
    if (finding->group && integer_of(finding->call, plan->size, &value))
        finding->group->shown.group_size = value;
    if (finding->group && integer_of(finding->call, plan->rank, &value))
        finding->group->shown.group_rank = value;
    if (about && plan->duplicates && plan->made < 0 &&
        fth_node_at(finding->tree, about->handle_class, about->shown.value) == about)
        about->opened++;
}

static void set_group(const struct fth_handle_search *finding, const struct fth_node *made)
{
    struct fth_call *call = finding->call;
    const struct fth_handle_plan *plan = finding->plan;
    const struct fth_handle *handle = call->handle;
    call->group = finding->group ? &finding->group->shown : handle ? handle->group : NULL;
    if (plan->row->flags & FTH_CALL_COLLECTIVE_IF_SHARED)
        call->collective = call->group != NULL;
    else if (!call->collective && plan->moves_data && finding->about && call->group)
        call->collective = transfers_together(finding);
    if (made && made->shown.made_by == call->number && made->shown.made_thread == call->thread)
        ((struct fth_node *)(uintptr_t)made)->shown.collective = call->collective;
}

static void count(struct fth_node *handle, const struct fth_call *call)
{
    struct fth_handle *shown = &handle->shown;
    shown->calls++;
    shown->errors += call->error_number != 0;
    shown->time = (int64_t)((uint64_t)shown->time + (uint64_t)(call->end - call->start));
    if (call->reads && call->bytes_known)
        shown->bytes_read += call->bytes;
    if (call->writes && call->bytes_known)
        shown->bytes_written += call->bytes;
}

/* ---- doors ---- */

static void forget_ended(struct fth_handle_tree *tree)
{
    for (size_t i = 0; i < tree->ended_count; i++)
        fth_node_let_go(tree->ended[i]);
    tree->ended_count = tree->ended_given = 0;
}

void fth_handle_tree_add(struct fth_handle_tree *tree, size_t thread, struct fth_call *call)
{
    const struct fth_handle_plan *plan = &tree->plans[call->function - tree->trace->functions];
    struct fth_handle_search finding = {.tree = tree, .plan = plan, .call = call, .thread = thread};
    forget_ended(tree);
    fth_frames_leave(tree, thread, call);
    call->uses = tree->uses;
    call->use_count = 0;
    if (plan->is_idle) {
        fth_frames_enter(tree, thread, call->number, NULL, NULL);
        return;
    }
    if (plan->duplicates && plan->about >= 0 && call->result.type == FTH_VALUE_HANDLE &&
        plan->uses[plan->about].field >= 0)
        finding.is_copy_on_itself =
            call->arguments[plan->uses[plan->about].field].integer == call->result.integer;
    find_uses(&finding);
    struct fth_node *made = fth_finding_make(&finding);
    if (!made)
        made = fth_finding_control(&finding);
    struct fth_node *handle = finding.about ? finding.about : made;
    call->handle = handle ? &handle->shown : NULL;
    learn(&finding);
    set_group(&finding, made);
    if (handle)
        count(handle, call);
    fth_frames_enter(tree, thread, call->number, made, finding.about);
    for (size_t i = 0; i < call->use_count; i++)
        if (call->uses[i].kind == FTH_HANDLE_CLOSED)
            close_it(&finding, fth_node_of(call->uses[i].handle));
}

void fth_handle_tree_count(struct fth_handle_tree *tree, uint64_t *made, uint64_t *ended,
                           uint64_t *first_ended)
{
    *made = tree->next_number;
    *ended = tree->all_ended;
    *first_ended = tree->first_ended;
    tree->first_ended = UINT64_MAX;
}

void fth_handle_tree_skip(struct fth_handle_tree *tree, uint64_t count)
{
    tree->next_number += count;
    tree->all_ended += count;
}

static int by_number(const void *one, const void *other)
{
    const struct fth_node *a = *(struct fth_node *const *)one,
                          *b = *(struct fth_node *const *)other;
    return a->shown.number < b->shown.number ? -1 : a->shown.number > b->shown.number;
}

void fth_handle_tree_end(struct fth_handle_tree *tree)
{
    if (tree->over)
        return;
    tree->over = true;
    forget_ended(tree);
    fth_frames_leave_all(tree);
    for (size_t i = 0; i < tree->trace->catalog.class_count; i++) {
        struct fth_place_list *list = &tree->classes[i];
        for (uint32_t k = 0; k < list->limit; k++)
            if (list->handles[k])
                fth_node_leave_place(tree, list->handles[k]);
        if (list->unknown) {
            fth_node_end(tree, list->unknown);
            fth_node_let_go(list->unknown);
            list->unknown = NULL;
        }
    }
    if (tree->ended_count)
        qsort(tree->ended, tree->ended_count, sizeof(struct fth_node *), by_number);
}

const struct fth_handle *fth_handle_tree_ended(struct fth_handle_tree *tree)
{
    return tree->ended_given < tree->ended_count ? &tree->ended[tree->ended_given++]->shown : NULL;
}

struct fth_handle_tree *fth_handle_tree_open(const struct fth_trace *trace, size_t proc,
                                             size_t threads)
{
    struct fth_handle_tree *tree = fth_new(1, sizeof *tree);
    *tree = (struct fth_handle_tree){.trace = trace,
                                     .proc = proc,
                                     .thread_count = threads,
                                     .first_due = INT64_MAX,
                                     .first_ended = UINT64_MAX};
    tree->plans = fth_handle_plans(trace, proc);
    tree->classes = fth_new(trace->catalog.class_count, sizeof *tree->classes);
    tree->threads = fth_new(threads, sizeof *tree->threads);
    tree->uses = fth_new(FTH_MOST_USES, sizeof *tree->uses);
    return tree;
}

void fth_handle_tree_leave_out(struct fth_handle_tree *tree, int handle_class)
{
    for (size_t i = 0; i < tree->trace->catalog.row_count; i++)
        fth_handle_plan_leave_out(&tree->plans[i], handle_class);
}

void fth_handle_tree_close(struct fth_handle_tree *tree)
{
    if (!tree)
        return;
    fth_handle_tree_end(tree);
    forget_ended(tree);
    for (size_t i = 0; i < tree->thread_count; i++)
        free(tree->threads[i].frames);
    for (size_t i = 0; i < tree->trace->catalog.class_count; i++)
        free(tree->classes[i].handles);
    free(tree->ended);
    free(tree->waiting);
    free(tree->classes);
    free(tree->threads);
    free(tree->plans);
    free(tree->uses);
    free(tree);
}
