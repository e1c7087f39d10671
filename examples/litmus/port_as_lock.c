/* A port that only one can have is a lock: the reader tries to bind it until the writer has given
 * it back.
 * posix: unknown  commit: unknown  session: unknown  mpi-io: none */
#include "litmus.h"

#include <arpa/inet.h>
#include <sys/socket.h>

static struct sockaddr_in address;
static int held;

static int is_done(void)
{
    static int asked;
    int port = socket(AF_INET, SOCK_STREAM, 0);
    int done = bind(port, (struct sockaddr *)&address, sizeof address) == 0;
    if (!asked++)
        make_name("asked");
    return done;
}

static void first(void)
{
    wait_for_name("asked");
    int shared = open_file("shared", 0);
    put(shared, 0, 8);
    close(shared);
    close(held);
}

static void second(void)
{
    while (!is_done())
        usleep(1000);
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    socklen_t length = sizeof address;
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    held = socket(AF_INET, SOCK_STREAM, 0);
    must(bind(held, (struct sockaddr *)&address, length) == 0, "bind");
    must(getsockname(held, (struct sockaddr *)&address, &length) == 0, "getsockname");
    pid_t writer = start(first);
    close(held);
    pid_t children[] = {writer, start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
