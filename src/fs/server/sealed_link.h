/* What servers of two nodes say to one another, sealed: a handshake by which both prove that they
 * know the secret of the instance before anything else is said, and then messages that nobody else
 * can read, change, leave out or repeat. Nothing here sends or receives: bytes are given and taken.
 *
 * Everything goes in frames: a length of 4 bytes (little-endian), then so many bytes.
 *
 *     listener:   name, version, public key                     in the clear
 *     connector:  version, public key, proof, begin of its stream
 *     listener:   0, proof, begin of its stream; or errno, version
 *     then:       messages, each sealed (XChaCha20-Poly1305, by libsodium's secretstream)
 *
 * Public keys are new for each connection (X25519, libsodium's kx), and the proofs are of both of
 * them (secret.h): who gets the secret later cannot read what was said before. */
#ifndef FTH_FS_SEALED_LINK_H
#define FTH_FS_SEALED_LINK_H

#include "base/bytes.h"
#include "fs/protocol/secret.h"

#include <stdbool.h>

enum { FTH_LINK_VERSION = 7 };

struct fth_sealed_link;

/* One side of a new connection. NULL: Fathom was built without libsodium. */
struct fth_sealed_link *fth_sealed_link_new(const uint8_t secret[FTH_SECRET_BYTES], bool listens);
void fth_sealed_link_free(struct fth_sealed_link *link);
/* Puts what a listener says first. */
void fth_sealed_link_begin(struct fth_sealed_link *link, struct fth_bytes *out);
/* How long a frame is that begins with these bytes, with its length; 0: not known yet. -1: it
 * cannot be one, or not yet: before both have proved themselves, frames are short. */
int64_t fth_sealed_link_frame(const struct fth_sealed_link *link, const uint8_t *bytes,
                              size_t count);
/* Have both sides proved themselves? */
bool fth_sealed_link_is_open(const struct fth_sealed_link *link);
/* Takes a whole frame of the handshake and puts what is said next, if anything. 0; else errno:
 * EACCES (the other does not know the secret, or says that we do not), EPROTO (another version, in
 * *version), EBADMSG. What was put is to be sent also then. */
int fth_sealed_link_shake(struct fth_sealed_link *link, const uint8_t *frame, size_t length,
                          struct fth_bytes *out, uint64_t *version);
/* Puts a message, sealed, as a frame. */
void fth_sealed_link_put(struct fth_sealed_link *link, const void *message, size_t length,
                         struct fth_bytes *out);
/* Opens a whole frame. false: it is not what the other side said next. */
bool fth_sealed_link_take(struct fth_sealed_link *link, const uint8_t *frame, size_t length,
                          struct fth_bytes *message);

#endif
