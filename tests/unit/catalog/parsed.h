/* A catalogue from a text without mistakes. After cmocka.h. */
#ifndef PARSED_H
#define PARSED_H

#include "catalog/catalog.h"

#include <string.h>

static void parse(struct fth_catalog *catalog, const char *text)
{
    struct fth_error *error = NULL;
    int result = fth_catalog_parse(catalog, "t", text, strlen(text), &error);
    if (result)
        print_error("%s\n", fth_error_text(error));
    fth_error_free(error);
    assert_int_equal(result, 0);
}

#endif
