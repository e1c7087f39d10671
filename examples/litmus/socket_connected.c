/* connect does not wait until somebody accepts the connection.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/socket.h>
#include <sys/un.h>

static const struct sockaddr_un address = {AF_UNIX, "socket"};

static void reads(void)
{
    int connection = socket(AF_UNIX, SOCK_STREAM, 0);
    must(connect(connection, (const struct sockaddr *)&address, sizeof address) == 0, "connect");
    usleep(50000);
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    int server = socket(AF_UNIX, SOCK_STREAM, 0);
    must(bind(server, (const struct sockaddr *)&address, sizeof address) == 0, "bind");
    must(listen(server, 1) == 0, "listen");
    pid_t reader = start(reads);
    put(open_file("shared", 0), 0, 8);
    must(accept(server, NULL, NULL) >= 0, "accept");
    wait_for(reader);
    return 0;
}
