/* Text in memory, as a file. */
#include "base/growing_text.h"

#include "base/memory.h"

void fth_growing_text_open(struct fth_growing_text *text)
{
    text->file = open_memstream(&text->text, &text->length);
    if (!text->file)
        fth_out_of_memory();
}

void fth_growing_text_end(struct fth_growing_text *text)
{
    if (fclose(text->file))
        fth_out_of_memory();
    text->file = NULL;
}
