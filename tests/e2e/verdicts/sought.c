/* The child seeks to the end of the file, and writes there. While it seeks, its parent writes to
 * the same place: the child has not seen that. */
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int status, file = open("sought.data", O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (write(file, "12345678", 8) != 8)
        return 1;
    if (fork() == 0) {
        file = open("sought.data", O_RDWR);
        _exit(lseek(file, 0, SEEK_END) != 8 || write(file, "12345678", 8) != 8);
    }
    usleep(200000);
    if (write(file, "12345678", 8) != 8)
        return 1;
    wait(&status);
    return status != 0;
}
