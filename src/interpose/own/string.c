/* What the tracer needs of <string.h>, its own and hidden. Through the program's these calls would
 * come to the interceptors of a sanitizer, which take what the tracer does behind the program's
 * back for races of the program, and are not ready before its first lines. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize(                                                                              \
    "no-tree-loop-distribute-patterns") /* a loop that copies would become a call of memcpy */
#endif
#pragma GCC visibility push(hidden)

enum {
    WORD = sizeof(uint64_t),
    LONG = 256 /* bytes from which the processor's own loop is faster */
};

static void copy_word(unsigned char *to, const unsigned char *from)
{
    uint64_t word;
    __builtin_memcpy(&word, from, WORD);
    __builtin_memcpy(to, &word, WORD);
}

static bool is_same_word(const unsigned char *one, const unsigned char *other)
{
    uint64_t first, second;
    __builtin_memcpy(&first, one, WORD);
    __builtin_memcpy(&second, other, WORD);
    return first == second;
}

void *memcpy(void *restrict to, const void *restrict from, size_t length)
{
    unsigned char *out = to;
    const unsigned char *in = from;
#if defined __x86_64__
    if (length >= LONG) {
        __asm__ volatile("rep movsb" : "+D"(out), "+S"(in), "+c"(length) : : "memory");
        return to;
    }
#endif
    const size_t whole = length / WORD * WORD;
    for (size_t i = 0; i < whole; i += WORD)
        copy_word(out + i, in + i);
    if (whole && length > whole) /* the last word again, with what is left */
        copy_word(out + length - WORD, in + length - WORD);
    for (size_t i = 0; !whole && i < length; i++)
        out[i] = in[i];
    return to;
}

void *memmove(void *to, const void *from, size_t length)
{
    unsigned char *out = to;
    const unsigned char *in = from;
    if ((uintptr_t)out - (uintptr_t)in >= length && (uintptr_t)in - (uintptr_t)out >= length)
        return memcpy(to, from, length);
    for (size_t i = 0; out < in && i < length; i++)
        out[i] = in[i];
    while (out > in && length--)
        out[length] = in[length];
    return to;
}

void *memset(void *to, int value, size_t length)
{
    unsigned char *out = to;
#if defined __x86_64__
    if (length >= LONG) {
        __asm__ volatile("rep stosb" : "+D"(out), "+c"(length) : "a"(value) : "memory");
        return to;
    }
#endif
    const uint64_t word = (unsigned char)value * UINT64_C(0x0101010101010101);
    for (; length >= WORD; length -= WORD, out += WORD)
        __builtin_memcpy(out, &word, WORD);
    while (length--)
        *out++ = (unsigned char)value;
    return to;
}

int memcmp(const void *one, const void *other, size_t length)
{
    const unsigned char *a = one, *b = other;
    for (; length >= WORD && is_same_word(a, b); length -= WORD, a += WORD, b += WORD)
        ;
    for (; length && *a == *b; length--, a++, b++)
        ;
    return length ? *a - *b : 0;
}

void *memchr(const void *bytes, int wanted, size_t length)
{
    const unsigned char *at = bytes;
    for (; length--; at++)
        if (*at == (unsigned char)wanted)
            return (void *)at;
    return NULL;
}

void *memrchr(const void *bytes, int wanted, size_t length)
{
    const unsigned char *first = bytes;
    while (length--)
        if (first[length] == (unsigned char)wanted)
            return (void *)(first + length);
    return NULL;
}

/* Has the word at this place, which is a multiple of its size, a zero? Such a word is in one page,
 * so that it is there if one byte of it is. */
static __attribute__((no_sanitize_address)) bool ends_in(const char *at)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;
    uint64_t word;
    __builtin_memcpy(&word, at, WORD);
    return ((word - ones) & ~word & tops) != 0;
}

size_t strnlen(const char *text, size_t most)
{
    size_t length = 0;
    while (length < most && text[length]) {
        length++;
        if ((uintptr_t)(text + length) % WORD)
            continue;
        while (length < most && !ends_in(text + length))
            length += WORD;
    }
    return length < most ? length : most;
}

size_t strlen(const char *text)
{
    return strnlen(text, PTRDIFF_MAX);
}

int strncmp(const char *one, const char *other, size_t most)
{
    for (; most && *one && *one == *other; most--, one++, other++)
        ;
    return most ? (unsigned char)*one - (unsigned char)*other : 0;
}

int strcmp(const char *one, const char *other)
{
    return strncmp(one, other, SIZE_MAX);
}

char *strcpy(char *restrict to, const char *restrict from)
{
    return memcpy(to, from, strlen(from) + 1);
}

char *strncpy(char *restrict to, const char *restrict from, size_t size)
{
    size_t length = strnlen(from, size);
    memcpy(to, from, length);
    memset(to + length, 0, size - length);
    return to;
}

char *strchrnul(const char *text, int wanted)
{
    while (*text && *text != (char)wanted)
        text++;
    return (char *)text;
}

char *strchr(const char *text, int wanted)
{
    char *found = strchrnul(text, wanted);
    return *found == (char)wanted ? found : NULL;
}

char *strrchr(const char *text, int wanted)
{
    return memrchr(text, wanted, strlen(text) + 1);
}

size_t strcspn(const char *text, const char *ends)
{
    size_t length = 0;
    while (text[length] && !strchr(ends, text[length]))
        length++;
    return length;
}

char *strstr(const char *text, const char *wanted)
{
    size_t length = strlen(wanted);
    for (; strncmp(text, wanted, length) != 0; text++)
        if (!*text)
            return NULL;
    return (char *)text;
}
