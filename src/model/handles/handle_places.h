/* A handle and what refers to it; and where handles are: at their places (descriptors, slots),
 * waiting until the call that makes them is left, ended. Inner header of the model room, for
 * handle_*.c. */
#ifndef FTH_MODEL_HANDLES_HANDLE_PLACES_H
#define FTH_MODEL_HANDLES_HANDLE_PLACES_H

#include "model/handles/handle_plan.h"
#include "model/handles/handle_tree.h"
#include "model/handles/opened.h"

enum {
    FTH_MOST_PLACES = 1 << 16, /* of a class: descriptors, slots */
    FTH_MOST_USES = 256,       /* of a call that are reported */
};

/* Transfers of a variable of a file are collective, or are not. */
struct fth_transfer {
    int64_t variable;
    bool collective;
};

struct fth_node {
    struct fth_handle shown; /* first: it is what others point to */
    uint32_t references;
    uint32_t opened; /* so often: identifiers of HDF5 are counted */
    int handle_class;
    bool is_file;                /* or an object in one */
    bool has_transfer, transfer; /* of all its variables, or of a property list */
    struct fth_transfer *transfers;
    size_t transfer_count;
    int64_t descriptor; /* of a stream: the one that it stands on, + 1; 0: no call has said it */
};

struct fth_place_list {
    struct fth_node **handles;
    uint32_t limit;
    struct fth_node *unknown; /* for all that were never seen */
    const char *layer; /* of most functions that take this class; made when it is asked for */
};

/* A call that has not been left. */
struct fth_handle_frame {
    uint64_t number;
    struct fth_node *makes, *about;
};

struct fth_thread {
    struct fth_handle_frame *frames;
    size_t frame_count, frame_limit;
};

/* Made by a call that has not been left. */
struct fth_waiting {
    struct fth_node *node;
    size_t thread;
    uint64_t call;
    int64_t until;
    int64_t value;
};

struct fth_handle_tree {
    const struct fth_trace *trace;
    size_t proc;
    struct fth_handle_plan *plans; /* by function */
    struct fth_place_list *classes;
    struct fth_thread *threads;
    size_t thread_count;
    struct fth_waiting *waiting;
    size_t waiting_count;
    uint32_t waiting_limit;
    int64_t first_due; /* of those that wait */
    struct fth_node **ended;
    size_t ended_count, ended_given, ended_limit;
    uint64_t next_number;
    uint64_t all_ended, first_ended; /* fth_handle_tree_count */
    struct fth_handle_use *uses;
    struct { /* what the flags of the last one that was opened by flags mean */
        const struct fth_handle_plan *plan;
        int64_t flags;
        struct fth_open_mode mode;
    } opened;
    bool over;
};

/* ---- one handle ---- */

static inline struct fth_node *fth_node_of(const struct fth_handle *shown)
{
    return (struct fth_node *)(uintptr_t)shown;
}

/* A node is kept until all that held it have let it go. NULL is allowed. */
struct fth_node *fth_node_hold(struct fth_node *node);
void fth_node_let_go(struct fth_node *node);
/* These set what is not known yet; `text` may be NULL. */
void fth_node_set_text(const char **to, const char *text);
void fth_node_set_path(struct fth_node *node, const char *path);
/* Of a file, or NULL. What was opened to get it, or is a duplicate of the same, is of that file,
 * too. */
void fth_node_set_identity(struct fth_node *node, const struct fth_identity *identity);
/* `parent`, which may be NULL, must not have the node among its own parents. */
void fth_node_set_parent(struct fth_node *node, struct fth_node *parent);
/* Nothing happens if `group` is NULL, or a file, or the node is none. */
void fth_node_set_group(struct fth_node *node, struct fth_node *group);

/* ---- places ---- */

/* Held by nobody yet. */
struct fth_node *fth_node_new(struct fth_handle_tree *tree, int handle_class, int64_t value);
/* NULL: nothing is known to be there. */
struct fth_node *fth_node_at(const struct fth_handle_tree *tree, int handle_class, int64_t value);
void fth_node_take_place(struct fth_handle_tree *tree, struct fth_node *node, int64_t value);
void fth_node_leave_place(struct fth_handle_tree *tree, struct fth_node *node);
/* It goes to those that fth_handle_tree_ended reports. */
void fth_node_end(struct fth_handle_tree *tree, struct fth_node *node);
/* It takes its place when the call is left. */
void fth_node_wait(struct fth_handle_tree *tree, struct fth_node *node, size_t thread,
                   const struct fth_call *call);

/* ---- calls that have not been left ---- */

/* Calls of this thread that the new one is not inside of have been left, and calls of others that
 * ended before it. */
void fth_frames_leave(struct fth_handle_tree *tree, size_t thread, const struct fth_call *call);
void fth_frames_leave_all(struct fth_handle_tree *tree);
void fth_frames_enter(struct fth_handle_tree *tree, size_t thread, uint64_t number,
                      struct fth_node *makes, struct fth_node *about);
/* What the innermost call around the next one of this thread that has to do with files makes, or
 * works on; or NULL. */
struct fth_node *fth_frames_file(const struct fth_handle_tree *tree, size_t thread);

/* ---- what a call makes (handle_make.c) ---- */

/* The handles of a call, as they are found. */
struct fth_handle_search {
    struct fth_handle_tree *tree;
    const struct fth_handle_plan *plan;
    struct fth_call *call;
    size_t thread;
    struct fth_node *about, *in, *group;
    bool is_copy_on_itself; /* dup2(3, 3) */
};
/* Makes its new handles; returns the first one, or NULL. */
struct fth_node *fth_finding_make(const struct fth_handle_search *finding);
/* A copy of the handle that the call is about, made at this descriptor. */
struct fth_node *fth_finding_copy(const struct fth_handle_search *finding, int64_t value,
                                  uint32_t status);
/* What a call of kind `control` changes (handle_events.c); returns what it has made, or NULL. */
struct fth_node *fth_finding_control(const struct fth_handle_search *finding);
void fth_finding_note_use(const struct fth_handle_search *finding, struct fth_node *node,
                          int parameter, enum fth_handle_use_kind operation);

#endif
