/* Fields of Protocol Buffers messages (https://protobuf.dev/programming-guides/encoding), appended
 * to bytes. A message inside another is built by itself first. */
#ifndef FTH_EXPORT_PERFETTO_PROTOBUF_H
#define FTH_EXPORT_PERFETTO_PROTOBUF_H

#include "base/bytes.h"

enum { FTH_WIRE_VARINT = 0, FTH_WIRE_FIXED64 = 1, FTH_WIRE_LENGTH = 2 };

static inline void fth_field_tag(struct fth_bytes *to, unsigned field, unsigned wire)
{
    fth_bytes_varint(to, (uint64_t)field << 3 | wire);
}

/* Negative numbers take ten bytes, as in int64. */
static inline void fth_field_varint(struct fth_bytes *to, unsigned field, uint64_t value)
{
    fth_field_tag(to, field, FTH_WIRE_VARINT);
    fth_bytes_varint(to, value);
}

static inline void fth_field_fixed64(struct fth_bytes *to, unsigned field, uint64_t value)
{
    fth_field_tag(to, field, FTH_WIRE_FIXED64);
    uint8_t *room = fth_bytes_room(to, 8);
    for (unsigned i = 0; i < 8; i++)
        room[i] = (uint8_t)(value >> 8 * i);
    to->length += 8;
}

static inline void fth_field_double(struct fth_bytes *to, unsigned field, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    fth_field_fixed64(to, field, bits);
}

static inline void fth_field_bytes(struct fth_bytes *to, unsigned field, const void *data,
                                   size_t length)
{
    fth_field_tag(to, field, FTH_WIRE_LENGTH);
    fth_bytes_text(to, data, length);
}

static inline void fth_field_message(struct fth_bytes *to, unsigned field,
                                     const struct fth_bytes *message)
{
    fth_field_bytes(to, field, message->data, message->length);
}

/* A string, which is valid UTF-8 in the end: other bytes become U+FFFD (protobuf.c). */
void fth_field_text(struct fth_bytes *to, unsigned field, const char *text);

#endif
