/* A streaming JSON writer (RFC 8259) over a sink: the caller says what comes next, the writer puts
 * the commas. Integers are exact 64-bit values, times are exact decimals, text is always valid
 * UTF-8: a byte that is not becomes \u00XX. It keeps no stack, so nesting is unlimited, and
 * allocates nothing; see base/sink.h for where the text goes. */
#ifndef FTH_BASE_JSON_H
#define FTH_BASE_JSON_H

#include "base/sink.h"

struct fth_json {
    struct fth_sink *sink;
    unsigned line_depth; /* containers nested up to here get a line per item; 0: everything on one
                            line, without spaces */
    unsigned depth;
    bool comma;     /* the next item follows another */
    bool after_key; /* the next item is the value of a key: it stays on the key's line */
};

void fth_json_open(struct fth_json *json, struct fth_sink *sink, unsigned line_depth);
/* Ends a document with a newline; another may follow (JSON lines). */
void fth_json_end_document(struct fth_json *json);

void fth_json_begin_object(struct fth_json *json);
void fth_json_end_object(struct fth_json *json);
void fth_json_begin_array(struct fth_json *json);
void fth_json_end_array(struct fth_json *json);
/* In an object: a key, then its value. */
void fth_json_key(struct fth_json *json, const char *key);

void fth_json_null(struct fth_json *json);
void fth_json_boolean(struct fth_json *json, bool value);
void fth_json_integer(struct fth_json *json, int64_t value);
void fth_json_unsigned(struct fth_json *json, uint64_t value);
void fth_json_seconds(struct fth_json *json, int64_t nanoseconds); /* 9 decimals, exact */
void fth_json_number(struct fth_json *json,
                     double value); /* 9 decimals; null when it is not finite */
void fth_json_text(struct fth_json *json, const char *text); /* NULL: null */
void fth_json_bytes(struct fth_json *json, const char *text, size_t length);
/* A value that is JSON already, as it is. */
void fth_json_raw(struct fth_json *json, const char *value);

/* In an object: a key and its value. */
void fth_json_key_boolean(struct fth_json *json, const char *key, bool value);
void fth_json_key_integer(struct fth_json *json, const char *key, int64_t value);
void fth_json_key_unsigned(struct fth_json *json, const char *key, uint64_t value);
void fth_json_key_seconds(struct fth_json *json, const char *key, int64_t nanoseconds);
void fth_json_key_number(struct fth_json *json, const char *key, double value);
void fth_json_key_text(struct fth_json *json, const char *key, const char *text);

/* JSON that others have made, with \u escapes for characters that could send commands to a
 * terminal; to be freed. NULL: no memory. */
char *fth_json_visible(const char *json);

#endif
