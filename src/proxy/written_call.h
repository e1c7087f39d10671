/* A statement of the program while it is written: its call, and the text so far. Inner header of
 * the proxy room. */
#ifndef FTH_PROXY_WRITTEN_CALL_H
#define FTH_PROXY_WRITTEN_CALL_H

#include "proxy/writing.h"

struct fth_written_call {
    struct fth_writing *writing;
    const struct fth_item *item;
    const struct fth_form *form;
    struct fth_growing_text text;
    uint32_t buffers, unused;
};

/* The variable of a handle of this class. */
void fth_proxy_put_variable(struct fth_written_call *call, uint32_t handle_class,
                            uint32_t variable);
/* A control block: what begins an operation, or what waits for its end. */
void fth_proxy_put_block(struct fth_written_call *call, size_t field);
/* A handle, or a list of them. */
void fth_proxy_put_handles(struct fth_written_call *call, size_t field);
/* What stands for no handle: no descriptor is -1; constants of HDF5 are 0 and have names. */
const char *fth_proxy_no_handle(const struct fth_field *field);
/* The type of what a list is made of. */
const char *fth_proxy_element_type(const struct fth_field *field, char type[static 64]);
/* A name of a file or an object, a text of the program. */
void fth_proxy_put_name(struct fth_written_call *call, size_t field);
/* A step of relatives, as a statement. */
void fth_proxy_put_step(struct fth_written_call *call);
/* Any argument of the call. */
void fth_proxy_put_argument(struct fth_written_call *call, size_t field);

#endif
