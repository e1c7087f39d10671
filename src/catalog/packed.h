/* A catalogue as constant tables, as the generator writes them: it needs no parsing, and no
 * relocation in a library. Words are places in one text, rows name their fields by number. */
#ifndef FTH_CATALOG_PACKED_H
#define FTH_CATALOG_PACKED_H

#include "catalog/catalog.h"

#define FTH_PACKED_NULL UINT32_MAX

struct fth_packed_class {
    uint32_t name;
    uint8_t form, buffered;
};

struct fth_packed_flags {
    uint32_t name, first, count; /* entries */
};

struct fth_packed_flag {
    int64_t value;
    uint32_t name;
};

struct fth_packed_field {
    uint32_t type, name, role_words;
    uint8_t role, array, optional;
    int16_t class_index, flags_index, length_field, at_field;
    int64_t length;
};

/* Its fields, and the result behind them. */
struct fth_packed_row {
    uint32_t text, library, layer, kind, via, name, file;
    uint32_t flags, first_field, field_count;
    int32_t line;
};

/* Of the functions that a library defines itself, one. */
struct fth_packed_library {
    uint32_t name, symbol;
};

struct fth_packed_catalog {
    const char *words;
    size_t class_count, flags_count, entry_count, field_count, row_count, library_count;
    const struct fth_packed_class *classes;
    const struct fth_packed_flags *flags;
    const struct fth_packed_flag *entries;
    const struct fth_packed_field *fields;
    const struct fth_packed_row *rows;
    const struct fth_packed_library *libraries;
    uint64_t hash; /* of what numbers the functions: builds with another one record other numbers */
};

/* The catalogue of these tables, to be read only: nothing more can be parsed into it, it is not
 * freed. Its words are those of the tables. */
void fth_catalog_unpack(struct fth_catalog *to, const struct fth_packed_catalog *from);

/* The same as a catalogue of its own, to which rows can be added by parsing more: its rows and
 * classes are the given ones. To be freed with fth_catalog_free while the tables are there. Returns
 * 0, or -1: out of memory. */
int fth_catalog_begin_with(struct fth_catalog *to, const struct fth_packed_catalog *from);

/* The one of `catalog/` that was built in; generated. */
extern const struct fth_packed_catalog fth_packed_builtin;

/* What it says of its layers, in their order; generated. Constant tables know the names of layers
 * alone, by their rows. */
extern const struct fth_layer fth_builtin_layers[];
extern const size_t fth_builtin_layer_count;

#endif
