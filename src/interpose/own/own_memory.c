/* Memory, and locks, of what is preloaded. */
#include "interpose/own/own_memory.h"

#include "interpose/own/sandbox.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *map_memory(size_t bytes, int protection)
{
    int before = errno;
    if (!fth_is_filtered &&
        /* behind one that is known, this is for an exec, which maps memory, too */
        fth_finds_filter())
        return NULL;
    void *memory = (void *)syscall(SYS_mmap, NULL, bytes, protection,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    errno = before;
    return memory == MAP_FAILED ? NULL : memory;
}

void *fth_map_memory(size_t bytes)
{
    return map_memory(bytes, PROT_READ | PROT_WRITE);
}

/* True: it is there, whoever mapped it. */
static bool map_once(void **at, size_t bytes, int protection)
{
    void *none = NULL;
    if (__atomic_load_n(at, __ATOMIC_ACQUIRE))
        return true;
    void *mapped = map_memory(bytes, protection);
    if (mapped &&
        !__atomic_compare_exchange_n(at, &none, mapped, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        fth_unmap(mapped, bytes);
    return none || mapped;
}

bool fth_map_once(void **table, size_t bytes)
{
    return map_once(table, bytes, PROT_READ | PROT_WRITE);
}

/* The system does not count what nobody can write to. Two threads may do this at once. */
static __attribute__((noinline)) bool reach_more(struct fth_memory_table *table, size_t index)
{
    enum { PAGE = 64 << 10 }; /* the largest that systems have */
    size_t all = table->most * table->size, bytes = (index + 1) * table->size;
    int before = errno;
    if (index >= table->most || !map_once(&table->start, all, PROT_NONE) ||
        (!fth_is_filtered && fth_finds_filter()))
        return false;
    bytes = bytes + PAGE < all ? (bytes + PAGE - 1) / PAGE * PAGE : all;
    bool reached = syscall(SYS_mprotect, table->start, bytes, PROT_READ | PROT_WRITE) == 0;
    if (reached)
        __atomic_store_n(&table->count, bytes / table->size, __ATOMIC_RELEASE);
    errno = before;
    return reached;
}

bool fth_table_reach(struct fth_memory_table *table, size_t index)
{
    return FTH_LIKELY(index < __atomic_load_n(&table->count, __ATOMIC_ACQUIRE)) ||
           reach_more(table, index);
}

void fth_unmap(void *memory, size_t bytes)
{
    int before = errno;
    syscall(SYS_munmap, memory, bytes);
    errno = before;
}

static __thread char myself __attribute__((tls_model("initial-exec")));

void fth_lock(struct fth_lock *lock)
{
    const char *nobody = NULL;
    while (!__atomic_compare_exchange_n(&lock->owner, &nobody, &myself, false, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED) &&
           nobody != &myself) {
        nobody = NULL;
        syscall(SYS_sched_yield);
    }
}

void fth_unlock(struct fth_lock *lock)
{
    __atomic_store_n(&lock->owner, NULL, __ATOMIC_RELEASE);
}
