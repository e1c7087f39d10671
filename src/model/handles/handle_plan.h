/* What the calls of a function do with handles, from its row: made once, looked up with each call.
 * Inner header of the model room. */
#ifndef FTH_MODEL_HANDLES_HANDLE_PLAN_H
#define FTH_MODEL_HANDLES_HANDLE_PLAN_H

#include "model/reading/model.h"

enum { FTH_ON_NO_PARAMETER = -3 };

struct fth_handle_plan {
    const struct fth_row *row;
    /* of handles that are used, closed or made; those of anonymous classes are left out */
    int use_count;
    struct {
        int field; /* of the row; FTH_RESULT, FTH_ON_STREAM */
        int handle_class;
        enum fth_role role; /* FTH_ROLE_USE, CLOSE, NEW, AIO */
        bool is_left_out;   /* nobody looks at it */
    } uses[FTH_MOST_VALUES + 2];
    int about; /* place in uses of the handle that calls are about, -1 */
    int made;  /* place of the first one that is made, -1 */
    int in;    /* place of the one that it is made in, -1 */
    int name;  /* fields; FTH_ON_NO_PARAMETER: there is none. What the new one is called in there */
    int group; /* place of a communicator, -1 */
    int flags, mode; /* how it is opened: flags, a text as of fopen */
    int variable;    /* number of a variable in the file that the call is about */
    int transfer;    /* flags that say whether transfers are collective */
    int size, rank;  /* of the communicator: what the call has found out */
    int command;     /* what a control call or a lock is to do */
    bool has_path, duplicates, opens, moves_data, adopts;
    bool says_descriptor; /* returns that of the stream that it is about: fileno */
    bool is_idle;         /* all of its handles are left out */
};

/* Does the flag say that transfers are collective, or that they are not? */
bool fth_transfer_is_collective(const struct fth_flags *flags, int64_t value, bool *collective);

/* One per function of the trace; free() them. */
struct fth_handle_plan *fth_handle_plans(const struct fth_trace *trace, size_t proc);
/* From now on handles of this class are left out. */
void fth_handle_plan_leave_out(struct fth_handle_plan *plan, int handle_class);

#endif
