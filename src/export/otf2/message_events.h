/* Messages that are received: an event where the sending call begins, and one where the call ends
 * that finds the message received. */
#ifndef FTH_EXPORT_OTF2_MESSAGE_EVENTS_H
#define FTH_EXPORT_OTF2_MESSAGE_EVENTS_H

#ifdef FATHOM_OTF2
#include "export/otf2/referred.h"
#include "export/otf2/location.h"

struct fth_otf2_messages {
    /* by process, thread, call */
    struct fth_otf2_message_end {
        uint32_t proc, thread;
        uint64_t call;
        uint32_t peer; /* process */
        uint32_t tag;
        uint64_t bytes;
        size_t receive; /* in `receives`; SIZE_MAX: it sends */
    } * ends;
    size_t count;
    /* by process, thread, end */
    struct fth_otf2_receive *receives;
    size_t receive_count;
};

int fth_otf2_messages_begin(struct fth_otf2_messages *messages, struct fth_exported *exported,
                            struct fth_error **error);
void fth_otf2_messages_end(struct fth_otf2_messages *messages);
/* Gives a location the messages that its thread receives. */
void fth_otf2_messages_of(const struct fth_otf2_messages *messages, size_t proc, uint32_t thread,
                          struct fth_otf2_location *location);
/* Of the call that the location has just entered. */
void fth_otf2_put_messages(struct fth_otf2_messages *messages,
                           const struct fth_otf2_definitions *definitions,
                           struct fth_otf2_location *location, const struct fth_call *call);

#endif
#endif
