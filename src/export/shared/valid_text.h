/* Texts of the program for formats whose texts are UTF-8. */
#ifndef FTH_EXPORT_SHARED_VALID_TEXT_H
#define FTH_EXPORT_SHARED_VALID_TEXT_H

#include "base/intern.h"

/* The text, in which each byte that is not UTF-8 is U+FFFD: itself if it is valid, else `made`,
 * which is empty before. Not terminated. */
const char *fth_valid_text(struct fth_bytes *made, const char *text, size_t *length);
/* The number of this text. */
uint32_t fth_intern_valid(struct fth_intern *texts, const char *text);

#endif
