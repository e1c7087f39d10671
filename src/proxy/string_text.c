/* Texts of the run as strings of C. */
#include "proxy/writing.h"

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
