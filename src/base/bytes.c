/* Growable bytes. */
#include "base/bytes.h"

#include "base/memory.h"

uint8_t *fth_bytes_grow(struct fth_bytes *bytes, size_t more)
{
    size_t capacity = bytes->capacity ? bytes->capacity * 2 : 256;
    while (capacity - bytes->length < more)
        capacity *= 2;
    bytes->data = fth_resize(bytes->data, capacity, 1);
    bytes->capacity = capacity;
    return bytes->data + bytes->length;
}

void fth_bytes_free(struct fth_bytes *bytes)
{
    free(bytes->data);
    *bytes = (struct fth_bytes){0};
}
