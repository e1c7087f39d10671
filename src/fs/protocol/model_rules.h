/* Which consistency model a file has: one for all, or by its name. The rules of an instance are in
 * its file `models`, which every process reads once. Not thread-safe. */
#ifndef FTH_FS_MODEL_RULES_H
#define FTH_FS_MODEL_RULES_H

#include "base/error.h"
#include "base/keyed.h"
#include "consistency/model_moments.h"

#include <stdbool.h>
#include <stddef.h>

enum { FTH_MODEL_NAME_MOST = 63 };

struct fth_fs_model {
    char name[FTH_MODEL_NAME_MOST + 1];
    struct fth_moments moments;
};

struct fth_model_rule {
    char *names; /* the name of a file; or of several, a shell pattern (glob(7)) */
    bool is_pattern;
    uint32_t model;
    char *reason; /* why, for people; or NULL */
};

/* All zero: programs that know nothing of the file system do not work on it. */
struct fth_model_rules {
    struct fth_fs_model *models; /* the first one is that of files without a rule */
    size_t model_count;
    struct fth_model_rule *rules;
    size_t rule_count;
    size_t pattern_count;
    struct fth_keyed exact; /* by name, of uint32_t: number of the rule, plus 1 */
};

/* The number of the model, which is added where it is new. -1: *error is set, its name is too long
 * or belongs to another one. */
int fth_model_rules_model(struct fth_model_rules *rules, const char *name,
                          struct fth_moments moments, struct fth_error **error);
/* `names`: from the root of the file system (file_names.h), or a pattern of such names. -1: *error
 * is set: the same names have another model. */
int fth_model_rules_add(struct fth_model_rules *rules, const char *names, bool is_pattern,
                        int model, const char *reason, struct fth_error **error);
/* The model of a file, of which there is at least one. Where two patterns name it with different
 * models: NULL, and *one and *other are these rules. */
const struct fth_fs_model *fth_model_rules_of(const struct fth_model_rules *rules, const char *name,
                                              const struct fth_model_rule **one,
                                              const struct fth_model_rule **other);
/* In the folder of an instance. -1: *error is set. */
int fth_model_rules_write(const struct fth_model_rules *rules, int folder,
                          struct fth_error **error);
int fth_model_rules_read(struct fth_model_rules *rules, int folder, struct fth_error **error);
void fth_model_rules_free(struct fth_model_rules *rules);

#endif
