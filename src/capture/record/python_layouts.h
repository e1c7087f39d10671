/* Where CPython keeps what a thread executes: offsets in its structures, which stay the same
 * within a version (3.11, say). Inner header of the capture room. */
#ifndef FTH_CAPTURE_RECORD_PYTHON_LAYOUTS_H
#define FTH_CAPTURE_RECORD_PYTHON_LAYOUTS_H

#include <stdint.h>

enum { FTH_PYTHON_NOWHERE = 255 };

struct fth_python_layout {
    uint16_t minor; /* of version 3 */
    /* in a thread state: its innermost frame, or what has it at `inner_frame` */
    uint8_t thread_frame, inner_frame;
    /* in a frame: its code, its caller, what it executes, whose it is */
    uint8_t code, caller, at, owner;
    /* `at` is a number of units of so many bytes; 0: an address */
    uint8_t at_unit;
    /* in code: names of its file and of itself, lines, instructions */
    uint8_t file, name, first_line, line_table, instructions;
    uint8_t code_bytes;         /* tp_basicsize of the type of code */
    uint8_t ascii_at, other_at; /* in a string: its characters */
};

/* NULL: it is not known. */
const struct fth_python_layout *fth_python_layout(unsigned minor);

/* The same in all of them. */
enum {
    FTH_PYTHON_TYPE = 8,
    FTH_PYTHON_LENGTH = 16,
    FTH_PYTHON_TYPE_BYTES = 32,  /* in a type: tp_basicsize */
    FTH_PYTHON_TEXT_STATE = 32,  /* in a string: how it is kept */
    FTH_PYTHON_BYTES_AT = 32,    /* in bytes */
    FTH_PYTHON_OWNER_NOBODY = 3, /* the frame is none of Python code */
};

#endif
