/* A piece of MPI, in the ABI of the standard, for programs whose ranks are played one after the
 * other in one process (bench/models.c). Its library, mpi.c, has nobody to send to: what a call
 * would have to wait for has always come. */
#ifndef FTH_BENCH_MPI_H
#define FTH_BENCH_MPI_H

#include <stdint.h>

typedef struct fake_comm *MPI_Comm;
typedef struct fake_datatype *MPI_Datatype;
typedef struct fake_op *MPI_Op;
typedef struct fake_info *MPI_Info;
typedef struct fake_errhandler *MPI_Errhandler;
typedef struct fake_request *MPI_Request;
typedef struct fake_file *MPI_File;
typedef int64_t MPI_Offset;
typedef struct {
    int MPI_SOURCE, MPI_TAG, MPI_ERROR, reserved[5];
} MPI_Status;

#define MPI_COMM_WORLD ((MPI_Comm)0x101)
#define MPI_SUM ((MPI_Op)0x021)
#define MPI_INFO_NULL ((MPI_Info)0x130)
#define MPI_FILE_NULL ((MPI_File)0x118)
#define MPI_REQUEST_NULL ((MPI_Request)0x180)
#define MPI_DOUBLE ((MPI_Datatype)0x214)
#define MPI_BYTE ((MPI_Datatype)0x247)
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
enum { MPI_SUCCESS, MPI_MODE_CREATE = 2, MPI_MODE_WRONLY = 256 };

int MPI_Init(int *argc, char ***argv);
int MPI_Finalize(void);
int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Comm_size(MPI_Comm comm, int *size);
int MPI_Isend(const void *buffer, int count, MPI_Datatype datatype, int dest, int tag,
              MPI_Comm comm, MPI_Request *request);
int MPI_Irecv(void *buffer, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
              MPI_Request *request);
int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status);
int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses);
int MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype datatype, MPI_Op op,
                  MPI_Comm comm);
int MPI_File_open(MPI_Comm comm, const char *path, int mode, MPI_Info info, MPI_File *file);
int MPI_File_close(MPI_File *file);
int MPI_File_write_at_all(MPI_File file, MPI_Offset offset, const void *buffer, int count,
                          MPI_Datatype datatype, MPI_Status *status);

#endif
