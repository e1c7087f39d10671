/* Probes: what `fathom instrument` puts into the sources of an I/O stack, and what may be written
 * by hand. A probe is a call of a layer of its own (a library, a server, a part of either), which
 * lasts from where it is entered to where it is left, with up to six values, such as a number of
 * bytes or of a round:
 *
 *     FATHOM_PROBE_SITE(site, "romio", "exchange", 0, 1);
 *     FATHOM_PROBE_SCOPE(probe, &site, round, 0, 0, 0, 0, 0);   // until the end of the block
 *
 * The layer and the probe are rows of a plug-in (fathom-wrap(1)), which `fathom record --with`
 * loads. Nothing has to be linked: as with <fathom/mark.h>, the header looks for the recorder.
 * Without it, or without the plug-in, a probe costs a load and a branch.
 *
 * Probes of a thread are nested. What is left open is closed with the probe around it, by a longjmp
 * out of its function, or at the end of the thread. Not for signal handlers. */
#ifndef FATHOM_PROBE_H
#define FATHOM_PROBE_H

#ifdef __cplusplus
extern "C" {
#endif

enum { FATHOM_PROBE_VALUES = 6 };

/* No other header is included: those of the C library look at macros that a source defines before
 * the first of them. */
typedef __INT64_TYPE__ fathom_probe_value;
typedef __UINT32_TYPE__ fathom_probe_number;

/* A place in the sources. Its numbers are the recorder's: 0 until the place is first reached. */
struct fathom_probe_site {
    const char *layer, *name;
    fathom_probe_number
        moves; /* the first value is the number of bytes of a call that reads or writes */
    fathom_probe_number count; /* of values, by the row */
    fathom_probe_number function, context;
};

/* A probe that is open; site 0: it is not. */
struct fathom_probe {
    struct fathom_probe_site *site;
};

struct fathom_probe_functions {
    int (*begin)(struct fathom_probe_site *site, const fathom_probe_value *values);
    void (*end)(struct fathom_probe_site *site, const fathom_probe_value *values);
    fathom_probe_value (*identity)(void);
};

typedef void (*fathom_probe_function)(void);
/* dlsym under a name of ours; weak, because old C libraries have it in another library. */
extern fathom_probe_function fathom_probe_dlsym(void *handle, const char *name) __asm__("dlsym")
    __attribute__((weak));

/* 0 if there is no recorder; its functions are looked up by the first probe of each file. */
static struct fathom_probe_functions fathom_probe_recorder;
static struct fathom_probe_functions *fathom_probe_found __attribute__((unused)) =
    &fathom_probe_recorder;

static __attribute__((unused, noinline)) struct fathom_probe_functions *fathom_probe_look(void)
{
    struct fathom_probe_functions *found = 0;
    struct fathom_probe_functions made = {0, 0, 0};
    if (fathom_probe_dlsym) {
        made.begin =
            (int (*)(struct fathom_probe_site *, const fathom_probe_value *))fathom_probe_dlsym(
                0, "fth_probe_1_begin");
        made.end = (void (*)(struct fathom_probe_site *,
                             const fathom_probe_value *))fathom_probe_dlsym(0, "fth_probe_1_end");
        made.identity = (fathom_probe_value(*)(void))fathom_probe_dlsym(0, "fth_probe_1_identity");
    }
    if (made.begin && made.end && made.identity) {
        __atomic_store_n(&fathom_probe_recorder.end, made.end, __ATOMIC_RELAXED);
        __atomic_store_n(&fathom_probe_recorder.identity, made.identity, __ATOMIC_RELAXED);
        __atomic_store_n(&fathom_probe_recorder.begin, made.begin, __ATOMIC_RELEASE);
        found = &fathom_probe_recorder;
    } else {
        __atomic_store_n(&fathom_probe_found, found, __ATOMIC_RELAXED);
    }
    return found;
}

/* The recorder's functions, or 0. */
static __inline__ __attribute__((unused, always_inline)) struct fathom_probe_functions *
fathom_probe_there(void)
{
    struct fathom_probe_functions *found = __atomic_load_n(&fathom_probe_found, __ATOMIC_RELAXED);
    if (__builtin_expect(!found, 1))
        return 0;
    return __atomic_load_n(&found->begin, __ATOMIC_ACQUIRE) ? found : fathom_probe_look();
}

/* Enters a probe, with the values of its row in their order; those that the row does not have are
 * not looked at. */
static __inline__ __attribute__((unused, always_inline)) struct fathom_probe
fathom_probe_enter(struct fathom_probe_site *site, fathom_probe_value a, fathom_probe_value b,
                   fathom_probe_value c, fathom_probe_value d, fathom_probe_value e,
                   fathom_probe_value f)
{
    struct fathom_probe probe = {0};
    struct fathom_probe_functions *there = fathom_probe_there();
    if (there && site->function != ~0u) {
        const fathom_probe_value values[FATHOM_PROBE_VALUES] = {a, b, c, d, e, f};
        if (there->begin(site, values))
            probe.site = site;
    }
    return probe;
}

/* Leaves it, with the values that it was entered with. Also what __attribute__((cleanup)) calls. */
static __inline__ __attribute__((unused, always_inline)) void
fathom_probe_leave(const struct fathom_probe *probe)
{
    struct fathom_probe_functions *there = probe->site ? fathom_probe_there() : 0;
    if (there)
        there->end(probe->site, 0);
}

/* The same of the innermost open probe of a place. */
static __inline__ __attribute__((unused, always_inline)) void
fathom_probe_leave_site(struct fathom_probe_site *site)
{
    struct fathom_probe_functions *there = fathom_probe_there();
    if (there)
        there->end(site, 0);
}

/* Leaves the innermost open probe of a place, with other values: those known at its end. */
static __inline__ __attribute__((unused, always_inline)) void
fathom_probe_leave_with(struct fathom_probe_site *site, fathom_probe_value a, fathom_probe_value b,
                        fathom_probe_value c, fathom_probe_value d, fathom_probe_value e,
                        fathom_probe_value f)
{
    struct fathom_probe_functions *there = fathom_probe_there();
    const fathom_probe_value values[FATHOM_PROBE_VALUES] = {a, b, c, d, e, f};
    if (there)
        there->end(site, values);
}

/* A number that no other call of the run has: what a client sends along with a request, so that the
 * calls of the server that serve it can say whose they are (the values `sends` and `serves` of a
 * row). 0 where nothing is recorded. */
static __inline__ __attribute__((unused, always_inline)) fathom_probe_value
fathom_probe_identity(void)
{
    struct fathom_probe_functions *there = fathom_probe_there();
    return there ? there->identity() : 0;
}

#define FATHOM_PROBE_SITE(variable, layer, name, moves, count)                                     \
    static __attribute__((unused)) struct fathom_probe_site variable = {layer, name, moves,        \
                                                                        count, 0,    0}

/* From here to the end of the block, however that is left. */
#define FATHOM_PROBE_SCOPE(variable, site, a, b, c, d, e, f)                                       \
    struct fathom_probe variable __attribute__((cleanup(fathom_probe_leave), unused)) =            \
        fathom_probe_enter(site, (fathom_probe_value)(a), (fathom_probe_value)(b),                 \
                           (fathom_probe_value)(c), (fathom_probe_value)(d),                       \
                           (fathom_probe_value)(e), (fathom_probe_value)(f))

#ifdef __cplusplus
}
#endif

#endif
