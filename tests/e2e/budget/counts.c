/* counts FILE: writes without an end, and counts in FILE, which is mapped, what it has done: writes
 * and their bytes, opens, and writes to what was opened. Whoever kills it can compare. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

int main(int count, char **arguments)
{
    int counts = open(arguments[count - 1], O_RDWR), file = open("counted", O_RDWR | O_CREAT, 0600);
    volatile uint64_t *done = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, counts, 0);
    char bytes[256] = "", name[] = "other.0";
    for (uint64_t random = 1;; done[0]++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        size_t length = 1 + (random >> 56);
        if (pwrite(file, bytes, length, (off_t)(random >> 44)) != (ssize_t)length)
            return 1;
        done[1] += length;
        if (done[0] % 64)
            continue;
        name[6] = (char)('0' + done[0] / 64 % 10);
        int other = open(name, O_RDWR | O_CREAT, 0600);
        done[2]++;
        done[3] += write(other, bytes, 5) == 5;
        close(other);
    }
}
