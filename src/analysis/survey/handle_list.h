/* The handles of files that a run had open, for pictures: of each which file and object it is, what
 * it belongs to, and from when to when it was open. A listener of a survey fills the list. */
#ifndef FTH_ANALYSIS_HANDLE_LIST_H
#define FTH_ANALYSIS_HANDLE_LIST_H

#include "analysis/survey/survey.h"
#include "base/intern.h"

struct fth_listed_handle {
    uint32_t proc;
    uint64_t number, parent; /* within the process; FTH_NO_CALL: it has none */
    int64_t value;           /* of a descriptor itself; FTH_HANDLE_UNKNOWN */
    /* indices into `texts`; UINT32_MAX: it has none */
    uint32_t handle_class, layer, path, name;
    /* the calls that made and closed it, as in struct fth_handle */
    uint32_t made_thread, closed_thread;
    uint64_t made_by, closed_by;
    int64_t made, closed; /* ns; -1: not known, or never */
    bool duplicate;       /* of its parent */
};

struct fth_handle_list {
    size_t count;
    struct fth_listed_handle *all; /* by process, then by number */
    struct fth_intern texts;       /* each ends with its zero */
    uint64_t too_many;             /* that are not in the list: then it is of no use */
};

enum { FTH_MOST_LISTED_HANDLES = 1 << 18 };

/* What fills the list, which must outlive the survey. */
struct fth_listener fth_handle_list_listener(struct fth_handle_list *list);
const char *fth_handle_list_text(const struct fth_handle_list *list, uint32_t text);
void fth_handle_list_free(struct fth_handle_list *list);

#endif
