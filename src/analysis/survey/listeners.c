/* What a survey tells its listener goes to two. A call may come again as a site only where both of
 * them can do with that; one of them is asked also where the other one refuses. */
#include "analysis/survey/listeners.h"

#include "base/memory.h"

struct listening {
    const struct fth_two_listeners *two;
    void *one, *other;
};

static void *open_both(void *context, size_t proc)
{
    const struct fth_two_listeners *two = context;
    struct listening *listening = fth_new(1, sizeof *listening);
    listening->two = two;
    listening->one = two->one.open(two->one.context, proc);
    listening->other = two->other.open(two->other.context, proc);
    return listening;
}

static bool call_both(void *process, const struct fth_call *call, struct fth_error **error)
{
    const struct listening *listening = process;
    return listening->two->one.call(listening->one, call, error) &&
           listening->two->other.call(listening->other, call, error);
}

static bool keep_in_both(void *process, uint32_t site)
{
    const struct listening *listening = process;
    bool one = listening->two->one.keep(listening->one, site),
         other = listening->two->other.keep(listening->other, site);
    return one && other;
}

static void again_in_both(void *process, uint32_t site, const struct fth_again_time *times,
                          size_t count, uint64_t bytes)
{
    const struct listening *listening = process;
    listening->two->one.again(listening->one, site, times, count, bytes);
    listening->two->other.again(listening->other, site, times, count, bytes);
}

static void close_both(void *context, void *process)
{
    const struct fth_two_listeners *two = context;
    struct listening *listening = process;
    two->one.close(two->one.context, listening->one);
    two->other.close(two->other.context, listening->other);
    free(listening);
}

static void expect_both(void *process, const struct fth_call *call)
{
    const struct listening *listening = process;
    if (listening->two->one.expect)
        listening->two->one.expect(listening->one, call);
    if (listening->two->other.expect)
        listening->two->other.expect(listening->other, call);
}

struct fth_listener fth_listen_both(struct fth_two_listeners *two)
{
    return (struct fth_listener){two,           open_both,  call_both,  keep_in_both,
                                 again_in_both, close_both, expect_both};
}
