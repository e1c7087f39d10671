/* The form of a call: its function, how each argument is written in C, and which variables hold its
 * handles; all but its numbers. Calls of one form may stand at one place of the program, where
 * expressions make their numbers. */
#ifndef FTH_PROXY_FORMS_H
#define FTH_PROXY_FORMS_H

#include "catalog/catalog.h"
#include "fathom/access.h"
#include "proxy/relatives.h"
#include "proxy/plain_paths.h"
#include "repeat/what/stream_bytes.h"

enum {
    FTH_FORM_FIELDS = 32,
    FTH_FORM_NUMBERS = 128, /* of a call */
    FTH_FORM_LIST = 16,     /* integers of a list that are numbers; longer lists are in the form */
};

enum fth_written {
    FTH_WRITTEN_NULL,    /* a null pointer, or 0 */
    FTH_WRITTEN_BUFFER,  /* bytes of our own */
    FTH_WRITTEN_UNUSED,  /* memory for a result that nobody reads */
    FTH_WRITTEN_IGNORED, /* a status */
    FTH_WRITTEN_WIDE,    /* a size that is no limit */
    FTH_WRITTEN_NUMBER,
    FTH_WRITTEN_FLAGS,   /* a number, by the names of its bits */
    FTH_WRITTEN_FILLER,  /* a character of our own */
    FTH_WRITTEN_CONTENT, /* text of our own; the number is its length */
    FTH_WRITTEN_NAME,    /* of a file, an object or a setting; may contain numbers */
    FTH_WRITTEN_LIST,    /* of numbers */
    FTH_WRITTEN_TABLE,   /* a long list, the same in all calls of the form */
    FTH_WRITTEN_HANDLES, /* one, or a list */
    FTH_WRITTEN_FORMAT,  /* a format and what it takes: the number is the length */
    FTH_WRITTEN_PIECES,  /* a vector: the number is its bytes */
    FTH_WRITTEN_COMMAND, /* the argument of a control command: as a list */
    FTH_WRITTEN_RANK,    /* where the rank goes that the program uses */
    FTH_WRITTEN_LINE,    /* where a line goes that is as long as it is (getline), and its room */
    FTH_WRITTEN_ROOM,    /* memory that the call keeps (setvbuf) */
    FTH_WRITTEN_BLOCK, /* a control block: its descriptor is the handle, offset and bytes numbers */
};

struct fth_argument {
    enum fth_written written;
    uint32_t first, count; /* numbers of the call */
    char *text;            /* of a name, with a byte 1 for each number */
    unsigned widths[8];
    /* Handles: of each its variable, or FTH_NO_VARIABLE and its name. */
    uint32_t handle_count, *variables;
    char **names;
    int64_t *table;
    uint32_t block; /* of a control block: its variable */
    bool null;      /* whether a name, list or handle is a null pointer */
};

struct fth_form {
    const struct fth_function *function;
    const struct fth_row *row;
    size_t proc; /* one with such a call: for names of flags */
    struct fth_argument arguments[FTH_FORM_FIELDS];
    uint32_t result; /* variable of the handle that it returns */
    uint32_t result_class;
    bool failed;
    bool fills;                   /* no call: the bytes that came to its stream without one */
    enum fth_relatives_step step; /* no call: what is done with another process */
    bool is_new_program;
    uint32_t number_count;
};

/* Its numbers: FTH_STEP_PROGRAM is part of the statement, wherever it is one. */
enum { FTH_STEP_SLOT, FTH_STEP_NUMBER, FTH_STEP_PROGRAM, FTH_STEP_NUMBERS };
struct fth_form_step {
    enum fth_relatives_step what;
    bool is_new_program;
    int64_t numbers[FTH_STEP_NUMBERS];
};

/* What becomes of a call. */
struct fth_form_reading {
    struct fth_bytes key; /* of its form */
    int64_t numbers[FTH_FORM_NUMBERS];
    uint8_t fields[FTH_FORM_NUMBERS];    /* which parameter each belongs to */
    uint8_t widths[FTH_FORM_NUMBERS];    /* digits of a number in a name that has zeros in front */
    const char *names[FTH_FORM_NUMBERS]; /* of a constant that a number is, or NULL */
    uint32_t number_count;
    const char *why_not; /* it is left out; NULL: it is not */
    struct fth_form form;
};

struct fth_form_context {
    struct fth_trace *trace;
    struct fth_variables *variables;
    struct fth_name_folders folders; /* where names of files begin */
    const struct fth_standard_handles *standard;
    const struct fth_field *descriptor; /* any field that is one; NULL: there is none */
};

/* Control blocks are variables of a class that the catalogue does not have. */
enum { FTH_BLOCK_CLASS = 255 };
/* What a control block is known by; false: it is not in the trace. */
bool fth_form_block_id(const struct fth_value *value, int64_t *id);

/* Reads a call. Handles that it makes get variables, those that it closes lose theirs. The reading
 * has the form only until the next one; its texts belong to it. */
void fth_form_read(const struct fth_form_context *context, const struct fth_call *call,
                   struct fth_form_reading *reading);
/* Reads what came to a stream without a call, before `call`. */
void fth_form_read_fill(const struct fth_form_context *context, const struct fth_call *call,
                        const struct fth_unseen_bytes *unseen, struct fth_form_reading *reading);
/* Reads what a process does with another one. */
void fth_form_read_step(const struct fth_form_context *context, size_t proc,
                        const struct fth_form_step *step, struct fth_form_reading *reading);
void fth_form_reading_free(struct fth_form_reading *reading);
/* Before another one is read. */
void fth_form_forget(struct fth_form_reading *reading);

/* Takes the form out of the reading. */
struct fth_form fth_form_take(struct fth_form_reading *reading);
void fth_form_free(struct fth_form *form);

/* The field of the handle that the call returns: the result, or, of what copies a descriptor in the
 * way of a control command (F_DUPFD), that of the descriptor. */
const struct fth_field *fth_form_result_field(const struct fth_row *row);

/* Any field of the functions of the trace that is a descriptor; NULL: there is none. */
const struct fth_field *fth_form_descriptor(const struct fth_trace *trace);

/* Does the call ask for the rank in MPI_COMM_WORLD? */
bool fth_form_asks_rank(const struct fth_form *form);

#endif
