/* longjmp and its kin. Calls that are jumped out of are open no more; a signal handler that jumps
 * may leave the recorder in the middle of its work, too: it is notified. */
#include "capture/life/life.h"
#include "interpose/reach/reals.h"

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

/* The stack pointer that the jump goes to. glibc keeps it rotated, and masked with a secret of the
 * thread; UINTPTR_MAX: not known. */
static uintptr_t target(const struct __jmp_buf_tag *to)
{
#if defined __x86_64__ && defined __GLIBC__
    enum { STACK_POINTER = 6 };
    uintptr_t pointer = (uintptr_t)to->__jmpbuf[STACK_POINTER];
    __asm__("ror $17, %0\n\txor %%fs:0x30, %0" : "+r"(pointer) : : "cc");
    return pointer;
#else
    (void)to;
    return UINTPTR_MAX;
#endif
}

#define JUMP(name)                                                                                 \
    FTH_PUBLIC __attribute__((noreturn)) void name(struct __jmp_buf_tag to[1], int value)          \
    {                                                                                              \
        fth_longjmp_seen(target(to));                                                              \
        if (!real_##name)                                                                          \
            real_##name = (jump *)fth_real(#name);                                                 \
        real_##name(to, value);                                                                    \
        __builtin_unreachable();                                                                   \
    }

JUMP(longjmp)
JUMP(_longjmp)
JUMP(siglongjmp)
JUMP(__longjmp_chk)
