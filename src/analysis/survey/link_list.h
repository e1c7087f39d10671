/* Pairs of calls that belong together, beside messages, for pictures: the call that came last to a
 * collective call and each other one, the call that starts an operation and the one that finds it
 * complete, the call that makes a process or thread and the begin of that. */
#ifndef FTH_ANALYSIS_LINK_LIST_H
#define FTH_ANALYSIS_LINK_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fth_link_kind {
    FTH_LINK_COLLECTIVE,
    FTH_LINK_REQUEST,
    FTH_LINK_CREATION,
    FTH_LINK_KINDS,
};

struct fth_linked_call {
    uint32_t proc, thread;
    uint64_t call; /* its number in that thread; UINT64_MAX: there is none, or it is too large */
    int64_t time;  /* ns: when it begins; of the one that the link leads to when it ends */
};

struct fth_call_link {
    struct fth_linked_call from, to;
    uint32_t function; /* of the call that it comes from: index in the trace */
    /* ns, of a collective call: how much earlier the one that the link leads to had come */
    int64_t earlier;
};

struct fth_link_list {
    bool known; /* they were looked for */
    struct {
        size_t count; /* without those that are too many */
        struct fth_call_link *all;
        uint64_t too_many; /* that are not in the list: then it is of no use */
    } kinds[FTH_LINK_KINDS];
};

enum { FTH_MOST_LINKS = 1 << 18 /* of a kind */ };

void fth_link_list_add(struct fth_link_list *list, enum fth_link_kind kind,
                       const struct fth_call_link *link);
void fth_link_list_free(struct fth_link_list *list);

#endif
