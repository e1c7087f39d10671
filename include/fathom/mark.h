/* Regions and counters of an application in its trace:
 *
 *     fth_mark_begin("solve");             fathom::region solve("solve");   // C++: until the end
 *                                          of the block
 *     ...
 *     fth_mark_counter("residual", n);
 *     fth_mark_end("solve");
 *
 * A region is a call of the layer `application`, and calls during the region are inside it. Nothing
 * has to be linked: the header detects whether the program is recorded. If not, a mark costs a load
 * and a branch. A region belongs to the thread that begins it. The first 100 bytes of names are
 * copied.
 *
 * Mismatched marks are repaired: an end closes the innermost open region of its name, and the
 * regions inside it; an end without a region does nothing. A longjmp closes the regions of the
 * functions that it leaves. The end of the thread or the program closes those that are still open.
 * With exceptions, use the class.
 *
 * Not for signal handlers. Fortran: fathom_mark.f90 beside this file; Python: the module
 * fathom.mark. */
#ifndef FATHOM_MARK_H
#define FATHOM_MARK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* dlsym under a name of ours, to avoid conflicts with declarations in other headers; weak, because
 * old C libraries have it in another library. */
typedef void (*fth_mark_function)(void);
extern fth_mark_function fth_mark_dlsym(void *handle, const char *name) __asm__("dlsym")
    __attribute__((weak));

struct fth_mark_functions {
    void (*begin)(const char *name);
    void (*end)(const char *name);
    void (*counter)(const char *name, int64_t value);
};

/* 0 if there is no recorder; its functions are looked up by the first mark of each file. */
static struct fth_mark_functions fth_mark_recorder;
static struct fth_mark_functions *fth_mark_found __attribute__((unused)) = &fth_mark_recorder;

static __attribute__((unused, noinline)) struct fth_mark_functions *fth_mark_look(void)
{
    struct fth_mark_functions *found = 0;
    struct fth_mark_functions made = {0, 0, 0};
    if (fth_mark_dlsym) {
        made.begin = (void (*)(const char *))fth_mark_dlsym(0, "fth_mark_1_begin");
        made.end = (void (*)(const char *))fth_mark_dlsym(0, "fth_mark_1_end");
        made.counter = (void (*)(const char *, int64_t))fth_mark_dlsym(0, "fth_mark_1_counter");
    }
    if (made.begin && made.end && made.counter) {
        __atomic_store_n(&fth_mark_recorder.end, made.end, __ATOMIC_RELAXED);
        __atomic_store_n(&fth_mark_recorder.counter, made.counter, __ATOMIC_RELAXED);
        __atomic_store_n(&fth_mark_recorder.begin, made.begin, __ATOMIC_RELEASE);
        found = &fth_mark_recorder;
    } else {
        __atomic_store_n(&fth_mark_found, found, __ATOMIC_RELAXED);
    }
    return found;
}

/* The recorder's functions, or 0. */
static inline __attribute__((unused, always_inline)) struct fth_mark_functions *fth_mark_there(void)
{
    struct fth_mark_functions *found = __atomic_load_n(&fth_mark_found, __ATOMIC_RELAXED);
    if (__builtin_expect(!found, 1))
        return 0;
    return __atomic_load_n(&found->begin, __ATOMIC_ACQUIRE) ? found : fth_mark_look();
}

/* Begins a region of the calling thread. `name`: a text that ends with 0; it need not live longer
 * than the call. Regions deeper than 64 recorded calls are left out. */
static inline __attribute__((unused, always_inline)) void fth_mark_begin(const char *name)
{
    struct fth_mark_functions *there = fth_mark_there();
    if (there)
        there->begin(name);
}

/* Ends the innermost region of this name and the regions inside it; `name` 0: the innermost
 * region. */
static inline __attribute__((unused, always_inline)) void fth_mark_end(const char *name)
{
    struct fth_mark_functions *there = fth_mark_there();
    if (there)
        there->end(name);
}

/* Records the value that a counter has now, as a call of its own; any value is allowed. */
static inline __attribute__((unused, always_inline)) void fth_mark_counter(const char *name,
                                                                           int64_t value)
{
    struct fth_mark_functions *there = fth_mark_there();
    if (there)
        there->counter(name, value);
}

#ifdef __cplusplus
}

namespace fathom
{
/* The name must live as long as the region. */
class region
{
  public:
    explicit region(const char *name) : name_(name)
    {
        fth_mark_begin(name_);
    }
    ~region()
    {
        fth_mark_end(name_);
    }
    region(const region &) = delete;
    region &operator=(const region &) = delete;

  private:
    const char *name_;
};

/* As fth_mark_counter. */
inline void counter(const char *name, int64_t value)
{
    fth_mark_counter(name, value);
}
} // namespace fathom
#endif

#endif
