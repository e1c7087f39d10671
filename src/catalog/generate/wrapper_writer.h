/* What the writers of wrappers share: wrapper.c writes them for C, before.c what they do before the
 * call, after.c what they do after it, keep.c what they keep of each value, real_call.c how they
 * call the real function, fortran_call.c what is different in Fortran. Inner header. */
#ifndef FTH_CATALOG_GENERATE_WRAPPER_WRITER_H
#define FTH_CATALOG_GENERATE_WRAPPER_WRITER_H

#include "catalog/generate/generate.h"

/* What is being written. */
struct writer {
    FILE *out;
    const struct fth_catalog *catalog;
    const struct fth_row *row;
    bool bound;
    bool fortran; /* arguments arrive as Fortran passes them */
    bool by_number; /* they arrive as syscall gets them: a list that begins with the number */
};

/* ---- fields.c ---- */

/* A parameter, or behind the last one the result. */
const struct fth_field *field_or_result(const struct fth_row *row, size_t i);
/* The first field that asks the library the same as this one. */
const struct fth_field *field_that_asks(const struct writer *writer, const struct fth_field *field);
/* The other handle whose position a call moves, or NULL. */
const struct fth_field *field_beside(const struct writer *writer, const struct fth_field *field);
/* One line of the wrapper. */
void line(struct writer *writer, const char *format, ...) __attribute__((format(printf, 2, 3)));

bool has_flag(const struct writer *writer, unsigned flag);
/* The parameter with the handle that the call is about, or -1. */
int field_it_is_about(const struct writer *writer);
/* The expressions for the directory where a path starts, and for what a hook is given. */
const char *directory_of(const struct writer *writer, const struct fth_field *path);
/* The descriptor that a call reads, writes or seeks where it stands, or NULL. */
const struct fth_field *field_that_stands(const struct writer *writer);
/* What the copy of a descriptor takes the place of (dup2), or NULL. */
const struct fth_field *field_replaced(const struct writer *writer);

/* A row of a user, not of the catalogue. */
bool is_of_plugin(const struct writer *writer);
bool is_called_from_fortran(const struct writer *writer);
bool is_pointer(const struct fth_field *field);
bool is_request(const struct fth_field *field);
/* Is what only the library knows to be asked after the call? */
bool is_asked_after(const struct writer *writer);
/* A handle that the call uses or gives up. */
bool is_used(const struct fth_field *field);
/* Requests are given up by the library when it sets them to null, not when they are passed. */
bool gives_up_later(const struct writer *writer);
/* The expression for the length of an array; after the call, as far as the call has filled it. */
const char *length_of(const struct writer *writer, const struct fth_field *field, char *text,
                      size_t size);
const char *filled_length(const struct writer *writer, const struct fth_field *field, char *text,
                          size_t size);

/* The variable with the answer to what the role asks of the library. */
const char *answer_of(const struct writer *writer, const struct fth_field *field);

/* Does the call read, write or seek at the position of a descriptor? */
bool moves_where_it_stands(const struct fth_row *row);

/* ---- real_call.c ---- */

/* A subroutine of Fortran returns nothing, but its ierror is the result that the row means. */
bool returns_nothing(const struct writer *writer);
void write_real_call(struct writer *writer, bool recorded);
/* Calls the real function; `result` is what came back, if anything did. */
void write_result(struct writer *writer, bool recorded, const char *indent);
void write_return(struct writer *writer, const char *indent);
/* What the program gave. */
const char *all_arguments(const struct fth_row *row, bool with_result);
/* What fth_after_NAME is given: the result, if there is one, and the handle that the call is about,
 * if that is of a library other than MPI, or all arguments (`watched`). */
const char *hook_arguments(const struct writer *writer);
/* Nothing is recorded: the real function alone is called. */
void write_untraced(struct writer *writer);
/* The same, as a filter leaves the call out. */
void write_excluded(struct writer *writer);

/* ---- before.c ---- */

/* Looks up the handles that the call uses, and gives up those that it closes. */
void write_before(struct writer *writer);
/* Asks the library what only it knows. */
void write_asks(struct writer *writer);

/* ---- after.c ---- */

/* From the end of the call to its commit. */
void write_after(struct writer *writer);

/* ---- keep.c ---- */

/* Did the call succeed, for what it stores and reads through pointers? */
const char *success(const struct writer *writer);
/* Rows of users may say that a function reads what it does not. */
bool is_doubted(const struct writer *writer);
/* Binds what the call has made: an expression that gives its slot. */
void write_opening(struct writer *writer, const struct fth_field *made, const char *path);
void keep_result(struct writer *writer, enum fth_value_part part);
void keep_field(struct writer *writer, const struct fth_value_plan *plan);

/* ---- wrapper.c ---- */

/* The wrapper from its first statement to its end. */
void write_body(struct writer *writer);

/* ---- fortran_call.c ---- */

/* A function of Fortran, not a subroutine with ierror. */
bool is_fortran_function(const struct fth_row *row);
/* The expression for what a subroutine reports in ierror. */
const char *fortran_result(const struct fth_row *row);
/* Does it report its result in an argument, ierror? */
bool has_ierror(const struct fth_row *row);
/* The list of arguments, in one of these forms. */
enum writing {
    TYPES,
    PARAMETERS,
    FORWARDED,     /* from the wrapper to the body, which the wrappers of a row share */
    CALL,          /* to the real function, with an ierror in any case, */
    RECORDED_CALL, /* and a status in any case */
};
/* `begun`: something stands before it. */
void write_fortran_list(FILE *out, const struct fth_row *row, enum writing writing, bool begun);
void write_fortran_call(struct writer *writer, bool recorded);
/* The arguments as C has them, under the names of the row: before the call, and what the call has
 * changed after it. */
void write_fortran_before(struct writer *writer);
void write_fortran_after(struct writer *writer);

#endif
