/* A list of more blocks than a trace keeps: which bytes they are of is not known.
 * ranks: 2
 * posix: unknown  commit: unknown  session: unknown  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

#include <aio.h>

enum { COUNT = 129 };

static void program(int rank)
{
    int file = open_file("shared", 0);
    if (rank == 0) {
        static struct aiocb blocks[COUNT];
        struct aiocb *list[COUNT];
        for (int i = 0; i < COUNT; i++) {
            blocks[i] = (struct aiocb){.aio_fildes = file, .aio_buf = bytes, .aio_nbytes = 8};
            blocks[i].aio_offset = 8 * i;
            blocks[i].aio_lio_opcode = LIO_READ;
            list[i] = &blocks[i];
        }
        must(lio_listio(LIO_WAIT, list, COUNT, NULL) == 0, "lio_listio");
    } else {
        put(file, 0, 8);
    }
    close(file);
}
