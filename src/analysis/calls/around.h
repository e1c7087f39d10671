/* Which calls are around a call: those of its thread that have begun and not ended. Given all calls
 * of a process in order of entry; when the next process comes, it begins anew. Memory grows with
 * threads and with the regions that have names of their own. */
#ifndef FTH_ANALYSIS_AROUND_H
#define FTH_ANALYSIS_AROUND_H

#include <fathom/trace.h>

struct fth_around;

struct fth_open_call {
    uint32_t depth;
    const struct fth_function *function;
    /* of the call in another thread that started this one's, if nothing else is around; else
     * NULL */
    const struct fth_function *starter;
    const char *region; /* its name, if it is one; lives as long as the process */
    uint64_t tag;       /* whatever who goes through the calls notes of it; 0 at first */
};

/* Is this the program's own (<fathom/mark.h>): a region or a counter? */
bool fth_analysis_is_of_application(const struct fth_function *function);
/* Of these, regions are those that have a name and nothing else. */
bool fth_analysis_is_region(const struct fth_function *function);
/* The name of the region that the call is; else NULL. */
const char *fth_analysis_region(const struct fth_call *call);

struct fth_around *fth_analysis_around_new(void);
void fth_analysis_around_free(struct fth_around *around); /* NULL is allowed */

/* The call has begun: those of its thread that are over go. It is the last of what is open then. */
void fth_analysis_around_enter(struct fth_around *around, const struct fth_call *call);
/* What is open in the thread of the call that was entered last, outermost first: `count` calls, the
 * last one is that call itself. 0: none was entered. Valid until the next one is. */
struct fth_open_call *fth_analysis_around_open(const struct fth_around *around, size_t *count);

#endif
