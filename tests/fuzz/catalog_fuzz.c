/* Any bytes are either a catalogue or an error, and the text of a row that was read gives the same
 * text again. For libFuzzer: link with the sources right in src/catalog and src/base
 * (tests/fuzz/catalog does). */
#include "catalog/catalog.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* The row alone, after all that it may refer to. */
static void parse_row_again(struct fth_catalog *catalog, const struct fth_row *row)
{
    struct fth_catalog again = {.classes = NULL};
    static const char *const forms[] = {"file", "object", "anonymous"};
    const char *layer = "layer x\n";
    int failed = fth_catalog_parse(&again, "again", layer, strlen(layer), NULL);
    for (size_t i = 0; i < catalog->class_count; i++) {
        const char *parts[] = {"class ", catalog->classes[i].name, " ",
                               forms[catalog->classes[i].form]};
        char text[4096] = "";
        for (size_t j = 0; j < 4; j++)
            strncat(text, parts[j], sizeof text - strlen(text) - 1);
        failed |= fth_catalog_parse(&again, "again", text, strlen(text), NULL);
    }
    for (size_t i = 0; i < catalog->flags_count; i++) {
        char text[4096] = "flags ";
        strncat(text, catalog->flags[i].name, sizeof text - 32);
        strcat(text, " 1=A");
        failed |= fth_catalog_parse(&again, "again", text, strlen(text), NULL);
    }
    failed |= fth_catalog_parse(&again, "again", row->text, strlen(row->text), NULL);
    if (failed || again.row_count != 1 || strcmp(again.rows[0].text, row->text) != 0 ||
        again.rows[0].field_count != row->field_count)
        abort();
    fth_catalog_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct fth_catalog catalog = {.classes = NULL};
    struct fth_error *error = NULL;
    int result = fth_catalog_parse(&catalog, "fuzz", (const char *)bytes, length, &error);
    if ((result == 0) != (error == NULL))
        abort();
    /* Short inputs keep names below the length of the buffers above, and a run fast. */
    if (length < 2048 && catalog.row_count > 0)
        parse_row_again(&catalog, &catalog.rows[catalog.row_count - 1]);
    fth_error_free(error);
    fth_catalog_free(&catalog);
    return 0;
}
