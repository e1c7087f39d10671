/* Handles and their places. */
#include "model/handles/handle_places.h"

#include "base/memory.h"
#include "base/text.h"

#include <string.h>

/* ---- one handle ---- */

struct fth_node *fth_node_hold(struct fth_node *node)
{
    if (node)
        node->references++;
    return node;
}

/* A parent is let go with its last child, its own parent with it, and so on. */
void fth_node_let_go(struct fth_node *node)
{
    while (node && --node->references == 0) {
        struct fth_node *parent = fth_node_of(node->shown.parent);
        fth_node_let_go(fth_node_of(node->shown.group));
        free((char *)(uintptr_t)node->shown.path);
        free((char *)(uintptr_t)node->shown.name);
        free((char *)(uintptr_t)node->shown.identity.path);
        free(node->transfers);
        free(node);
        node = parent;
    }
}

void fth_node_set_text(const char **to, const char *text)
{
    if (*to || !text || !*text)
        return;
    char *copy = fth_new(strlen(text) + 1, 1);
    strcpy(copy, text);
    *to = copy;
}

static const char *type_of(const struct fth_handle *shown)
{
    static const struct {
        const char *beginning, *type;
    } known[] = {
        {"pipe:[", "pipe"},  {"socket:[", "socket"},    {"/dev/shm/", "file"},
        {"/dev/", "device"}, {"anon_inode:", "memory"}, {"/memfd:", "memory"},
    };
    if (shown->creation_flags & FTH_OPEN_DIRECTORY || strcmp(shown->handle_class, "dir") == 0)
        return "directory";
    for (size_t i = 0; shown->path && i < sizeof known / sizeof *known; i++)
        if (fth_text_begins(shown->path, known[i].beginning))
            return known[i].type;
    return shown->path ? "file" : NULL;
}

void fth_node_set_path(struct fth_node *node, const char *path)
{
    if (node->shown.path || !path || !*path)
        return;
    fth_node_set_text(&node->shown.path, path);
    node->shown.type = type_of(&node->shown);
}

/* MPI opens "ufs:/data/f" as "/data/f": is the last part of both paths the same? */
static bool is_opened_as(const struct fth_handle *outer, const struct fth_handle *inner)
{
    if (!outer->path || !inner->path)
        return false;
    const char *name = strrchr(inner->path, '/');
    name = name ? name + 1 : inner->path;
    size_t length = strlen(outer->path), last = strlen(name);
    return length > last && strcmp(outer->path + length - last, name) == 0 &&
           (outer->path[length - last - 1] == '/' || outer->path[length - last - 1] == ':');
}

void fth_node_set_identity(struct fth_node *node, const struct fth_identity *identity)
{
    while (identity && node && node->is_file) {
        struct fth_identity *known = &node->shown.identity;
        struct fth_node *parent = fth_node_of(node->shown.parent);
        bool is_known = known->path || known->inode || known->size;
        fth_node_set_text(&known->path, identity->path);
        if (!known->inode) {
            known->device = identity->device;
            known->inode = identity->inode;
            known->links = identity->links;
        }
        if (!known->size)
            known->size = identity->size;
        if (is_known || !parent ||
            (!node->shown.duplicate && !is_opened_as(&parent->shown, &node->shown)))
            return;
        node = parent;
    }
}

void fth_node_set_parent(struct fth_node *node, struct fth_node *parent)
{
    if (!node->shown.parent && parent && parent != node)
        node->shown.parent = &fth_node_hold(parent)->shown;
}

void fth_node_set_group(struct fth_node *node, struct fth_node *group)
{
    if (!group || group->is_file || !node->is_file || &group->shown == node->shown.group)
        return;
    fth_node_let_go(fth_node_of(node->shown.group));
    node->shown.group = &fth_node_hold(group)->shown;
}

/* ---- their places ---- */

/* The layer most of whose functions take the class: that of MPI_COMM_WORLD is MPI, though HDF5 has
 * a function for it. */
