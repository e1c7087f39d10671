/* A reader finds that the other end has given up the connection (ECONNRESET), which it did when it
 * had written to the file.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "sockets.h"

static void first(void)
{
    struct linger none = {.l_onoff = 1};
    int other = accept_one();
    put(open_file("shared", 0), 0, 8);
    must(setsockopt(other, SOL_SOCKET, SO_LINGER, &none, sizeof none) == 0, "setsockopt");
    close(other);
    usleep(50000);
}

static void second(void)
{
    int file = open_file("shared", 0), other = connect_there();
    must(read(other, bytes, 1) < 0 && errno == ECONNRESET, "read");
    get(file, 0, 8);
}

int main(void)
{
    listen_at_port();
    start_both(first, second);
    return 0;
}
