/* What calls make: where a new handle comes from, how it was opened, what it belongs to. */
#include "model/handles/handle_places.h"

#include "base/memory.h"
#include "model/reading/trace_functions.h"
#include "base/text.h"

#include <string.h>

/* ---- what calls make ---- */

static void read_flags(const struct fth_handle_search *finding, int64_t flags,
                       struct fth_open_mode *opened)
{
    const struct fth_handle_plan *plan = finding->plan;
    const struct fth_trace *trace = finding->tree->trace;
    const struct fth_field *field = &plan->row->fields[plan->flags];
    fth_opened_by_flags(
        opened,
        fth_trace_flags(trace, finding->tree->proc, trace->catalog.flags[field->flags_index].name),
        flags);
}

/* Whoever opens one file after another opens them the same way. */
static struct fth_open_mode mode_of(const struct fth_handle_search *finding, int64_t flags)
{
    struct fth_handle_tree *tree = finding->tree;
    if (tree->opened.plan != finding->plan || tree->opened.flags != flags) {
        struct fth_open_mode opened = {0};
        fth_opened_by_row(&opened, finding->plan->row->opens);
        read_flags(finding, flags, &opened);
        tree->opened.plan = finding->plan;
        tree->opened.flags = flags;
        tree->opened.mode = opened;
    }
    return tree->opened.mode;
}

static void set_opened(const struct fth_handle_search *finding, struct fth_node *made)
{
    const struct fth_handle_plan *plan = finding->plan;
    const struct fth_call *call = finding->call;
    struct fth_open_mode opened = {0};
    if (plan->flags >= 0 && call->arguments[plan->flags].type == FTH_VALUE_INTEGER)
        opened = mode_of(finding, call->arguments[plan->flags].integer);
    else
        fth_opened_by_row(&opened, plan->row->opens);
    if (plan->mode >= 0 && call->arguments[plan->mode].type == FTH_VALUE_TEXT)
        fth_opened_by_mode(&opened, call->arguments[plan->mode].text);
    if (opened.creation & FTH_PATH_ONLY) /* O_PATH: others mean nothing then */
        opened.creation &= ~(unsigned)(FTH_CREATE | FTH_TRUNCATE);
    if (!(opened.creation & FTH_CREATE)) /* O_EXCL alone opens what is there */
        opened.creation &= ~(unsigned)FTH_EXCLUSIVE;
    made->shown.access |= opened.access;
    made->shown.creation_flags |= opened.creation;
    made->shown.status_flags |= opened.status;
}

/* As the tracer makes it (capture/follow/library_handles.c): a name that begins with a slash
 * begins at the root of the file. */
static void name_inside(struct fth_node *made, const struct fth_node *in, const char *name)
{
    const char *around = in->shown.name ? in->shown.name : "";
    fth_node_set_path(made, in->shown.path);
    if (!name || !*name)
        return;
    if (strcmp(name, ".") == 0)
        name = "";
    char *whole = fth_new(strlen(around) + strlen(name) + 3, 1);
    if (*name != '/') {
        strcpy(whole, around);
        if (!*around || around[strlen(around) - 1] != '/')
            strcat(whole, *name || !*around ? "/" : "");
    }
    strcat(whole, name);
    fth_node_set_text(&made->shown.name, whole);
    free(whole);
}

static void copy_from(struct fth_node *made, struct fth_node *from)
{
    fth_node_set_path(made, from->shown.path);
    fth_node_set_text(&made->shown.name,
                      from->handle_class == made->handle_class && from->shown.group_size < 0
                          ? from->shown.name
                          : NULL);
    made->shown.access = from->shown.access;
    made->shown.status_flags = from->shown.status_flags & ~(uint32_t)FTH_CLOSE_ON_EXEC;
    made->shown.duplicate = true;
    made->shown.group_name = from->shown.group_name;
    if (made->shown.group_id < 0) {
        made->shown.group_size = from->shown.group_size;
        made->shown.group_rank = from->shown.group_rank;
    }
    made->has_transfer = from->has_transfer;
    made->transfer = from->transfer;
    fth_node_set_parent(made, from);
    fth_node_set_group(made, fth_node_of(from->shown.group));
}

static void set_made_by(const struct fth_handle_search *finding, struct fth_node *made)
{
    const struct fth_call *call = finding->call;
    made->shown.origin = FTH_HANDLE_MADE;
    made->shown.layer = finding->plan->row->layer;
    made->shown.made_thread = call->thread;
    made->shown.made_by = call->number;
    made->shown.made_at = call->end;
}

struct fth_node *fth_finding_copy(const struct fth_handle_search *finding, int64_t value,
                                  uint32_t status)
{
    struct fth_node *from = finding->about;
    struct fth_node *made = fth_node_new(finding->tree, from->handle_class, value);
    set_made_by(finding, made);
    copy_from(made, from);
    made->shown.status_flags |= status;
    fth_node_wait(finding->tree, made, finding->thread, finding->call);
    fth_finding_note_use(finding, made, FTH_RESULT, FTH_HANDLE_OPENED);
    return made;
}

