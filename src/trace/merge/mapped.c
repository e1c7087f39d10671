/* Mappings to store to: which calls make them, and of which files. */
#include "trace/merge/mapped.h"

#include "base/memory.h"

#include <sys/mman.h>

enum { TYPE = 0xf /* bits of the flags of mmap: shared or private */ };

bool fth_maps_to_store(const struct fth_meaning *meaning, const struct fth_signature *signature,
                       const int64_t *values)
{
    if (meaning->mapping < 0 || meaning->protection < 0 || meaning->about.handle < 0)
        return false;
    int64_t type = values[meaning->mapping] & TYPE;
    /* What a library maps inside of its calls is memory that processes share (MPI), or part of what
     * the call does. */
    bool of_library = signature->depth > 0;
    return (type == MAP_SHARED || type == MAP_SHARED_VALIDATE) &&
           !(values[meaning->mapping] & MAP_ANONYMOUS) &&
           (values[meaning->protection] & PROT_WRITE) && !of_library &&
           !fth_call_failed(meaning, values);
}

void fth_mapped_add(struct fth_mapped *mapped, uint32_t path, uint64_t bytes)
{
    size_t at = 0;
    while (at < mapped->count && mapped->files[at].path != path)
        at++;
    if (at == mapped->count) {
        FTH_GROW(mapped->files, mapped->count);
        mapped->files[mapped->count++] = (struct fth_mapped_file){path, 0};
    }
    if (bytes > mapped->files[at].bytes)
        mapped->files[at].bytes = bytes;
}
