/* Texts of the program for formats whose texts are UTF-8. */
#ifndef FTH_EXPORT_SHARED_VALID_TEXT_H
#define FTH_EXPORT_SHARED_VALID_TEXT_H

#include "base/intern.h"

/* The number of the text, in which each byte that is not UTF-8 is U+FFFD. */
uint32_t fth_intern_valid(struct fth_intern *texts, const char *text);

#endif
