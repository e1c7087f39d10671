/* Standard output goes to a file and back; the end of it is in the buffer when the process ends. A
 * descriptor is closed, and another file gets its number. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int file = open("redirected", O_CREAT | O_WRONLY | O_TRUNC, 0644), saved = dup(1);
    dup2(file, 1);
    close(file);
    printf("hello %d\n", 1);
    fflush(stdout);
    if (write(1, "abc", 3) != 3)
        return 1;
    dup2(saved, 1);
    close(saved);
    printf("end %d\n", 1);
    fflush(stdout);
    saved = dup(1);
    close(1);
    if (open("reopened", O_CREAT | O_WRONLY | O_TRUNC, 0644) != 1)
        return 1;
    puts("in the file that has the number now");
    fflush(stdout);
    dup2(saved, 1);
    puts("end");
    return 0;
}
