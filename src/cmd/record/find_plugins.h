/* Plug-ins of users (docs/fathom-wrap.1.md): where they are found, and how their rows become part
 * of the catalogue of this command. */
#ifndef FTH_CMD_RECORD_FIND_PLUGINS_H
#define FTH_CMD_RECORD_FIND_PLUGINS_H

#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Where "mylib" is: a path when it has a slash or ends in ".so", else libfathom-mylib.so in
 * FATHOM_PLUGIN_PATH, in the folder of the user, or beside the libraries of Fathom. Absolute, to be
 * freed. NULL: nowhere, and *error names the places. */
char *fth_record_find_plugin(const char *name, struct fth_error **error);

/* Adds the rows of the plug-in in this file to the built-in catalogue, and {"name", "path", "rows"}
 * to `plugins`, for run.json. *is_foreign: it has not been added, as another build of Fathom has
 * made it. */
int fth_record_add_plugin(json_t *plugins, const char *path, bool *is_foreign,
                          struct fth_error **error);
/* The same with what run.json says; `plugins` may be NULL. */
int fth_record_take_plugins(const json_t *plugins, struct fth_error **error);

/* Those that would be found by name: "kv (/home/me/.local/lib/fathom/libfathom-kv.so), ..."; NULL:
 * none. To be freed. */
char *fth_record_found_plugins(void);

#endif
