/* Small texts put together where snprintf would need more stack than a signal handler may have.
 * Each returns where it ended. */
#ifndef FTH_INTERPOSE_OWN_PUT_H
#define FTH_INTERPOSE_OWN_PUT_H

#include <stdint.h>
#include <string.h>

static inline char *fth_put_text(char *to, const char *text)
{
    size_t length = strlen(text);
    memcpy(to, text, length + 1);
    return to + length;
}

static inline char *fth_put_decimal(char *to, uint64_t number)
{
    char digits[20];
    int count = 0;
    do
        digits[count++] = (char)('0' + number % 10);
    while (number /= 10);
    while (count)
        *to++ = digits[--count];
    *to = 0;
    return to;
}

/* With so many digits at least; ended by a zero byte. */
static inline char *fth_put_hexadecimal(char *to, unsigned number, unsigned least)
{
    for (unsigned digits = 8; digits; digits--)
        if (digits <= least || number >> 4 * (digits - 1))
            *to++ = "0123456789abcdef"[number >> 4 * (digits - 1) & 15];
    *to = 0;
    return to;
}

/* 16 digits. */
static inline char *fth_put_image(char *to, uint64_t image)
{
    for (int shift = 60; shift >= 0; shift -= 4)
        *to++ = "0123456789abcdef"[image >> shift & 15];
    *to = 0;
    return to;
}

#endif
