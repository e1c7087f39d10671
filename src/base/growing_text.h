/* Text that grows as it is printed. */
#ifndef FTH_BASE_GROWING_TEXT_H
#define FTH_BASE_GROWING_TEXT_H

#include <stdio.h>

struct fth_growing_text {
    FILE *file;
    char *text;
    size_t length;
};

void fth_growing_text_open(struct fth_growing_text *text);
/* The text is complete; free() it. */
void fth_growing_text_end(struct fth_growing_text *text);

#endif
