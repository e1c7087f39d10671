/* Hints of the program, and those that `fathom tune --live` gave files while it ran. */
#include "diff/hints.h"

#include "base/memory.h"
#include "model/reading/given_hints.h"

#include <string.h>

enum { MOST_HINTS = 256 };

struct process {
    struct fth_diff_hints hints;
    const struct fth_function *last; /* call that came last */
};

/* The text is of the list from then on. */
static void add(struct fth_diff_hints *hints, char *text)
{
    bool full = hints->count >= MOST_HINTS;
    for (size_t i = 0; i < hints->count && !full; i++)
        full = !strcmp(hints->list[i], text);
    if (full) {
        free(text);
        return;
    }
    FTH_GROW(hints->list, hints->count);
    hints->list[hints->count++] = text;
}

static void *open_process(void *context, size_t proc)
{
    (void)context;
    (void)proc;
    return fth_new(1, sizeof(struct process));
}

static bool take_call(void *state, const struct fth_call *call, struct fth_error **error)
{
    struct process *process = state;
    const char *texts[2] = {NULL, NULL};
    size_t count = 0;
    (void)error;
    process->last = call->function;
    if (call->error_number || !fth_given_hint_by(call->function))
        return true;
    for (size_t i = 0; i < call->function->parameter_count; i++)
        if (!strcmp(call->function->parameters[i].role, "string"))
            texts[count++] = call->arguments[i].text;
    if (texts[0] && texts[1])
        add(&process->hints, fth_text_format("%s=%s", texts[0], texts[1]));
    return true;
}

/* The same call again gives the same hint. */
static enum fth_keeping keep(void *state, uint32_t site)
{
    const struct process *process = state;
    (void)site;
    return fth_given_hint_by(process->last) ? FTH_KEEP_NOT : FTH_KEEP;
}

static void take_again(void *state, const struct fth_calls_again *calls)
{
    (void)state;
    (void)calls;
}

static void close_process(void *context, void *state)
{
    struct process *process = state;
    for (size_t i = 0; i < process->hints.count; i++)
        add(context, process->hints.list[i]);
    free(process->hints.list);
    free(process);
}

struct fth_listener fth_diff_listen_for_hints(struct fth_diff_hints *hints)
{
    return (struct fth_listener){.context = hints,
                                 .open = open_process,
                                 .call = take_call,
                                 .keep = keep,
                                 .again = take_again,
                                 .close = close_process};
}

void fth_diff_hints_free(struct fth_diff_hints *hints)
{
    for (size_t i = 0; i < hints->count; i++)
        free(hints->list[i]);
    free(hints->list);
}
