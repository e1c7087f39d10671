/* A libcufile.so.0 without a GPU: what the real one does in its compatibility mode, with memory of
 * the host. */
#include "cufile.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static int is_open;
static const CUfileError_t good, not_open = {CU_FILE_DRIVER_NOT_INITIALIZED, 3};

CUfileError_t cuFileDriverOpen(void)
{
    is_open = 1;
    return good;
}

CUfileError_t cuFileDriverClose_v2(void)
{
    is_open = 0;
    return good;
}

CUfileError_t cuFileHandleRegister(CUfileHandle_t *fh, CUfileDescr_t *descr)
{
    if (!is_open)
        return not_open;
    int *handle = malloc(sizeof *handle);
    *handle = descr->handle.fd;
    *fh = handle;
    return good;
}

void cuFileHandleDeregister(CUfileHandle_t fh)
{
    free(fh);
}

CUfileError_t cuFileBufRegister(const void *base, size_t length, int flags)
{
    return (void)base, (void)length, (void)flags, good;
}

CUfileError_t cuFileBufDeregister(const void *base)
{
    return (void)base, good;
}

ssize_t cuFileRead(CUfileHandle_t fh, void *base, size_t size, off_t file_offset, off_t offset)
{
    return size ? pread(*(int *)fh, (char *)base + offset, size, file_offset)
                : -5011; /* an error of its own */
}

ssize_t cuFileWrite(CUfileHandle_t fh, const void *base, size_t size, off_t file_offset,
                    off_t offset)
{
    return pwrite(*(int *)fh, (const char *)base + offset, size, file_offset);
}

ssize_t cuFileWritev(CUfileHandle_t fh, const CUfileIOVec_t *iov, size_t iovcnt, off_t file_offset,
                     unsigned flags)
{
    return (void)flags, pwritev(*(int *)fh, iov, (int)iovcnt, file_offset);
}

CUfileError_t cuFileReadAsync(CUfileHandle_t fh, void *base, size_t *size, off_t *file_offset,
                              off_t *offset, ssize_t *bytes_read, CUstream stream)
{
    (void)stream;
    *bytes_read = pread(*(int *)fh, (char *)base + *offset, *size, *file_offset);
    return good;
}

CUfileError_t cuFileBatchIOSetUp(CUfileBatchHandle_t *batch, unsigned nr)
{
    *batch = malloc(nr);
    return good;
}

void cuFileBatchIODestroy(CUfileBatchHandle_t batch)
{
    free(batch);
}
