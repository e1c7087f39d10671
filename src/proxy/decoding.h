/* A call of the trace while it becomes a form. Each part reads into decoding->reading, and leaves
 * the call out with a reason where it cannot be written. Inner header of the proxy room. */
#ifndef FTH_PROXY_DECODING_H
#define FTH_PROXY_DECODING_H

#include "proxy/forms.h"

struct fth_decoding {
    const struct fth_form_context *context;
    const struct fth_call *call;
    const struct fth_row *row;
    struct fth_form_reading *reading;
};

/* ---- what all use ---- */

static inline struct fth_argument *fth_decoding_argument(const struct fth_decoding *decoding,
                                                         size_t field)
{
    return &decoding->reading->form.arguments[field];
}
/* The first reason stays. */
void fth_decoding_leave_out(struct fth_decoding *decoding, const char *why);
/* One more number of the argument. */
void fth_decoding_number(struct fth_decoding *decoding, size_t field, int64_t number);

/* ---- handles ---- */

/* One more handle of the argument; `name`: of a constant, or NULL. */
void fth_decoding_handle(struct fth_decoding *decoding, size_t field, int64_t number,
                         const char *name);
void fth_decoding_handles(struct fth_decoding *decoding, size_t field,
                          const struct fth_value *value);
/* When all arguments are read: those that the call closes have no variables any more, and those
 * that it makes have some. */
void fth_decoding_make_handles(struct fth_decoding *decoding);

/* ---- values ---- */

void fth_decoding_name(struct fth_decoding *decoding, size_t field, const struct fth_value *value);
void fth_decoding_list(struct fth_decoding *decoding, size_t field, const struct fth_value *value);
/* The argument of a control command. */
void fth_decoding_command(struct fth_decoding *decoding, size_t field,
                          const struct fth_value *value);
/* A control block of asynchronous I/O; and, when all arguments are read, its variable. */
void fth_decoding_block(struct fth_decoding *decoding, size_t field, const struct fth_value *value);
void fth_decoding_make_block(struct fth_decoding *decoding, size_t field);
/* What has no role: buffers, callbacks, places for results. */
void fth_decoding_unkept(struct fth_decoding *decoding, size_t field);

/* ---- the form ---- */

/* Which form it is: into reading->key. */
void fth_decoding_key(struct fth_decoding *decoding);

#endif
