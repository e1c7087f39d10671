/* A connection of TCP: the byte is sent before the write.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "sockets.h"

static void first(void)
{
    int file = open_file("shared", 0), other = connect_there();
    send_byte(other);
    put(file, 0, 8);
}

static void second(void)
{
    int file = open_file("shared", 0), other = accept_one();
    receive_byte(other);
    get(file, 0, 8);
}

int main(void)
{
    listen_at_port();
    start_both(first, second);
    return 0;
}
