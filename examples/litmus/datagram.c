/* A datagram between two sockets of the machine: it may be lost, and is not followed.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "sockets.h"

static int reader;

static void first(void)
{
    char byte = 1;
    int file = open_file("shared", 0), own = socket(AF_INET, SOCK_DGRAM, 0);
    put(file, 0, 8);
    must(sendto(own, &byte, 1, 0, &place.any, place_length) == 1, "sendto");
}

static void second(void)
{
    int file = open_file("shared", 0);
    receive_byte(reader);
    get(file, 0, 8);
}

int main(void)
{
    place.four.sin_family = AF_INET;
    place.four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    place_length = sizeof place.four;
    reader = socket(AF_INET, SOCK_DGRAM, 0);
    must(bind(reader, &place.any, place_length) == 0, "bind");
    must(getsockname(reader, &place.any, &place_length) == 0, "getsockname");
    start_both(first, second);
    return 0;
}
