/* The files of the program, as text: the source around its functions, CMakeLists.txt, and
 * prepare.sh. Inner header of the proxy room. */
#ifndef FTH_PROXY_PROXY_FILES_H
#define FTH_PROXY_PROXY_FILES_H

#include "proxy/writing.h"
#include "repeat/what/file_places.h"

struct fth_program_files {
    char *source, *tables, *cmake, *prepare; /* tables, prepare: NULL if they are not needed */
    size_t foreign;                          /* files that prepare.sh only names */
};

/* All bodies have been written into writing->functions and ->main. */
void fth_proxy_write_files(struct fth_writing *writing, const struct fth_repeat_places *places,
                           const char *directory, const struct fth_proxy_summary *summary,
                           struct fth_program_files *files);

/* prepare.sh, to be freed; NULL: nothing has to be there. *foreign: files of libraries, which it
 * cannot make. */
char *fth_proxy_write_prepare(struct fth_writing *writing, const struct fth_repeat_places *places,
                              const char *directory, size_t *foreign);

#endif
