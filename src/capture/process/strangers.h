/* Programs in which the tracer has no place. Inner header of the capture room. */
#ifndef FTH_CAPTURE_PROCESS_STRANGERS_H
#define FTH_CAPTURE_PROCESS_STRANGERS_H

#include <stdbool.h>

/* A program that is about to be executed, as the call names it. */
struct fth_new_program {
    /* what a relative path is relative to; or, with AT_EMPTY_PATH, the file itself */
    int directory;
    const char *path; /* all texts can be read */
    int flags;
    bool in_path; /* looked for in PATH where it has no slash */
    char *const *arguments, *const *environment;
};

/* Is there such a program, as far as is known? */
bool fth_new_program_is_there(const struct fth_new_program *program);
/* A stranger: the key of the note (trace/program/loader.h) that says why; NULL: it can be
 * recorded. */
const char *fth_new_program_is_strange(const struct fth_new_program *program);
/* The name under which a stranger is noted. */
const char *fth_new_program_name(const struct fth_new_program *program, const char *key);

/* Does this process run inside of something that refuses us, which has come without being seen? */
bool fth_is_in_stranger(void);

#endif