static const char *layer_of_class(const struct fth_handle_tree *tree, int handle_class)
{
    enum { LAYERS = 32 };
    const char *layers[LAYERS];
    size_t takes[LAYERS], count = 0, most = 0;
    for (size_t i = 0; i < tree->trace->catalog.row_count; i++) {
        const struct fth_handle_plan *plan = &tree->plans[i];
        int use = 0;
        while (use < plan->use_count && plan->uses[use].handle_class != handle_class)
            use++;
        if (use == plan->use_count)
            continue;
        size_t at = 0;
        while (at < count && strcmp(layers[at], plan->row->layer) != 0)
            at++;
        if (at == LAYERS)
            continue;
        if (at == count) {
            layers[count] = plan->row->layer;
            takes[count++] = 0;
        }
        if (++takes[at] > takes[most])
            most = at;
    }
    return count ? layers[most] : "";
}

static void set_communicator(const struct fth_handle_tree *tree, struct fth_node *node)
{
    struct fth_handle *shown = &node->shown;
    const struct fth_communicator *known =
        fth_communicators_find(&tree->trace->communicators, tree->proc, shown->number);
    if (!known || strcmp(shown->handle_class, "comm") != 0)
        return;
    shown->group_id = known->id;
    shown->group_size = known->size;
    shown->group_others = known->others;
    shown->group_rank = known->rank;
}

struct fth_node *fth_node_new(struct fth_handle_tree *tree, int handle_class, int64_t value)
{
    struct fth_node *node = fth_new(1, sizeof *node);
    struct fth_place_list *list = &tree->classes[handle_class];
    if (!list->layer)
        list->layer = layer_of_class(tree, handle_class);
    node->handle_class = handle_class;
    node->is_file = tree->trace->catalog.classes[handle_class].form == FTH_CLASS_FILE;
    node->opened = 1;
    node->shown =
        (struct fth_handle){.proc = tree->proc,
                            .number = tree->next_number++,
                            .handle_class = tree->trace->catalog.classes[handle_class].name,
                            .layer = list->layer,
                            .value = value,
                            .made_by = FTH_NO_CALL,
                            .closed_by = FTH_NO_CALL,
                            .made_at = -1,
                            .closed_at = -1,
                            .group_size = -1,
                            .group_rank = -1,
                            .group_id = -1};
    set_communicator(tree, node);
    return node;
}

/* NULL: nothing is known to be there. */
struct fth_node *fth_node_at(const struct fth_handle_tree *tree, int handle_class, int64_t value)
{
    const struct fth_place_list *list = &tree->classes[handle_class];
    return value >= 0 && value < list->limit ? list->handles[value] : NULL;
}

void fth_node_end(struct fth_handle_tree *tree, struct fth_node *node)
{
    if (tree->ended_count == tree->ended_limit) {
        tree->ended_limit = tree->ended_limit ? tree->ended_limit * 2 : 16;
        tree->ended = fth_resize(tree->ended, tree->ended_limit, sizeof(struct fth_node *));
    }
    tree->ended[tree->ended_count++] = fth_node_hold(node);
    tree->all_ended++;
    if (node->shown.number < tree->first_ended)
        tree->first_ended = node->shown.number;
}

void fth_node_leave_place(struct fth_handle_tree *tree, struct fth_node *node)
{
    struct fth_node **place = &tree->classes[node->handle_class].handles[node->shown.value];
    *place = NULL;
    fth_node_end(tree, node);
    fth_node_let_go(node);
}

/* What was there has been closed behind our back. */
void fth_node_take_place(struct fth_handle_tree *tree, struct fth_node *node, int64_t value)
{
    struct fth_place_list *list = &tree->classes[node->handle_class];
    node->shown.value = value;
    if (value < 0 || value >= FTH_MOST_PLACES) {
        fth_node_end(tree, node);
        return;
    }
    list->handles =
        fth_reach(list->handles, &list->limit, (uint32_t)value, sizeof(struct fth_node *));
    if (list->handles[value])
        fth_node_leave_place(tree, list->handles[value]);
    list->handles[value] = fth_node_hold(node);
}

/* ---- calls that have not been left ---- */

