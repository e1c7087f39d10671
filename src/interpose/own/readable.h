/* Memory of the program that may not be there. Up to the end of text that stands alone, of a list's
 * NULL. errno is left alone. */
#ifndef FTH_INTERPOSE_OWN_READABLE_H
#define FTH_INTERPOSE_OWN_READABLE_H

#include "interpose/interpose.h"

bool fth_is_readable(const void *start, size_t bytes) FTH_PUBLIC;
bool fth_is_readable_text(const char *text);
bool fth_are_readable_texts(char *const *texts);

#endif
