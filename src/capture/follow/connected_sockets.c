/* What a socket is connected to, so that a reader of the trace finds its other end: of TCP both
 * addresses, of Unix sockets the number of the other one. It is asked once for a connection, with
 * the first bytes that go through it: then both ends are there, however they came about (connect
 * that does not wait, accept, inherited, sent over another socket). The text is noted as another
 * path of the descriptor ("path of fd", docs/format.md).
 *
 *     tcp 10.0.0.1:4000 to 10.0.0.2:80          tcp [::1]:4000 to [::1]:80
 *     unix to 1234 of 77 at /run/server         (inode of the other end, 0: not known; its process;
 *                                               the name that they met at)
 *     packets to 1234 of 77 at @name            (the same, where each read takes what one write has
 *                                               put there)
 *     datagrams                                 (they may be lost, and come from anybody) */
#include "capture/follow/connected_sockets.h"

#include "capture/record/recorder_notes.h"
#include "interpose/own/apart.h"
#include "interpose/own/put.h"

#include <arpa/inet.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

/* The wrappers of these functions of libc are ours: the system itself is asked. */
static long option_of(int descriptor, int option, void *value, unsigned size)
{
    return syscall(SYS_getsockopt, descriptor, SOL_SOCKET, option, value, &size);
}

enum { LONGEST_CONNECTION = 256 };

union address {
    struct sockaddr any;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
    struct sockaddr_un local;
};

static bool address_of(long call, int descriptor, union address *address, unsigned *length)
{
    *length = sizeof *address;
    memset(address, 0, sizeof *address);
    return syscall(call, descriptor, address, length) == 0;
}

/* ---- TCP ---- */

static char *put_four(char *to, const unsigned char *bytes)
{
    for (int i = 0; i < 4; i++)
        to = fth_put_decimal(i ? fth_put_text(to, ".") : to, bytes[i]);
    return to;
}

/* One end of a connection between an address of version 4 and one of version 6 may see either: they
 * are written alike. */
static char *put_address(char *to, const union address *address)
{
    static const unsigned char mapped[12] = {[10] = 0xff, [11] = 0xff};
    const unsigned char *bytes = address->six.sin6_addr.s6_addr;
    uint16_t port =
        address->any.sa_family == AF_INET ? address->four.sin_port : address->six.sin6_port;
    if (address->any.sa_family == AF_INET) {
        to = put_four(to, (const unsigned char *)&address->four.sin_addr);
    } else if (memcmp(bytes, mapped, sizeof mapped) == 0) {
        to = put_four(to, bytes + sizeof mapped);
    } else {
        to = fth_put_text(to, "[");
        for (int i = 0; i < 16; i += 2)
            to = fth_put_hexadecimal(i ? fth_put_text(to, ":") : to,
                                     (unsigned)bytes[i] << 8 | bytes[i + 1], 1);
        to = fth_put_text(to, "]");
    }
    return fth_put_decimal(fth_put_text(to, ":"), ntohs(port));
}

static bool describe_addresses(int descriptor, char *text)
{
    union address own, other;
    unsigned length;
    if (!address_of(SYS_getsockname, descriptor, &own, &length) ||
        !address_of(SYS_getpeername, descriptor, &other, &length))
        return false;
    text = put_address(fth_put_text(text, "tcp "), &own);
    put_address(fth_put_text(text, " to "), &other);
    return true;
}

/* ---- Unix sockets ---- */

struct question {
    uint32_t inode, peer;
};

/* The other end's inode, as the system reports it to programs like ss. On a descriptor that is none
 * of the program's. */
