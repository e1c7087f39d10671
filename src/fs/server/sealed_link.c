/* Proof and encryption between servers, by libsodium. */
#include "fs/server/sealed_link.h"

#include "base/memory.h"
#include "fs/protocol/fs_messages.h"

#include <errno.h>
#include <string.h>

#ifdef FATHOM_SODIUM
#include <sodium.h>

_Static_assert(crypto_kx_PUBLICKEYBYTES == FTH_CHALLENGE_BYTES, "a public key is a challenge");

enum {
    LENGTH = FTH_MESSAGE_LENGTH,
    STREAM = crypto_secretstream_xchacha20poly1305_HEADERBYTES,
    SEAL = crypto_secretstream_xchacha20poly1305_ABYTES,
    FIRST_MOST = 256, /* bytes of a frame of the handshake */
};

static const char name[] = "fathom fs";

struct fth_sealed_link {
    uint8_t secret[FTH_SECRET_BYTES];
    uint8_t own[crypto_kx_PUBLICKEYBYTES], private[crypto_kx_SECRETKEYBYTES];
    uint8_t other[crypto_kx_PUBLICKEYBYTES];
    uint8_t to_other[crypto_kx_SESSIONKEYBYTES], from_other[crypto_kx_SESSIONKEYBYTES];
    crypto_secretstream_xchacha20poly1305_state push, pull;
    bool listens, has_key, is_open;
};

struct fth_sealed_link *fth_sealed_link_new(const uint8_t secret[FTH_SECRET_BYTES], bool listens)
{
    struct fth_sealed_link *link = fth_new(1, sizeof *link);
    memcpy(link->secret, secret, FTH_SECRET_BYTES);
    link->listens = listens;
    crypto_kx_keypair(link->own, link->private);
    return link;
}

void fth_sealed_link_free(struct fth_sealed_link *link)
{
    if (link)
        sodium_memzero(link, sizeof *link);
    free(link);
}

bool fth_sealed_link_is_open(const struct fth_sealed_link *link)
{
    return link->is_open;
}

/* ---- frames ---- */

static size_t begin_frame(struct fth_bytes *out)
{
    static const uint8_t length[LENGTH];
    fth_bytes_put(out, length, LENGTH);
    return out->length;
}

static void end_frame(struct fth_bytes *out, size_t begin)
{
    size_t rest = out->length - begin;
    for (size_t i = 0; i < LENGTH; i++)
        out->data[begin - LENGTH + i] = (uint8_t)(rest >> (8 * i));
}

int64_t fth_sealed_link_frame(const struct fth_sealed_link *link, const uint8_t *bytes,
                              size_t count)
{
    uint32_t rest = 0;
    if (count < LENGTH)
        return 0;
    for (size_t i = 0; i < LENGTH; i++)
        rest |= (uint32_t)bytes[i] << (8 * i);
    uint32_t most = link->is_open ? (uint32_t)FTH_MESSAGE_MOST + SEAL : FIRST_MOST;
    return !rest || rest > most ? -1 : (int64_t)rest + LENGTH;
}

/* ---- the handshake ---- */

void fth_sealed_link_begin(struct fth_sealed_link *link, struct fth_bytes *out)
{
    size_t begin = begin_frame(out);
    fth_bytes_put(out, name, sizeof name);
    fth_bytes_varint(out, FTH_LINK_VERSION);
    fth_bytes_put(out, link->own, sizeof link->own);
    end_frame(out, begin);
}

static bool make_keys(struct fth_sealed_link *link, const uint8_t *other)
{
    memcpy(link->other, other, sizeof link->other);
    link->has_key = true;
    return (link->listens
                ? crypto_kx_server_session_keys(link->from_other, link->to_other, link->own,
                                                link->private, link->other)
                : crypto_kx_client_session_keys(link->from_other, link->to_other, link->own,
                                                link->private, link->other)) == 0;
}

static const uint8_t *key_of(const struct fth_sealed_link *link, bool of_listener)
{
    return of_listener == link->listens ? link->own : link->other;
}

static void put_proof(struct fth_sealed_link *link, struct fth_bytes *out)
{
    uint8_t proof[FTH_PROOF_BYTES], stream[STREAM];
    fth_secret_prove(link->secret, link->listens ? "listens" : "connects", key_of(link, true),
                     key_of(link, false), proof);
    crypto_secretstream_xchacha20poly1305_init_push(&link->push, stream, link->to_other);
    fth_bytes_put(out, proof, sizeof proof);
    fth_bytes_put(out, stream, sizeof stream);
}

static bool takes_proof(struct fth_sealed_link *link, struct fth_view *view)
{
    const uint8_t *proof = fth_view_bytes(view, FTH_PROOF_BYTES);
    const uint8_t *stream = fth_view_bytes(view, STREAM);
    return stream &&
           fth_secret_proved(link->secret, link->listens ? "connects" : "listens",
                             key_of(link, true), key_of(link, false), proof) &&
           !crypto_secretstream_xchacha20poly1305_init_pull(&link->pull, stream, link->from_other);
}

