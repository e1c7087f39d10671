/* Sockets of litmus programs: one process connects, the other one accepts, and bytes go from one to
 * the other. What cannot be done ends the program with status 1. */
#ifndef LITMUS_SOCKETS_H
#define LITMUS_SOCKETS_H

#include "litmus.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

static int listener = -1;
static union {
    struct sockaddr any;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
    struct sockaddr_un local;
} place;
static socklen_t place_length;

static inline void listen_there(int family)
{
    listener = socket(family, SOCK_STREAM, 0);
    must(listener >= 0 && bind(listener, &place.any, place_length) == 0 && listen(listener, 8) == 0,
         "listen");
    place_length = sizeof place;
    must(getsockname(listener, &place.any, &place_length) == 0, "getsockname");
}

/* At a path, or, where the name begins with '@', at a name that is of no file. */
static inline void listen_at(const char *name)
{
    place.local.sun_family = AF_UNIX;
    strcpy(place.local.sun_path, name);
    place_length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name));
    if (*name == '@')
        place.local.sun_path[0] = 0;
    else
        unlink(name);
    listen_there(AF_UNIX);
}

/* At a port of this machine that the system chooses. */
static inline void listen_at_port(void)
{
    place.four.sin_family = AF_INET;
    place.four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    place_length = sizeof place.four;
    listen_there(AF_INET);
}

static inline void listen_at_port_of_six(void)
{
    place.six.sin6_family = AF_INET6;
    place.six.sin6_addr = in6addr_loopback;
    place_length = sizeof place.six;
    listen_there(AF_INET6);
}

static inline int connect_there(void)
{
    int other = socket(place.any.sa_family, SOCK_STREAM, 0);
    must(other >= 0 && connect(other, &place.any, place_length) == 0, "connect");
    return other;
}

static inline int accept_one(void)
{
    int other = accept(listener, NULL, NULL);
    must(other >= 0, "accept");
    return other;
}

static inline void send_byte(int other)
{
    char byte = 1;
    must(send(other, &byte, 1, 0) == 1, "send");
}

static inline void receive_byte(int other)
{
    char byte;
    must(recv(other, &byte, 1, 0) == 1, "recv");
}

/* Two processes, and the end of both. */
static inline void start_both(void (*one)(void), void (*other)(void))
{
    pid_t children[] = {start(one), start(other)};
    wait_for(children[0]);
    wait_for(children[1]);
}

#endif
