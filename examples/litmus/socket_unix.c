/* A connection over a Unix socket, known by its path: who has read the byte knows what was done
 * before it was sent.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "sockets.h"

static void first(void)
{
    int file = open_file("shared", 0), other = connect_there();
    put(file, 0, 8);
    send_byte(other);
}

static void second(void)
{
    int file = open_file("shared", 0), other = accept_one();
    receive_byte(other);
    get(file, 0, 8);
}

int main(void)
{
    listen_at("here");
    start_both(first, second);
    return 0;
}
