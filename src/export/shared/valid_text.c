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

uint32_t fth_intern_valid(struct fth_intern *texts, const char *text)
{
    static const char replacement[] = "\xef\xbf\xbd";
    struct fth_bytes made = {0};
    size_t left = strlen(text), valid = valid_part(text, left);
    if (valid == left)
        return fth_intern(texts, text, left);
    while (left) {
        fth_bytes_put(&made, text, valid);
        text += valid;
        left -= valid;
        if (left) {
            fth_bytes_put(&made, replacement, sizeof replacement - 1);
            text++;
            left--;
        }
        valid = valid_part(text, left);
    }
    uint32_t number = fth_intern(texts, made.data, made.length);
    fth_bytes_free(&made);
    return number;
}
