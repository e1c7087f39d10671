/* What the generated wrappers of cuFile need: its types, as far as they are passed on or looked
 * into. CUDA is not needed to build. */
#ifndef FTH_CAPTURE_WRAP_WRAP_CUFILE_H
#define FTH_CAPTURE_WRAP_WRAP_CUFILE_H

#include "capture/wrap/wrap_bound.h"

#include <sys/uio.h>
#include <time.h>

typedef void *CUfileHandle_t, *CUfileBatchHandle_t, *CUstream;
typedef struct iovec CUfileIOVec_t; /* void *base; size_t len */
typedef enum {
    CUFILE_SOME_PARAMETER
} CUfileDriverStatusFlags_t,
    CUfileP2PFlags_t, CUFileSizeTConfigParameter_t, CUFileBoolConfigParameter_t,
    CUFileStringConfigParameter_t;
typedef struct CUfileIOParams CUfileIOParams_t;
typedef struct CUfileIOEvents CUfileIOEvents_t;
typedef struct CUfileDrvProps CUfileDrvProps_t;
typedef struct CUfileStatsLevel1 CUfileStatsLevel1_t;
typedef struct CUfileStatsLevel2 CUfileStatsLevel2_t;
typedef struct CUfileStatsLevel3 CUfileStatsLevel3_t;

/* In the header it is a structure of two int: the error of cuFile, and that of CUDA. It is returned
 * in one register as this is, on x86-64 and on aarch64. What is kept is the first of them. */
typedef uint64_t CUfileError_t;
#undef fth_code
#define fth_code(result) ((int64_t)(int32_t)(result))

/* A function that moves bytes returns -1 and sets errno, or returns minus an error of cuFile.
 * `call` is the draft of the generated wrapper. */
static inline int64_t fth_cufile_failure(const struct fth_draft *draft, int64_t result)
{
    return result == -1 ? fth_failure(draft) : FTH_FAILED + (uint16_t)-result;
}
#undef FTH_FAILED_UNREPORTED
#define FTH_FAILED_UNREPORTED (FTH_FAILED + UINT16_MAX)
#undef FTH_FAILED_WITH
#define FTH_FAILED_WITH(result) fth_cufile_failure(&call, result)

typedef struct {
    int type; /* of what: CU_FILE_HANDLE_TYPE_OPAQUE_FD ... */
    union {
        int fd;
        void *handle;
    } handle;
    const void *fs_ops;
} CUfileDescr_t;
enum { FTH_CUFILE_OF_DESCRIPTOR = 1 };

/* The path of the file that the description is about; NULL: nobody knows. Stands until the call is
 * kept. */
const char *fth_cufile_path(const struct fth_draft *draft, const CUfileDescr_t *descr);
/* So a description can stand where a row has a path. */
#define fth_given_text(draft, text)                                                                \
    _Generic((text), CUfileDescr_t * : fth_cufile_path, default : fth_given_text)(draft, text)

#endif
