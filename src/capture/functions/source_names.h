/* What a function is called in the source, of the symbol that the compiler made of it. Inner header
 * of the capture room. */
#ifndef FTH_CAPTURE_FUNCTIONS_SOURCE_NAMES_H
#define FTH_CAPTURE_FUNCTIONS_SOURCE_NAMES_H

#include <stddef.h>

/* "Grid::save" of "_ZN4Grid4saveEPKc", "io::put" of "__io_MOD_put": without types of parameters and
 * of templates. A symbol that is not understood is written as it is; what does not fit is cut
 * off. */
void fth_function_name(const char *symbol, char *to, size_t room);

#endif
