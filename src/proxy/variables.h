/* Variables of the program that hold handles. A handle is known by its class and number until it is
 * closed; meanwhile it has a variable: the smallest number that no open handle of its class has.
 * Identifiers of HDF5 are counted: one that was opened several times is closed as often.
 *
 * Each thread has variables of its own, for handles that it alone uses; those of other handles are
 * shared, and have numbers of their own. Which handles are shared is found out in a first pass over
 * the calls of all threads, by the order in which handles are made. */
#ifndef FTH_PROXY_VARIABLES_H
#define FTH_PROXY_VARIABLES_H

#include "base/keyed.h"

#define FTH_NO_VARIABLE UINT32_MAX
#define FTH_SHARED_VARIABLE (UINT32_C(1) << 30) /* this bit: threads share it */

struct fth_variable_class {
    uint8_t *used; /* 0: no; 1: yes; 2: yes, and it is marked */
    uint32_t limit;
    uint32_t most;   /* how many at once */
    uint32_t lowest; /* no smaller one is free */
};
struct fth_variable_space {
    struct fth_variable_class *classes;
    uint32_t class_limit;
};

struct fth_variables {
    struct fth_keyed open;             /* struct fth_open_variable, by class and number */
    struct fth_variable_space *spaces; /* 0: shared ones; behind it those of each thread */
    uint32_t space_limit;
    uint32_t thread;          /* whose calls come */
    uint64_t made;            /* so many handles */
    struct fth_keyed *shared; /* of bool, by the number of a handle that was made; or NULL */
    bool is_looking;          /* it is being found out which these are */
};

void fth_variables_open(struct fth_variables *variables);
void fth_variables_close(struct fth_variables *variables);
/* `to` is empty. */
void fth_variables_copy(struct fth_variables *to, const struct fth_variables *from);
/* FTH_NO_VARIABLE: no call that was kept has made it, another one has closed it, or another thread
 * has it for itself. */
uint32_t fth_variable_of(struct fth_variables *variables, uint32_t handle_class, int64_t number);
/* Another handle with this number, if there is one, is gone. */
uint32_t fth_variable_make(struct fth_variables *variables, uint32_t handle_class, int64_t number);
/* The same handle once more, if it is open; otherwise it is made. */
uint32_t fth_variable_again(struct fth_variables *variables, uint32_t handle_class, int64_t number);
/* Once less; it keeps its variable until it is dropped as often as it was made. */
void fth_variable_drop(struct fth_variables *variables, uint32_t handle_class, int64_t number);
/* When the first one is dropped, so is the second: the descriptor of a stream (fileno). */
void fth_variable_lend(struct fth_variables *variables, uint32_t handle_class, int64_t number,
                       uint32_t lent_class, int64_t lent);
/* A mark stays until the handle is closed. FTH_NO_VARIABLE is never marked. */
void fth_variable_mark(struct fth_variables *variables, uint32_t handle_class, uint32_t variable);
bool fth_variable_is_marked(const struct fth_variables *variables, uint32_t handle_class,
                            uint32_t variable);
/* The classes of one space, to be freed with all that they have; none are left. */
struct fth_variable_space fth_variables_take(struct fth_variables *variables, uint32_t space);
void fth_variable_space_free(struct fth_variable_space *space);

#endif
