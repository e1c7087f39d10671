/* longjmp and its kin. A signal handler that jumps may leave the recorder in the middle of its work: it is told. */
#include "capture/process.h"
#include "capture/runtime.h"

#include <dlfcn.h>
#include <setjmp.h>

typedef void jump(struct __jmp_buf_tag *, int);
static jump *real_longjmp, *real__longjmp, *real_siglongjmp, *real___longjmp_chk;

/* A signal handler should not have to look for them. */
__attribute__((constructor)) static void start(void)
{
    int before = errno;
    real_longjmp = (jump *)dlsym(RTLD_NEXT, "longjmp");
    real__longjmp = (jump *)dlsym(RTLD_NEXT, "_longjmp");
    real_siglongjmp = (jump *)dlsym(RTLD_NEXT, "siglongjmp");
    real___longjmp_chk = (jump *)dlsym(RTLD_NEXT, "__longjmp_chk");
    errno = before;
}

#define JUMP(name)                                                                                 \
    FTH_PUBLIC __attribute__((noreturn)) void name(struct __jmp_buf_tag to[1], int value)          \
    {                                                                                              \
        fth_longjmp_seen();                                                                        \
        if (!real_##name)                                                                          \
            real_##name = (jump *)fth_real(#name);                                                 \
        real_##name(to, value);                                                                    \
        __builtin_unreachable();                                                                   \
    }

JUMP(longjmp)
JUMP(_longjmp)
JUMP(siglongjmp)
JUMP(__longjmp_chk)
