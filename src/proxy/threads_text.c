/* What starts threads and keeps their order: see the header. */
#include "proxy/threads_text.h"

#include <string.h>

static const char helpers[] =
    "struct thread {\n"
    "    pthread_t thread;\n"
    "    int which;\n"
    "    long number, passed; /* passed: so many of its marks */\n"
    "};\n"
    "static struct thread thread[THREADS + 1]; /* 0: the first one of the process */\n"
    "static _Thread_local long self;           /* its place there */\n"
    "\n"
    "static void *run_thread(void *place)\n"
    "{\n"
    "    self = (struct thread *)place - thread;\n"
    "    number = thread[self].number;\n"
    "    program(thread[self].which);\n"
    "    return NULL;\n"
    "}\n"
    "static void start_thread(long place, int which, long own)\n"
    "{\n"
    "    thread[place].which = which;\n"
    "    thread[place].number = own;\n"
    "    int code = pthread_create(&thread[place].thread, NULL, run_thread, &thread[place]);\n"
    "    if (code)\n"
    "        failed(\"pthread_create\", __LINE__, strerror(code));\n"
    "}\n"
    "static void join_thread(long place)\n"
    "{\n"
    "    pthread_join(thread[place].thread, NULL);\n"
    "}\n";

static const char marks[] =
    "\n/* A mark, for those who wait until this thread has passed so many. */\n"
    "static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;\n"
    "static pthread_cond_t passing = PTHREAD_COND_INITIALIZER;\n"
    "static void pass(void)\n"
    "{\n"
    "    pthread_mutex_lock(&turn);\n"
    "    thread[self].passed++;\n"
    "    pthread_cond_broadcast(&passing);\n"
    "    pthread_mutex_unlock(&turn);\n"
    "}\n"
    "static void wait_until_passed(long place, long marks)\n"
    "{\n"
    "    pthread_mutex_lock(&turn);\n"
    "    while (thread[place].passed < marks)\n"
    "        pthread_cond_wait(&passing, &turn);\n"
    "    pthread_mutex_unlock(&turn);\n"
    "}\n";

static const char reset[] = "    memset(thread, 0, sizeof thread);\n"
                            "    self = 0;\n";
static const char reset_marks[] = "    pthread_mutex_init(&turn, NULL);\n"
                                  "    pthread_cond_init(&passing, NULL);\n";

void fth_proxy_put_thread_helpers(const struct fth_writing *writing, FILE *to)
{
    if (!writing->threads)
        return;
    fprintf(to, "\n/* Threads of the run. */\nenum { THREADS = %u };\n%s",
            (unsigned)writing->threads, helpers);
    if (writing->needs & FTH_NEEDS_MARKS)
        fputs(marks, to);
}

void fth_proxy_put_thread_reset(const struct fth_writing *writing, FILE *to)
{
    if (writing->threads)
        fputs(reset, to);
    if (writing->threads && writing->needs & FTH_NEEDS_MARKS)
        fputs(reset_marks, to);
}

void fth_proxy_put_for_threads(const struct fth_writing *writing, const char *text, FILE *to)
{
    static const char word[] = "    static ";
    const char *found;
    while (*fth_proxy_of_thread(writing) && (found = strstr(text, word))) {
        found += strlen(word);
        fprintf(to, "%.*s%s", (int)(found - text), text, fth_proxy_of_thread(writing));
        text = found;
    }
    fputs(text, to);
}