static void ask_for_peer(void *context)
{
    struct question *question = context;
    struct {
        struct nlmsghdr head;
        struct unix_diag_req request;
    } asked = {{sizeof asked, SOCK_DIAG_BY_FAMILY, NLM_F_REQUEST, 1, 0},
               {AF_UNIX, 0, 0, ~0u, question->inode, UDIAG_SHOW_PEER, {~0u, ~0u}}};
    _Alignas(struct nlmsghdr) char answer[512];
    long channel = syscall(SYS_socket, AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (channel < 0)
        return;
    long size = -1;
    if (syscall(SYS_sendto, channel, &asked, sizeof asked, 0, NULL, 0) == (long)sizeof asked)
        size = syscall(SYS_recvfrom, channel, answer, sizeof answer, MSG_DONTWAIT, NULL, NULL);
    syscall(SYS_close, channel);
    const struct nlmsghdr *head = (const void *)answer;
    const struct unix_diag_msg *found = NLMSG_DATA(head);
    if (size < (long)NLMSG_LENGTH(sizeof *found) || head->nlmsg_len > (size_t)size ||
        head->nlmsg_type != SOCK_DIAG_BY_FAMILY || found->udiag_ino != question->inode)
        return;
    const char *at = (const char *)(found + 1), *end = answer + head->nlmsg_len;
    for (const struct rtattr *more = (const void *)at;
         end - at >= (long)RTA_LENGTH(sizeof question->peer) && more->rta_len >= sizeof *more;
         at += RTA_ALIGN(more->rta_len), more = (const void *)at)
        if (more->rta_type == UNIX_DIAG_PEER)
            memcpy(&question->peer, RTA_DATA(more), sizeof question->peer);
}

/* Who was accepted has the name himself, who connected sees it at the other end. Names that begin
 * with a zero are of no file. */
static char *put_name(char *to, const union address *address, unsigned length)
{
    const unsigned start = offsetof(struct sockaddr_un, sun_path);
    if (length <= start)
        return to;
    to = fth_put_text(to, " at ");
    for (unsigned i = 0; i < length - start; i++) {
        char letter = address->local.sun_path[i];
        if (!letter && i)
            break;
        *to++ = letter ? letter : '@';
    }
    *to = 0;
    return to;
}

static bool describe_peer(int descriptor, bool packets, char *text, bool *is_whole)
{
    union address own, other;
    unsigned own_length, other_length;
    struct ucred peer = {0};
    struct stat status;
    if (!address_of(SYS_getsockname, descriptor, &own, &own_length) ||
        !address_of(SYS_getpeername, descriptor, &other, &other_length) ||
        syscall(SYS_fstat, descriptor, &status) != 0)
        return false;
    option_of(descriptor, SO_PEERCRED, &peer, sizeof peer);
    struct question question = {.inode = (uint32_t)status.st_ino};
    if (status.st_ino <= UINT32_MAX)
        fth_apart(ask_for_peer, &question);
    *is_whole = question.peer != 0;
    text = fth_put_decimal(fth_put_text(text, packets ? "packets to " : "unix to "), question.peer);
    text = fth_put_decimal(fth_put_text(text, " of "), peer.pid > 0 ? (uint64_t)peer.pid : 0);
    bool accepted = own_length > offsetof(struct sockaddr_un, sun_path);
    put_name(text, accepted ? &own : &other, accepted ? own_length : other_length);
    return true;
}

/* ---- all of them ---- */

bool fth_is_socket(int descriptor)
{
    int type;
    return option_of(descriptor, SO_TYPE, &type, sizeof type) == 0;
}

bool fth_note_connection(struct fth_draft *draft, int32_t slot, int descriptor)
{
    char text[LONGEST_CONNECTION];
    int before = errno, domain = 0, type = 0;
    bool is_known = false, is_whole = true;
    option_of(descriptor, SO_DOMAIN, &domain, sizeof domain);
    option_of(descriptor, SO_TYPE, &type, sizeof type);
    if (domain == AF_UNIX && (type == SOCK_STREAM || type == SOCK_SEQPACKET))
        is_known = describe_peer(descriptor, type == SOCK_SEQPACKET, text, &is_whole);
    else if ((domain == AF_INET || domain == AF_INET6) && type == SOCK_STREAM)
        is_known = describe_addresses(descriptor, text);
    else if (domain) {
        fth_put_text(text, "datagrams");
        is_known = true;
    }
    if (is_known)
        fth_record_connection(draft, slot, text);
    errno = before;
    return is_known && is_whole;
}
