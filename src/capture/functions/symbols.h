/* The symbols of modules (programs and libraries), by address: what functions are called. Inner
 * header of the capture room. */
#ifndef FTH_CAPTURE_FUNCTIONS_SYMBOLS_H
#define FTH_CAPTURE_FUNCTIONS_SYMBOLS_H

#include "capture/record/modules.h"

#include <stdbool.h>

/* Writes the symbol of the function that begins at this place. False: the module's file has none,
 * or is another one than that which runs. */
bool fth_function_symbol(const struct fth_code_place *place, char *to, size_t room);

#endif
