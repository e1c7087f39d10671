/* Libraries of the catalogue that a program has inside: linked statically, where no call of them
 * can be seen. */
#ifndef FTH_TRACE_PROGRAM_INSIDE_H
#define FTH_TRACE_PROGRAM_INSIDE_H

/* "hdf5" or "hdf5, hdf5_hl": those of the program in this file which have no slots for the tracer
 * (`fathom wrap --static`); to be freed. NULL: none, or the file does not say, because it was
 * stripped or cannot be read. */
char *fth_libraries_inside(const char *path);

#endif
