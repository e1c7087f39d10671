/* What the numbers of MPI stand for: constants that every ABI has chosen for itself, so that a
 * reader can give them their one name. They are those of the headers of Open MPI 4 and 5, of MPICH
 * 3 and later with its descendants, and of the standard (MPI 5.0, "Application Binary
 * Interface"). */
#include "model/reading/constants.h"

#include "model/reading/netcdf_errors.h"
#include "trace/record/builtin.h"

#include <stdio.h>
#include <string.h>

enum { UNDEFINED = -32766 }; /* in all of them */
enum abi { OPENMPI, MPICH, STANDARD, ABIS };
static const char *const abi_names[ABIS] = {"openmpi", "mpich", "standard"};

/* The same constant in each of them; 0: it has none. */
struct constant {
    const char *name;
    int numbers[ABIS];
};

static const struct constant peers[] = {
    {"MPI_ANY_SOURCE", {-1, -2, -1}},
    {"MPI_PROC_NULL", {-2, -1, -3}},
    {"MPI_ROOT", {-4, -3, -4}},
};
static const struct constant tags[] = {{"MPI_ANY_TAG", {-1, -1, -2}}};
static const struct constant split_types[] = {{"MPI_COMM_TYPE_SHARED", {0, 1, 221}}};
static const struct constant lock_types[] = {
    {"MPI_LOCK_EXCLUSIVE", {1, 234, 301}},
    {"MPI_LOCK_SHARED", {2, 235, 302}},
};
static const struct constant whences[] = {
    {"MPI_SEEK_SET", {600, 600, 401}},
    {"MPI_SEEK_CUR", {602, 602, 402}},
    {"MPI_SEEK_END", {604, 604, 403}},
};
/* Error classes. */
static const struct constant errors[] = {
    {"MPI_ERR_BUFFER", {1, 1, 1}},
    {"MPI_ERR_COUNT", {2, 2, 2}},
    {"MPI_ERR_TYPE", {3, 3, 3}},
    {"MPI_ERR_TAG", {4, 4, 4}},
    {"MPI_ERR_COMM", {5, 5, 5}},
    {"MPI_ERR_RANK", {6, 6, 6}},
    {"MPI_ERR_REQUEST", {7, 19, 7}},
    {"MPI_ERR_ROOT", {8, 7, 8}},
    {"MPI_ERR_GROUP", {9, 8, 9}},
    {"MPI_ERR_OP", {10, 9, 10}},
    {"MPI_ERR_TOPOLOGY", {11, 10, 11}},
    {"MPI_ERR_DIMS", {12, 11, 12}},
    {"MPI_ERR_ARG", {13, 12, 13}},
    {"MPI_ERR_UNKNOWN", {14, 13, 14}},
    {"MPI_ERR_TRUNCATE", {15, 14, 15}},
    {"MPI_ERR_OTHER", {16, 15, 16}},
    {"MPI_ERR_INTERN", {17, 16, 17}},
    {"MPI_ERR_PENDING", {19, 18, 18}},
    {"MPI_ERR_IN_STATUS", {18, 17, 19}},
    {"MPI_ERR_ACCESS", {20, 20, 20}},
    {"MPI_ERR_AMODE", {21, 21, 21}},
    {"MPI_ERR_ASSERT", {22, 53, 22}},
    {"MPI_ERR_BAD_FILE", {23, 22, 23}},
    {"MPI_ERR_BASE", {24, 46, 24}},
    {"MPI_ERR_CONVERSION", {25, 23, 25}},
    {"MPI_ERR_DISP", {26, 52, 26}},
    {"MPI_ERR_DUP_DATAREP", {27, 24, 27}},
    {"MPI_ERR_FILE_EXISTS", {28, 25, 28}},
    {"MPI_ERR_FILE_IN_USE", {29, 26, 29}},
    {"MPI_ERR_FILE", {30, 27, 30}},
    {"MPI_ERR_INFO_KEY", {31, 29, 31}},
    {"MPI_ERR_INFO_NOKEY", {32, 31, 32}},
    {"MPI_ERR_INFO_VALUE", {33, 30, 33}},
    {"MPI_ERR_INFO", {34, 28, 34}},
    {"MPI_ERR_IO", {35, 32, 35}},
    {"MPI_ERR_KEYVAL", {36, 48, 36}},
    {"MPI_ERR_LOCKTYPE", {37, 47, 37}},
    {"MPI_ERR_NAME", {38, 33, 38}},
    {"MPI_ERR_NO_MEM", {39, 34, 39}},
    {"MPI_ERR_NOT_SAME", {40, 35, 40}},
    {"MPI_ERR_NO_SPACE", {41, 36, 41}},
    {"MPI_ERR_NO_SUCH_FILE", {42, 37, 42}},
    {"MPI_ERR_PORT", {43, 38, 43}},
    {"MPI_ERR_QUOTA", {44, 39, 44}},
    {"MPI_ERR_READ_ONLY", {45, 40, 45}},
    {"MPI_ERR_RMA_ATTACH", {69, 56, 46}},
    {"MPI_ERR_RMA_CONFLICT", {46, 49, 47}},
    {"MPI_ERR_RMA_RANGE", {68, 55, 48}},
    {"MPI_ERR_RMA_SHARED", {71, 57, 49}},
    {"MPI_ERR_RMA_SYNC", {47, 50, 50}},
    {"MPI_ERR_SERVICE", {48, 41, 51}},
    {"MPI_ERR_SIZE", {49, 51, 52}},
    {"MPI_ERR_SPAWN", {50, 42, 53}},
    {"MPI_ERR_UNSUPPORTED_DATAREP", {51, 43, 54}},
    {"MPI_ERR_UNSUPPORTED_OPERATION", {52, 44, 55}},
    {"MPI_ERR_WIN", {53, 45, 56}},
    {"MPI_ERR_RMA_FLAVOR", {70, 58, 57}},
    {"MPI_ERR_PROC_ABORTED", {74, 76, 58}},
    {"MPI_ERR_VALUE_TOO_LARGE", {79, 77, 59}},
    {"MPI_ERR_SESSION", {78, 75, 60}},
    {"MPI_ERR_ERRHANDLER", {0, 80, 61}},
    {"MPI_ERR_ABI", {0, 81, 62}},
    {"MPI_T_ERR_CANNOT_INIT", {56, 61, 1001}},
    {"MPI_T_ERR_NOT_ACCESSIBLE", {0, 79, 1002}},
    {"MPI_T_ERR_NOT_INITIALIZED", {55, 60, 1003}},
    {"MPI_T_ERR_NOT_SUPPORTED", {0, 78, 1004}},
    {"MPI_T_ERR_MEMORY", {54, 59, 1005}},
    {"MPI_T_ERR_INVALID", {72, 74, 1006}},
    {"MPI_T_ERR_INVALID_INDEX", {57, 62, 1007}},
    {"MPI_T_ERR_INVALID_ITEM", {58, 63, 1008}},
    {"MPI_T_ERR_INVALID_SESSION", {62, 67, 1009}},
    {"MPI_T_ERR_INVALID_HANDLE", {59, 64, 1010}},
    {"MPI_T_ERR_INVALID_NAME", {73, 73, 1011}},
    {"MPI_T_ERR_OUT_OF_HANDLES", {60, 65, 1012}},
    {"MPI_T_ERR_OUT_OF_SESSIONS", {61, 66, 1013}},
    {"MPI_T_ERR_CVAR_SET_NOT_NOW", {63, 68, 1014}},
    {"MPI_T_ERR_CVAR_SET_NEVER", {64, 69, 1015}},
    {"MPI_T_ERR_PVAR_NO_WRITE", {66, 71, 1016}},
    {"MPI_T_ERR_PVAR_NO_STARTSTOP", {65, 70, 1017}},
    {"MPI_T_ERR_PVAR_NO_ATOMIC", {67, 72, 1018}},
    {"MPI_ERR_PROC_FAILED", {75, 0, 0}},
    {"MPI_ERR_PROC_FAILED_PENDING", {76, 0, 0}},
    {"MPI_ERR_REVOKED", {77, 0, 0}},
};

