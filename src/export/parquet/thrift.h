/* Structures of Thrift's compact protocol, as Parquet's metadata are written
 * (https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md). Fields of a
 * structure are put in ascending order. */
#ifndef FTH_EXPORT_PARQUET_THRIFT_H
#define FTH_EXPORT_PARQUET_THRIFT_H

#include "base/bytes.h"

enum fth_thrift_type {
    FTH_THRIFT_I32 = 5,
    FTH_THRIFT_I64 = 6,
    FTH_THRIFT_BINARY = 8,
    FTH_THRIFT_LIST = 9,
    FTH_THRIFT_STRUCT = 12,
};

/* A structure that is being written. `last` is the number of its last field. */
struct fth_thrift {
    struct fth_bytes *to;
    unsigned last;
};

static inline void fth_thrift_field(struct fth_thrift *in, unsigned field,
                                    enum fth_thrift_type type)
{
    uint8_t head = (uint8_t)((field - in->last) << 4 | type); /* fields are close to one another */
    fth_bytes_put(in->to, &head, 1);
    in->last = field;
}

static inline void fth_thrift_integer(struct fth_thrift *in, unsigned field,
                                      enum fth_thrift_type type, int64_t value)
{
    fth_thrift_field(in, field, type);
    fth_bytes_signed(in->to, value);
}

static inline void fth_thrift_binary(struct fth_thrift *in, unsigned field, const void *data,
                                     size_t length)
{
    fth_thrift_field(in, field, FTH_THRIFT_BINARY);
    fth_bytes_text(in->to, data, length);
}

static inline void fth_thrift_text(struct fth_thrift *in, unsigned field, const char *text)
{
    fth_thrift_binary(in, field, text, strlen(text));
}

/* The items follow: structures from fth_thrift_item, or values. */
static inline void fth_thrift_list(struct fth_thrift *in, unsigned field, enum fth_thrift_type of,
                                   size_t count)
{
    uint8_t head = (uint8_t)((count < 15 ? count : 15) << 4 | of);
    fth_thrift_field(in, field, FTH_THRIFT_LIST);
    fth_bytes_put(in->to, &head, 1);
    if (count >= 15)
        fth_bytes_varint(in->to, count);
}

/* A structure inside: in a field, or as an item of a list. Both end with fth_thrift_end. */
static inline struct fth_thrift fth_thrift_inner(struct fth_thrift *in, unsigned field)
{
    fth_thrift_field(in, field, FTH_THRIFT_STRUCT);
    return (struct fth_thrift){in->to, 0};
}

static inline struct fth_thrift fth_thrift_item(struct fth_thrift *in)
{
    return (struct fth_thrift){in->to, 0};
}

static inline void fth_thrift_end(struct fth_thrift *in)
{
    fth_bytes_put(in->to, "", 1);
}

#endif
