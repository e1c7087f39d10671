/* The secret of an instance, by libsodium. */
#include "fs/protocol/secret.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#ifdef FATHOM_SODIUM
#include <sodium.h>

_Static_assert(crypto_auth_KEYBYTES == FTH_SECRET_BYTES, "the key of crypto_auth");
_Static_assert(crypto_auth_BYTES == FTH_PROOF_BYTES, "what crypto_auth makes");

const bool fth_secret_is_built_in = true;

int fth_secret_make(int folder, uint8_t secret[FTH_SECRET_BYTES], struct fth_error **error)
{
    if (sodium_init() < 0)
        return fth_fail(error, "libsodium has no random numbers here");
    randombytes_buf(secret, FTH_SECRET_BYTES);
    return fth_secret_keep(folder, secret, error);
}

void fth_secret_challenge(uint8_t challenge[FTH_CHALLENGE_BYTES])
{
    randombytes_buf(challenge, FTH_CHALLENGE_BYTES);
}

static void answer(const char *side, const uint8_t of_server[FTH_CHALLENGE_BYTES],
                   const uint8_t of_client[FTH_CHALLENGE_BYTES],
                   uint8_t text[8 + 2 * FTH_CHALLENGE_BYTES])
{
    memset(text, 0, 8);
    memcpy(text, side, strnlen(side, 8));
    memcpy(text + 8, of_server, FTH_CHALLENGE_BYTES);
    memcpy(text + 8 + FTH_CHALLENGE_BYTES, of_client, FTH_CHALLENGE_BYTES);
}

void fth_secret_prove(const uint8_t secret[FTH_SECRET_BYTES], const char *side,
                      const uint8_t of_server[FTH_CHALLENGE_BYTES],
                      const uint8_t of_client[FTH_CHALLENGE_BYTES], uint8_t proof[FTH_PROOF_BYTES])
{
    uint8_t text[8 + 2 * FTH_CHALLENGE_BYTES];
    answer(side, of_server, of_client, text);
    crypto_auth(proof, text, sizeof text, secret);
}

bool fth_secret_proved(const uint8_t secret[FTH_SECRET_BYTES], const char *side,
                       const uint8_t of_server[FTH_CHALLENGE_BYTES],
                       const uint8_t of_client[FTH_CHALLENGE_BYTES],
                       const uint8_t proof[FTH_PROOF_BYTES])
{
    uint8_t text[8 + 2 * FTH_CHALLENGE_BYTES];
    answer(side, of_server, of_client, text);
    return crypto_auth_verify(proof, text, sizeof text, secret) == 0;
}

static int ready(struct fth_error **error)
{
    return sodium_init() < 0 ? fth_fail(error, "libsodium has no random numbers here") : 0;
}

#else
const bool fth_secret_is_built_in = false;

static int ready(struct fth_error **error)
{
    return fth_fail(error, "Fathom was built without libsodium, so there is no file system");
}

int fth_secret_make(int folder, uint8_t secret[FTH_SECRET_BYTES], struct fth_error **error)
{
    (void)folder;
    (void)secret;
    return ready(error);
}

void fth_secret_challenge(uint8_t challenge[FTH_CHALLENGE_BYTES])
{
    memset(challenge, 0, FTH_CHALLENGE_BYTES);
}

void fth_secret_prove(const uint8_t secret[FTH_SECRET_BYTES], const char *side,
                      const uint8_t of_server[FTH_CHALLENGE_BYTES],
                      const uint8_t of_client[FTH_CHALLENGE_BYTES], uint8_t proof[FTH_PROOF_BYTES])
{
    (void)secret;
    (void)side;
    (void)of_server;
    (void)of_client;
    memset(proof, 0, FTH_PROOF_BYTES);
}

bool fth_secret_proved(const uint8_t secret[FTH_SECRET_BYTES], const char *side,
                       const uint8_t of_server[FTH_CHALLENGE_BYTES],
                       const uint8_t of_client[FTH_CHALLENGE_BYTES],
                       const uint8_t proof[FTH_PROOF_BYTES])
{
    (void)secret;
    (void)side;
    (void)of_server;
    (void)of_client;
    (void)proof;
    return false;
}
#endif

int fth_secret_keep(int folder, const uint8_t secret[FTH_SECRET_BYTES], struct fth_error **error)
{
    if (ready(error))
        return -1;
    int file = openat(folder, "secret", O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        return fth_fail_errno(error, "the file of the secret cannot be made");
    bool written = write(file, secret, FTH_SECRET_BYTES) == FTH_SECRET_BYTES;
    if (close(file) || !written)
        return fth_fail_errno(error, "the secret cannot be written");
    return 0;
}

int fth_secret_read(int folder, uint8_t secret[FTH_SECRET_BYTES], struct fth_error **error)
{
    if (ready(error))
        return -1;
    int file = openat(folder, "secret", O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0)
        return fth_fail_errno(error, "the file of the secret cannot be opened");
    bool read_all = read(file, secret, FTH_SECRET_BYTES) == FTH_SECRET_BYTES;
    close(file);
    return read_all ? 0 : fth_fail(error, "the file of the secret is damaged");
}
