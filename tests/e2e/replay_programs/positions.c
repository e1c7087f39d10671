/* Asks where a stream is while bytes of it are not in the system yet: that writes none of them. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static char bytes[5000];

int main(void)
{
    FILE *file = fopen("opened", "wb");
    fwrite(bytes, 1, 5000, file);
    ftell(file);
    fwrite(bytes, 1, 10, file);
    ftello(file);
    fclose(file);

    file = fdopen(dup(open("given", O_RDWR | O_CREAT | O_TRUNC, 0644)), "wb");
    ftell(file);
    fwrite(bytes, 8, 100, file);
    fpos_t place;
    fgetpos(file, &place);
    fclose(file);

    file = fopen("lines", "w");
    for (int i = 0; i < 10; i++) {
        fprintf(file, "record %d\n", i);
        ftell(file);
    }
    fseek(file, 4, SEEK_SET);
    fputs("in the middle", file);
    fseek(file, 800, SEEK_SET);
    fwrite(bytes, 1, 30, file);
    return fclose(file);
}
