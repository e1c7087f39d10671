/* Strings of Python: their characters, as UTF-8, and whose code the file is that one names. Inner
 * header of the capture room. */
#ifndef FTH_CAPTURE_RECORD_PYTHON_TEXTS_H
#define FTH_CAPTURE_RECORD_PYTHON_TEXTS_H

#include <stddef.h>
#include <stdint.h>

struct fth_python_text {
    const uint8_t *at;
    uint32_t length, width; /* characters, bytes of each */
};

enum fth_python_whose {
    FTH_PYTHON_PROGRAMS = 1, /* 0: not in the table */
    FTH_PYTHON_LIBRARYS,     /* of Python itself, or of an installed package */
    FTH_PYTHON_IMPORTS,      /* what imports modules */
};

enum fth_python_whose fth_python_text_whose(const struct fth_python_text *file);

/* Writes at most so many bytes. Returns where it ended, without a zero byte. */
char *fth_python_text_put(char *to, const struct fth_python_text *text, size_t most);
/* The same of a file, without its folders; of "__init__.py" with one. */
char *fth_python_text_put_file(char *to, const struct fth_python_text *file, size_t most);

#endif