/* The connector has the listener's key. */
static int greet(struct fth_sealed_link *link, struct fth_view *view, struct fth_bytes *out,
                 uint64_t *version)
{
    const uint8_t *said = fth_view_bytes(view, sizeof name);
    *version = fth_view_varint(view);
    if (!said || memcmp(said, name, sizeof name) != 0)
        return EBADMSG;
    if (*version != FTH_LINK_VERSION)
        return EPROTO;
    const uint8_t *key = fth_view_bytes(view, sizeof link->other);
    if (!key || !make_keys(link, key))
        return EBADMSG;
    size_t begin = begin_frame(out);
    fth_bytes_varint(out, FTH_LINK_VERSION);
    fth_bytes_put(out, link->own, sizeof link->own);
    put_proof(link, out);
    end_frame(out, begin);
    return 0;
}

static int refuse_link(int error, struct fth_bytes *out)
{
    size_t begin = begin_frame(out);
    fth_bytes_varint(out, (uint64_t)error);
    fth_bytes_varint(out, FTH_LINK_VERSION);
    end_frame(out, begin);
    return error;
}

static int admit(struct fth_sealed_link *link, struct fth_view *view, struct fth_bytes *out,
                 uint64_t *version)
{
    *version = fth_view_varint(view);
    if (!view->failed && *version != FTH_LINK_VERSION)
        return refuse_link(EPROTO, out);
    const uint8_t *key = fth_view_bytes(view, sizeof link->other);
    if (!key || !make_keys(link, key) || !takes_proof(link, view))
        return refuse_link(EACCES, out);
    size_t begin = begin_frame(out);
    fth_bytes_varint(out, 0);
    put_proof(link, out);
    end_frame(out, begin);
    link->is_open = true;
    return 0;
}

static int conclude(struct fth_sealed_link *link, struct fth_view *view, uint64_t *version)
{
    uint64_t error = fth_view_varint(view);
    if (error) {
        *version = fth_view_varint(view);
        return error == EPROTO ? EPROTO : EACCES;
    }
    if (!takes_proof(link, view))
        return EACCES;
    link->is_open = true;
    return 0;
}

int fth_sealed_link_shake(struct fth_sealed_link *link, const uint8_t *frame, size_t length,
                          struct fth_bytes *out, uint64_t *version)
{
    struct fth_view view = fth_view_of(frame + LENGTH, length - LENGTH);
    if (link->is_open)
        return EBADMSG;
    if (link->listens)
        return admit(link, &view, out, version);
    return link->has_key ? conclude(link, &view, version) : greet(link, &view, out, version);
}

/* ---- messages ---- */

void fth_sealed_link_put(struct fth_sealed_link *link, const void *message, size_t length,
                         struct fth_bytes *out)
{
    size_t begin = begin_frame(out);
    uint8_t *to = fth_bytes_room(out, length + SEAL);
    crypto_secretstream_xchacha20poly1305_push(&link->push, to, NULL, message, length, NULL, 0, 0);
    out->length += length + SEAL;
    end_frame(out, begin);
}

bool fth_sealed_link_take(struct fth_sealed_link *link, const uint8_t *frame, size_t length,
                          struct fth_bytes *message)
{
    size_t sealed = length - LENGTH;
    message->length = 0;
    if (!link->is_open || sealed < SEAL)
        return false;
    uint8_t *to = fth_bytes_room(message, sealed - SEAL + 1);
    if (crypto_secretstream_xchacha20poly1305_pull(&link->pull, to, NULL, NULL, frame + LENGTH,
                                                   sealed, NULL, 0))
        return false;
    message->length = sealed - SEAL;
    return true;
}

#else
/* There is no file system without libsodium, so nobody has one of these. */
struct fth_sealed_link *fth_sealed_link_new(const uint8_t secret[FTH_SECRET_BYTES], bool listens)
{
    (void)secret;
    (void)listens;
    return NULL;
}

void fth_sealed_link_free(struct fth_sealed_link *link)
{
    (void)link;
}

void fth_sealed_link_begin(struct fth_sealed_link *link, struct fth_bytes *out)
{
    (void)link;
    (void)out;
}

bool fth_sealed_link_is_open(const struct fth_sealed_link *link)
{
    (void)link;
    return false;
}

int64_t fth_sealed_link_frame(const struct fth_sealed_link *link, const uint8_t *bytes,
                              size_t count)
{
    (void)link;
    (void)bytes;
    (void)count;
    return -1;
}

int fth_sealed_link_shake(struct fth_sealed_link *link, const uint8_t *frame, size_t length,
                          struct fth_bytes *out, uint64_t *version)
{
    (void)link;
    (void)frame;
    (void)length;
    (void)out;
    (void)version;
    return EACCES;
}

void fth_sealed_link_put(struct fth_sealed_link *link, const void *message, size_t length,
                         struct fth_bytes *out)
{
    (void)link;
    (void)message;
    (void)length;
    (void)out;
}

bool fth_sealed_link_take(struct fth_sealed_link *link, const uint8_t *frame, size_t length,
                          struct fth_bytes *message)
{
    (void)link;
    (void)frame;
    (void)length;
    (void)message;
    return false;
}
#endif
