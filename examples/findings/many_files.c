/* Many small samples of a measurement.
 *
 *     many_files bad      a file for each sample: a storm of metadata
 *     many_files mended   one file
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SAMPLES = 400, SAMPLE = 512 };

int main(int argc, char **argv)
{
    char sample[SAMPLE] = "sample", all[SAMPLES * SAMPLE], name[32];
    if (argc > 1 && strcmp(argv[1], "mended") == 0) {
        for (int i = 0; i < SAMPLES; i++)
            memcpy(all + i * SAMPLE, sample, SAMPLE);
        int fd = open("samples", O_CREAT | O_WRONLY, 0644);
        if (write(fd, all, sizeof all) != sizeof all)
            return 1;
        close(fd);
        return 0;
    }
    for (int i = 0; i < SAMPLES; i++) {
        snprintf(name, sizeof name, "sample.%d", i);
        int fd = open(name, O_CREAT | O_WRONLY, 0644);
        if (write(fd, sample, SAMPLE) != SAMPLE)
            return 1;
        close(fd);
    }
    return 0;
}
