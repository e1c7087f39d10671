/* Packets are built in memory and written one by one. */
#include "export/perfetto/perfetto_packets.h"

#include <stdlib.h>

/* Trace */
enum { TRACE_PACKET = 1 };

/* TracePacket */
enum {
    PACKET_CLOCKS = 6,
    PACKET_TIME = 8,
    PACKET_SEQUENCE = 10,
    PACKET_EVENT = 11,
    PACKET_INTERNED = 12,
    PACKET_FLAGS = 13,
    PACKET_CLOCK = 58,
    PACKET_DEFAULTS = 59,
    PACKET_TRACK = 60,
    DEFAULT_CLOCK = 58, /* TracePacketDefaults */
    STATE_CLEARED = 1,
    NEEDS_STATE = 2,
};

/* ClockSnapshot, its Clock */
enum {
    SNAPSHOT_CLOCK = 1,
    CLOCK_ID = 1,
    CLOCK_TIME = 2,
    CLOCK_IS_INCREMENTAL = 3,
    REALTIME = 1,
    BOOTTIME = 6,     /* times of packets without a clock: ns since the start of the run */
    OF_SEQUENCE = 64, /* the first number that is free for clocks of a sequence */
};

/* TrackDescriptor, ProcessDescriptor, ThreadDescriptor, CounterDescriptor */
enum {
    TRACK_ID = 1,
    TRACK_NAME = 2,
    TRACK_PROCESS = 3,
    TRACK_THREAD = 4,
    TRACK_PARENT = 5,
    TRACK_COUNTER = 8,
    PROCESS_PID = 1,
    PROCESS_WORD = 2,
    PROCESS_NAME = 6,
    THREAD_PID = 1,
    THREAD_TID = 2,
    THREAD_NAME = 5,
    COUNTER_UNIT_NAME = 6,
};

void fth_perfetto_free(struct fth_perfetto_writer *writer)
{
    fth_bytes_free(&writer->packet);
    fth_bytes_free(&writer->inner);
    fth_bytes_free(&writer->innermost);
}

static struct fth_bytes *empty(struct fth_bytes *bytes)
{
    bytes->length = 0;
    return bytes;
}

/* The packet in writer->packet, and behind it what it ends with. */
static void write_packet_with(struct fth_perfetto_writer *writer, const struct fth_bytes *rest)
{
    uint8_t head[1 + FTH_VARINT_MAX] = {TRACE_PACKET << 3 | FTH_WIRE_LENGTH};
    struct fth_sink *sink = &writer->output->sink;
    const uint8_t *end = fth_put_varint(head + 1, writer->packet.length + rest->length);
    fth_sink_bytes(sink, (const char *)head, (size_t)(end - head));
    fth_sink_bytes(sink, (const char *)writer->packet.data, writer->packet.length);
    if (rest->length)
        fth_sink_bytes(sink, (const char *)rest->data, rest->length);
}

static void write_packet(struct fth_perfetto_writer *writer)
{
    static const struct fth_bytes nothing;
    write_packet_with(writer, &nothing);
}

/* ---- events ---- */

static void put_clock(struct fth_bytes *snapshot, struct fth_bytes *clock, unsigned id,
                      int64_t time, bool is_incremental)
{
    fth_field_varint(empty(clock), CLOCK_ID, id);
    fth_field_varint(clock, CLOCK_TIME, (uint64_t)time);
    if (is_incremental)
        fth_field_varint(clock, CLOCK_IS_INCREMENTAL, 1);
    fth_field_message(snapshot, SNAPSHOT_CLOCK, clock);
}

/* The clock of the sequence: times are differences to that of the packet before. */
static void begin_sequence(struct fth_perfetto_writer *writer,
                           struct fth_perfetto_sequence *sequence, int64_t time)
{
    struct fth_bytes *packet = empty(&writer->packet), *snapshot = empty(&writer->inner);
    sequence->begun = true;
    sequence->last = time;
    put_clock(snapshot, &writer->innermost, OF_SEQUENCE, time, true);
    put_clock(snapshot, &writer->innermost, BOOTTIME, time, false);
    fth_field_varint(packet, PACKET_SEQUENCE, sequence->number);
    fth_field_varint(packet, PACKET_FLAGS, STATE_CLEARED);
    fth_field_message(packet, PACKET_CLOCKS, snapshot);
    fth_field_varint(empty(&writer->innermost), DEFAULT_CLOCK, OF_SEQUENCE);
    fth_field_message(packet, PACKET_DEFAULTS, &writer->innermost);
    write_packet(writer);
}

void fth_perfetto_intern(struct fth_perfetto_sequence *sequence, unsigned field, uint64_t number,
                         const char *text)
{
    struct fth_bytes entry = {0};
    fth_field_varint(&entry, FTH_ENTRY_ID, number);
    fth_field_text(&entry, FTH_ENTRY_TEXT, text);
    fth_field_message(&sequence->interned, field, &entry);
    fth_bytes_free(&entry);
}

