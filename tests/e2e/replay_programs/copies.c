/* Copies a file from one descriptor to another: at positions behind pointers, and at those of the
 * descriptors. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/sendfile.h>
#include <unistd.h>

int main(void)
{
    int from = open("input", O_RDONLY), to = open("part", O_RDWR | O_CREAT | O_TRUNC, 0644);
    off_t end = 100000;
    while (sendfile(to, from, &end, 1 << 20) > 0)
        ;
    off64_t place = 5000, target = 90000;
    if (sendfile(to, from, NULL, 3000) != 3000 ||
        copy_file_range(from, &place, to, &target, 100, 0) != 100)
        return 1;
    int whole = open("whole", O_WRONLY | O_CREAT, 0644), first = open("whole", O_RDONLY),
        last = open("first", O_WRONLY | O_CREAT, 0644);
    off_t start = 0;
    place = 0;
    return sendfile(whole, from, &start, 1 << 20) != 168894 ||
           copy_file_range(first, &place, last, NULL, 1000, 0) != 1000;
}
