/* Fits time = constant + slope * bytes to measured times. What is made small is the sum of squares
 * of the relative errors, twice as long counted like half as long: a microsecond counts more in a
 * small operation than in a large one, and between two kinds of operations that differ a line goes
 * through the middle. */
#ifndef FTH_MEASURE_FIT_H
#define FTH_MEASURE_FIT_H

#include <stddef.h>

struct fth_point {
    double bytes, time; /* ns, more than 0 */
    /* how often the constant is in it: 1, or 3 for a message that asks and waits for the answer */
    double constants;
};

struct fth_fit_line {
    double constant; /* ns, 0 or more */
    double slope;    /* ns per byte, 0 or more */
};

/* How far measured times are from those of a model, relative to them. */
struct fth_residual {
    double mean;         /* the square root of the mean square, 0.1: 10 % */
    double worst;        /* with its sign: positive where the model is slower */
    struct fth_point at; /* where that is */
};

struct fth_fit_line fth_fit_line(const struct fth_point *points, size_t count);
/* The same with a slope, or a constant, that is known. */
struct fth_fit_line fth_fit_constant(const struct fth_point *points, size_t count, double slope);
struct fth_fit_line fth_fit_slope(const struct fth_point *points, size_t count, double constant);

/* The time of that many bytes and constants by a line. */
double fth_line_time(const struct fth_fit_line *line, const struct fth_point *point);

/* Adds up the errors of what was compared; begins zeroed. */
struct fth_comparison {
    double squares;
    size_t count;
    struct fth_residual residual;
};
void fth_measure_compare(struct fth_comparison *comparison, const struct fth_point *point,
                         double model);
void fth_fit_compare_line(struct fth_comparison *comparison, const struct fth_point *points,
                          size_t count, const struct fth_fit_line *line);

#endif
