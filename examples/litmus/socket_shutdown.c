/* Half of a connection is shut down: its end is read behind what was done before.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "sockets.h"

static void first(void)
{
    int file = open_file("shared", 0), other = connect_there();
    send_byte(other);
    put(file, 0, 8);
    shutdown(other, SHUT_WR);
    receive_byte(other);
}

static void second(void)
{
    char byte;
    int file = open_file("shared", 0), other = accept_one();
    receive_byte(other);
    must(recv(other, &byte, 1, 0) == 0, "recv");
    get(file, 0, 8);
    send_byte(other);
}

int main(void)
{
    listen_at_port();
    start_both(first, second);
    return 0;
}
