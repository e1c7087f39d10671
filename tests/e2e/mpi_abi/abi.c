/* Compares the table of the ABI that is recognised with the constants and types of <mpi.h>. Prints
 * what differs. */
#include "capture/mpi/abi.h"

#include "calls.h"
#include "interpose/reach/bind.h"
#include "model/reading/constants.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

/* The library is loaded here. */
void *fth_library_symbol(void *library, const char *name)
{
    return dlsym(library, name);
}

static int checked, wrong;

static void check(const char *what, uint64_t found, uint64_t expected)
{
    checked++;
    if (found == expected)
        return;
    wrong++;
    printf("%s: 0x%llx, but in mpi.h 0x%llx\n", what, (unsigned long long)found,
           (unsigned long long)expected);
}

static int is_null_name(const char *name)
{
    return strcmp(name + strlen(name) - 5, "_NULL") == 0;
}

static void check_handle(uint32_t handle_class, const char *name, const void *handle, size_t width)
{
    uint64_t value = 0;
    memcpy(&value, handle, width);
    check(name, fth_mpi_abi.width[handle_class], width);
    if (is_null_name(name)) {
        check(name, fth_mpi_abi.null[handle_class], value);
        return;
    }
    if (value == fth_mpi_abi.null[handle_class])
        return; /* this library was built without the type */
    int found = fth_mpi_find_predefined(handle_class, value);
    const char *known = found >= 0 ? fth_mpi_predefined[found].name : "not predefined";
    checked++;
    if (strcmp(known, name) == 0)
        return;
    wrong++;
    printf("%s: found as %s\n", name, known);
}

static void check_status(void)
{
    check("MPI_STATUS_IGNORE", fth_mpi_abi.status_ignore, (uintptr_t)MPI_STATUS_IGNORE);
    check("MPI_STATUSES_IGNORE", fth_mpi_abi.status_ignore, (uintptr_t)MPI_STATUSES_IGNORE);
    check("size of MPI_Status", fth_mpi_abi.status_size, sizeof(MPI_Status));
    check("MPI_SOURCE", fth_mpi_abi.source_at, offsetof(MPI_Status, MPI_SOURCE));
    check("MPI_TAG", fth_mpi_abi.tag_at, offsetof(MPI_Status, MPI_TAG));
    check("MPI_CART", (uint64_t)fth_mpi_abi.cart, MPI_CART);
    check("MPI_GRAPH", (uint64_t)fth_mpi_abi.graph, MPI_GRAPH);
    check("MPI_DIST_GRAPH", (uint64_t)fth_mpi_abi.dist_graph, MPI_DIST_GRAPH);
    check("MPI_UNDEFINED", (uint64_t)-32766, (uint64_t)MPI_UNDEFINED);
}

static void check_own_handles(void)
{
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_Datatype byte = MPI_BYTE;
    MPI_Errhandler errors_return = MPI_ERRORS_RETURN;
    uint64_t value = 0;
    memcpy(&value, &world, sizeof world);
    check("comm_world", fth_mpi_abi.comm_world, value);
    memcpy(&value, &byte, sizeof byte);
    check("byte", fth_mpi_abi.byte, value);
    memcpy(&value, &errors_return, sizeof errors_return);
    check("errors_return", fth_mpi_abi.errors_return, value);
}

/* What a reader makes of a number is the name that the header has for it. */
static void check_name(const char *found, const char *name)
{
    checked++;
    if (found && strcmp(found, name) == 0)
        return;
    wrong++;
    printf("%s: shown as %s\n", name, found ? found : "a number");
}

static void check_constants(void)
{
    static char mpi[] = "mpi";
    const struct fth_row row = {.layer = mpi};
    const struct fth_mpi_constants *constants = fth_mpi_constants_of(fth_mpi_abi.name);
#define CONSTANT(field_role, name)                                                                 \
    check_name(fth_constant_name(constants, &row, &(struct fth_field){.role = field_role}, name),  \
               #name);
    CONSTANT(FTH_ROLE_PEER, MPI_ANY_SOURCE)
    CONSTANT(FTH_ROLE_PEER, MPI_PROC_NULL)
    CONSTANT(FTH_ROLE_ROOT, MPI_ROOT)
    CONSTANT(FTH_ROLE_TAG, MPI_ANY_TAG)
    CONSTANT(FTH_ROLE_WHENCE, MPI_SEEK_SET)
    CONSTANT(FTH_ROLE_WHENCE, MPI_SEEK_CUR)
    CONSTANT(FTH_ROLE_WHENCE, MPI_SEEK_END)
    CONSTANT(FTH_ROLE_OUT, MPI_UNDEFINED)
#define NAMED(parameter, constant)                                                                 \
    check_name(fth_constant_name(constants, &row,                                                  \
                                 &(struct fth_field){.role = FTH_ROLE_VALUE, .name = parameter},   \
                                 constant),                                                        \
               #constant);
    static char split_type[] = "split_type", lock_type[] = "lock_type";
    NAMED(split_type, MPI_COMM_TYPE_SHARED)
    NAMED(split_type, MPI_UNDEFINED)
    NAMED(lock_type, MPI_LOCK_EXCLUSIVE)
    NAMED(lock_type, MPI_LOCK_SHARED)
#define ERROR(name) check_name(fth_error_name(constants, &row, name), #name);
#include "errors.inc"
}

static void check_garbage(void)
{
    for (uint32_t i = 0; i < 4096; i++) {
        uint64_t garbage = i * 0x9E3779B97F4A7C15u | 7;
        int found = fth_mpi_find_predefined(
            FTH_CLASS_comm, fth_mpi_abi.width[FTH_CLASS_comm] == 4 ? (uint32_t)garbage : garbage);
        check("garbage", (uint64_t)found, (uint64_t)-1);
    }
}

int main(int argc, char **argv)
{
    char why[256] = "";
    Dl_info library;
    int version, subversion;
    MPI_Get_version(&version, &subversion); /* else the linker leaves the library out */
    if (argc < 2 || !dladdr(dlsym(RTLD_DEFAULT, "MPI_Get_library_version"), &library))
        return 2;
    void *handle = dlopen(library.dli_fname, RTLD_NOW | RTLD_NOLOAD);
    if (!handle || !fth_mpi_recognise(handle, library.dli_fname, why, sizeof why)) {
        printf("%s is not recognised: %s\n", library.dli_fname, why);
        return 1;
    }
    if (strcmp(fth_mpi_abi.name, argv[1]) != 0) {
        printf("recognised as %s\n", fth_mpi_abi.name);
        return 1;
    }
#define CHECK(handle_class, name)                                                                  \
    check_handle(FTH_CLASS_##handle_class, #name, &(__typeof__(name)){name}, sizeof(name));
#include "names.inc"
    check_status();
    check_own_handles();
    check_constants();
    check_garbage();
    if (checked < 4096 + 250)
        printf("only %d things could be checked\n", checked);
    return wrong || checked < 4096 + 250;
}
