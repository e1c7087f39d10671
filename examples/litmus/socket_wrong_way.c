/* A connection of TCP: the reader tells the writer, who writes whenever it likes.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "sockets.h"

static void first(void)
{
    int file = open_file("shared", 0), other = connect_there();
    put(file, 0, 8);
    receive_byte(other);
}

static void second(void)
{
    int file = open_file("shared", 0), other = accept_one();
    send_byte(other);
    get(file, 0, 8);
}

int main(void)
{
    listen_at_port();
    start_both(first, second);
    return 0;
}
