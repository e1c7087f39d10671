/* Who shuts down what it reads finds an end there that nobody else has made.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "sockets.h"

static void first(void)
{
    int file = open_file("shared", 0), other = connect_there();
    send_byte(other);
    put(file, 0, 8);
    close(other);
}

static void second(void)
{
    char byte;
    int file = open_file("shared", 0), other = accept_one();
    receive_byte(other);
    usleep(100000);
    shutdown(other, SHUT_RD);
    while (recv(other, &byte, 1, 0) > 0)
        ;
    get(file, 0, 8);
}

int main(void)
{
    listen_at_port();
    start_both(first, second);
    return 0;
}
