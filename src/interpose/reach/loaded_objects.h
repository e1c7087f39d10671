/* The objects (program and libraries) that are loaded, and which of them were not there when we
 * last looked. */
#ifndef FTH_INTERPOSE_REACH_LOADED_OBJECTS_H
#define FTH_INTERPOSE_REACH_LOADED_OBJECTS_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

struct fth_object {
    const char *path; /* "" for the program */
    uintptr_t base;
    const ElfW(Phdr) * headers;
    unsigned header_count;
    bool has_rpath; /* of the old kind */
    bool is_new;    /* of fth_objects_look */
};

struct fth_objects {
    struct fth_object *list;
    unsigned count;
    unsigned long long loaded, unloaded; /* objects ever */
};

/* Lists all objects; false: there is no memory. They are worked on after the walk: inside of it the
 * linker holds a lock that dlsym takes in another order. */
bool fth_objects_list(struct fth_objects *objects);
/* The same, and says which are new since the last look; false also when nothing was loaded or
 * unloaded since. One thread at a time. The list is kept for the next look, and not dropped. */
bool fth_objects_look(struct fth_objects *objects);
/* The next look sees them, also when nothing is loaded until then: who looks asks for more. */
void fth_objects_look_again(void);
/* Was there at any look a library with an RPATH of the old kind, which also holds for what its
 * dlopen loads in turn? */
bool fth_objects_have_rpath(void);
void fth_objects_drop(struct fth_objects *objects);

const ElfW(Phdr) * fth_object_header(const struct fth_object *object, ElfW(Word) type);
void fth_object_extent(const struct fth_object *object, uintptr_t *start, uintptr_t *end);
/* Its dynamic section, up to DT_NULL; NULL: it has none. */
const ElfW(Dyn) * fth_object_dynamic(const struct fth_object *object);
/* The part of a path behind its last slash. */
const char *fth_object_file(const char *path);

#endif
