/* Reading and writing files of MPI. In a collective call a rank may move the bytes of others, and
 * they count as theirs (MPI 4.1, 14.6): whoever asked for a write and then writes the same bytes by
 * himself wrote them later. So only what an independent call of a rank writes is held back until
 * MPI_File_sync or MPI_File_close; it is attached before the next collective call, and what is
 * written in one is attached at once, and asked for behind it.
 *
 * All arguments are integers or pointers, at most six: they are passed in registers, also those
 * that a function does not have. */
#include "prefix/prefix_mpi.h"

#include "prefix/prefix.h"

#include <stdint.h>

typedef int call(intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t);

struct arguments {
    intptr_t a, b, c, d, e, f;
};

static call *find(call **known, const char *name)
{
    call *real = __atomic_load_n(known, __ATOMIC_RELAXED);
    if (!real) {
        real = (call *)(uintptr_t)fth_prefix_mpi_function(name);
        __atomic_store_n(known, real, __ATOMIC_RELAXED);
    }
    return real;
}

static int forward(call *real, const struct arguments *with)
{
    return real(with->a, with->b, with->c, with->d, with->e, with->f);
}

static int independent(call *real, const struct arguments *with)
{
    bool before = fth_prefix_mpi_own;
    fth_prefix_mpi_own = true;
    int failed = forward(real, with);
    fth_prefix_mpi_own = before;
    return failed;
}

static int collective(call *real, const struct arguments *with)
{
    if (!fth_prefix_mpi_publish())
        return FTH_MPI_FAILED;
    int failed = forward(real, with);
    fth_prefix_mpi_fetch();
    return failed;
}

/* It goes on behind the call, and nobody knows how long. */
static int collective_begun(call *real, const struct arguments *with)
{
    fth_prefix_mpi_make_strict();
    return forward(real, with);
}

#define PUBLIC __attribute__((visibility("default")))

#define CALL(name, kind)                                                                           \
    PUBLIC call name;                                                                              \
    int name(intptr_t a, intptr_t b, intptr_t c, intptr_t d, intptr_t e, intptr_t f)               \
    {                                                                                              \
        static call *known;                                                                        \
        const struct arguments with = {a, b, c, d, e, f};                                          \
        call *real = find(&known, #name);                                                          \
        if (!real)                                                                                 \
            return FTH_MPI_FAILED;                                                                 \
        return fth_prefix_mpi_is_on() ? kind(real, &with) : forward(real, &with);                  \
    }

/* With counts of int, and of MPI_Count (MPI 4.0). */
#define CALLS(name, kind)                                                                          \
    CALL(name, kind)                                                                               \
    CALL(name##_c, kind)

CALLS(MPI_File_read, independent)
CALLS(MPI_File_read_at, independent)
CALLS(MPI_File_write, independent)
CALLS(MPI_File_write_at, independent)
CALLS(MPI_File_read_all, collective)
CALLS(MPI_File_read_at_all, collective)
CALLS(MPI_File_read_ordered, collective)
CALLS(MPI_File_write_all, collective)
CALLS(MPI_File_write_at_all, collective)
CALLS(MPI_File_write_ordered, collective)
CALLS(MPI_File_read_all_begin, collective_begun)
CALLS(MPI_File_read_at_all_begin, collective_begun)
CALLS(MPI_File_read_ordered_begin, collective_begun)
CALLS(MPI_File_write_all_begin, collective_begun)
CALLS(MPI_File_write_at_all_begin, collective_begun)
CALLS(MPI_File_write_ordered_begin, collective_begun)
CALLS(MPI_File_iread_all, collective_begun)
CALLS(MPI_File_iread_at_all, collective_begun)
CALLS(MPI_File_iwrite_all, collective_begun)
CALLS(MPI_File_iwrite_at_all, collective_begun)
