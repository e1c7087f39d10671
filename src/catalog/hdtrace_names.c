/* Names of states and attributes: see the header. */
#include "catalog/hdtrace_names.h"

#include <stdio.h>
#include <string.h>

static const char prefix[] = "MPI_";

/* Attributes of HDTrace for parameters of MPI. */
static const struct {
    const char *parameter, *attribute;
} of_mpi[] = {
    {"comm", "cid"},      {"datatype", "tid"},    {"sendtype", "sendTid"}, {"recvtype", "recvTid"},
    {"fh", "fid"},        {"request", "rid"},     {"dest", "toRank"},      {"source", "fromRank"},
    {"sendtag", "toTag"}, {"recvtag", "fromTag"}, {"root", "rootRank"},    {"filename", "name"},
    {"amode", "flags"},
};

/* What an attribute of any state may be, and no parameter is. */
static const char *const taken[] = {"time",     "end",     "size",      "result",  "error",
                                    "location", "fortran", "directory", "cid",     "tid",
                                    "sendTid",  "recvTid", "fid",       "rid",     "toRank",
                                    "fromRank", "toTag",   "fromTag",   "rootRank"};

bool fth_hdtrace_is_mpi(const char *function)
{
    return strncmp(function, prefix, sizeof prefix - 1) == 0 && function[sizeof prefix - 1];
}

const char *fth_hdtrace_state(const char *function)
{
    return fth_hdtrace_is_mpi(function) ? function + sizeof prefix - 1 : function;
}

const char *fth_hdtrace_attribute(bool is_mpi, bool sends, const char *parameter,
                                  char room[FTH_HDTRACE_LONGEST])
{
    if (is_mpi && strcmp(parameter, "tag") == 0)
        return sends ? "toTag" : "fromTag";
    for (size_t i = 0; is_mpi && i < sizeof of_mpi / sizeof *of_mpi; i++)
        if (strcmp(of_mpi[i].parameter, parameter) == 0)
            return of_mpi[i].attribute;
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (strcmp(taken[i], parameter) == 0) {
            snprintf(room, FTH_HDTRACE_LONGEST, "arg.%s", parameter);
            return room;
        }
    return parameter;
}