/* Without a path, a call that closes a handle opens its file again: freopen. */
static void keep_file(const struct fth_handle_search *finding, struct fth_node *made)
{
    for (size_t i = 0; i < finding->call->use_count; i++) {
        const struct fth_handle_use *use = &finding->call->uses[i];
        if (use->kind != FTH_HANDLE_CLOSED ||
            fth_node_of(use->handle)->handle_class != made->handle_class)
            continue;
        fth_node_set_path(made, use->handle->path);
        fth_node_set_identity(made, &use->handle->identity);
    }
}

static void set_origin(const struct fth_handle_search *finding, struct fth_node *made)
{
    const struct fth_handle_plan *plan = finding->plan;
    const struct fth_call *call = finding->call;
    set_made_by(finding, made);
    if (plan->has_path && call->file)
        fth_node_set_path(made, call->file);
    else if (plan->has_path)
        keep_file(finding, made);
    if (plan->duplicates && finding->about)
        copy_from(made, finding->about);
    else if (finding->in)
        fth_node_set_parent(made, finding->in);
    else if (!plan->adopts && made->is_file)
        fth_node_set_parent(made, fth_frames_file(finding->tree, finding->thread));
    if (finding->in) {
        const char *name = plan->name >= 0 && call->arguments[plan->name].type == FTH_VALUE_TEXT
                               ? call->arguments[plan->name].text
                               : NULL;
        name_inside(made, finding->in, name);
        fth_node_set_group(made, fth_node_of(finding->in->shown.group));
        made->shown.access |= finding->in->shown.access;
    }
    set_opened(finding, made);
    if (plan->adopts && finding->about && !finding->about->shown.parent && !made->shown.parent) {
        fth_node_set_path(made, finding->about->shown.path);
        fth_node_set_parent(finding->about, made);
    }
}

/* The group that opens a file together: the communicator of the call, or the one in a property
 * list. */
static void set_group_of_new(const struct fth_handle_search *finding, struct fth_node *made)
{
    if (!finding->plan->opens || !made->is_file)
        return;
    fth_node_set_group(made, finding->group);
    for (size_t i = 0; !made->shown.group && i < finding->call->use_count; i++)
        fth_node_set_group(made, fth_node_of(finding->call->uses[i].handle->group));
}

/* Identifiers of libraries may be open several times. Descriptors and streams may not: what was
 * there is gone. */
static bool is_open_again(const struct fth_handle_search *finding, const struct fth_node *known)
{
    return known && strcmp(finding->plan->row->library, "libc") != 0 &&
           known->handle_class != finding->tree->trace->descriptors &&
           (!finding->plan->has_path || fth_text_same(known->shown.path, finding->call->file));
}

static struct fth_node *make_one(const struct fth_handle_search *finding, int use, int64_t value)
{
    struct fth_handle_tree *tree = finding->tree;
    int handle_class = finding->plan->uses[use].handle_class;
    if (value == FTH_HANDLE_NULL || finding->is_copy_on_itself)
        return NULL;
    struct fth_node *made = fth_node_at(tree, handle_class, value);
    if (is_open_again(finding, made)) {
        made->opened++;
        fth_finding_note_use(finding, made, finding->plan->uses[use].field, FTH_HANDLE_OPENED);
        return made;
    }
    made = fth_node_new(tree, handle_class, value);
    set_origin(finding, made);
    set_group_of_new(finding, made);
    fth_node_wait(tree, made, finding->thread, finding->call);
    fth_finding_note_use(finding, made, finding->plan->uses[use].field, FTH_HANDLE_OPENED);
    return made;
}

/* Returns the first one. */
struct fth_node *fth_finding_make(const struct fth_handle_search *finding)
{
    const struct fth_handle_plan *plan = finding->plan;
    const struct fth_call *call = finding->call;
    struct fth_node *first = NULL;
    for (int use = plan->made; use >= 0 && use < plan->use_count; use++) {
        if (plan->uses[use].role != FTH_ROLE_NEW || plan->uses[use].is_left_out)
            continue;
        int field = plan->uses[use].field;
        const struct fth_value *value = field < 0 ? &call->result : &call->arguments[field];
        bool is_one = value->type == FTH_VALUE_HANDLE;
        bool is_list = value->type == FTH_VALUE_INTEGERS || value->type == FTH_VALUE_HANDLES;
        for (size_t i = 0; i < (is_one ? 1 : is_list ? value->count : 0); i++) {
            struct fth_node *made =
                make_one(finding, use, is_one ? value->integer : value->integers[i]);
            first = first ? first : made;
        }
    }
    return first;
}
