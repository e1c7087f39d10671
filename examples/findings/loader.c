/* A data loader that shuffles its records, for several epochs.
 *
 *     loader make     makes the records
 *     loader bad      reads single records, in another order every epoch
 *     loader mended   reads the file once, in large pieces, and shuffles in memory
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RECORDS = 1000, RECORD = 600, EPOCHS = 4 };

static char records[RECORDS * RECORD];

static unsigned long long train(const char *record)
{
    unsigned long long sum = 0;
    for (int i = 0; i < RECORD; i++)
        sum += (unsigned char)record[i];
    return sum;
}

int main(int argc, char **argv)
{
    unsigned long long sum = 0;
    char record[RECORD];
    int make = argc > 1 && strcmp(argv[1], "make") == 0, mended = argc > 1 && strcmp(argv[1], "mended") == 0;
    int fd = open("records", make ? O_CREAT | O_WRONLY : O_RDONLY, 0644);
    if (make)
        return write(fd, records, sizeof records) != sizeof records;
    if (mended && read(fd, records, sizeof records) != sizeof records)
        return 1;
    for (int i = 0; i < EPOCHS * RECORDS; i++) {
        int which = rand() % RECORDS;
        if (!mended && pread(fd, record, RECORD, (off_t)which * RECORD) != RECORD)
            return 1;
        sum += train(mended ? records + which * RECORD : record);
    }
    close(fd);
    return sum == 1;
}
