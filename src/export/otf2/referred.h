/* What the events of an OTF2 archive refer to: texts, functions, processes and threads,
 * communicators, files and handles of files. Threads that write events ask for numbers; all
 * definitions are written when the events are, in the order in which readers expect them. */
#ifndef FTH_EXPORT_OTF2_REFERRED_H
#define FTH_EXPORT_OTF2_REFERRED_H

#ifdef FATHOM_OTF2
#include "base/intern.h"
#include "export/shared/communicators.h"
#include "export/shared/exporter.h"
#include "export/shared/function_numbers.h"

#include <otf2/otf2.h>

#include <pthread.h>

/* A file of a handle: see OTF2's IoHandle. */
struct fth_otf2_handle {
    OTF2_StringRef name;
    OTF2_IoFileRef file;
    OTF2_IoHandleRef parent;
    OTF2_CommRef comm;
    OTF2_IoParadigmRef paradigm;
    uint8_t flags; /* OTF2_IoHandleFlag */
    /* of one that no event creates */
    OTF2_IoAccessMode mode;
    OTF2_IoStatusFlag status;
};

struct fth_otf2_definitions {
    const struct fth_exported *of;
    pthread_mutex_t lock; /* of what grows: all that follows */
    struct fth_intern texts;
    struct fth_intern files; /* system tree node, whether it is a directory, path */
    struct fth_intern layers;
    struct fth_intern regions; /* number of the function, name of what the program marks */
    struct fth_otf2_handle *handles;
    size_t handle_count;
    /* known from the beginning */
    struct fth_function_numbers functions;
    _Atomic uint32_t *region; /* by number of a function, plus 1; 0: it was not called yet */
    struct fth_intern hosts;  /* system tree node 1 + number */
    uint32_t *host;           /* by process */
    uint64_t *first_location; /* by process; one more than there are */
    uint64_t *events;         /* by location */
    struct fth_exported_communicators communicators;
    uint32_t *group; /* by process: its location group; UINT32_MAX: it has no locations */
};

int fth_otf2_definitions_begin(struct fth_otf2_definitions *definitions,
                               struct fth_exported *exported, struct fth_error **error);
void fth_otf2_definitions_end(struct fth_otf2_definitions *definitions);

/* Numbers, which any thread may ask for. */
OTF2_RegionRef fth_otf2_region(struct fth_otf2_definitions *definitions,
                               const struct fth_call *call);
OTF2_IoFileRef fth_otf2_file(struct fth_otf2_definitions *definitions, size_t proc,
                             const char *path, bool is_directory);
OTF2_IoParadigmRef fth_otf2_paradigm(struct fth_otf2_definitions *definitions, const char *layer);
/* `handle` is one of the whole file. `created`: an event creates it. */
OTF2_IoHandleRef fth_otf2_define_handle(struct fth_otf2_definitions *definitions,
                                        const struct fth_handle *handle, bool created,
                                        OTF2_IoHandleRef parent);

OTF2_IoAccessMode fth_otf2_access_mode(const struct fth_handle *handle);
static inline OTF2_IoStatusFlag fth_otf2_status(const struct fth_handle *handle)
{
    return handle->status_flags & (FTH_ATOMIC - 1); /* OTF2 has no number for that one */
}

#endif
#endif
