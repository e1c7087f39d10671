/* Writes and reads two files through cuFile, and says what came back. */
#include "cufile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static CUfileHandle_t open_both(const char *path, int *file)
{
    CUfileHandle_t handle = NULL;
    *file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    CUfileDescr_t descr = {.type = CU_FILE_HANDLE_TYPE_OPAQUE_FD, .handle.fd = *file};
    CUfileError_t error = cuFileHandleRegister(&handle, &descr);
    printf("%s: %d %d\n", path, error.err, error.cu_err);
    return handle;
}

int main(void)
{
    static char memory[8192];
    int first, second;
    open_both("first", &first); /* before the driver is open: refused */
    close(first);
    cuFileDriverOpen();
    CUfileHandle_t one = open_both("first", &first), other = open_both("second", &second);
    cuFileBufRegister(memory, sizeof memory, 0);
    for (int i = 0; i < 10; i++)
        printf("%zd ", cuFileWrite(one, memory, 4096, i * 4096L, 4096));
    CUfileIOVec_t pieces[] = {{memory, 100}, {memory + 1000, 50}};
    printf("%zd\n", cuFileWritev(other, pieces, 2, 8, 0));
    for (int i = 9; i >= 0; i--)
        printf("%zd ", cuFileRead(one, memory, 4096, i * 4096L, 0));
    errno = 0;
    printf("%zd %d\n", cuFileRead(one, memory, 0, 0, 0), errno);
    printf("%zd %s\n", cuFileWrite(one, (void *)16, 8, 0, 0), strerror(errno));
    size_t size = 20;
    off_t at = 8, offset = 1;
    ssize_t moved = 0;
    CUfileError_t error = cuFileReadAsync(other, memory, &size, &at, &offset, &moved, NULL);
    printf("%d %zd\n", error.err, moved);
    CUfileBatchHandle_t batch;
    cuFileBatchIOSetUp(&batch, 8);
    cuFileBatchIODestroy(batch);
    cuFileHandleDeregister(one);
    cuFileHandleDeregister(other);
    cuFileBufDeregister(memory);
    cuFileDriverClose_v2();
    close(first);
    close(second);
    return 0;
}
