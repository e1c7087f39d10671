/* What the tables that are generated from the catalogue (calls.c) say of functions, classes of
 * handles and libraries. */
#ifndef FTH_CAPTURE_PROCESS_CATALOGUE_H
#define FTH_CAPTURE_PROCESS_CATALOGUE_H

#include "interpose/reach/libraries.h"

enum {
    FTH_CLASSES = 64,       /* most classes of handles, with those of plug-ins */
    FTH_FILE_CLASSES = 12,  /* most of these that are files */
    FTH_MOST_LAYERS = 29,   /* bits of a context */
    FTH_PLUGIN_LAYERS = 16, /* most layers that plug-ins add */
};

struct fth_call_info { /* generated: one per row of the catalogue */
    uint32_t name,
        /* where they begin in fth_call_words: pointers would have to be relocated in every
         * process */
        layer;
    uint32_t flags;  /* FTH_CALL_... */
    bool binds;      /* makes or gives up handles that have a path or a name */
    bool buffered;   /* moves bytes to or from the buffer of a stream */
    uint8_t watched; /* FTH_WATCHED_...; 0: it is never only watched */
};
extern const struct fth_call_info fth_call_infos[];
extern const char fth_call_words[];
extern const unsigned fth_call_count;
extern const uint64_t fth_catalog_hash;
extern int8_t fth_class_ordinals[]; /* of classes among those of files, -1 */
extern const char
    fth_real_names[];     /* of the functions of libc that have wrappers, a zero behind each */
extern void *fth_reals[]; /* the functions, where they were looked for; else NULL */
extern const unsigned fth_real_count;
enum { FTH_KNOWN_LIBRARIES = 16 }; /* at most */
extern const struct fth_known_library fth_known_libraries[];
extern const unsigned fth_known_library_count;

#endif
