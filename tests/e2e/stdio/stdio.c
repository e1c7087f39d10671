/* Makes known stdio calls; check.py holds what they move. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

static void write_text(void)
{
    FILE *file = fopen("text", "w");
    assert(file);
    assert(fprintf(file, "%d %s %.3f\n", 42, "apples", 1.5) == 16);
    assert(fputs("second line\n", file) >= 0);
    for (char letter = 'a'; letter < 'k'; letter++)
        assert(fputc(letter, file) == letter);
    assert(putc('\n', file) == '\n');
    assert(fflush(file) == 0);
    assert(fclose(file) == 0);
}

static void read_text(void)
{
    char line[100];
    int number;
    FILE *file = fopen("text", "r");
    assert(file);
    assert(fgets(line, sizeof line, file) == line && strlen(line) == 16);
    assert(fgetc(file) == 's');
    assert(ungetc('S', file) == 'S');
    assert(fgetc(file) == 'S');
    char *grown = NULL;
    size_t size = 0;
    assert(getline(&grown, &size, file) == 11);
    free(grown);
    assert(ftell(file) == 28);
    rewind(file);
    assert(fscanf(file, "%d", &number) == 1 && number == 42);
    assert(fseek(file, 0, SEEK_END) == 0);
    assert(fgetc(file) == EOF && feof(file));
    assert(fclose(file) == 0);
}

static void move_records(void)
{
    double record[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    static double records[100][8];
    FILE *file = fopen("records", "w+");
    assert(file);
    for (int i = 0; i < 100; i++)
        assert(fwrite(record, sizeof record[0], 8, file) == 8);
    assert(fseek(file, 64, SEEK_SET) == 0);
    assert(fread(records, sizeof record, 100, file) == 99); /* one less than asked for */
    assert(fclose(file) == 0);
}

int main(void)
{
    write_text();
    read_text();
    move_records();
    printf("%s\n", "done");
    puts("bye");
    fprintf(stderr, "to standard error\n");
    return 0;
}
