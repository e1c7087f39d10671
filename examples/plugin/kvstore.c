/* A store of keys and values in one file: the library that the plug-in records. */
#include "kvstore.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST_KEY = 55, MOST_KEYS = 4096 };

struct record {
    char key[LONGEST_KEY + 1];
    uint64_t size; /* of the value, which follows */
};

struct entry {
    struct record record;
    off_t at; /* of the value */
};

struct kv_store {
    int file, flags;
    off_t end;
    size_t count;
    struct entry entries[MOST_KEYS];
};

static struct entry *find(kv_store *store, const char *key)
{
    for (size_t i = 0; i < store->count; i++)
        if (strcmp(store->entries[i].record.key, key) == 0)
            return &store->entries[i];
    return NULL;
}

/* The last record of a key is valid. */
static void learn(kv_store *store, const struct record *record)
{
    struct entry *entry = find(store, record->key);
    if (!entry && store->count < MOST_KEYS)
        entry = &store->entries[store->count++];
    if (entry)
        *entry = (struct entry){*record, store->end + (off_t)sizeof *record};
    store->end += (off_t)(sizeof *record + record->size);
}

kv_store *kv_open(const char *path, int flags)
{
    kv_store *store = calloc(1, sizeof *store);
    struct record record;
    if (!store)
        return NULL;
    store->flags = flags;
    store->file = open(path, flags & KV_WRITE ? O_RDWR | O_CREAT : O_RDONLY, 0644);
    if (store->file < 0) {
        free(store);
        return NULL;
    }
    while (pread(store->file, &record, sizeof record, store->end) == (ssize_t)sizeof record)
        learn(store, &record);
    return store;
}

int kv_put(kv_store *store, const char *key, const void *value, size_t size)
{
    struct record record = {.size = size};
    if (strlen(key) > LONGEST_KEY || (!find(store, key) && store->count == MOST_KEYS)) {
        errno = EINVAL;
        return -1;
    }
    strcpy(record.key, key);
    if (pwrite(store->file, &record, sizeof record, store->end) != (ssize_t)sizeof record ||
        pwrite(store->file, value, size, store->end + (off_t)sizeof record) != (ssize_t)size)
        return -1;
    learn(store, &record);
    return store->flags & KV_SYNC ? fsync(store->file) : 0;
}

ssize_t kv_get(kv_store *store, const char *key, void *value, size_t size)
{
    const struct entry *entry = find(store, key);
    if (!entry)
        return -1;
    return pread(store->file, value, size < entry->record.size ? size : entry->record.size,
                 entry->at);
}

size_t kv_count(const kv_store *store)
{
    return store->count;
}

int kv_close(kv_store *store)
{
    int result = close(store->file);
    free(store);
    return result;
}
