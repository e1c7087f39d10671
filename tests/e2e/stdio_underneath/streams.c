/* Everything that makes a stream's buffer fill or empty. `run` compares what reaches the files with
 * what strace sees. */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>

static char block[100000];

static FILE *open_stream(const char *path, const char *mode)
{
    FILE *file = fopen(path, mode);
    assert(file);
    return file;
}

static void put_lines(FILE *file, int count)
{
    for (int i = 0; i < count; i++)
        fprintf(file, "line %d\n", i);
}

static void write_blocks(void)
{
    FILE *file = open_stream("blocks", "w");
    for (int i = 0; i < 1000; i++)
        assert(fwrite(block, 7, 3, file) == 3);
    assert(fwrite(block, 1, sizeof block, file) == sizeof block); /* past the buffer */
    assert(fputs("and\n", file) >= 0);
    assert(fflush(file) == 0);
    assert(fflush(file) == 0); /* has nothing to do */
    put_lines(file, 10);
    assert(fclose(file) == 0);
}

static void write_with_other_buffers(void)
{
    static char small[13], large[65536];
    FILE *none = open_stream("unbuffered", "w"), *line = open_stream("by_line", "w");
    FILE *few = open_stream("small_buffer", "w"), *many = open_stream("large_buffer", "w");
    assert(setvbuf(none, NULL, _IONBF, 0) == 0 && setvbuf(line, NULL, _IOLBF, 0) == 0);
    assert(setvbuf(few, small, _IOFBF, sizeof small) == 0);
    assert(setvbuf(many, large, _IOFBF, sizeof large) == 0);
    put_lines(none, 20), put_lines(line, 20), put_lines(few, 200), put_lines(many, 20000);
    for (int i = 0; i < 5000; i++)
        putc_unlocked('a' + i % 26, few);
    fputs("unfinished", line);
    assert(fclose(none) == 0 && fclose(line) == 0 && fclose(few) == 0 && fclose(many) == 0);
}

static void append(void)
{
    FILE *one = open_stream("appended", "a"), *other = open_stream("appended", "a+");
    for (int i = 0; i < 5; i++) {
        fprintf(one, "one %d\n", i), fflush(one);
        fprintf(other, "other %d\n", i), fflush(other);
    }
    rewind(other);
    assert(fgets(block, sizeof block, other) && strcmp(block, "one 0\n") == 0);
    assert(fclose(one) == 0 && fclose(other) == 0);
}

static void read_all_ways(void)
{
    char line[64], word[64], *grown = NULL;
    size_t size = 0;
    int number;
    FILE *file = open_stream("by_line", "r");
    while (fgets(line, sizeof line, file))
        ;
    rewind(file);
    while (fscanf(file, "%60s %d", word, &number) == 2)
        ;
    assert(fclose(file) == 0);
    file = open_stream("large_buffer", "r");
    for (int i = 0; i < 3000; i++)
        assert(getc_unlocked(file) != EOF && ungetc('x', file) == 'x' && fgetc(file) == 'x');
    for (int i = 0; i < 100; i++)
        assert(ungetc('y', file) == 'y'); /* more than there is room for in front */
    assert(fread(block, 1, 150, file) == 150);
    assert(getline(&grown, &size, file) > 0 && getdelim(&grown, &size, '7', file) > 0);
    assert(fread(block, 1000, 60, file) == 60); /* past the buffer */
    assert(fseek(file, 100, SEEK_SET) == 0 && fgetc(file) != EOF);
    assert(fseek(file, 10, SEEK_CUR) == 0 && fgetc(file) != EOF); /* within the buffer */
    assert(fseek(file, 150000, SEEK_SET) == 0 && fgetc(file) != EOF && ftell(file) == 150001);
    assert(fseek(file, -5, SEEK_END) == 0 && fread(block, 10, 10, file) == 0 && feof(file));
    fpos_t place;
    assert(fgetpos(file, &place) == 0 && fsetpos(file, &place) == 0 && fgetc(file) == EOF);
    setbuf(file, NULL);
    rewind(file);
    assert(fgetc(file) == 'l' && fgets(line, 5, file) && fread(block, 1, 9, file) == 9);
    free(grown);
    assert(fclose(file) == 0);
}

static void update(void)
{
    FILE *file = open_stream("updated", "w+");
    put_lines(file, 2000);
    assert(fseek(file, 5000, SEEK_SET) == 0 && fread(block, 1, 10, file) == 10);
    assert(fseek(file, 0, SEEK_CUR) == 0 && fputs("HERE", file) >= 0);
    assert(fseek(file, 0, SEEK_SET) == 0 && fgetc(file) == 'l');
    assert(fseek(file, 50000, SEEK_SET) == 0 && fputs("beyond", file) >= 0);
    rewind(file);
    assert(fgetc(file) == 'l' && fflush(file) == 0); /* gives back what was read ahead */
    assert(fgetc(file) == 'i');
    assert(fclose(file) == 0);
}

static void reopen(void)
{
    FILE *file = open_stream("before", "w");
    put_lines(file, 10);
    assert((file = freopen("after", "w", file)));
    put_lines(file, 20);
    assert(fclose(file) == 0);
    assert(freopen("missing/file", "w", open_stream("before", "a")) == NULL);
}

