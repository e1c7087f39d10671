/* A library whose seek takes its time when it has found the end. The system call is made in a way
 * that no tracer of functions sees. */
#include <sys/syscall.h>
#include <unistd.h>

static long seek(long file, long distance, long whence)
{
#ifdef __x86_64__
    long position;
    __asm__ volatile("syscall"
                     : "=a"(position)
                     : "a"(SYS_lseek), "D"(file), "S"(distance), "d"(whence)
                     : "rcx", "r11", "memory");
    return position;
#else
    register long number __asm__("x8") = SYS_lseek, first __asm__("x0") = file;
    register long second __asm__("x1") = distance, third __asm__("x2") = whence;
    __asm__ volatile("svc 0" : "+r"(first) : "r"(number), "r"(second), "r"(third) : "memory");
    return first;
#endif
}

off_t lseek(int file, off_t distance, int whence)
{
    off_t position = seek(file, distance, whence);
    usleep(400000);
    return position;
}
