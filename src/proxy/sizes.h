/* The parameter `sizes` of the program: all that it moves, and where, is so many times as large.
 * Inner header of the proxy room. */
#ifndef FTH_PROXY_SIZES_H
#define FTH_PROXY_SIZES_H

#include "proxy/forms.h"

/* Is the argument one that grows with the sizes: a number of bytes or elements that are moved, or
 * a place in a file? */
bool fth_proxy_grows(const struct fth_row *row, size_t field);
/* Why a program with such a call cannot have this parameter; NULL: it can. */
const char *fth_proxy_why_fixed(const struct fth_form *form);

#endif
