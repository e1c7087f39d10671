/* Most texts are valid, and are not copied. */
#include "export/shared/valid_text.h"

#include "base/sink.h"

static size_t valid_part(const char *text, size_t left)
{
    size_t valid = 0, length = 1;
    while (valid < left && length) {
        length = fth_utf8_length(text + valid, left - valid);
        valid += length;
    }
    return valid;
}

static bool is_valid(const char *text, size_t length)
{
    return valid_part(text, length) == length;
}

static void put_valid(struct fth_bytes *to, const char *text)
{
    static const char replacement[] = "\xef\xbf\xbd";
    size_t left = strlen(text);
    while (left) {
        size_t valid = valid_part(text, left);
        fth_bytes_put(to, text, valid);
        text += valid;
        left -= valid;
        if (left) {
            fth_bytes_put(to, replacement, sizeof replacement - 1);
            text++;
            left--;
        }
    }
}

const char *fth_valid_text(struct fth_bytes *made, const char *text, size_t *length)
{
    *length = strlen(text);
    if (is_valid(text, *length))
        return text;
    made->length = 0;
    put_valid(made, text);
    *length = made->length;
    return (const char *)made->data;
}

uint32_t fth_intern_valid(struct fth_intern *texts, const char *text)
{
    struct fth_bytes made = {0};
    size_t length;
    const char *valid = fth_valid_text(&made, text, &length);
    uint32_t number = fth_intern(texts, valid, length);
    fth_bytes_free(&made);
    return number;
}
