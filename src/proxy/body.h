/* The program that processes with the same grammar share: functions, loops in them, and calls in
 * these. A rule of the grammar that is used once, or is short, stands where it is used; others are
 * functions.
 *
 * A number of a call that is not always the same is a value of the function that the call stands
 * in. In a loop it grows by a stride with each turn; where it began may differ from one call of the
 * function to the next, and then it is a parameter: a value of the calling function. What does not
 * fit is a series. */
#ifndef FTH_PROXY_BODY_H
#define FTH_PROXY_BODY_H

#include "proxy/sequence.h"

enum { FTH_MOST_PARAMETERS = 16 /* a function with more is none that people read */ };

enum fth_item_kind { FTH_ITEM_STATEMENT, FTH_ITEM_BLOCK, FTH_ITEM_CALL };

struct fth_item {
    enum fth_item_kind kind;
    uint32_t number; /* of the statement, or of the function that is called */
    uint32_t times;
    int loop;               /* of the function; -1: it is done once */
    int inside;             /* the innermost loop that it is in, its own included; -1 */
    struct fth_item *items; /* of a block */
    uint32_t item_count;
    uint32_t first_value, value_count; /* of the function */
    uint32_t makers;                   /* bits: groups that do anything of it */
    bool is_step;                      /* its turns are the steps of the program */
    int64_t gap;                       /* ns before it, of all its turns and processes */
    uint64_t gap_count;
};

struct fth_loop {
    int outer; /* -1 */
    uint32_t times;
};

/* Numbers in order: starts[k], starts[k] + strides[k] ..., counts[k] of them, for each run. */
struct fth_number_series {
    struct fth_number_run {
        int64_t start, stride;
        uint64_t count;
    } * runs;
    size_t count;
};

/* Appends a number. */
void fth_number_series_add(struct fth_number_series *series, int64_t number);

struct fth_body_value {
    const struct fth_item *item;
    uint32_t number;   /* of the statement's numbers; of a call: the value of the called function */
    bool follows_none; /* it is a series */
    bool is_parameter;
    int64_t first_step;       /* from the first base to the next that differs; 0: none does */
    int64_t *bases, *strides; /* of each process; of each and each loop of the function */
    bool *known;              /* as strides */
    struct fth_number_series *series; /* of each process */
    /* Of a parameter that follows from another one: which, and how, for each process. */
    int leader;
    int64_t *ratios, *shifts;
};

struct fth_body_function {
    struct fth_item root; /* a block */
    struct fth_loop *loops;
    uint32_t loop_count;
    struct fth_body_value *values;
    uint32_t value_count;
    uint64_t uses; /* while it is built; 0: it stands where it is used */
    bool *begun;   /* of each process: was it called before? */
    /* Its parameters, and of each two of them whether one follows from the other: body_fit.c. */
    uint32_t parameters[FTH_MOST_PARAMETERS], parameter_count;
    struct fth_parameter_pair *pairs;
    uint64_t weight; /* calls that it makes; 0: not counted yet */
    bool written;
};

/* Processes with the same program. */
struct fth_body {
    bool is_start;
    uint32_t program; /* of processes that are started: which, from 1; 0: of roots */
    bool ends_itself; /* see struct fth_relatives_member; not of a new program */
    size_t member_count;
    struct fth_proxy_process **members;
    /* Of one that several groups share: which of them make a statement, bits by process->group.
     * NULL: all members make all statements. */
    uint32_t *makers;
    struct fth_body_function *functions; /* by rule; 0 is the program */
    uint32_t function_count;
    uint64_t calls;
};

static inline struct fth_sequence *fth_body_sequence(const struct fth_body *body, size_t member)
{
    return body->is_start ? &body->members[member]->start : &body->members[member]->rest;
}

/* Does a member make the statement? */
static inline bool fth_body_makes(const struct fth_body *body, size_t member, uint32_t statement)
{
    return fth_body_sequence(body, member)->statements[statement].first != NULL;
}
/* The form of a statement, as the first member that makes it knows it. */
const struct fth_known_form *fth_body_form(const struct fth_body *body, uint32_t statement);

/* Makes the functions of a body that has members; and finds its values. */
int fth_body_build(struct fth_body *body, struct fth_error **error);
void fth_body_free(struct fth_body *body);

/* The statement that a value is a number of, at the end. */
uint32_t fth_value_statement(const struct fth_body *body, const struct fth_body_value *value);
/* Is the value, or what it is passed on to, a series? */
bool fth_value_is_series(const struct fth_body *body, const struct fth_body_value *value);
/* Makes it one. */
void fth_value_make_series(struct fth_body *body, struct fth_body_value *value);
/* Which parameter of which form it is a number of; -1: of none. */
int fth_value_field(const struct fth_body *body, const struct fth_body_value *value,
                    const struct fth_form **form);

#endif