void fth_perfetto_put_event(struct fth_perfetto_writer *writer,
                            struct fth_perfetto_sequence *sequence, int64_t time,
                            const struct fth_bytes *event)
{
    struct fth_bytes *packet = &writer->packet;
    if (!sequence->begun)
        begin_sequence(writer, sequence, time);
    if (time < sequence->last)
        time = sequence->last;
    fth_field_varint(empty(packet), PACKET_TIME, (uint64_t)(time - sequence->last));
    fth_field_varint(packet, PACKET_SEQUENCE, sequence->number);
    fth_field_varint(packet, PACKET_FLAGS, NEEDS_STATE);
    if (sequence->interned.length)
        fth_field_message(packet, PACKET_INTERNED, &sequence->interned);
    fth_field_tag(packet, PACKET_EVENT, FTH_WIRE_LENGTH);
    fth_bytes_varint(packet, event->length);
    sequence->interned.length = 0;
    sequence->last = time;
    write_packet_with(writer, event);
}

void fth_perfetto_put_value(struct fth_perfetto_writer *writer, uint32_t sequence, uint64_t track,
                            int64_t time, double value)
{
    struct fth_bytes *packet = empty(&writer->packet), *event = empty(&writer->inner);
    fth_field_varint(event, FTH_EVENT_TYPE, FTH_PERFETTO_COUNTER);
    fth_field_varint(event, FTH_EVENT_TRACK, track);
    fth_field_double(event, FTH_EVENT_DOUBLE_VALUE, value);
    fth_field_varint(packet, PACKET_TIME, (uint64_t)time);
    fth_field_varint(packet, PACKET_SEQUENCE, sequence);
    fth_field_message(packet, PACKET_EVENT, event);
    write_packet(writer);
}

void fth_perfetto_put_clock(struct fth_perfetto_writer *writer, int64_t start_realtime)
{
    struct fth_bytes *snapshot = empty(&writer->inner);
    put_clock(snapshot, &writer->innermost, BOOTTIME, 0, false);
    put_clock(snapshot, &writer->innermost, REALTIME, start_realtime, false);
    fth_field_message(empty(&writer->packet), PACKET_CLOCKS, snapshot);
    write_packet(writer);
}

/* ---- tracks ---- */

static struct fth_bytes *begin_track(struct fth_perfetto_writer *writer, uint64_t track,
                                     uint64_t parent, const char *name)
{
    struct fth_bytes *descriptor = empty(&writer->inner);
    fth_field_varint(descriptor, TRACK_ID, track);
    if (parent)
        fth_field_varint(descriptor, TRACK_PARENT, parent);
    if (name)
        fth_field_text(descriptor, TRACK_NAME, name);
    return descriptor;
}

static void end_track(struct fth_perfetto_writer *writer)
{
    fth_field_message(empty(&writer->packet), PACKET_TRACK, &writer->inner);
    write_packet(writer);
}

void fth_perfetto_put_process(struct fth_perfetto_writer *writer, uint64_t track, int64_t pid,
                              const char *name, const struct fth_process *process)
{
    struct fth_bytes *descriptor = begin_track(writer, track, 0, NULL);
    struct fth_bytes *inner = empty(&writer->innermost);
    fth_field_varint(inner, PROCESS_PID, (uint64_t)pid);
    for (size_t i = 0; i < process->argument_count; i++)
        fth_field_text(inner, PROCESS_WORD, process->arguments[i]);
    fth_field_text(inner, PROCESS_NAME, name);
    fth_field_message(descriptor, TRACK_PROCESS, inner);
    end_track(writer);
}

void fth_perfetto_put_thread(struct fth_perfetto_writer *writer, uint64_t track, uint64_t process,
                             int64_t pid, int64_t tid, const char *name)
{
    struct fth_bytes *descriptor = begin_track(writer, track, process, NULL);
    struct fth_bytes *inner = empty(&writer->innermost);
    fth_field_varint(inner, THREAD_PID, (uint64_t)pid);
    fth_field_varint(inner, THREAD_TID, (uint64_t)tid);
    if (name)
        fth_field_text(inner, THREAD_NAME, name);
    fth_field_message(descriptor, TRACK_THREAD, inner);
    end_track(writer);
}

void fth_perfetto_put_track(struct fth_perfetto_writer *writer, uint64_t track, uint64_t parent,
                            const char *name)
{
    begin_track(writer, track, parent, name);
    end_track(writer);
}

void fth_perfetto_put_counter(struct fth_perfetto_writer *writer, uint64_t track, uint64_t parent,
                              const char *name, const char *unit)
{
    struct fth_bytes *descriptor = begin_track(writer, track, parent, name);
    struct fth_bytes *inner = empty(&writer->innermost);
    if (unit)
        fth_field_text(inner, COUNTER_UNIT_NAME, unit);
    fth_field_message(descriptor, TRACK_COUNTER, inner);
    end_track(writer);
}
