/* Variables of the program that hold handles. A handle is known by its class and number until it is
 * closed; meanwhile it has a variable: the smallest number that no open handle of its class has.
 * Identifiers of HDF5 are counted: one that was opened several times is closed as often. */
#ifndef FTH_PROXY_VARIABLES_H
#define FTH_PROXY_VARIABLES_H

#include "base/keyed.h"

#define FTH_NO_VARIABLE UINT32_MAX

struct fth_variables {
    struct fth_keyed open; /* struct fth_open_variable, by class and number */
    struct fth_variable_class {
        uint8_t *used; /* 0: no; 1: yes; 2: yes, and it is marked */
        uint32_t limit;
        uint32_t most;   /* how many at once */
        uint32_t lowest; /* no smaller one is free */
    } * classes;
    uint32_t class_limit;
};

void fth_variables_open(struct fth_variables *variables);
void fth_variables_close(struct fth_variables *variables);
/* `to` is empty. */
void fth_variables_copy(struct fth_variables *to, const struct fth_variables *from);
/* FTH_NO_VARIABLE: no call that was kept has made it, or another one has closed it. */
uint32_t fth_variable_of(struct fth_variables *variables, uint32_t handle_class, int64_t number);
/* Another handle with this number, if there is one, is gone. */
uint32_t fth_variable_make(struct fth_variables *variables, uint32_t handle_class, int64_t number);
/* The same handle once more, if it is open; otherwise it is made. */
uint32_t fth_variable_again(struct fth_variables *variables, uint32_t handle_class, int64_t number);
/* Once less; it keeps its variable until it is dropped as often as it was made. */
void fth_variable_drop(struct fth_variables *variables, uint32_t handle_class, int64_t number);
/* A mark stays until the handle is closed. FTH_NO_VARIABLE is never marked. */
void fth_variable_mark(struct fth_variables *variables, uint32_t handle_class, uint32_t variable);
bool fth_variable_is_marked(const struct fth_variables *variables, uint32_t handle_class,
                            uint32_t variable);

#endif
