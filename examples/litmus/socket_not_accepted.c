/* The connection is closed before anybody has accepted it: its bytes are there, and read later.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "sockets.h"

static void first(void)
{
    int file = open_file("shared", 0), other = connect_there();
    put(file, 0, 8);
    send_byte(other);
    close(other);
    make_name("closed");
}

static void second(void)
{
    wait_for_name("closed");
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
