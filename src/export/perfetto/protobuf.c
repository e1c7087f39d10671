/* Strings of Protocol Buffers have to be UTF-8; paths may be anything. */
#include "export/perfetto/protobuf.h"

#include "export/shared/valid_text.h"

void fth_field_text(struct fth_bytes *to, unsigned field, const char *text)
{
    struct fth_bytes made = {0};
    size_t length;
    const char *valid = fth_valid_text(&made, text, &length);
    fth_field_bytes(to, field, valid, length);
    fth_bytes_free(&made);
}
