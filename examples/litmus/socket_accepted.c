/* Who accepts a connection knows what was done before somebody connected; nothing goes through it,
 * so whose connection it is is not known.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/socket.h>
#include <sys/un.h>

static const struct sockaddr_un address = {AF_UNIX, "socket"};

static void writes(void)
{
    int connection = socket(AF_UNIX, SOCK_STREAM, 0);
    put(open_file("shared", 0), 0, 8);
    must(connect(connection, (const struct sockaddr *)&address, sizeof address) == 0, "connect");
}

int main(void)
{
    int server = socket(AF_UNIX, SOCK_STREAM, 0);
    must(bind(server, (const struct sockaddr *)&address, sizeof address) == 0, "bind");
    must(listen(server, 1) == 0, "listen");
    pid_t writer = start(writes);
    must(accept(server, NULL, NULL) >= 0, "accept");
    get(open_file("shared", 0), 0, 8);
    wait_for(writer);
    return 0;
}
