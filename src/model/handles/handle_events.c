/* What calls do to handles besides opening, closing and moving data: copies through fcntl, changes
 * of status flags, locks. Which of these a call does is known from the words for its command, as
 * those of flags (opened.c). */
#include "base/text.h"
#include "model/reading/trace_functions.h"
#include "model/handles/handle_places.h"
#include "model/handles/opened.h"

#include <string.h>

/* Changed by F_SETFL; others stay as they were opened. */
enum {
    SETTABLE = FTH_APPEND | FTH_ASYNC | FTH_AVOID_CACHING | FTH_NO_ACCESS_TIME | FTH_NON_BLOCKING
};

/* The word for the value of a parameter with flags; "" when there is none. */
static const char *word_of(const struct fth_trace *trace, const struct fth_call *call,
                           size_t parameter)
{
    const char *role = call->function->parameters[parameter].role;
    const struct fth_value *value = &call->arguments[parameter];
    if (strncmp(role, "flags ", 6) != 0 || value->type != FTH_VALUE_INTEGER)
        return "";
    const struct fth_flags *flags = fth_trace_flags(trace, call->proc, role + 6);
    for (size_t i = 0; flags && i < flags->count; i++)
        if (flags->entries[i].value == value->integer)
            return flags->entries[i].name;
    return "";
}

/* The parameter with this role, SIZE_MAX: none. */
static size_t parameter_with(const struct fth_call *call, const char *role)
{
    for (size_t i = 0; i < call->function->parameter_count; i++)
        if (strncmp(call->function->parameters[i].role, role, strlen(role)) == 0)
            return i;
    return SIZE_MAX;
}

static const struct fth_value *argument_of(const struct fth_call *call, size_t least)
{
    size_t at = parameter_with(call, "argument");
    const struct fth_value *argument = at == SIZE_MAX ? NULL : &call->arguments[at];
    return argument && argument->type == FTH_VALUE_INTEGERS && argument->count >= least ? argument
                                                                                        : NULL;
}

/* ---- copies and status flags ---- */

static void set_status(struct fth_node *node, uint32_t settable, uint32_t status)
{
    node->shown.status_flags = (node->shown.status_flags & ~settable) | (status & settable);
}

/* The descriptor that this one is a copy of, itself or by way of other copies. */
static const struct fth_node *original_of(const struct fth_node *node)
{
    while (node->shown.duplicate && node->shown.parent &&
           fth_node_of(node->shown.parent)->handle_class == node->handle_class)
        node = fth_node_of(node->shown.parent);
    return node;
}

/* Status flags are the open file description's (POSIX.1-2017, 2.5), which copies share. */
static void set_status_of_description(const struct fth_handle_tree *tree, struct fth_node *node,
                                      uint32_t status)
{
    const struct fth_place_list *places = &tree->classes[node->handle_class];
    const struct fth_node *original = original_of(node);
    set_status(node, SETTABLE, status);
    for (uint32_t i = 0; i < places->limit; i++)
        if (places->handles[i] && original_of(places->handles[i]) == original)
            set_status(places->handles[i], SETTABLE, status);
}

struct fth_node *fth_finding_control(const struct fth_handle_search *finding)
{
    const struct fth_call *call = finding->call;
    const struct fth_trace *trace = finding->tree->trace;
    if (!finding->about || call->error_number || finding->plan->command < 0 ||
        strcmp(call->function->kind, "control") != 0)
        return NULL;
    const char *command = word_of(trace, call, (size_t)finding->plan->command);
    const struct fth_value *argument = argument_of(call, 1);
    struct fth_open_mode opened = {0};
    if (fth_command_copies(command) && call->result.type == FTH_VALUE_INTEGER)
        return fth_finding_copy(finding, call->result.integer,
                                strcmp(command, "F_DUPFD_CLOEXEC") == 0 ? FTH_CLOSE_ON_EXEC : 0);
    if (strcmp(command, "F_SETFL") == 0 && argument) {
        const struct fth_flags *flags = fth_trace_flags(trace, call->proc, "open");
        if (flags)
            fth_opened_by_flags(&opened, flags, argument->integers[0]);
        set_status_of_description(finding->tree, finding->about, opened.status);
    } else if (strcmp(command, "F_SETFD") == 0 && argument) {
        set_status(finding->about, FTH_CLOSE_ON_EXEC,
                   argument->integers[0] & 1 ? FTH_CLOSE_ON_EXEC : 0);
    } else if (strcmp(command, "atomic") == 0 || strcmp(command, "nonatomic") == 0) {
        set_status(finding->about, FTH_ATOMIC, *command == 'a' ? FTH_ATOMIC : 0);
    }
    return NULL;
}

