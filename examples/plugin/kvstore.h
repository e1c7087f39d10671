/* A tiny key-value store: a file of records, and an index of it in memory. It is an example of your
 * own library. */
#ifndef KVSTORE_H
#define KVSTORE_H

#include <stddef.h>
#include <sys/types.h>

typedef struct kv_store kv_store;

enum kv_flags { KV_READ = 0, KV_WRITE = 1, KV_SYNC = 2 };

/* Opens the store at `path`; with KV_WRITE, creates it. NULL: it failed, see errno. */
kv_store *kv_open(const char *path, int flags);
/* 0, or -1 and errno. */
int kv_put(kv_store *store, const char *key, const void *value, size_t size);
/* The bytes of the value, at most `size` of which are in `value`; -1: there is no such key. */
ssize_t kv_get(kv_store *store, const char *key, void *value, size_t size);
/* How many keys there are. */
size_t kv_count(const kv_store *store);
int kv_close(kv_store *store);

#endif
