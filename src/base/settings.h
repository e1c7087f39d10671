/* The variables of the environment with which Fathom is set, one row each: those that `fathom
 * record` sets for the tracer in programs (RECORD), and those that users set (USER: manual pages
 * name them). Their names stand here and nowhere else (tests/house/settings).
 *
 *     ROW(NAME, SET_BY, VALUE, DEFAULT, MEANING)      "-": it is not set */
#ifndef FTH_BASE_SETTINGS_H
#define FTH_BASE_SETTINGS_H

#define FTH_SETTING_PREFIX "FATHOM_"

/* The resolution of times where nobody asks for another one; a word of --time. */
#define FTH_DEFAULT_RESOLUTION "1us"

/* The most that a recording may take on a node where nobody asks for another bound; a word of
 * --budget. */
#define FTH_DEFAULT_BUDGET "4G"

/* clang-format off */
#define FTH_SETTINGS(ROW) \
    ROW(SPILL, RECORD, "path", "-", \
        "the folder in which processes leave what they record; empty: not recorded") \
    ROW(MEMORY, RECORD, "bytes", "-", \
        "small files of that folder are in memory, as long as so much is free there") \
    ROW(BUDGET, RECORD, "bytes", "no bound", \
        "what processes leave in that folder, all together on a node, takes no more (--budget)") \
    ROW(PARTS, RECORD, "path", "-", \
        "where MPI worlds that merge themselves put their files: a prefix") \
    ROW(APART, RECORD, "number[:rank:size]", "-", \
        "ranks do nothing together; what tells their world from others, and the place in it") \
    ROW(IMAGE, RECORD, "16 digits", "0", \
        "the process image that started this one; each process writes its own") \
    ROW(WITH, RECORD, "paths", "-", \
        "plug-ins to load (--with)") \
    ROW(PYTHON, RECORD, "what", "-", \
        "what of Python becomes regions (--python)") \
    ROW(REGIONS, RECORD, "rules", "-", \
        "which functions become regions (--regions)") \
    ROW(LAYERS, RECORD, "list", "all", \
        "layers that are recorded (--layers)") \
    ROW(FUNCTIONS, RECORD, "list", "all", \
        "functions that are recorded (--functions)") \
    ROW(INCLUDE, RECORD, "paths", "all", \
        "files that are recorded (--include); " \
        "of `fathom wrap`, set by its user: the folder of headers") \
    ROW(EXCLUDE, RECORD, "paths", "-", \
        "files that are not recorded (--exclude)") \
    ROW(CUDA, RECORD, "1", "-", \
        "what a GPU does is recorded (--cuda)") \
    ROW(LINES, RECORD, "1", "-", \
        "source lines of calls are kept (--lines)") \
    ROW(CONTENTS, RECORD, "1", "-", \
        "hashes of what writes carry are kept (--contents)") \
    ROW(PROGRAM_FILES, RECORD, "1", "-", \
        "files of programs are recorded, too (--program-files)") \
    ROW(MIN_BYTES, RECORD, "bytes", "0", \
        "data calls that move less are left out (--min-bytes)") \
    ROW(MIN_NS, RECORD, "ns", "0", \
        "calls that take less are left out (--min-duration)") \
    ROW(MIN_TICKS, RECORD, "ticks", "0", \
        "the same in ticks of the processor") \
    ROW(SELECT, RECORD, "rule", "-", \
        "which processes are recorded in full, phase by phase (--select; base/watch_rule.h)") \
    ROW(TICK_RATE, RECORD, "ticks", "-", \
        "ticks of the processor in a second, for phases of a time (--select)") \
    ROW(TUNABLE, RECORD, "1", "-", \
        "`fathom tune --live` may set hints of files that are opened later (--tunable)") \
    ROW(TIME, RECORD, "mode", FTH_DEFAULT_RESOLUTION, \
        "how times are kept (--time)") \
    ROW(MASK, RECORD, "words", "-", \
        "what is masked in command lines (--mask-arguments)") \
    ROW(RANK, RECORD, "variable[,variable]", "-", \
        "the variables that tell a process its rank and their number (--rank-from)") \
    ROW(HOST, RECORD, "name", "-", \
        "the node on which `fathom record` runs") \
    ROW(SAMPLE, RECORD, "ns:program", "-", \
        "how often samples are taken on other nodes, and the program that does (--sample)") \
    ROW(ATTACHED, RECORD, "1", "-", \
        "the process ran already when its recording began (`fathom attach`)") \
    ROW(CLOCK, USER, "monotonic", "ticks", \
        "times are CLOCK_MONOTONIC's, not the ticks of the processor") \
    ROW(FS, USER, "path", "-", \
        "the folder of an instance of the file system (`fathom fs`)") \
    ROW(REPLACE, USER, "1", "-", \
        "`fathom record --force` always") \
    ROW(MERGE_ABOVE, USER, "bytes", "16777216", \
        "ranks of a node merge in MPI_Finalize where their streams take more, all together") \
    ROW(SHARED, USER, "types", "-", \
        "types of file systems on which a path is the same file on every node") \
    ROW(LIBRARY, USER, "path", "-", \
        "the tracer, libfathom.so, instead of the one that was installed") \
    ROW(CUPTI, USER, "path", "-", \
        "the CUPTI library for --cuda") \
    ROW(PLUGIN_PATH, USER, "paths", "-", \
        "folders in which plug-ins are found by name") \
    ROW(STEPS, USER, "path", "fathom-steps", \
        "where the shell of `fathom workflow wrap` puts what it records") \
    ROW(KEEP_TRACES, USER, "yes", "-", \
        "that shell keeps the trace of a step beside its profile") \
    ROW(REFERENCE, USER, "path", "-", \
        "a folder in which every call is written in full, for tests (docs/architecture.md)")
/* clang-format on */

#define FTH_SETTING_NUMBER(name, set_by, value, usual, meaning) FTH_SETTING_##name,
enum fth_setting_number { FTH_SETTINGS(FTH_SETTING_NUMBER) FTH_SETTING_COUNT };
#undef FTH_SETTING_NUMBER

/* "FATHOM_NAME"; what is no row is no program that compiles. */
#define FTH_SETTING_NAME(name) (&(FTH_SETTING_PREFIX #name)[0 * FTH_SETTING_##name])
/* The same as a literal, to be joined with others. */
#define FTH_SETTING_LITERAL(name) FTH_SETTING_PREFIX #name

#endif
