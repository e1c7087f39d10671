/* What kind of handle a field of a call has. */
#ifndef FTH_PROXY_HANDLE_CLASS_H
#define FTH_PROXY_HANDLE_CLASS_H

#include "catalog/catalog.h"

/* The class of handles of a field, as the catalogue names it ("fd"), into `text`. */
const char *fth_form_class(const struct fth_field *field, char text[static 32]);

#endif
