/* Two writes of aio, started by one call that waits for both; the message comes behind it.
 * ranks: 2
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

#include <aio.h>

static void program(int rank)
{
    int file = open_file("shared", 0);
    if (rank == 0) {
        struct aiocb blocks[2] = {{.aio_fildes = file, .aio_buf = bytes, .aio_nbytes = 8}};
        blocks[1] = blocks[0];
        blocks[1].aio_offset = 100;
        blocks[0].aio_lio_opcode = blocks[1].aio_lio_opcode = LIO_WRITE;
        struct aiocb *list[] = {&blocks[0], &blocks[1]};
        must(lio_listio(LIO_WAIT, list, 2, NULL) == 0, "lio_listio");
        send_to(1, 0);
    } else {
        receive_from(0, 0);
        get(file, 100, 104);
    }
    close(file);
}
