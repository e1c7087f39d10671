/* Reads or writes a file by system calls of its own: raw PATH [TEXT]. It is linked statically. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int count, char **words)
{
    char text[4096];
    int writes = count > 2;
    long file = syscall(SYS_openat, AT_FDCWD, words[1], writes ? O_WRONLY | O_CREAT | O_TRUNC : O_RDONLY, 0644);
    if (file < 0) {
        perror(words[1]);
        return 1;
    }
    long bytes = writes ? syscall(SYS_write, file, words[2], strlen(words[2])) : syscall(SYS_read, file, text, sizeof text);
    if (bytes < 0 || (!writes && syscall(SYS_write, 1, text, bytes) != bytes) || syscall(SYS_close, file)) {
        perror(words[1]);
        return 2;
    }
    return 0;
}
