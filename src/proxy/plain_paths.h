/* Names of files and objects in the program: relative to its folder, with the numbers in them
 * apart. */
#ifndef FTH_PROXY_PLAIN_PATHS_H
#define FTH_PROXY_PLAIN_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Is it a constant of C, in capitals (MPI_COMM_WORLD)? Others may be names of the program's. */
bool fth_name_is_constant(const char *text);

/* A path as the program has it, which runs in a folder of its own: what is below `directory`, or
 * relative, is relative; "/data/x" becomes "data/x", and so does "../x" below "/data/run". free()
 * it. */
char *fth_name_of_path(const char *path, const char *directory);

/* Where names begin: absolute paths of the run, or NULL. */
struct fth_name_folders {
    const char *directory; /* becomes the folder in which the program is started */
    const char *run;       /* where the process of the run works */
    const char *own;       /* that of the program does */
};

/* The same for a process that may work elsewhere: a name that leads from there to the file. */
char *fth_name_from_folder(const char *path, const struct fth_name_folders *folders);

/* Takes the numbers out of a name: *text, to be freed, has a byte 1 for each. At most 8. A number
 * with zeros in front has its digits as width, others 0. Returns how many. */
size_t fth_name_parse(const char *name, char **text, int64_t numbers[static 8],
                      unsigned widths[static 8]);

#endif
