/* Recognises the ABI of an MPI library from its symbols and from what it says about itself, and
 * looks predefined handles up. */
#include "capture/mpi/abi.h"

#include "calls.h"
#include "interpose/reach/static.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum {
    NAMES = 512, /* places of the table of predefined handles; more than three times their number */
    LONGEST_VERSION = 8192,
    MPICH_KIND = 0xc0000000, /* of an integer handle; */
    MPICH_BUILTIN = 0x40000000,
    MPICH_SIZE = 0xff00, /* bits of a builtin datatype that hold its size */
};

struct fth_mpi_abi fth_mpi_abi;

static struct {
    uint64_t handle;
    const struct fth_mpi_predefined *what;
} names[NAMES];
/* Of all in it: most handles that are asked for are those of objects that the program has made,
 * which lie elsewhere. */
static uint64_t least_handle = UINT64_MAX, most_handle;

/* ---- predefined handles by value ---- */

static unsigned place_of(uint32_t handle_class, uint64_t handle)
{
    return (unsigned)((handle + handle_class) * 0x9E3779B97F4A7C15u >> 40) % NAMES;
}

static bool holds_size(uint32_t handle_class, uint64_t handle)
{
    return handle_class == FTH_CLASS_datatype && fth_mpi_abi.width[handle_class] == 4 &&
           (handle & MPICH_KIND) == MPICH_BUILTIN;
}

/* MPICH's builtin datatypes hold their size; that of Fortran types depends on how MPICH was built,
 * and the table has the usual one. */
static uint64_t without_size(uint32_t handle_class, uint64_t handle)
{
    return holds_size(handle_class, handle) ? handle & ~(uint64_t)MPICH_SIZE : handle;
}

int fth_mpi_find_predefined(uint32_t handle_class, uint64_t handle)
{
    handle = without_size(handle_class, handle);
    if (handle < least_handle || handle > most_handle)
        return -1;
    for (unsigned at = place_of(handle_class, handle); names[at].what; at = (at + 1) % NAMES)
        if (names[at].handle == handle && names[at].what->handle_class == handle_class)
            return (int)(names[at].what - fth_mpi_predefined);
    return -1;
}

int64_t fth_mpi_size_in_handle(uint64_t datatype)
{
    return holds_size(FTH_CLASS_datatype, datatype) ? (int64_t)(datatype & MPICH_SIZE) >> 8 : -1;
}

static bool is_null(const struct fth_mpi_predefined *what)
{
    size_t length = strlen(what->name);
    return strcmp(what->name + length - 5, "_NULL") == 0;
}

static void add(const struct fth_mpi_predefined *what, uint64_t handle)
{
    if (is_null(what)) {
        fth_mpi_abi.null[what->handle_class] = handle;
        return;
    }
    if (!handle)
        return;
    if (strcmp(what->name, "MPI_COMM_WORLD") == 0)
        fth_mpi_abi.comm_world = handle;
    else if (strcmp(what->name, "MPI_COMM_SELF") == 0)
        fth_mpi_abi.comm_self = handle;
    else if (strcmp(what->name, "MPI_BYTE") == 0)
        fth_mpi_abi.byte = handle;
    else if (strcmp(what->name, "MPI_ERRORS_RETURN") == 0)
        fth_mpi_abi.errors_return = handle;
    else if (strcmp(what->name, "MPI_UINT64_T") == 0)
        fth_mpi_abi.uint64 = handle;
    else if (strcmp(what->name, "MPI_MAX") == 0)
        fth_mpi_abi.max = handle;
    handle = without_size(what->handle_class, handle);
    least_handle = handle < least_handle ? handle : least_handle;
    most_handle = handle > most_handle ? handle : most_handle;
    unsigned at = place_of(what->handle_class, handle);
    while (names[at].what)
        at = (at + 1) % NAMES;
    names[at].handle = handle;
    names[at].what = what;
}

/* A program that was not compiled for a shared library has its own copy of the object (a copy
 * relocation), and then that is the handle for all; a library that was loaded as a plug-in is not
 * in the global scope. */
static uint64_t address_of(void *handle, const char *symbol)
{
    void *own = symbol ? fth_library_symbol(handle, symbol) : NULL;
    void *global = own ? dlsym(RTLD_DEFAULT, symbol) : NULL;
    return (uintptr_t)(global ? global : own);
}

/* ---- the three ABIs ---- */

static void set_widths(uint8_t width)
{
    memset(fth_mpi_abi.width, width, sizeof fth_mpi_abi.width);
    fth_mpi_abi.width[FTH_CLASS_mpi_file] = 8;
}

/* {SOURCE, TAG, ERROR, cancelled, size_t count} */
static void is_openmpi(void *handle)
{
    fth_mpi_abi = (struct fth_mpi_abi){.name = "openmpi",
                                       .status_size = 24,
                                       .source_at = 0,
                                       .tag_at = 4,
                                       .root = -4,
                                       .cart = 1,
                                       .graph = 2,
                                       .dist_graph = 3};
    set_widths(8);
    for (unsigned i = 0; i < fth_mpi_predefined_count; i++)
        add(&fth_mpi_predefined[i], address_of(handle, fth_mpi_predefined[i].openmpi));
}

/* {count_lo, count_hi_and_cancelled, SOURCE, TAG, ERROR}; the ABI of MPICH since 3.1, which its
 * descendants keep. */
static void is_mpich(void)
{
    fth_mpi_abi = (struct fth_mpi_abi){.name = "mpich",
                                       .status_ignore = 1,
                                       .status_size = 20,
                                       .source_at = 8,
                                       .tag_at = 12,
                                       .root = -3,
                                       .cart = 2,
                                       .graph = 1,
                                       .dist_graph = 3};
    set_widths(4);
    for (unsigned i = 0; i < fth_mpi_predefined_count; i++)
        add(&fth_mpi_predefined[i], fth_mpi_predefined[i].mpich);
}

/* {SOURCE, TAG, ERROR, int[5]}; handles are pointers with small values where predefined. */
static void is_standard(void)
{
    fth_mpi_abi = (struct fth_mpi_abi){.name = "standard",
                                       .status_size = 32,
                                       .source_at = 0,
                                       .tag_at = 4,
                                       .root = -4,
                                       .cart = 211,
                                       .graph = 212,
                                       .dist_graph = 213};
    set_widths(8);
    for (unsigned i = 0; i < fth_mpi_predefined_count; i++)
        add(&fth_mpi_predefined[i], fth_mpi_predefined[i].standard);
}

static bool is_of_mpich_family(const char *version)
{
    static const char *const families[] = {"MPICH", "Intel(R) MPI", "MVAPICH"};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (strstr(version, families[i]))
            return true;
    return false;
}

bool fth_mpi_recognise(void *handle, const char *path, char *why, size_t size)
{
    static char version[LONGEST_VERSION + 1];
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    int (*ask)(char *, int *) =
        (int (*)(char *, int *))fth_library_symbol(handle, "PMPI_Get_library_version");
    int length = 0;
    memset(names, 0, sizeof names);
    if (strncmp(file, "libmpi_abi.", 11) == 0) {
        is_standard();
    } else if (fth_library_symbol(handle, "ompi_mpi_comm_world")) {
        is_openmpi(handle);
    } else if (ask && ask(version, &length) == 0 && is_of_mpich_family(version)) {
        is_mpich();
    } else {
        snprintf(
            why, size,
            "MPI calls of %s: neither Open MPI, nor of the MPICH family, nor the standard's ABI",
            path);
        return false;
    }
    return true;
}
