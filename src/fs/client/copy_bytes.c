/* Copying from four places in turns. */
#include "fs/client/copy_bytes.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { BLOCK = 64, PLACES = 4, SHORT = 8 << 10, MOST = 16 << 10 /* bytes at a time: pages */ };

/* `part`: bytes from one place to the next, of whole blocks. */
static void copy_in_turns(uint8_t *restrict to, const uint8_t *restrict from, size_t part)
{
    for (size_t at = 0; at < part; at += BLOCK)
        for (size_t place = 0; place < PLACES * part; place += part)
            memcpy(to + place + at, from + place + at, BLOCK);
}

#if defined __x86_64__

/* Registers of 32 bytes: 8 KiB from memory take 0.56 us, with 16 bytes 0.69 us (memcpy: 0.94). */
typedef uint8_t wide __attribute__((vector_size(32), aligned(1), may_alias));

__attribute__((target("avx2"))) static void
copy_wide_in_turns(uint8_t *restrict to, const uint8_t *restrict from, size_t part)
{
    for (size_t at = 0; at < part; at += BLOCK)
        for (size_t place = 0; place < PLACES * part; place += part) {
            wide first = *(const wide *)(from + place + at),
                 second = *(const wide *)(from + place + at + sizeof(wide));
            *(wide *)(to + place + at) = first;
            *(wide *)(to + place + at + sizeof(wide)) = second;
        }
}

static bool can_be_wide(void)
{
    return __builtin_cpu_supports("avx2");
}

#else

static void copy_wide_in_turns(uint8_t *restrict to, const uint8_t *restrict from, size_t part)
{
    copy_in_turns(to, from, part);
}

static bool can_be_wide(void)
{
    return false;
}

#endif

void fth_copy_bytes(void *to, const void *from, size_t bytes)
{
    uint8_t *next = to;
    const uint8_t *at = from;
    bool is_wide = can_be_wide();
    while (bytes >= SHORT) {
        size_t part = (bytes < MOST ? bytes : MOST) / PLACES / BLOCK * BLOCK;
        if (is_wide)
            copy_wide_in_turns(next, at, part);
        else
            copy_in_turns(next, at, part);
        next += PLACES * part;
        at += PLACES * part;
        bytes -= PLACES * part;
    }
    memcpy(next, at, bytes);
}