/* Bits of MPI_File_open; those of Open MPI and MPICH are in the catalogue. */
static struct fth_flag standard_amodes[] = {
    {1, "MPI_MODE_APPEND"},      {2, "MPI_MODE_CREATE"},        {4, "MPI_MODE_DELETE_ON_CLOSE"},
    {8, "MPI_MODE_EXCL"},        {16, "MPI_MODE_RDONLY"},       {32, "MPI_MODE_RDWR"},
    {64, "MPI_MODE_SEQUENTIAL"}, {128, "MPI_MODE_UNIQUE_OPEN"}, {256, "MPI_MODE_WRONLY"},
};
static const struct fth_flags standard_flags = {
    "amode", sizeof standard_amodes / sizeof *standard_amodes, standard_amodes};

struct fth_mpi_constants {
    enum abi abi;
};

const struct fth_mpi_constants *fth_mpi_constants_of(const char *mpi)
{
    static const struct fth_mpi_constants all[ABIS] = {{OPENMPI}, {MPICH}, {STANDARD}};
    for (size_t i = 0; mpi && i < ABIS; i++) {
        size_t length = strlen(abi_names[i]);
        if (strncmp(mpi, abi_names[i], length) == 0 && (!mpi[length] || mpi[length] == ' '))
            return &all[i];
    }
    return NULL;
}