/* ---- locks ---- */

/* Of flock: its operation is of bits. */
static bool lock_of_flock(const struct fth_trace *trace, const struct fth_call *call, size_t at,
                          struct fth_lock_event *lock)
{
    const struct fth_flags *flags = fth_trace_flags(trace, call->proc, "flock");
    const struct fth_value *value = &call->arguments[at];
    if (!flags || value->type != FTH_VALUE_INTEGER)
        return false;
    bool found = false;
    lock->waits = true;
    for (size_t i = 0; i < flags->count; i++) {
        if (!(value->integer & flags->entries[i].value))
            continue;
        const char *name = flags->entries[i].name;
        lock->waits &= strcmp(name, "LOCK_NB") != 0;
        bool shared = strcmp(name, "LOCK_SH") == 0, release = strcmp(name, "LOCK_UN") == 0;
        if (!shared && !release && strcmp(name, "LOCK_EX") != 0)
            continue;
        found = true;
        lock->shared = shared;
        lock->operation = release ? FTH_LOCK_RELEASED : FTH_LOCK_ACQUIRED;
    }
    return found;
}

static bool lock_of_lockf(const struct fth_call *call, const char *command,
                          struct fth_lock_event *lock)
{
    size_t at = call->function->parameter_count - 1;
    if (strcmp(command, "F_TEST") == 0)
        return false;
    lock->operation = strcmp(command, "F_ULOCK") == 0 ? FTH_LOCK_RELEASED : FTH_LOCK_ACQUIRED;
    lock->waits = strcmp(command, "F_LOCK") == 0;
    lock->whence = 1; /* from where the descriptor stands */
    if (call->arguments[at].type == FTH_VALUE_INTEGER)
        lock->length = call->arguments[at].integer;
    return true;
}

static bool lock_of_fcntl(const struct fth_call *call, const char *command,
                          struct fth_lock_event *lock)
{
    enum { READ_LOCK, WRITE_LOCK, NO_LOCK }; /* F_RDLCK, F_WRLCK, F_UNLCK of Linux */
    const struct fth_value *argument = argument_of(call, 4);
    if (!argument || argument->integers[0] < READ_LOCK || argument->integers[0] > NO_LOCK)
        return false;
    lock->operation = argument->integers[0] == NO_LOCK ? FTH_LOCK_RELEASED : FTH_LOCK_ACQUIRED;
    lock->shared = argument->integers[0] == READ_LOCK;
    lock->waits = strcmp(command, "F_SETLKW") == 0 || strcmp(command, "F_OFD_SETLKW") == 0;
    lock->whence = (int)argument->integers[1];
    lock->start = argument->integers[2];
    lock->length = argument->integers[3];
    return true;
}

bool fth_call_lock(const struct fth_trace *trace, const struct fth_call *call,
                   struct fth_lock_event *lock)
{
    size_t at = parameter_with(call, "flags ");
    bool is_lock;
    *lock = (struct fth_lock_event){0};
    if (at == SIZE_MAX ||
        (strcmp(call->function->kind, "lock") != 0 && strcmp(call->function->kind, "control") != 0))
        return false;
    const char *command = word_of(trace, call, at), *role = call->function->parameters[at].role;
    if (strcmp(role, "flags flock") == 0)
        is_lock = lock_of_flock(trace, call, at, lock);
    else if (strcmp(role, "flags lockf") == 0)
        is_lock = lock_of_lockf(call, command, lock);
    else
        is_lock =
            (fth_text_begins(command, "F_SETLK") || fth_text_begins(command, "F_OFD_SETLK")) &&
            lock_of_fcntl(call, command, lock);
    lock->of_description = strcmp(role, "flags flock") == 0 || fth_text_begins(command, "F_OFD_");
    lock->waits &= lock->operation != FTH_LOCK_RELEASED;
    if (is_lock && call->error_number)
        lock->operation = FTH_LOCK_REFUSED;
    return is_lock;
}
