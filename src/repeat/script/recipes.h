/* How the arguments of each function of a trace are made in a replay, from its row in the
 * catalogue. Inner header of the repeat room. */
#ifndef FTH_REPEAT_RECIPES_H
#define FTH_REPEAT_RECIPES_H

#include "catalog/catalog.h"
#include "player/player_script.h"
#include "repeat/what/ways.h"

struct fth_recipe {
    const struct fth_function *function;
    const struct fth_row *row; /* NULL: the catalogue of this version does not have it as it is */
    const struct fth_repeat_way *way;
    bool refills;    /* a stream, of which macros have used up the buffer before */
    bool is_step;    /* of libc inside of its functions: no function that can be called */
    uint16_t number; /* of the function in the plan */
    struct fth_script_function script; /* but for its name */
};

struct fth_recipes {
    size_t count;
    struct fth_recipe *recipes; /* by function */
    /* names of classes of handles, by the numbers that scripts have for them; 0 is none */
    const char *classes[FTH_SCRIPT_CLASSES];
    unsigned fd, stream, dir, request, comm, datatype, mpi_file, block, hid;
};

struct fth_recipes *fth_recipes_make(const struct fth_trace *trace,
                                     const struct fth_repeat_ways *ways);
void fth_recipes_free(struct fth_recipes *recipes);
struct fth_recipe *fth_recipe_of(const struct fth_recipes *recipes,
                                 const struct fth_function *function);
/* The class of a field; 0: it has none. */
unsigned fth_recipe_class(const struct fth_recipes *recipes, const struct fth_field *field);
/* Handles of libc: they are passed by value even if they are pointers. */
static inline bool fth_recipe_is_libc(const struct fth_recipes *recipes, unsigned handle_class)
{
    return handle_class == recipes->fd || handle_class == recipes->stream ||
           handle_class == recipes->dir;
}
/* Has this parameter of a collective call a number for each member? Displacements of parts that
 * have so many elements stand right behind it, and are not in the trace. */
bool fth_recipe_is_counts(const struct fth_row *row, size_t number);
bool fth_recipe_is_displacements(const struct fth_row *row, size_t number);
/* Is this the name of a handle that MPI or HDF5 makes itself? `text` may be NULL. */
bool fth_recipe_is_named(const struct fth_recipes *recipes, unsigned handle_class,
                         const char *text);

#endif
