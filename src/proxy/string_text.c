/* Texts of the run as strings of C, and pseudonyms for them. */
#include "proxy/writing.h"

#include <string.h>

void fth_proxy_write_escaped(FILE *to, const char *text, bool is_format)
{
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte == '"' || byte == '\\')
            fprintf(to, "\\%c", byte);
        else if (byte < ' ' || byte >= 127)
            fprintf(to, "\\%03o", byte);
        else if (byte == '?')
            fputs("\\?", to);
        else
            fprintf(to, is_format && byte == '%' ? "%%%%" : "%c", byte);
    }
}

char *fth_proxy_write_anonymous(struct fth_writing *writing, const char *text, bool is_path)
{
    struct fth_growing_text made;
    fth_growing_text_open(&made);
    while (*text) {
        size_t length = strcspn(text, "/");
        /* What begins so in a file of NetCDF has a meaning: _FillValue. */
        bool stays = !length || (length == 1 && *text == '.') || (*text == '_' && !is_path);
        if (stays)
            fprintf(made.file, "%.*s", (int)length, text);
        else
            fprintf(made.file, "n%u", (unsigned)fth_intern(&writing->anonymous, text, length) + 1);
        for (size_t i = 0; i < length && !stays; i++)
            if (text[i] == 1)
                fprintf(made.file, "_%c", 1);
        text += length;
        if (*text)
            fputc(*text++, made.file);
    }
    fth_growing_text_end(&made);
    return made.text;
}
