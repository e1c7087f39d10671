/* Calls of several processes that belong together, one pair by one, into a list for pictures: in
 * collective calls who came last, and who made which process or thread. Where clocks of nodes do
 * not show which of two calls came later, nothing is listed. */
#include "path/run_flow.h"

/* ---- collective calls ---- */

/* From the member that came last to the others, those that certainly came before. */
static void link_to_last(struct fth_path *path, const struct fth_order_member *members,
                         size_t count, const struct fth_order_member *last)
{
    for (size_t i = 0; i < count; i++) {
        const struct fth_order_member *member = &members[i];
        if (member == last || !fth_path_shows(path, member->begin) ||
            !fth_path_has(path, member->end) || member->end.timeline != member->begin.timeline)
            continue;
        int64_t error = fth_path_clock_error(path, member->proc, last->proc),
                earlier = fth_path_time(path, last->begin) - fth_path_time(path, member->begin);
        if (earlier > error)
            fth_path_add_link(path, FTH_LINK_COLLECTIVE, last->begin, member->end, earlier);
    }
}

void fth_path_link_together(struct fth_path *path, const struct fth_order_member *members,
                            size_t count)
{
    const struct fth_order_member *last = NULL;
    if (!fth_path_links(path))
        return;
    for (size_t i = 0; i < count; i++) {
        if (!fth_path_shows(path, members[i].begin))
            continue;
        if (!last || fth_path_time(path, members[i].begin) > fth_path_time(path, last->begin))
            last = &members[i];
        uint16_t function = fth_path_event_kind(path, members[i].begin)->function;
        bool is_io = function != FTH_NO_FUNCTION && path->facts[function].class->io;
        if (!is_io && fth_path_ends_elsewhere(path, members[i].begin, members[i].end))
            fth_path_add_link(path, FTH_LINK_REQUEST, members[i].begin, members[i].end, 0);
    }
    if (last)
        link_to_last(path, members, count, last);
}

/* ---- processes and threads ---- */

void fth_path_link_creations(struct fth_path *path)
{
    if (!fth_path_links(path))
        return;
    fth_path_links(path)->known = true;
    for (uint32_t number = 0; number < path->timeline_count; number++) {
        struct fth_event begin = {number, 0}, cause;
        if (fth_path_shows(path, begin) && fth_path_cause(path, number, 0, 0, &cause) &&
            cause.timeline != number && fth_path_shows(path, cause))
            fth_path_add_link(path, FTH_LINK_CREATION, cause, begin, 0);
    }
}
