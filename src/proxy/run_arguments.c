/* Reads the arguments of the program, and refuses what it cannot run with. */
#include "proxy/run_arguments.h"

#include <inttypes.h>

static const char helper[] =
    "\nstatic const char *wrong; /* with the arguments; NULL: nothing */\n"
    "static long argument(const char *text, long least, long most, const char *what)\n"
    "{\n"
    "    static char said[256];\n"
    "    char *end;\n"
    "    errno = 0;\n"
    "    long number = strtol(text, &end, 10);\n"
    "    if (!errno && !*end && end != text && number >= least && number <= most)\n"
    "        return number;\n"
    "    snprintf(said, sizeof said, \"'%.80s' is no %s (%ld to %ld)\", text, what, least, most);\n"
    "    wrong = said;\n"
    "    return least;\n"
    "}\n";

static bool has_steps(const struct fth_writing *writing)
{
    return writing->needs & FTH_NEEDS_STEPS;
}

bool fth_proxy_has_parameters(const struct fth_writing *writing)
{
    return has_steps(writing) || writing->settings->grows;
}

void fth_proxy_put_argument_helper(const struct fth_writing *writing, FILE *to)
{
    if (fth_proxy_has_parameters(writing))
        fputs(helper, to);
}

void fth_proxy_put_parameters(const struct fth_writing *writing, FILE *to)
{
    bool steps = has_steps(writing), grows = writing->settings->grows;
    int last = steps + grows;
    if (!last)
        return;
    if (steps)
        fputs("    if (count > 1)\n"
              "        steps = argument(arguments[1], 0, LONG_MAX, "
              "\"number of turns of the main loop\");\n",
              to);
    if (grows) {
        fprintf(to, "    if (count > %d)\n        sizes = argument(arguments[%d], 1, ", last, last);
        if (steps)
            fprintf(to, "LONG_MAX / %" PRIu64 " / (1 + steps / %u)", writing->largest,
                    (unsigned)writing->steps);
        else
            fprintf(to, "LONG_MAX / %" PRIu64, writing->largest);
        fputs(", \"factor for sizes\");\n", to);
    }
    fprintf(to,
            "    if (count > %d)\n"
            "        wrong = \"The program takes %s%s%s, and nothing else\";\n",
            last + 1, steps ? "the turns of its main loop" : "", steps && grows ? " and " : "",
            grows ? "a factor for sizes" : "");
}

void fth_proxy_put_memory_check(const struct fth_writing *writing, FILE *to)
{
    bool buffer = writing->needs & FTH_NEEDS_BUFFER, other = writing->needs & FTH_NEEDS_OTHER;
    if (writing->settings->grows && buffer)
        fprintf(to, "    if (!buffer%s)\n        wrong = \"There is no memory for these sizes\";\n",
                other ? " || !other" : "");
}

void fth_proxy_put_parameters_check(const struct fth_writing *writing, FILE *to)
{
    bool in_mpi = writing->rank_count > 0;
    if (!fth_proxy_has_parameters(writing))
        return;
    fprintf(to,
            "    if (wrong) {\n"
            "%s"
            "%s        fprintf(stderr, \"%%s\\n\", wrong);\n"
            "%s"
            "        return 1;\n"
            "    }\n",
            in_mpi ? "        if (!rank)\n" : "", in_mpi ? "    " : "",
            in_mpi ? "        PMPI_Finalize();\n" : "");
}
