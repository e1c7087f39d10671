/* What tells forms apart, as bytes. */
#include "proxy/decoding.h"

#include <string.h>

static void put_text(struct fth_bytes *key, const char *text)
{
    fth_bytes_text(key, text ? text : "", text ? strlen(text) : 0);
}

static void put_argument(struct fth_bytes *key, const struct fth_argument *argument)
{
    fth_bytes_varint(key, argument->written);
    fth_bytes_varint(key, argument->null);
    fth_bytes_varint(key, argument->count);
    put_text(key, argument->text);
    fth_bytes_varint(key, argument->handle_count);
    for (uint32_t i = 0; i < argument->handle_count; i++) {
        fth_bytes_varint(key, argument->variables[i]);
        put_text(key, argument->names[i]);
    }
    if (argument->written == FTH_WRITTEN_BLOCK)
        fth_bytes_varint(key, argument->block);
    if (argument->table)
        fth_bytes_put(key, argument->table, argument->count * sizeof *argument->table);
}

void fth_decoding_key(struct fth_decoding *decoding)
{
    struct fth_form_reading *reading = decoding->reading;
    fth_bytes_varint(&reading->key, (uint64_t)decoding->row->id);
    fth_bytes_varint(&reading->key, reading->form.failed + 2U * reading->form.fills);
    fth_bytes_varint(&reading->key, reading->form.step);
    fth_bytes_varint(&reading->key, reading->form.is_new_program);
    fth_bytes_varint(&reading->key, reading->form.result);
    for (size_t i = 0; i < decoding->row->field_count; i++)
        put_argument(&reading->key, &reading->form.arguments[i]);
}
