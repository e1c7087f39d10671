/* Memory for paths that change: pages cut into pieces of a few sizes, given back to the list of
 * their size. */
#include "capture/follow/paths.h"
#include "interpose/own/own_memory.h"

#include <string.h>

static struct fth_lock memory_lock;
static void *free_pieces[4];
static char *fresh, *fresh_end;

static unsigned size_index(size_t size, uint32_t *rounded)
{
    unsigned index = 0;
    for (*rounded = 64; *rounded < size && index < 3; index++)
        *rounded *= 4;
    return index;
}

static char *take_memory(size_t size, uint32_t *rounded)
{
    unsigned index = size_index(size, rounded);
    fth_lock(&memory_lock);
    void *piece = free_pieces[index];
    if (piece) {
        memcpy(&free_pieces[index], piece, sizeof piece);
    } else {
        if (fresh_end - fresh < (ptrdiff_t)*rounded) {
            fresh = fth_map_memory(64 << 10);
            fresh_end = fresh ? fresh + (64 << 10) : NULL;
        }
        piece = fresh;
        if (fresh)
            fresh += *rounded;
    }
    fth_unlock(&memory_lock);
    return piece;
}

static void give_memory(void *piece, uint32_t size)
{
    uint32_t rounded;
    if (!piece)
        return;
    unsigned index = size_index(size, &rounded);
    fth_lock(&memory_lock);
    memcpy(piece, &free_pieces[index], sizeof piece);
    free_pieces[index] = piece;
    fth_unlock(&memory_lock);
}

bool fth_keep_text(char **room, uint32_t *size, const char *text, size_t length)
{
    if (*size < length) {
        give_memory(*room, *size);
        *room = take_memory(length, size);
    }
    if (*room)
        memcpy(*room, text, length);
    return *room != NULL;
}

void fth_text_memory_in_child(void)
{
    memory_lock.owner = NULL;
}
