/* A piece of memory that a client shares with the server of its node: the request of the client and
 * the answer to it, one at a time, without a message by the socket.
 *
 * The server makes it, with a length that nobody can change, and sends it with its proof. A client
 * that finds the server asleep wakes it by the socket (FTH_MESSAGE_LOOK); what does not fit in the
 * memory, or has a descriptor with it, goes by the socket as well. Neither side trusts what the
 * other has written: lengths are read once, and requests are copied before they are read. */
#ifndef FTH_FS_MAILBOX_H
#define FTH_FS_MAILBOX_H

#include "base/bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FTH_MAILBOX_REQUEST = 16 << 10, FTH_MAILBOX_ANSWER = 47 << 10 };

/* Each of the first words has one writer. */
struct fth_mailbox {
    _Alignas(64) uint32_t asked; /* number of the request, by the client */
    uint32_t request_length;
    uint32_t waits; /* the client sleeps until `answered` changes; set back by who wakes it */
    _Alignas(64) uint32_t answered; /* number of the request that is answered, by the server */
    uint32_t answer_length;         /* FTH_MAILBOX_BY_SOCKET: the answer comes there */
    uint32_t sleeps;                /* the server looks only when it is woken */
    _Alignas(64) uint8_t request[FTH_MAILBOX_REQUEST];
    uint8_t answer[FTH_MAILBOX_ANSWER];
};

#define FTH_MAILBOX_BY_SOCKET UINT32_MAX

/* Of the server: makes one, and *descriptor of it for the client, to be closed. NULL: errno. */
struct fth_mailbox *fth_mailbox_make(int *descriptor);
/* Of the client: maps that of the descriptor, which is closed. The child of a fork does not have
 * it. NULL: errno is set. */
struct fth_mailbox *fth_mailbox_map(int descriptor);
void fth_mailbox_unmap(struct fth_mailbox *box);

/* Of the client: puts a request (without the length that messages have) into it. false: it does not
 * fit. *wake: the server sleeps. */
bool fth_mailbox_ask(struct fth_mailbox *box, const void *request, size_t length, bool *wake);
/* Has the answer come? Waits a little for it. */
bool fth_mailbox_is_answered(struct fth_mailbox *box);
/* It is not waited for any more: a server that was stopped does not find the request. */
void fth_mailbox_withdraw(struct fth_mailbox *box);
/* Takes it. false: it comes by the socket, or is no answer: errno is EBADMSG then, else 0. */
bool fth_mailbox_take(struct fth_mailbox *box, struct fth_bytes *answer);

/* Of the server: is there a request after *number? Then it is copied, and *number its number: 1.
 * -1: it cannot be one. */
int fth_mailbox_look(struct fth_mailbox *box, uint32_t *number, struct fth_bytes *request);
/* Answers it; without `answer`: by the socket. false: it does not fit. */
bool fth_mailbox_answer(struct fth_mailbox *box, uint32_t number, const void *answer,
                        size_t length);
void fth_mailbox_sleep(struct fth_mailbox *box, bool sleeps);

#endif
