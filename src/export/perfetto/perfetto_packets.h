/* Packets of a Perfetto trace (https://perfetto.dev/docs/reference/trace-packet-proto).
 *
 * Each thread of the run is a sequence of packets, with times as differences and with names as
 * numbers. So what is known of a sequence is announced in its first packets, or where it is needed
 * first. Field numbers are those of perfetto_trace.proto. */
#ifndef FTH_EXPORT_PERFETTO_PACKETS_H
#define FTH_EXPORT_PERFETTO_PACKETS_H

#include "export/perfetto/protobuf.h"
#include "views/output/output.h"

#include <fathom/trace.h>

enum fth_perfetto_event {
    FTH_PERFETTO_BEGIN = 1, /* TrackEvent.TYPE_SLICE_BEGIN */
    FTH_PERFETTO_END = 2,
    FTH_PERFETTO_COUNTER = 4,
};

/* TrackEvent */
enum {
    FTH_EVENT_CATEGORY_ID = 3,
    FTH_EVENT_ANNOTATION = 4,
    FTH_EVENT_TYPE = 9,
    FTH_EVENT_NAME_ID = 10,
    FTH_EVENT_TRACK = 11,
    FTH_EVENT_DOUBLE_VALUE = 44,
    FTH_EVENT_FLOW = 47,
};

/* InternedData, and fields of its messages */
enum {
    FTH_INTERNED_CATEGORY = 1,
    FTH_INTERNED_NAME = 2,
    FTH_INTERNED_ANNOTATION_NAME = 3,
    FTH_INTERNED_STRING = 29,
    FTH_ENTRY_ID = 1,
    FTH_ENTRY_TEXT = 2,
};

/* A sequence of packets. Zero, with its number, is one that has not begun. */
struct fth_perfetto_sequence {
    uint32_t number; /* not 0, of its own in the file */
    bool begun;
    int64_t last;              /* time of the last packet, ns */
    struct fth_bytes interned; /* entries of InternedData for the next packet */
};

/* What packets are built in, and where they go. */
struct fth_perfetto_writer {
    struct fth_output *output;
    struct fth_bytes packet, inner, innermost;
};
void fth_perfetto_free(struct fth_perfetto_writer *writer);

/* An entry of InternedData, which goes out with the next packet of the sequence. Numbers are not
 * 0. */
void fth_perfetto_intern(struct fth_perfetto_sequence *sequence, unsigned field, uint64_t number,
                         const char *text);
/* Writes an event at a time, which is moved to that of the last event of the sequence if it is
 * earlier. */
void fth_perfetto_put_event(struct fth_perfetto_writer *writer,
                            struct fth_perfetto_sequence *sequence, int64_t time,
                            const struct fth_bytes *event);
/* A value of a counter. Not of a sequence: times in any order. */
void fth_perfetto_put_value(struct fth_perfetto_writer *writer, uint32_t sequence, uint64_t track,
                            int64_t time, double value);

/* What time 0 is. The first packet. */
void fth_perfetto_put_clock(struct fth_perfetto_writer *writer, int64_t start_realtime);
void fth_perfetto_put_process(struct fth_perfetto_writer *writer, uint64_t track, int64_t pid,
                              const char *name, const struct fth_process *process);
void fth_perfetto_put_thread(struct fth_perfetto_writer *writer, uint64_t track, uint64_t process,
                             int64_t pid, int64_t tid, const char *name);
void fth_perfetto_put_track(struct fth_perfetto_writer *writer, uint64_t track, uint64_t parent,
                            const char *name);
/* unit: "B/s", or NULL. */
void fth_perfetto_put_counter(struct fth_perfetto_writer *writer, uint64_t track, uint64_t parent,
                              const char *name, const char *unit);

#endif
