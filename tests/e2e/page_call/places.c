/* places NAME: writes to NAME at several places: in one piece, through a stream, and behind a
 * seek; and reads with lio_listio from two places. */
#include <aio.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static char bytes[4096];

int main(int count, char **arguments)
{
    if (count < 2)
        return 1;
    FILE *stream = fopen(arguments[1], "w");
    setvbuf(stream, NULL, _IOFBF, 1024);
    if (!stream || fwrite(bytes, 1, sizeof bytes, stream) != sizeof bytes || fclose(stream))
        return 1;
    int fd = open(arguments[1], O_RDWR);
    if (pwrite(fd, bytes, 100, 5000) != 100 || lseek(fd, 7000, SEEK_SET) != 7000 ||
        write(fd, bytes, 50) != 50)
        return 1;
    struct aiocb one = {.aio_fildes = fd,
                        .aio_buf = bytes,
                        .aio_nbytes = 10,
                        .aio_offset = 20,
                        .aio_lio_opcode = LIO_READ},
                 other = {.aio_fildes = fd,
                          .aio_buf = bytes + 100,
                          .aio_nbytes = 30,
                          .aio_offset = 400,
                          .aio_lio_opcode = LIO_READ},
                 *both[] = {&one, &other};
    if (lio_listio(LIO_WAIT, both, 2, NULL))
        return 1;
    return close(fd);
}