static void settle(struct fth_handle_tree *tree, size_t i)
{
    struct fth_waiting due = tree->waiting[i];
    tree->waiting[i] = tree->waiting[--tree->waiting_count];
    fth_node_take_place(tree, due.node, due.value);
    fth_node_let_go(due.node);
}

static void leave_frame(struct fth_handle_tree *tree, size_t thread)
{
    struct fth_thread *of_thread = &tree->threads[thread];
    struct fth_handle_frame *frame = &of_thread->frames[--of_thread->frame_count];
    for (size_t i = tree->waiting_count; frame->makes && i-- > 0;)
        if (tree->waiting[i].thread == thread && tree->waiting[i].call == frame->number)
            settle(tree, i);
    fth_node_let_go(frame->makes);
    fth_node_let_go(frame->about);
}

/* Calls of this thread that the new one is not inside of have been left, and calls of others that
 * ended before it. */
void fth_frames_leave(struct fth_handle_tree *tree, size_t thread, const struct fth_call *call)
{
    struct fth_thread *of_thread = &tree->threads[thread];
    uint64_t parent = call->starter ? FTH_NO_CALL : call->parent;
    while (of_thread->frame_count && of_thread->frames[of_thread->frame_count - 1].number != parent)
        leave_frame(tree, thread);
    if (!tree->waiting_count || tree->first_due > call->start)
        return;
    for (size_t i = tree->waiting_count; i-- > 0;)
        if (tree->waiting[i].thread != thread && tree->waiting[i].until <= call->start)
            settle(tree, i);
    tree->first_due = INT64_MAX;
    for (size_t i = 0; i < tree->waiting_count; i++)
        if (tree->waiting[i].until < tree->first_due)
            tree->first_due = tree->waiting[i].until;
}

void fth_frames_enter(struct fth_handle_tree *tree, size_t thread, uint64_t number,
                      struct fth_node *makes, struct fth_node *about)
{
    struct fth_thread *of_thread = &tree->threads[thread];
    if (of_thread->frame_count == of_thread->frame_limit) {
        of_thread->frame_limit = of_thread->frame_limit ? of_thread->frame_limit * 2 : 8;
        of_thread->frames =
            fth_resize(of_thread->frames, of_thread->frame_limit, sizeof *of_thread->frames);
    }
    of_thread->frames[of_thread->frame_count++] =
        (struct fth_handle_frame){number, fth_node_hold(makes), fth_node_hold(about)};
}

/* What the innermost call around this one that has to do with files makes, or works on. */
struct fth_node *fth_frames_file(const struct fth_handle_tree *tree, size_t thread)
{
    const struct fth_thread *of_thread = &tree->threads[thread];
    for (size_t i = of_thread->frame_count; i-- > 0;) {
        const struct fth_handle_frame *frame = &of_thread->frames[i];
        if (frame->makes && frame->makes->is_file)
            return frame->makes;
        if (frame->about && frame->about->is_file)
            return frame->about;
    }
    return NULL;
}

void fth_node_wait(struct fth_handle_tree *tree, struct fth_node *node, size_t thread,
                   const struct fth_call *call)
{
    tree->waiting = fth_reach(tree->waiting, &tree->waiting_limit, (uint32_t)tree->waiting_count,
                              sizeof *tree->waiting);
    tree->waiting[tree->waiting_count++] = (struct fth_waiting){
        fth_node_hold(node), thread, call->number, call->end, node->shown.value};
    if (call->end < tree->first_due)
        tree->first_due = call->end;
}

void fth_frames_leave_all(struct fth_handle_tree *tree)
{
    for (size_t i = 0; i < tree->thread_count; i++)
        while (tree->threads[i].frame_count)
            leave_frame(tree, i);
    while (tree->waiting_count)
        settle(tree, tree->waiting_count - 1);
}

void fth_finding_note_use(const struct fth_handle_search *finding, struct fth_node *handle,
                          int parameter, enum fth_handle_use_kind operation)
{
    struct fth_call *call = finding->call;
    if (call->use_count < FTH_MOST_USES)
        finding->tree->uses[call->use_count++] =
            (struct fth_handle_use){&handle->shown, parameter, operation};
}
