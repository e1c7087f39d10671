/* Least squares of the logarithms of errors: see the header. */
#include "measure/fit.h"

#include <math.h>

/* What is looked for; the other half is known. */
enum unknown { BOTH, CONSTANT, SLOPE };

/* Weighted sums over all points: squares of what the constant and the slope are multiplied with,
 * and products. */
struct sums {
    double constants, bytes, both, constant_times, byte_times;
};

/* The line for which the squares of log(model / time) are least, from the last one by the method of
 * Gauss and Newton: near it, the logarithm is what the model must change by, relative to itself. In
 * the first round the model is what was measured. */
static struct sums add_up(const struct fth_point *points, size_t count,
                          const struct fth_fit_line *last)
{
    struct sums sums = {0};
    for (size_t i = 0; i < count; i++) {
        double bytes = points[i].bytes, constants = points[i].constants, time = points[i].time;
        double model = last ? fth_line_time(last, &points[i]) : time;
        /* What is off by more than a factor of e counts like that: an outlier is one, however far
         * out it lies. */
        double change = model > 0 ? log(time / model) : 1;
        change = fmin(fmax(change, -1), 1);
        model = fmax(model, time / 100);
        double weight = 1 / (model * model), wanted = model * (1 + change);
        sums.constants += weight * constants * constants;
        sums.bytes += weight * bytes * bytes;
        sums.both += weight * constants * bytes;
        sums.constant_times += weight * constants * wanted;
        sums.byte_times += weight * bytes * wanted;
    }
    return sums;
}

static struct fth_fit_line solve_constant(const struct sums *sums, double slope)
{
    double constant =
        sums->constants > 0 ? (sums->constant_times - slope * sums->both) / sums->constants : 0;
    return (struct fth_fit_line){constant > 0 ? constant : 0, slope};
}

static struct fth_fit_line solve_slope(const struct sums *sums, double constant)
{
    double slope = sums->bytes > 0 ? (sums->byte_times - constant * sums->both) / sums->bytes : 0;
    return (struct fth_fit_line){constant, slope > 0 ? slope : 0};
}

static struct fth_fit_line solve_both(const struct sums *sums)
{
    double determinant = sums->constants * sums->bytes - sums->both * sums->both;
    /* Points of one size say nothing about a slope. */
    if (!(determinant > 1e-12 * sums->constants * sums->bytes))
        return solve_constant(sums, 0);
    double slope =
        (sums->constants * sums->byte_times - sums->both * sums->constant_times) / determinant;
    double constant =
        (sums->bytes * sums->constant_times - sums->both * sums->byte_times) / determinant;
    if (constant < 0)
        return solve_slope(sums, 0);
    if (slope < 0)
        return solve_constant(sums, 0);
    return (struct fth_fit_line){constant, slope};
}

static struct fth_fit_line fit(const struct fth_point *points, size_t count, enum unknown unknown,
                               double known)
{
    enum { ROUNDS = 30 };
    struct fth_fit_line line = {0};
    for (int round = 0; round < ROUNDS; round++) {
        struct sums sums = add_up(points, count, round ? &line : NULL);
        line = unknown == BOTH       ? solve_both(&sums)
               : unknown == CONSTANT ? solve_constant(&sums, known)
                                     : solve_slope(&sums, known);
    }
    return line;
}

struct fth_fit_line fth_fit_line(const struct fth_point *points, size_t count)
{
    return fit(points, count, BOTH, 0);
}

struct fth_fit_line fth_fit_constant(const struct fth_point *points, size_t count, double slope)
{
    return fit(points, count, CONSTANT, slope);
}

struct fth_fit_line fth_fit_slope(const struct fth_point *points, size_t count, double constant)
{
    return fit(points, count, SLOPE, constant);
}

double fth_line_time(const struct fth_fit_line *line, const struct fth_point *point)
{
    return line->constant * point->constants + line->slope * point->bytes;
}

void fth_measure_compare(struct fth_comparison *comparison, const struct fth_point *point,
                         double model)
{
    double error = (model - point->time) / point->time;
    comparison->squares += error * error;
    comparison->count++;
    comparison->residual.mean = sqrt(comparison->squares / (double)comparison->count);
    if (fabs(error) > fabs(comparison->residual.worst)) {
        comparison->residual.worst = error;
        comparison->residual.at = *point;
    }
}

void fth_fit_compare_line(struct fth_comparison *comparison, const struct fth_point *points,
                          size_t count, const struct fth_fit_line *line)
{
    for (size_t i = 0; i < count; i++)
        fth_measure_compare(comparison, &points[i], fth_line_time(line, &points[i]));
}
