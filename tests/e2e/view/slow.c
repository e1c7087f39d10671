/* slow: writes once in 10 ms until a file "enough" is there. */
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
    int fd = open("slow.out", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    while (access("enough", F_OK) != 0) {
        if (write(fd, "text", 4) != 4)
            return 1;
        usleep(10000);
    }
    return close(fd) != 0;
}
