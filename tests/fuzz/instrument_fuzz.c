/* Any text is a probe file and a setup, or is refused with an error; any text has words, and is a
 * pattern. For libFuzzer. */
#include "instrument/instrument_setup.h"
#include "instrument/probe_file.h"
#include "instrument/source_tokens.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void check(int result, const struct fth_error *error)
{
    if ((result != 0) != (error != NULL))
        abort();
}

/* What the entries of a probe file look for in a source: in the text itself. */
static void find_patterns(const struct fth_probe_list *list, const char *text, size_t length)
{
    struct fth_source_tokens tokens, pattern;
    fth_source_tokens_read(&tokens, text, length);
    for (size_t i = 0; i < list->count && i < 8; i++) {
        const char *wanted = list->entries[i].text;
        if (!wanted)
            continue;
        fth_source_tokens_read(&pattern, wanted, strlen(wanted));
        fth_source_tokens_match(&tokens, 0, tokens.count < 64 ? tokens.count : 64, &pattern);
        fth_source_tokens_free(&pattern);
    }
    fth_source_tokens_free(&tokens);
}

static void read_probes(const char *text, size_t length)
{
    struct fth_probe_list list = {0};
    struct fth_error *error = NULL;
    int result = fth_probe_file_parse(&list, "p", text, length, &error);
    check(result, error);
    if (!result && !list.count)
        abort();
    find_patterns(&list, text, length);
    fth_probe_list_free(&list);
    fth_error_free(error);
}

/* Setups are files: this one is in memory. */
static void read_setup(const uint8_t *bytes, size_t length)
{
    char path[64];
    struct fth_error *error = NULL;
    struct fth_instrument_setup *setup = calloc(1, sizeof *setup);
    int file = memfd_create("setup", 0);
    if (file < 0 || !setup || write(file, bytes, length) != (ssize_t)length)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    int result = fth_instrument_setup_read(setup, path, &error);
    check(result, error);
    if (!result && !setup->layer_count)
        abort();
    for (size_t i = 0; !result && i < setup->layer_count; i++)
        if (!fth_instrument_setup_layer(setup, setup->layers[i].word))
            abort();
    fth_instrument_setup_free(setup);
    fth_error_free(error);
    close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    read_probes((const char *)bytes, length);
    read_setup(bytes, length);
    return 0;
}