static void wide(void)
{
    assert(setlocale(LC_ALL, "C.UTF-8"));
    wchar_t line[100];
    FILE *file = open_stream("wide", "w+");
    for (int i = 0; i < 1000; i++)
        assert(fwprintf(file, L"%d äöü €\n", i) > 0 && fputwc(L'ß', file) == L'ß' &&
               fputws(L"λ\n", file) >= 0);
    rewind(file);
    for (int i = 0; i < 1500; i++)
        assert(fgetws(line, 100, file));
    assert(fgetwc(file) != WEOF && ungetwc(L'x', file) == L'x' && fgetwc(file) == L'x');
    assert(fclose(file) == 0);
}

static ssize_t cookie_write(void *cookie, const char *bytes, size_t size)
{
    return write(*(int *)cookie, bytes, size);
}

static void without_descriptor(void)
{
    char memory[1000], *grown;
    size_t size;
    int file = open("below_cookie", O_WRONLY | O_CREAT, 0600);
    FILE *in_memory = fmemopen(memory, sizeof memory, "w+"),
         *stream = open_memstream(&grown, &size);
    FILE *own = fopencookie(&file, "w", (cookie_io_functions_t){.write = cookie_write});
    assert(file >= 0 && in_memory && stream && own);
    put_lines(in_memory, 30), put_lines(stream, 3000), put_lines(own, 2000);
    rewind(in_memory);
    assert(fgetc(in_memory) == 'l');
    assert(fclose(in_memory) == 0 && fclose(stream) == 0 && fclose(own) == 0 && close(file) == 0);
    free(grown);
}

static void share_descriptor(void)
{
    int file = open("shared", O_RDWR | O_CREAT, 0600);
    FILE *stream = fdopen(file, "w+");
    fputs("stream\n", stream), fflush(stream);
    assert(write(file, "descriptor\n", 11) == 11);
    fputs("stream again\n", stream);
    assert(fclose(stream) == 0);
    stream = open_stream("numbered", "w");
    fputs("stream\n", stream), fflush(stream);
    assert(write(fileno(stream), "descriptor\n", 11) == 11);
    dprintf(fileno(stream), "%s\n", "formatted");
    fputs("stream again\n", stream);
    assert(fclose(stream) == 0);
    stream = tmpfile();
    put_lines(stream, 1000);
    assert(fclose(stream) == 0);
}

static void commands(void)
{
    FILE *to = popen("cat >from_pipe", "w"), *from;
    put_lines(to, 3000);
    assert(pclose(to) == 0);
    from = popen("cat from_pipe; cat by_line", "r");
    while (fgets(block, sizeof block, from))
        ;
    assert(pclose(from) == 0);
    put_lines(from = open_stream("after_pipes", "w"), 1);
    fclose(from);
}

static void copies(void)
{
    FILE *file = open_stream("copied", "w");
    fputs("before\n", file);
    pid_t child = fork();
    if (child == 0) {
        fputs("child\n", file);
        exit(0); /* writes "before" too */
    }
    waitpid(child, NULL, 0);
    if ((child = fork()) == 0)
        _exit(0); /* writes nothing */
    waitpid(child, NULL, 0);
    if ((child = fork()) == 0)
        exit(0); /* makes no call at all, and writes "before" */
    waitpid(child, NULL, 0);
    fputs("parent\n", file);
    assert(fclose(file) == 0);
}

/* A file that may not grow: the first write succeeds in part, the next ones fail. */
static void no_room(void)
{
    struct rlimit before, limit = {5000, RLIM_INFINITY};
    signal(SIGXFSZ, SIG_IGN);
    assert(getrlimit(RLIMIT_FSIZE, &before) == 0);
    limit.rlim_max = before.rlim_max;
    FILE *file = open_stream("no_room", "w"), *gone = open_stream("gone", "w");
    assert(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    put_lines(file, 2000);
    assert(ferror(file) && fwrite(block, 1, 20000, file) < 20000);
    fclose(file);
    assert(setrlimit(RLIMIT_FSIZE, &before) == 0);
    fputs("lost\n", gone);
    close(fileno(gone));
    assert(fflush(gone) == EOF);
    fclose(gone);
}

static void *write_in_thread(void *path)
{
    FILE *file = open_stream(path, "w");
    put_lines(file, 5000);
    assert(fclose(file) == 0);
    return NULL;
}

static void threads(void)
{
    pthread_t thread[2];
    static char names[2][16] = {"thread_0", "thread_1"};
    for (int i = 0; i < 2; i++)
        assert(pthread_create(&thread[i], NULL, write_in_thread, names[i]) == 0);
    for (int i = 0; i < 2; i++)
        assert(pthread_join(thread[i], NULL) == 0);
}

static FILE *left_open;
static void at_the_end(void)
{
    fputs("last words\n", left_open);
}

static void be_killed(void)
{
    FILE *file = open_stream("lost", "w");
    for (int i = 0; i < 500; i++)
        fwrite(block, 1, 10, file);
    raise(SIGKILL);
}

int main(int count, char **arguments)
{
    memset(block, 'b', sizeof block);
    if (count > 1 && strcmp(arguments[1], "killed") == 0)
        be_killed();
    write_blocks();
    write_with_other_buffers();
    append();
    read_all_ways();
    update();
    reopen();
    without_descriptor();
    share_descriptor();
    commands();
    copies();
    no_room();
    threads();
    wide();
    while (fgets(block, sizeof block, stdin))
        puts(block);
    left_open = open_stream("left_open", "w");
    fputs("still in the buffer\n", left_open);
    atexit(at_the_end);
    put_lines(open_stream("also_left_open", "w"), 500);
    printf("done\n");
    fprintf(stderr, "really\n");
    return 0;
}
