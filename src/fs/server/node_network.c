/* Sockets between servers: where one listens, and how another one comes there. */
#include "fs/server/node_network.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SILENT_SECONDS = 10 };

union any_address {
    struct sockaddr head;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
};

static bool read_address(const char *text, uint16_t port, union any_address *address)
{
    *address = (union any_address){.four = {.sin_family = AF_INET, .sin_port = htons(port)}};
    if (inet_pton(AF_INET, text, &address->four.sin_addr) == 1)
        return true;
    *address = (union any_address){.six = {.sin6_family = AF_INET6, .sin6_port = htons(port)}};
    return inet_pton(AF_INET6, text, &address->six.sin6_addr) == 1;
}

static socklen_t length_of(const union any_address *address)
{
    return address->head.sa_family == AF_INET ? sizeof address->four : sizeof address->six;
}

/* The first address of a device that other nodes may reach, version 4 before version 6. */
static bool find_of_device(const char *device, union any_address *address)
{
    struct ifaddrs *all = NULL;
    int found = 0;
    if (getifaddrs(&all))
        return false;
    for (const struct ifaddrs *one = all; one; one = one->ifa_next) {
        int family = one->ifa_addr ? one->ifa_addr->sa_family : AF_UNSPEC;
        if (strcmp(one->ifa_name, device) != 0 || found == AF_INET ||
            (family != AF_INET && (family != AF_INET6 || found)))
            continue;
        if (family == AF_INET6 &&
            IN6_IS_ADDR_LINKLOCAL(&((const struct sockaddr_in6 *)(void *)one->ifa_addr)->sin6_addr))
            continue;
        memcpy(address, one->ifa_addr,
               family == AF_INET ? sizeof address->four : sizeof address->six);
        found = family;
    }
    freeifaddrs(all);
    return found != 0;
}

static int tell_address(int listening, struct fth_met_node *node, struct fth_error **error)
{
    union any_address bound;
    socklen_t length = sizeof bound;
    if (getsockname(listening, &bound.head, &length))
        return fth_fail_errno(error, "the address of the server is not known");
    bool is_four = bound.head.sa_family == AF_INET;
    const void *address =
        is_four ? (const void *)&bound.four.sin_addr : (const void *)&bound.six.sin6_addr;
    inet_ntop(bound.head.sa_family, address, node->address, sizeof node->address);
    node->port = ntohs(is_four ? bound.four.sin_port : bound.six.sin6_port);
    return 0;
}

int fth_node_listen(const struct fth_fs_instance *instance, struct fth_met_node *node,
                    struct fth_error **error)
{
    union any_address address;
    const char *text = *instance->address ? instance->address : "127.0.0.1";
    fth_node_name(node->name);
    if (!read_address(text, 0, &address) && !find_of_device(text, &address))
        return fth_fail(error,
                        "there is no network device '%s' with an address here, and it is no "
                        "address: `ip address` lists both",
                        text);
    int made = socket(address.head.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (made >= 0 && bind(made, &address.head, length_of(&address)) == 0 &&
        listen(made, SOMAXCONN) == 0 && tell_address(made, node, error) == 0)
        return made;
    int failed = *error ? -1
                        : fth_fail_errno(error,
                                         "the server cannot listen on '%s' for those of "
                                         "other nodes",
                                         text);
    if (made >= 0)
        close(made);
    return failed;
}

int fth_node_beat_socket(int listening)
{
    union any_address bound;
    socklen_t length = sizeof bound;
    if (getsockname(listening, &bound.head, &length))
        return -1;
    int made = socket(bound.head.sa_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (made < 0 || bind(made, &bound.head, length) == 0)
        return made;
    int error = errno;
    close(made);
    errno = error;
    return -1;
}

bool fth_node_send_beat(int from, const struct fth_met_node *node, const void *bytes, size_t length)
{
    union any_address address;
    return read_address(node->address, node->port, &address) &&
           sendto(from, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT, &address.head,
                  length_of(&address)) == (ssize_t)length;
}

void fth_node_socket_begin(int made)
{
    const int yes = 1, idle = SILENT_SECONDS / 2, every = 1, count = SILENT_SECONDS / 2;
    const unsigned most = SILENT_SECONDS * 1000;
    setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    setsockopt(made, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
    setsockopt(made, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    setsockopt(made, IPPROTO_TCP, TCP_KEEPINTVL, &every, sizeof every);
    setsockopt(made, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
    setsockopt(made, IPPROTO_TCP, TCP_USER_TIMEOUT, &most, sizeof most);
}

int fth_node_connect(const struct fth_met_node *node)
{
    union any_address address;
    if (!read_address(node->address, node->port, &address)) {
        errno = EBADMSG;
        return -1;
    }
    int made = socket(address.head.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (made < 0)
        return -1;
    fth_node_socket_begin(made);
    if (connect(made, &address.head, length_of(&address)) == 0 || errno == EINPROGRESS)
        return made;
    int error = errno;
    close(made);
    errno = error;
    return -1;
}
