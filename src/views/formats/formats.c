/* The formats that an option chooses; a format more is a line here, and a file. */
#include "views/formats/writer.h"

const struct fth_format *const fth_formats[] = {
    &fth_format_json,
    &fth_format_csv,
    &fth_format_markdown,
};
const size_t fth_format_count = sizeof fth_formats / sizeof *fth_formats;
