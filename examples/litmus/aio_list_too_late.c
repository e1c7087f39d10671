/* Two writes of aio, started by one call that does not wait; one of them is complete behind the
 * message.
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
        blocks[1].aio_offset = 100;
        blocks[0].aio_lio_opcode = blocks[1].aio_lio_opcode = LIO_WRITE;
        struct aiocb *list[] = {&blocks[0], &blocks[1]};
        const struct aiocb *first[] = {&blocks[0]}, *second[] = {&blocks[1]};
        must(lio_listio(LIO_NOWAIT, list, 2, NULL) == 0, "lio_listio");
        must(aio_suspend(first, 1, NULL) == 0, "aio_suspend");
        send_to(1, 0);
        must(aio_suspend(second, 1, NULL) == 0, "aio_suspend");
    } else {
        receive_from(0, 0);
        get(file, 100, 104);
    }
    close(file);
}
