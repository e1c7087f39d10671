/* The secret of an instance: 32 random bytes in a private file. Both sides prove that they know it,
 * without sending it, before anything else is said (HMAC-SHA-512-256 of fresh random numbers, by
 * libsodium). */
#ifndef FTH_FS_SECRET_H
#define FTH_FS_SECRET_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

enum { FTH_SECRET_BYTES = 32, FTH_PROOF_BYTES = 32, FTH_CHALLENGE_BYTES = 32 };

/* Was it built with libsodium? Without it there is no file system. */
extern const bool fth_secret_is_built_in;

/* Makes `secret` in the folder, which has none yet, or keeps there one that is known; or reads it.
 * -1: *error is set. */
int fth_secret_make(int folder, uint8_t secret[FTH_SECRET_BYTES], struct fth_error **error);
int fth_secret_keep(int folder, const uint8_t secret[FTH_SECRET_BYTES], struct fth_error **error);
int fth_secret_read(int folder, uint8_t secret[FTH_SECRET_BYTES], struct fth_error **error);
void fth_secret_challenge(uint8_t challenge[FTH_CHALLENGE_BYTES]);
/* What `side` ("client", "server") answers to the challenges of the server and the client. */
void fth_secret_prove(const uint8_t secret[FTH_SECRET_BYTES], const char *side,
                      const uint8_t of_server[FTH_CHALLENGE_BYTES],
                      const uint8_t of_client[FTH_CHALLENGE_BYTES], uint8_t proof[FTH_PROOF_BYTES]);
bool fth_secret_proved(const uint8_t secret[FTH_SECRET_BYTES], const char *side,
                       const uint8_t of_server[FTH_CHALLENGE_BYTES],
                       const uint8_t of_client[FTH_CHALLENGE_BYTES],
                       const uint8_t proof[FTH_PROOF_BYTES]);

#endif
