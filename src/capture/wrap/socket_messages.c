/* Several messages at once through a socket (sendmmsg, recvmmsg), whose bytes are in structures. */
#include "calls.h"
#include "capture/follow/standing.h"
#include "capture/life/begin.h"
#include "capture/wrap/real.h"

#include <sys/socket.h>

static void *real_sendmmsg, *real_recvmmsg;

static int64_t bytes_of(const struct mmsghdr *messages, int count)
{
    int64_t bytes = 0;
    for (int i = 0; i < count; i++)
        bytes += messages[i].msg_len;
    return bytes;
}

/* False: it is on a socket that is left out. */
static bool begin(struct fth_draft *call, int descriptor, int32_t *slot, int64_t *stood)
{
    *slot = fth_find_descriptor(FTH_CLASS_fd, descriptor);
    if (*slot == FTH_EXCLUDED) {
        fth_pass(call);
        return false;
    }
    fth_note_binding(call, FTH_CLASS_fd, *slot);
    fth_about(call, fth_class_ordinals[FTH_CLASS_fd], *slot);
    *stood = fth_standing(*slot, descriptor);
    fth_start(call);
    return true;
}

static int finish(struct fth_draft *call, int descriptor, int32_t slot, int64_t stood,
                  const struct mmsghdr *messages, unsigned n, int flags, int result)
{
    fth_end(call);
    call->worked = result >= 0;
    int64_t bytes = call->worked ? bytes_of(messages, result) : 0;
    fth_stood(call, slot, descriptor, stood, call->worked ? bytes : -1);
    fth_keep(call, slot);
    fth_keep(call, n);
    fth_keep(call, flags);
    fth_keep(call, bytes);
    fth_keep_status(call, result);
    return result;
}

FTH_PUBLIC int sendmmsg(int descriptor, struct mmsghdr *messages, unsigned n, int flags)
{
    struct fth_draft call;
    int32_t slot;
    int64_t stood;
    if (!fth_begin_at(&call, FTH_CALL_sendmmsg, FTH_CONTEXT_sendmmsg, FRAME) ||
        !begin(&call, descriptor, &slot, &stood))
        return REAL(sendmmsg)(descriptor, messages, n, flags);
    int result = REAL(sendmmsg)(descriptor, messages, n, flags);
    return finish(&call, descriptor, slot, stood, messages, n, flags, result);
}

FTH_PUBLIC int recvmmsg(int descriptor, struct mmsghdr *messages, unsigned n, int flags,
                        struct timespec *until)
{
    struct fth_draft call;
    int32_t slot;
    int64_t stood;
    if (!fth_begin_at(&call, FTH_CALL_recvmmsg, FTH_CONTEXT_recvmmsg, FRAME) ||
        !begin(&call, descriptor, &slot, &stood))
        return REAL(recvmmsg)(descriptor, messages, n, flags, until);
    int result = REAL(recvmmsg)(descriptor, messages, n, flags, until);
    return finish(&call, descriptor, slot, stood, messages, n, flags, result);
}
