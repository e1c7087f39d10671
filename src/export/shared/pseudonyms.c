/* SipHash (Aumasson and Bernstein, 2012) of each part of a path, as 12 letters and digits. */
#include "export/shared/pseudonyms.h"

#include "base/bytes.h"
#include "base/memory.h"
#include "base/text_file.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/random.h>

enum {
    DIGITS = 12,    /* of 5 bits: two of ten million are equal with odds of 1 : 10,000 */
    LEAST_KEY = 16, /* bytes: less could be guessed */
    MOST_KEY = 1 << 20,
};

/* ---- the hash ---- */

static uint64_t rotated(uint64_t word, unsigned bits)
{
    return word << bits | word >> (64 - bits);
}

static void mix(uint64_t v[4], int rounds)
{
    while (rounds--) {
        v[0] += v[1];
        v[2] += v[3];
        v[1] = rotated(v[1], 13) ^ v[0];
        v[3] = rotated(v[3], 16) ^ v[2];
        v[0] = rotated(v[0], 32);
        v[2] += v[1];
        v[0] += v[3];
        v[1] = rotated(v[1], 17) ^ v[2];
        v[3] = rotated(v[3], 21) ^ v[0];
        v[2] = rotated(v[2], 32);
    }
}

static uint64_t word_of(const uint8_t *bytes, size_t count)
{
    uint64_t word = 0;
    for (size_t i = 0; i < count; i++)
        word |= (uint64_t)bytes[i] << 8 * i;
    return word;
}

uint64_t fth_pseudonyms_hash(const uint64_t key[2], const void *bytes, size_t length)
{
    uint64_t v[4] = {key[0] ^ 0x736f6d6570736575, key[1] ^ 0x646f72616e646f6d,
                     key[0] ^ 0x6c7967656e657261, key[1] ^ 0x7465646279746573};
    const uint8_t *at = bytes;
    for (size_t left = length;; left -= 8, at += 8) {
        bool is_last = left < 8;
        uint64_t word = is_last ? word_of(at, left) | (uint64_t)length << 56 : word_of(at, 8);
        v[3] ^= word;
        mix(v, 2);
        v[0] ^= word;
        if (is_last)
            break;
    }
    v[2] ^= 0xff;
    mix(v, 4);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* ---- the key ---- */

static int read_key(struct fth_pseudonyms *names, const char *path, struct fth_error **error)
{
    static const uint64_t first[2] = {1, 0}, second[2] = {2, 0};
    FILE *file = fth_text_file(path, MOST_KEY, error);
    if (!file)
        return -1;
    char *bytes = fth_new(MOST_KEY, 1);
    size_t length = fread(bytes, 1, MOST_KEY, file);
    int result = 0;
    if (ferror(file))
        result = fth_fail_errno(error, "cannot read '%s'", path);
    else if (length < LEAST_KEY)
        result = fth_fail(error, "the key '%s' has %zu bytes; it must have %d or more, by chance",
                          path, length, LEAST_KEY);
    names->key[0] = fth_pseudonyms_hash(first, bytes, length);
    names->key[1] = fth_pseudonyms_hash(second, bytes, length);
    free(bytes);
    fclose(file);
    return result;
}

int fth_pseudonyms_begin(struct fth_pseudonyms *names, const char *key_file,
                         struct fth_error **error)
{
    if (key_file)
        return read_key(names, key_file, error);
    return getrandom(names->key, sizeof names->key, 0) == sizeof names->key
               ? 0
               : fth_fail_errno(error, "cannot make a random key");
}

/* ---- names ---- */

/* What is behind the dot says what kind of file it is, and stays, if it is one of many programs.
 * Any other could be a name. */
static const char *known_extension(const char *name, size_t length)
{
    static const char *const known[] = {"bin", "bp",      "bz2",  "csv", "dat", "db",  "gz",  "h5",
                                        "hdf", "hdf5",    "json", "log", "nc",  "nc4", "npy", "npz",
                                        "out", "parquet", "py",   "so",  "tar", "tmp", "txt", "xml",
                                        "xz",  "yaml",    "yml",  "zip", "zst"};
    const char *dot = memrchr(name, '.', length);
    size_t rest = dot ? (size_t)(name + length - dot) - 1 : 0;
    for (size_t i = 0; dot && dot > name && i < sizeof known / sizeof *known; i++)
        if (strlen(known[i]) == rest && !memcmp(dot + 1, known[i], rest))
            return known[i];
    return NULL;
}

static void put_part(struct fth_bytes *to, const struct fth_pseudonyms *names, const char *part,
                     size_t length)
{
    static const char digits[] = "abcdefghijklmnopqrstuvwxyz234567";
    bool is_place = (length == 1 && *part == '.') || (length == 2 && !memcmp(part, "..", 2));
    if (!length || is_place) {
        fth_bytes_put(to, part, length);
        return;
    }
    const char *extension = known_extension(part, length);
    uint64_t hash = fth_pseudonyms_hash(names->key, part, length);
    fth_bytes_put(to, &digits[hash & 15], 1); /* a letter, as names of objects have */
    for (int i = 1; i < DIGITS; i++)
        fth_bytes_put(to, &digits[(hash >>= 5) & 31], 1);
    if (extension) {
        fth_bytes_put(to, ".", 1);
        fth_bytes_put(to, extension, strlen(extension));
    }
}

char *fth_pseudonym(const struct fth_pseudonyms *names, const char *text)
{
    struct fth_bytes made = {0};
    if (!text || !names)
        return text ? fth_text_copy(text) : NULL;
    for (;; text++) {
        size_t length = strcspn(text, "/");
        put_part(&made, names, text, length);
        text += length;
        fth_bytes_put(&made, text, 1); /* the slash, or the end */
        if (!*text)
            return (char *)made.data;
    }
}

/* As the names of constants of MPI and HDF5. */
static bool is_constant(const char *text)
{
    bool has_prefix = !strncmp(text, "MPI_", 4) || !strncmp(text, "H5", 2);
    return has_prefix && !text[strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")];
}

char *fth_pseudonym_of_object(const struct fth_pseudonyms *names, const char *text)
{
    return text && is_constant(text) ? fth_text_copy(text) : fth_pseudonym(names, text);
}
