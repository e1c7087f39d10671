/* Messages of a run one by one, for pictures: point-to-point messages, and the data of one-sided
 * accesses. Who finds them out fills the list. */
#ifndef FTH_ANALYSIS_MESSAGE_LIST_H
#define FTH_ANALYSIS_MESSAGE_LIST_H

#include "analysis/survey/link_list.h"
#include "base/intern.h"

#include <stdint.h>

/* In place of a process: of whom nothing is known; nobody knows who it is. */
#define FTH_LISTED_NOT_RECORDED UINT32_MAX
#define FTH_LISTED_NOT_KNOWN (UINT32_MAX - 1)

struct fth_listed_message {
    int64_t start; /* of the call that sends it, or accesses */
    /* of the call that finds it received; INT64_MIN: none is known */
    int64_t end;
    int64_t bytes; /* -1: not known */
    /* ns by which the time that it took may be wrong; INT64_MAX: that is not known */
    int64_t error;
    uint32_t from, to; /* processes */
    /* the call that sends, of `from`, or that accesses, of `caller`; and the one that begins to
     * receive */
    uint32_t caller, thread, receive_thread;
    uint64_t call, receive_call;
    int32_t tag;
    uint32_t place;  /* of the communicator or window in `places`; UINT32_MAX: it has no name */
    uint32_t number; /* in the order in which the process calls */
    bool one_sided;
};

enum { FTH_MOST_LISTED = 1 << 20 };

struct fth_message_list {
    size_t count; /* without those that are too many */
    struct fth_listed_message *all;
    uint64_t too_many;          /* that are not in the list: then it is of no use */
    struct fth_intern places;   /* names of communicators and windows */
    struct fth_link_list links; /* what else belongs together */
};

void fth_message_list_free(struct fth_message_list *list);

#endif
