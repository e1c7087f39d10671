/* Pseudonyms of names: of files and folders, nodes, users, programs. The same name has the same one
 * under the same key, and only who has the key can tell whether a name that he guesses is behind
 * one.
 *
 * Each part of a path has its own, so that the tree of folders keeps its form. */
#ifndef FTH_EXPORT_SHARED_PSEUDONYMS_H
#define FTH_EXPORT_SHARED_PSEUDONYMS_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct fth_pseudonyms {
    uint64_t key[2];
};

/* The key is made of the bytes of a file; NULL: it is random. -1: *error is set. */
int fth_pseudonyms_begin(struct fth_pseudonyms *names, const char *key_file,
                         struct fth_error **error);
/* To be freed. `names` NULL: the text itself. `text` NULL: NULL. */
char *fth_pseudonym(const struct fth_pseudonyms *names, const char *text);
/* The same; constants of libraries (MPI_COMM_WORLD, H5T_NATIVE_INT) stay. */
char *fth_pseudonym_of_object(const struct fth_pseudonyms *names, const char *text);

/* SipHash-2-4: a keyed hash of which nobody can compute a value, or an input, without the key. */
uint64_t fth_pseudonyms_hash(const uint64_t key[2], const void *bytes, size_t length);

#endif
