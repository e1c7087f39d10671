/* Offsets in structures of CPython, by version. They are those of 64-bit builds with a GIL. */
#include "capture/record/python_layouts.h"

#include <stddef.h>

enum { NOWHERE = FTH_PYTHON_NOWHERE };

/* clang-format off */
static const struct fth_python_layout layouts[] = {
    {.minor = 9, .thread_frame = 24, .inner_frame = NOWHERE,
     .code = 32, .caller = 24, .at = 104, .owner = NOWHERE, .at_unit = 1,
     .file = 104, .name = 112, .first_line = 40, .line_table = 120, .code_bytes = 176,
     .ascii_at = 48, .other_at = 72},
    {.minor = 10, .thread_frame = 24, .inner_frame = NOWHERE,
     .code = 32, .caller = 24, .at = 96, .owner = NOWHERE, .at_unit = 2,
     .file = 104, .name = 112, .first_line = 40, .line_table = 120, .code_bytes = 176,
     .ascii_at = 48, .other_at = 72},
    {.minor = 11, .thread_frame = 56, .inner_frame = 8,
     .code = 32, .caller = 48, .at = 56, .owner = NOWHERE,
     .file = 112, .name = 128, .first_line = 72, .line_table = 136, .instructions = 184,
     .code_bytes = 184, .ascii_at = 48, .other_at = 72},
    {.minor = 12, .thread_frame = 56, .inner_frame = 0,
     .code = 0, .caller = 8, .at = 56, .owner = 70,
     .file = 112, .name = 128, .first_line = 68, .line_table = 136, .instructions = 192,
     .code_bytes = 192, .ascii_at = 40, .other_at = 56},
    {.minor = 13, .thread_frame = 72, .inner_frame = NOWHERE,
     .code = 0, .caller = 8, .at = 56, .owner = 70,
     .file = 112, .name = 128, .first_line = 68, .line_table = 136, .instructions = 200,
     .code_bytes = 200, .ascii_at = 40, .other_at = 56},
};
/* clang-format on */

const struct fth_python_layout *fth_python_layout(unsigned minor)
{
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        if (layouts[i].minor == minor)
            return &layouts[i];
    return NULL;
}
