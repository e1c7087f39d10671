/* XML on its way out: see the header. */
#include "export/hdtrace/xml.h"

static const char replacement[] = "\xef\xbf\xbd";

/* Bytes that are written as they are; 0: there is something else for the first one, or it is
 * none. */
static size_t plain(const char *text, size_t left)
{
    unsigned char byte = (unsigned char)*text;
    if (byte < ' ' || strchr("<>&'\"", *text))
        return 0;
    size_t length = fth_utf8_length(text, left);
    /* U+FFFE and U+FFFF are no characters */
    bool is_none = length == 3 && !memcmp(text, "\xef\xbf", 2) && (unsigned char)text[2] >= 0xbe;
    return is_none ? 0 : length;
}

static const char *escape(char byte)
{
    switch (byte) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    case '\'':
        return "&apos;";
    case '"':
        return "&quot;";
    case '\t':
        return "&#9;";
    case '\n':
        return "&#10;";
    case '\r':
        return "&#13;";
    default:
        return replacement;
    }
}

void fth_xml_put(struct fth_sink *to, const char *text)
{
    size_t left = strlen(text);
    while (left) {
        size_t length = 0, more;
        while (length < left && (more = plain(text + length, left - length)))
            length += more;
        fth_sink_bytes(to, text, length);
        text += length;
        left -= length;
        if (left) {
            fth_sink_text(to, escape(*text++));
            left--;
        }
    }
}

static void put_name(struct fth_sink *to, const char *name)
{
    fth_sink_char(to, ' ');
    fth_sink_text(to, name);
    fth_sink_text(to, "='");
}

void fth_xml_text(struct fth_sink *to, const char *name, const char *text)
{
    put_name(to, name);
    fth_xml_put(to, text);
    fth_sink_char(to, '\'');
}

void fth_xml_integer(struct fth_sink *to, const char *name, int64_t value)
{
    put_name(to, name);
    fth_sink_integer(to, value);
    fth_sink_char(to, '\'');
}

void fth_xml_time(struct fth_sink *to, const char *name, int64_t time)
{
    put_name(to, name);
    fth_sink_decimal(to, time, 9);
    fth_sink_char(to, '\'');
}
