/* Things that processes share, and from when to when: each once for a process. */
#include "order/build/shared_finding.h"
#include "base/memory.h"

#include <string.h>

void fth_shared_add(struct fth_shared_finding *finding, const char *name, const char *text,
                    struct fth_shared_thing share)
{
    struct fth_shared *shared = finding->shared;
    uint32_t known = finding->names.count, pairs = finding->pairs.count;
    uint32_t thing = fth_intern(&finding->names, name, strlen(name) + 1);
    uint32_t pair[] = {thing, share.proc};
    if (thing == known) {
        FTH_GROW(shared->things, shared->thing_count);
        shared->things[shared->thing_count++] = fth_text_copy(text);
    }
    uint32_t at = fth_intern(&finding->pairs, pair, sizeof pair);
    share.thing = thing;
    if (at == pairs) {
        FTH_GROW(shared->shares, shared->count);
        shared->shares[shared->count++] = share;
        return;
    }
    struct fth_shared_thing *before = &shared->shares[at];
    if (before->releases_until < share.releases_until)
        before->releases_until = share.releases_until;
    if (before->acquires_from > share.acquires_from)
        before->acquires_from = share.acquires_from;
}
