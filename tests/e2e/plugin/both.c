/* A program that uses two libraries with plug-ins. */
#include "kvstore.h"
#include "two.h"

#include <stdio.h>

int main(void)
{
    two_id id;
    const int numbers[] = {1, 2, 3};
    kv_store *store = kv_open("both.kv", KV_WRITE);
    if (!store || two_make("thing", &id))
        return 1;
    for (int i = 0; i < 200; i++)
        kv_put(store, "key", "value", (size_t)(i * 7919 % 5 + 1));
    struct two_point at = two_where(id, 1, 2);
    int result = two_put(id, numbers, at);
    printf("%g %g %d\n", at.x, at.y, result);
    return two_free(&id) || kv_close(store);
}
