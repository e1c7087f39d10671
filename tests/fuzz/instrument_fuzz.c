/* Any text is a probe file, or is refused with an error; any text has words, and is a pattern. For
 * libFuzzer. */
#include "instrument/probe_file.h"
#include "instrument/source_tokens.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    const char *text = (const char *)bytes;
    struct fth_probe_list list = {0};
    struct fth_error *error = NULL;
    int result = fth_probe_file_parse(&list, "p", text, length, &error);
    if ((result != 0) != (error != NULL) || (!result && !list.count))
        abort();
    struct fth_source_tokens tokens, pattern;
    fth_source_tokens_read(&tokens, text, length);
    for (size_t i = 0; i < list.count && i < 8; i++) {
        const char *wanted = list.entries[i].text;
        if (!wanted)
            continue;
        size_t count = 0;
        while (wanted[count])
            count++;
        fth_source_tokens_read(&pattern, wanted, count);
        fth_source_tokens_match(&tokens, 0, tokens.count < 64 ? tokens.count : 64, &pattern);
        fth_source_tokens_free(&pattern);
    }
    fth_source_tokens_free(&tokens);
    fth_probe_list_free(&list);
    fth_error_free(error);
    return 0;
}
