/* A byte that was looked at is still there: who reads it later has read that one, and not the next
 * one.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "sockets.h"

static void first(void)
{
    int file = open_file("shared", 0), other = connect_there();
    put(file, 0, 8);
    send_byte(other);
    receive_byte(other);
    put(file, 8, 16);
    send_byte(other);
}

static void second(void)
{
    char byte;
    int file = open_file("shared", 0), other = accept_one();
    must(recv(other, &byte, 1, MSG_PEEK) == 1, "recv");
    receive_byte(other);
    get(file, 0, 8);
    send_byte(other);
    receive_byte(other);
    get(file, 8, 16);
}

int main(void)
{
    listen_at_port();
    start_both(first, second);
    return 0;
}
