/* Characters are looked at one by one. */
#include "base/visible.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool fth_is_hidden(uint32_t character)
{
    bool control = character < 0x20 || (character >= 0x7f && character < 0xa0); /* C0, DEL, C1 */
    bool turns = character == 0x61c || (character >= 0x202a && character <= 0x202e);
    /* of no width, or, some of them, turning what follows around */
    bool is_nothing = character == 0xfeff || (character >= 0x200b && character <= 0x200f) ||
                      (character >= 0x2060 && character <= 0x206f);
    bool ends_line = character == 0x2028 || character == 0x2029;
    return control || turns || is_nothing || ends_line;
}

uint32_t fth_utf8_character(const char *text, size_t length)
{
    static const unsigned char lead_mask[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    uint32_t character = (unsigned char)text[0] & lead_mask[length];
    for (size_t i = 1; i < length; i++)
        character = character << 6 | ((unsigned char)text[i] & 0x3f);
    return character;
}

/* Of a sequence that is not shown each byte is escaped by itself. */
struct fth_glyph fth_glyph_of(const char *text, size_t left)
{
    size_t length = fth_utf8_length(text, left);
    uint32_t character = length ? fth_utf8_character(text, length) : (unsigned char)*text;
    if (length && !fth_is_hidden(character))
        return (struct fth_glyph){length, character, 0};
    const char *found = *text ? strchr("\nn\tt\rr", *text) : NULL;
    return (struct fth_glyph){1, (unsigned char)*text, found ? found[1] : 'x'};
}

void fth_glyph_put(struct fth_sink *sink, const char *text, struct fth_glyph glyph)
{
    static const char hex[] = "0123456789abcdef";
    unsigned char byte = (unsigned char)*text;
    if (!glyph.escape) {
        fth_sink_bytes(sink, text, glyph.length);
        return;
    }
    char escaped[] = {'\\', glyph.escape, hex[byte >> 4], hex[byte & 15]};
    fth_sink_bytes(sink, escaped, glyph.escape == 'x' ? 4 : 2);
}

void fth_visible_put(struct fth_sink *sink, const char *text)
{
    for (size_t left = strlen(text); left;) {
        struct fth_glyph glyph = fth_glyph_of(text, left);
        fth_glyph_put(sink, text, glyph);
        text += glyph.length;
        left -= glyph.length;
    }
}

char *fth_visible(const char *text)
{
    struct fth_sink sink;
    fth_sink_open_memory(&sink);
    fth_visible_put(&sink, text);
    char *made = sink.failed ? NULL : strndup(sink.bytes ? sink.bytes : "", sink.used);
    fth_sink_close_memory(&sink);
    return made;
}

void fth_say(FILE *file, const char *format, ...)
{
    char *text, *shown = NULL;
    size_t length = strlen(format);
    bool ends = length && format[length - 1] == '\n';
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) >= 0) {
        if (ends)
            text[strlen(text) - 1] = 0;
        shown = fth_visible(text);
        free(text);
    }
    va_end(arguments);
    if (shown)
        fprintf(file, ends ? "%s\n" : "%s", shown);
    free(shown);
}
