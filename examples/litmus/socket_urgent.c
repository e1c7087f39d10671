/* An urgent byte (MSG_OOB) overtakes one that was sent before and is not read: such connections are
 * not followed.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "sockets.h"

static int server;

static void first(void)
{
    int own = socket(AF_INET, SOCK_STREAM, 0);
    must(connect(own, &place.any, place_length) == 0, "connect");
    must(send(own, bytes, 1, 0) == 1, "send");
    put(open_file("shared", 0), 0, 8);
    must(send(own, bytes, 1, MSG_OOB) == 1, "send");
    usleep(50000);
}

static void second(void)
{
    int own = accept(server, NULL, NULL);
    while (recv(own, bytes, 1, MSG_OOB) != 1)
        usleep(1000);
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    place.four.sin_family = AF_INET;
    place.four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    place_length = sizeof place.four;
    server = socket(AF_INET, SOCK_STREAM, 0);
    must(bind(server, &place.any, place_length) == 0 && listen(server, 1) == 0, "listen");
    must(getsockname(server, &place.any, &place_length) == 0, "getsockname");
    start_both(first, second);
    return 0;
}
