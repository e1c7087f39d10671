/* As much of cufile.h as the test needs, laid out as there. */
#include <stddef.h>
#include <sys/types.h>
#include <sys/uio.h>

typedef struct {
    int err, cu_err;
} CUfileError_t;
typedef void *CUfileHandle_t, *CUfileBatchHandle_t, *CUstream;
typedef struct {
    int type;
    union {
        int fd;
        void *handle;
    } handle;
    const void *fs_ops;
} CUfileDescr_t;
enum { CU_FILE_HANDLE_TYPE_OPAQUE_FD = 1, CU_FILE_DRIVER_NOT_INITIALIZED = 5001 };
typedef struct iovec CUfileIOVec_t;

CUfileError_t cuFileDriverOpen(void);
CUfileError_t cuFileDriverClose_v2(void);
CUfileError_t cuFileHandleRegister(CUfileHandle_t *fh, CUfileDescr_t *descr);
void cuFileHandleDeregister(CUfileHandle_t fh);
CUfileError_t cuFileBufRegister(const void *base, size_t length, int flags);
CUfileError_t cuFileBufDeregister(const void *base);
ssize_t cuFileRead(CUfileHandle_t fh, void *base, size_t size, off_t file_offset, off_t offset);
ssize_t cuFileWrite(CUfileHandle_t fh, const void *base, size_t size, off_t file_offset,
                    off_t offset);
ssize_t cuFileWritev(CUfileHandle_t fh, const CUfileIOVec_t *iov, size_t iovcnt, off_t file_offset,
                     unsigned flags);
CUfileError_t cuFileReadAsync(CUfileHandle_t fh, void *base, size_t *size, off_t *file_offset,
                              off_t *offset, ssize_t *bytes_read, CUstream stream);
CUfileError_t cuFileBatchIOSetUp(CUfileBatchHandle_t *batch, unsigned nr);
void cuFileBatchIODestroy(CUfileBatchHandle_t batch);
