/* A read by a list, that nothing orders with a write; another block does nothing.
 * ranks: 2
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

#include <aio.h>

static void program(int rank)
{
    int file = open_file("shared", 0);
    if (rank == 0) {
        struct aiocb blocks[2] = {{.aio_fildes = file, .aio_buf = bytes, .aio_nbytes = 8}};
        blocks[1] = blocks[0];
        blocks[0].aio_lio_opcode = LIO_NOP;
        blocks[1].aio_lio_opcode = LIO_READ;
        blocks[1].aio_offset = 100;
        struct aiocb *list[] = {&blocks[0], &blocks[1]};
        must(lio_listio(LIO_WAIT, list, 2, NULL) == 0, "lio_listio");
    } else {
        put(file, 0, 104);
    }
    close(file);
}
