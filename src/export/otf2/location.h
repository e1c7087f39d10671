/* The events of a thread, in order of time: calls are entered one by one, and each is left when the
 * next one begins behind it, or when the process ends. What belongs to the end of a call is kept
 * until then. */
#ifndef FTH_EXPORT_OTF2_LOCATION_H
#define FTH_EXPORT_OTF2_LOCATION_H

#ifdef FATHOM_OTF2
#include <fathom/trace.h>

#include <otf2/otf2.h>

enum fth_otf2_event_kind {
    FTH_OTF2_CREATE,
    FTH_OTF2_DUPLICATE,
    FTH_OTF2_DESTROY,
    FTH_OTF2_DELETE,
    FTH_OTF2_SEEK,
    FTH_OTF2_STATUS,
    FTH_OTF2_BEGIN,
    FTH_OTF2_ISSUED,
    FTH_OTF2_TEST,
    FTH_OTF2_COMPLETE,
    FTH_OTF2_CANCELLED,
    FTH_OTF2_ACQUIRE,
    FTH_OTF2_TRY,
    FTH_OTF2_RELEASE,
    FTH_OTF2_SEND,
    FTH_OTF2_RECEIVE,
    FTH_OTF2_COLLECTIVE_BEGIN,
    FTH_OTF2_COLLECTIVE_END,
};

/* What is not said of a kind is not used. */
struct fth_otf2_event {
    enum fth_otf2_event_kind kind;
    uint32_t handle; /* of a file, or a communicator; deleted: a file */
    uint32_t other;  /* duplicate: the new handle; message: tag; collective: root */
    uint32_t mode;   /* of access, operation; whence, type of lock; paradigm; sender or
                      receiver; operation */
    uint32_t flags;  /* of creation, operation */
    uint32_t status; /* flags */
    uint64_t bytes;  /* or the distance of a seek; of a collective: sent */
    uint64_t id;     /* of an operation; the offset that a seek leads to; received */
};

/* A message that the thread receives. */
struct fth_otf2_receive {
    int64_t end; /* of the call that finds it received */
    uint32_t proc, thread;
    uint64_t call; /* that begins to receive it */
    uint32_t peer; /* process that sends it */
    /* its communicator is known when the call has been that begins to receive it */
    struct fth_otf2_event event;
};

struct fth_otf2_location {
    OTF2_EvtWriter *writer;
    int64_t time; /* of the last event */
    struct fth_otf2_frame {
        uint64_t number;
        int64_t end;
        uint32_t depth;
        OTF2_RegionRef region;
        uint32_t later; /* where its events in `later` begin */
    } * frames;
    uint32_t frame_count, frame_limit;
    struct fth_otf2_event *later;
    uint32_t later_count, later_limit;
    const struct fth_otf2_receive *receives; /* those to come, by their ends */
    size_t receive_count;
};

/* Writes an event. */
void fth_otf2_put(struct fth_otf2_location *location, int64_t time,
                  const struct fth_otf2_event *event);
/* Keeps one for the end of the call that was entered last. */
void fth_otf2_put_at_end(struct fth_otf2_location *location, const struct fth_otf2_event *event);
void fth_otf2_enter(struct fth_otf2_location *location, const struct fth_call *call,
                    OTF2_RegionRef region);
/* Leaves the calls that are over when this one begins; NULL: all. */
void fth_otf2_leave_before(struct fth_otf2_location *location, const struct fth_call *call);
void fth_otf2_location_free(struct fth_otf2_location *location);

#endif
#endif