const char *fth_mpi_abi_name(const struct fth_mpi_constants *constants)
{
    return constants ? abi_names[constants->abi] : NULL;
}

static const char *find(const struct constant *constants, size_t count, enum abi abi, int64_t value)
{
    for (size_t i = 0; i < count; i++)
        if (constants[i].numbers[abi] == value)
            return constants[i].name;
    return NULL;
}
#define FIND(constants, abi, value)                                                                \
    find(constants, sizeof(constants) / sizeof *(constants), abi, value)

static const char *whence_of_posix(int64_t value)
{
    static const char *const names[] = {"SEEK_SET", "SEEK_CUR", "SEEK_END", "SEEK_DATA",
                                        "SEEK_HOLE"};
    return value >= 0 && value < 5 ? names[value] : NULL;
}

static bool is_of_mpi(const struct fth_row *row)
{
    return fth_layer_is(row->layer, FTH_LAYER_MESSAGES | FTH_LAYER_TOGETHER);
}

static bool is_of_netcdf(const struct fth_row *row)
{
    return fth_layer_is(row->layer, FTH_LAYER_NETCDF);
}

static const char *name_of_mpi(const struct fth_mpi_constants *constants,
                               const struct fth_field *field, int64_t value)
{
    if (field->name && strcmp(field->name, "split_type") == 0)
        return value == UNDEFINED ? "MPI_UNDEFINED" : FIND(split_types, constants->abi, value);
    if (field->name && strcmp(field->name, "lock_type") == 0)
        return FIND(lock_types, constants->abi, value);
    switch (field->role) {
    case FTH_ROLE_VALUE:
    case FTH_ROLE_OUT:
        return value == UNDEFINED ? "MPI_UNDEFINED" : NULL;
    case FTH_ROLE_PEER:
    case FTH_ROLE_ROOT:
        return FIND(peers, constants->abi, value);
    case FTH_ROLE_TAG:
        return FIND(tags, constants->abi, value);
    case FTH_ROLE_WHENCE:
        return FIND(whences, constants->abi, value);
    default:
        return NULL;
    }
}

/* Most values have no name in MPI either: whose function it is need not be looked up for them. */
const char *fth_constant_name(const struct fth_mpi_constants *constants, const struct fth_row *row,
                              const struct fth_field *field, int64_t value)
{
    if (field->role == FTH_ROLE_WHENCE && !is_of_mpi(row))
        return whence_of_posix(value);
    const char *name = constants ? name_of_mpi(constants, field, value) : NULL;
    return name && is_of_mpi(row) ? name : NULL;
}

const char *fth_error_name(const struct fth_mpi_constants *constants, const struct fth_row *row,
                           int64_t number)
{
    enum { MPICH_CLASS = 0x7f }; /* bits of a code that are its class */
    if (number < 0 && is_of_netcdf(row))
        return fth_netcdf_error_name(number);
    if (!is_of_mpi(row))
        return number > 0 && number < 4096 ? strerrorname_np((int)number) : NULL;
    if (!constants || number <= 0)
        return NULL;
    return FIND(errors, constants->abi, constants->abi == MPICH ? number & MPICH_CLASS : number);
}

const char *fth_constant_null_handle(const char *handle_class)
{
    static const struct {
        const char *handle_class, *name;
    } nulls[] = {
        {"fd", "AT_FDCWD"},
        {"comm", "MPI_COMM_NULL"},
        {"datatype", "MPI_DATATYPE_NULL"},
        {"op", "MPI_OP_NULL"},
        {"win", "MPI_WIN_NULL"},
        {"request", "MPI_REQUEST_NULL"},
        {"message", "MPI_MESSAGE_NULL"},
        {"group", "MPI_GROUP_NULL"},
        {"info", "MPI_INFO_NULL"},
        {"errhandler", "MPI_ERRHANDLER_NULL"},
        {"session", "MPI_SESSION_NULL"},
        {"mpi_file", "MPI_FILE_NULL"},
    };
    for (size_t i = 0; i < sizeof nulls / sizeof *nulls; i++)
        if (strcmp(nulls[i].handle_class, handle_class) == 0)
            return nulls[i].name;
    return NULL;
}

const struct fth_flags *fth_mpi_flags(const struct fth_mpi_constants *constants, const char *name)
{
    bool its_own =
        constants && constants->abi == STANDARD && strcmp(name, standard_flags.name) == 0;
    return its_own ? &standard_flags : NULL;
}
