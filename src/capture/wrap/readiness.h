/* Waits for descriptors. Inner header of the capture room. */
#ifndef FTH_CAPTURE_WRAP_READINESS_H
#define FTH_CAPTURE_WRAP_READINESS_H

/* A call found so many descriptors ready; less than 0: it failed. */
void fth_found_ready(int count);

#define FTH_WAITS_FOR_DESCRIPTORS(name)                                                            \
    static inline void fth_before_##name(void)                                                     \
    {                                                                                              \
    }                                                                                              \
    static inline void fth_after_##name(int result)                                                \
    {                                                                                              \
        if (result > 0)                                                                            \
            fth_found_ready(result);                                                               \
    }
FTH_WAITS_FOR_DESCRIPTORS(select)
FTH_WAITS_FOR_DESCRIPTORS(__select)
FTH_WAITS_FOR_DESCRIPTORS(pselect)
FTH_WAITS_FOR_DESCRIPTORS(poll)
FTH_WAITS_FOR_DESCRIPTORS(__poll)
FTH_WAITS_FOR_DESCRIPTORS(__poll_chk)
FTH_WAITS_FOR_DESCRIPTORS(ppoll)
FTH_WAITS_FOR_DESCRIPTORS(__ppoll_chk)
FTH_WAITS_FOR_DESCRIPTORS(epoll_wait)
FTH_WAITS_FOR_DESCRIPTORS(epoll_pwait)
FTH_WAITS_FOR_DESCRIPTORS(epoll_pwait2)
#undef FTH_WAITS_FOR_DESCRIPTORS

#endif
