/* Strings of Protocol Buffers have to be UTF-8; paths may be anything. */
#include "export/perfetto/protobuf.h"

#include "base/sink.h"

static bool is_plain(const char *text)
{
    while (*text && !((unsigned char)*text & 0x80))
        text++;
    return !*text;
}

void fth_field_text(struct fth_bytes *to, unsigned field, const char *text)
{
    static const char replacement[] = "\xef\xbf\xbd";
    size_t left = strlen(text);
    if (is_plain(text)) {
        fth_field_bytes(to, field, text, left);
        return;
    }
    struct fth_bytes valid = {0};
    while (left) {
        size_t length = fth_utf8_length(text, left);
        if (length)
            fth_bytes_put(&valid, text, length);
        else
            fth_bytes_put(&valid, replacement, sizeof replacement - 1);
        text += length ? length : 1;
        left -= length ? length : 1;
    }
    fth_field_message(to, field, &valid);
    fth_bytes_free(&valid);
}
