/* odd_sizes: reads its settings as text and some input, and writes results in pieces of sizes that
 * follow no rule, with pwritev, pwrite and fprintf, and locks. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

int main(void)
{
    static char bytes[1 << 16];
    FILE *settings = fopen("settings.txt", "r");
    while (fgets(bytes, 100, settings))
        ;
    fclose(settings);
    int input = open("input.bin", O_RDONLY), results = open("results.bin", O_RDWR | O_CREAT, 0600);
    while (read(input, bytes, 2048) > 0)
        ;
    close(input);
    unsigned random = 1;
    off_t place = 0;
    for (int i = 0; i < 200; i++) {
        random = random * 1103515245 + 12345;
        size_t size = random >> 17;
        if (pwrite(results, bytes, size, place) < 0)
            return 1;
        place += (off_t)size;
    }
    struct iovec pieces[2] = {{bytes, 100}, {bytes, 100}};
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 10, .l_len = 20};
    fcntl(results, F_SETLK, &lock);
    if (pwritev(results, pieces, 2, place) < 0 || ftruncate(results, place) ||
        lseek(results, -5, SEEK_END) < 0)
        return 1;
    close(results);
    FILE *log = fopen("results.log", "a");
    for (int i = 0; i < 12; i++)
        fprintf(log, "%d\n", 1 << i);
    fputs("the end\n", log);
    fclose(log);
    return 0;
}
