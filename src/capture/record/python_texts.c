/* Strings of Python, in which each character has one, two or four bytes. */
#include "capture/record/python_texts.h"

#include <stdbool.h>
#include <string.h>

static uint32_t character(const struct fth_python_text *text, uint32_t i)
{
    uint16_t narrow;
    uint32_t wide;
    if (text->width == 1)
        return text->at[i];
    if (text->width == 2) {
        memcpy(&narrow, text->at + 2 * (size_t)i, 2);
        return narrow;
    }
    memcpy(&wide, text->at + 4 * (size_t)i, 4);
    return wide;
}

/* As UTF-8. Python keeps a byte of a file's name that is none as a surrogate. */
static char *put_character(char *to, uint32_t c)
{
    if (c < ' ' || c == 127)
        c = '?';
    if (c < 128 || (c >= 0xdc80 && c <= 0xdcff)) {
        *to++ = (char)c;
    } else if (c < 0x800) {
        *to++ = (char)(0xc0 | c >> 6);
        *to++ = (char)(0x80 | (c & 63));
    } else if (c < 0x10000) {
        *to++ = (char)(0xe0 | c >> 12);
        *to++ = (char)(0x80 | (c >> 6 & 63));
        *to++ = (char)(0x80 | (c & 63));
    } else {
        *to++ = (char)(0xf0 | (c >> 18 & 7));
        *to++ = (char)(0x80 | (c >> 12 & 63));
        *to++ = (char)(0x80 | (c >> 6 & 63));
        *to++ = (char)(0x80 | (c & 63));
    }
    return to;
}

static char *put_from(char *to, const struct fth_python_text *text, uint32_t from, size_t most)
{
    char *end = to + most;
    for (uint32_t i = from; i < text->length && end - to >= 4; i++)
        to = put_character(to, character(text, i));
    return to;
}

char *fth_python_text_put(char *to, const struct fth_python_text *text, size_t most)
{
    return put_from(to, text, 0, most);
}

static bool has(const struct fth_python_text *text, uint32_t at, const char *word)
{
    for (; *word; word++, at++)
        if (at >= text->length || character(text, at) != (unsigned char)*word)
            return false;
    return true;
}

char *fth_python_text_put_file(char *to, const struct fth_python_text *file, size_t most)
{
    uint32_t last = 0, before = 0;
    for (uint32_t i = 0; i < file->length; i++)
        if (character(file, i) == '/') {
            before = last;
            last = i + 1;
        }
    bool is_package = has(file, last, "__init__.py") || has(file, last, "__main__.py");
    return put_from(to, file, is_package ? before : last, most);
}

enum fth_python_whose fth_python_text_whose(const struct fth_python_text *file)
{
    static const char *const imports[] = {"<frozen importlib", "<frozen zipimport", "<shim>"};
    static const char *const folders[] = {"/lib/python3", "/lib64/python3", "/site-packages/",
                                          "/dist-packages/"};
    for (unsigned i = 0; i < sizeof imports / sizeof *imports; i++)
        if (has(file, 0, imports[i]))
            return FTH_PYTHON_IMPORTS;
    if (has(file, 0, "<frozen "))
        return FTH_PYTHON_LIBRARYS;
    for (uint32_t at = 0; at < file->length; at++)
        for (unsigned i = 0; character(file, at) == '/' && i < sizeof folders / sizeof *folders;
             i++)
            if (has(file, at, folders[i]))
                return FTH_PYTHON_LIBRARYS;
    return FTH_PYTHON_PROGRAMS;
}
