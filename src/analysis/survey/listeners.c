/* What a survey reports to its listener goes to several. A call may come again as a site only if
 * all of them accept that; each is asked, even if another one refuses. */
#include "analysis/survey/listeners.h"

#include "base/memory.h"

struct listening {
    const struct fth_listeners *listeners;
    void *processes[FTH_MOST_LISTENERS];
};

static void *open_all(void *context, size_t proc)
{
    const struct fth_listeners *listeners = context;
    struct listening *listening = fth_new(1, sizeof *listening);
    listening->listeners = listeners;
    for (size_t i = 0; i < listeners->count; i++)
        listening->processes[i] = listeners->list[i].open(listeners->list[i].context, proc);
    return listening;
}

static bool call_all(void *process, const struct fth_call *call, struct fth_error **error)
{
    const struct listening *listening = process;
    for (size_t i = 0; i < listening->listeners->count; i++)
        if (!listening->listeners->list[i].call(listening->processes[i], call, error))
            return false;
    return true;
}

static enum fth_keeping keep_in_all(void *process, uint32_t site)
{
    const struct listening *listening = process;
    enum fth_keeping kept = FTH_KEEP;
    for (size_t i = 0; i < listening->listeners->count; i++) {
        enum fth_keeping one = listening->listeners->list[i].keep(listening->processes[i], site);
        kept = one < kept ? one : kept;
    }
    return kept;
}

static void again_in_all(void *process, const struct fth_calls_again *calls)
{
    const struct listening *listening = process;
    for (size_t i = 0; i < listening->listeners->count; i++)
        listening->listeners->list[i].again(listening->processes[i], calls);
}

static void close_all(void *context, void *process)
{
    const struct fth_listeners *listeners = context;
    struct listening *listening = process;
    for (size_t i = 0; i < listeners->count; i++)
        listeners->list[i].close(listeners->list[i].context, listening->processes[i]);
    free(listening);
}

static void expect_in_all(void *process, const struct fth_call *call)
{
    const struct listening *listening = process;
    for (size_t i = 0; i < listening->listeners->count; i++)
        if (listening->listeners->list[i].expect)
            listening->listeners->list[i].expect(listening->processes[i], call);
}

static void follow_in_all(void *process, struct fth_accesses *accesses)
{
    const struct listening *listening = process;
    for (size_t i = 0; i < listening->listeners->count; i++)
        if (listening->listeners->list[i].follow)
            listening->listeners->list[i].follow(listening->processes[i], accesses);
}

static void ended_in_all(void *process, const struct fth_handle *handle)
{
    const struct listening *listening = process;
    for (size_t i = 0; i < listening->listeners->count; i++)
        if (listening->listeners->list[i].ended)
            listening->listeners->list[i].ended(listening->processes[i], handle);
}

static bool rounds_in_all(void *process, uint32_t period)
{
    const struct listening *listening = process;
    for (size_t i = 0; i < listening->listeners->count; i++) {
        const struct fth_listener *listener = &listening->listeners->list[i];
        if (listener->rounds && !listener->rounds(listening->processes[i], period))
            return false;
    }
    return true;
}

const struct fth_listener *fth_listeners_as_one(struct fth_listeners *listeners)
{
    if (listeners->count < 2)
        return listeners->count ? &listeners->list[0] : NULL;
    listeners->all =
        (struct fth_listener){listeners, open_all,      call_all,      keep_in_all,  again_in_all,
                              close_all, expect_in_all, follow_in_all, ended_in_all, rounds_in_all};
    return &listeners->all;
}
