/* Copying from four places in turns. */
#include "fs/client/copy_bytes.h"

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

void fth_copy_bytes(void *to, const void *from, size_t bytes)
{
    uint8_t *next = to;
    const uint8_t *at = from;
    while (bytes >= SHORT) {
        size_t part = (bytes < MOST ? bytes : MOST) / PLACES / BLOCK * BLOCK;
        copy_in_turns(next, at, part);
        next += PLACES * part;
        at += PLACES * part;
        bytes -= PLACES * part;
    }
    memcpy(next, at, bytes);
}
