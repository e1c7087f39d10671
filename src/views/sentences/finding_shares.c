/* What the shares of a report are shares of: those of findings of what processes lasted, those of
 * the table of times of the time of all threads. */
#include "views/sentences/finding_sentences.h"

#include "base/phrase.h"

#include <stdio.h>
#include <string.h>

const char *fth_views_share(const struct fth_finding *finding)
{
    static char text[80];
    double share = finding->share;
    if (share > 100.5)
        snprintf(text, sizeof text, "%.1f times the run time of all processes", share / 100);
    else
        snprintf(text, sizeof text, "%s of all time", fth_phrase_percent(share).text);
    return text;
}

const char *fth_views_time_of(const struct fth_finding *finding)
{
    static char text[160];
    if (finding->gain < 0 || finding->effective)
        return NULL;
    snprintf(text, sizeof text, "%s, %s", fth_phrase_duration(finding->severity).text,
             fth_views_share(finding));
    return text;
}

/* Threads are there at the same time: all of them together for longer than their processes, by a
 * hundredth or more. */
static bool has_threads(const struct fth_results *results)
{
    return (double)results->lifetime.time > 1.01 * (double)results->whole;
}

/* Does the sentence about the table of times not name it? */
static bool is_another_base(const struct fth_results *results)
{
    return results->whole > 0 && !results->lifetime.cut &&
           (results->path || !results->lifetime.threads || !results->table_count);
}

const char *fth_views_base(const struct fth_results *results, bool any_shown)
{
    static char text[300];
    /* percent: worth telling; and what no share is printed without */
    static const double much = 10, seen = 0.05;
    bool of_mpi = results->mpi_share >= (any_shown ? seen : much);
    struct fth_phrase mpi = fth_phrase_percent(results->mpi_share);
    double whole = (double)results->whole;
    struct fth_phrase base =
        fth_phrase_duration((int64_t)(whole - whole * results->mpi_share / 100));
    if (!any_shown)
        snprintf(text, sizeof text, "Starting and ending MPI took %s of all time.", mpi.text);
    else if (has_threads(results))
        snprintf(text, sizeof text,
                 "Shares of findings refer to the run time of all processes%s%s%s, %s, not to the "
                 "time of all threads.",
                 of_mpi ? " without the start and end of MPI (" : "", of_mpi ? mpi.text : "",
                 of_mpi ? " of it)" : "", base.text);
    else if (of_mpi)
        snprintf(text, sizeof text,
                 "Starting and ending MPI took %s of all time. Shares of findings refer to the "
                 "rest, %s.",
                 mpi.text, base.text);
    else
        snprintf(text, sizeof text,
                 "Shares of findings refer to the run time of all processes, %s.", base.text);
    bool is_known = any_shown && (has_threads(results) || is_another_base(results));
    return of_mpi || is_known ? text : NULL;
}

static bool has_row(const struct fth_table *table, const char *name)
{
    for (size_t row = 0; row < fth_table_rows(table); row++)
        if (strcmp(fth_table_row(table, row)[0].text, name) == 0)
            return true;
    return false;
}

/* What threads did that the path had to leave out, as it was not recorded. */
static void put_threads(char *text, size_t size, const struct fth_results *results)
{
    const struct fth_path_limits *limits = &results->path_limits;
    if (!has_threads(results) || !limits->lacks_threads)
        *text = 0;
    else if (results->imported)
        snprintf(text, size,
                 " How threads wait for one another is %s: the path stays with a thread that waits "
                 "for another one.",
                 limits->lacks_threads);
    else
        snprintf(text, size,
                 " Calls of the layer pthread are not recorded (`fathom record %s` does so): where "
                 "a thread waits for another one in such a call, the path stays with it.",
                 limits->lacks_threads);
}

const char *fth_views_path_limits(const struct fth_results *results)
{
    static char text[1024];
    char threads[400], unstarted[240] = "", unseen[320] = "";
    const struct fth_path_limits *limits = &results->path_limits;
    if (!limits->length)
        return NULL;
    put_threads(threads, sizeof threads, results);
    if (!limits->lacks_threads && limits->unstarted > limits->length / 100)
        snprintf(unstarted, sizeof unstarted,
                 " What a new thread does before its first recorded call is not known: until then "
                 "the path stays with the thread that made it, %s in all.",
                 fth_phrase_duration(limits->unstarted).text);
    if (limits->unseen_waits > limits->length / 100)
        snprintf(unseen, sizeof unseen,
                 " Waits in poll, select and epoll_wait are not recorded (%s%s): processes that "
                 "read, or find a descriptor ready, right after a write are taken to have waited "
                 "for it, %s in all.",
                 results->imported ? "they are not in " : "`--functions '*'` does so",
                 results->imported ? results->imported : "",
                 fth_phrase_duration(limits->unseen_waits).text);
    snprintf(text, sizeof text, "%s%s%s", threads, unstarted, unseen);
    return *text ? text + 1 : NULL;
}

const char *fth_views_threads(const struct fth_results *results)
{
    static char text[2048];
    if (!results->lifetime.threads || !results->table_count)
        return NULL;
    const struct fth_table *table = results->tables[0];
    char time[64], whose[160] = "the run time of all processes", of_mpi[112] = "",
                   unended[200] = "", own[320] = "";
    size_t threads_of_mpi = results->lifetime.threads_of_mpi;
    snprintf(time, sizeof time, "%s",
             fth_phrase_duration(results->path ? results->path : results->lifetime.time).text);
    if (results->path)
        snprintf(whose, sizeof whose, "the length of the critical path");
    else if (results->lifetime.cut)
        snprintf(whose, sizeof whose, "the time before calls were missing");
    else if (has_threads(results))
        snprintf(whose, sizeof whose, "the time of %s threads with recorded calls",
                 fth_phrase_count((int64_t)results->lifetime.threads).text);
    if (threads_of_mpi && !results->path)
        snprintf(of_mpi, sizeof of_mpi, " %s of the MPI library %s with %s calls only.",
                 fth_phrase_several(threads_of_mpi, "thread", "threads").text,
                 threads_of_mpi == 1 ? "counts" : "count", threads_of_mpi == 1 ? "its" : "their");
    if (results->lifetime.unended)
        snprintf(unended, sizeof unended,
                 " What %s that did not end normally while recorded did after the last recorded "
                 "call is not known, "
                 "and not part of this.",
                 fth_phrase_several(results->lifetime.unended, "process", "processes").text);
    const char *limits = results->path ? fth_views_path_limits(results) : NULL;
    if (has_row(table, FTH_TIME_NOT_KNOWN))
        snprintf(own, sizeof own,
                 " Not known is what processes did outside of recorded calls %s. Times of recorded "
                 "calls include those of watched calls in them.",
                 results->path ? "in phases in which they were only watched"
                               : "if they were only watched in some phases");
    else if (has_row(table, "the program's own"))
        snprintf(own, sizeof own, " The program's own is the rest, including unrecorded waits%s%s.",
                 results->imported ? " and calls that are not in " : "",
                 results->imported ? results->imported : "");
    snprintf(text, sizeof text, "Shares refer to %s, %s.%s%s%s%s%s%s", whose, time, unended, of_mpi,
             limits ? " " : "", limits ? limits : "",
             has_row(table, "waiting") ? " Waiting is for children, locks, pipes and sockets." : "",
             own);
    return text;
}
