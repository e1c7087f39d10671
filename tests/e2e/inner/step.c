/* The inner library: one step, with I/O. */
#include "batch.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* The descriptor stands for another file in each step; every third one cannot be opened. Offsets
 * follow no rule, and some are the same again and again. */
int batch_step(int number, int step)
{
    char name[64], byte = 'x';
    snprintf(name, sizeof name, step % 3 ? "file.%d.%d" : "nowhere/file.%d.%d", number, step % 7);
    int fd = open(name, O_RDWR | O_CREAT, 0600);
    pwrite(fd, &byte, 1, (off_t)step * 2654435761u % 1000003);
    pread(fd, &byte, 1, 5);
    if (fd >= 0)
        close(fd);
    return step % 5;
}
