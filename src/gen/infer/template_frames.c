/* What is around the hints of a proposed template, in C and in Fortran. The C is C++, too. */
#include "gen/infer/template_frames.h"

#include <inttypes.h>
#include <string.h>

/* ---- C ---- */

/* As a string of C: what is no letter by its number. */
static void quote_in_c(FILE *to, const char *text)
{
    fputc('"', to);
    for (; *text; text++)
        if (strchr("\"\\?", *text))
            fprintf(to, "\\%c", *text);
        else if (*text < ' ' || *text > '~')
            fprintf(to, "\\%03o", (unsigned char)*text);
        else
            fputc(*text, to);
    fputc('"', to);
}

static void begin_c(FILE *to, const struct fth_gen_recorded *recorded,
                    const struct fth_gen_proposed_file *files, size_t count, bool writes)
{
    (void)recorded, (void)files, (void)count;
    fputs("#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n"
          "static void *take(size_t count, size_t size)\n{\n"
          "    void *memory = calloc(count + 1, size);\n"
          "    if (!memory)\n        MPI_Abort(MPI_COMM_WORLD, 1);\n    return memory;\n}\n\n",
          to);
    if (writes)
        fputs("/* Stands for your data: what a process has, without a hole, in the order of the "
              "file. */\n"
              "static void fill(void *part, size_t bytes, int rank)\n{\n"
              "    memset(part, 'a' + rank % 26, bytes);\n}\n\n",
              to);
}

static void begin_file_in_c(FILE *to, const struct fth_gen_proposed_file *of, bool loops)
{
    (void)loops;
    fprintf(to, "static void save_%s(int rank)\n{\n", of->stem);
}

static void take_in_c(FILE *to, const struct fth_gen_proposed_variable *variable, int64_t length)
{
    fprintf(to, "    %s *%s_part = (%s *)take(%" PRId64 ", sizeof *%s_part);\n",
            variable->type->in_c, variable->name, variable->type->in_c, length, variable->name);
}

static void fill_in_c(FILE *to, const char *indent,
                      const struct fth_gen_proposed_variable *variable, int64_t length)
{
    const char *name = variable->name;
    fprintf(to, "%sfill(%s_part, %" PRId64 " * sizeof *%s_part, rank);\n", indent, name, length,
            name);
}

static void release_in_c(FILE *to, const struct fth_gen_proposed_variable *variable)
{
    fprintf(to, "    free(%s_part);\n", variable->name);
}

static void begin_loop_in_c(FILE *to, size_t steps)
{
    fprintf(to, "    for (int step = 0; step < %zu; step++) {\n", steps);
}

static void end_file_in_c(FILE *to, const struct fth_gen_proposed_file *of)
{
    (void)of;
    fputs("    (void)rank;\n}\n\n", to);
}

static void end_c(FILE *to, const struct fth_gen_recorded *recorded,
                  const struct fth_gen_proposed_file *files, size_t count)
{
    fputs("int main(int argc, char **argv)\n{\n    int rank, size;\n    MPI_Init(&argc, &argv);\n"
          "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n    MPI_Comm_size(MPI_COMM_WORLD, &size);\n",
          to);
    fprintf(to,
            "    if (size != %" PRId64 ") {\n"
            "        fprintf(stderr, \"the recorded run had %" PRId64
            " ranks, this one has %%d\\n\", size);\n"
            "        MPI_Abort(MPI_COMM_WORLD, 1);\n    }\n",
            recorded->ranks, recorded->ranks);
    for (size_t i = 0; i < count; i++)
        fprintf(to, "    save_%s(rank);\n", files[i].stem);
    fputs("    MPI_Finalize();\n    return 0;\n}\n", to);
}

const struct fth_gen_frame fth_gen_c_frame = {
    .end_loop = "    }\n",
    .begin_program = begin_c,
    .begin_file = begin_file_in_c,
    .quote = quote_in_c,
    .take = take_in_c,
    .fill = fill_in_c,
    .release = release_in_c,
    .begin_loop = begin_loop_in_c,
    .end_file = end_file_in_c,
    .end_program = end_c,
};

/* ---- Fortran ---- */

/* As a string of Fortran, which knows no escapes: what is no letter is put between. */
static void quote_in_fortran(FILE *to, const char *text)
{
    fputc('"', to);
    for (; *text; text++)
        if (*text == '"')
            fputs("\"\"", to);
        else if (*text < ' ' || *text > '~')
            fprintf(to, "\" // achar(%u) // \"", (unsigned char)*text);
        else
            fputc(*text, to);
    fputc('"', to);
}

/* A number may be more than a default integer can be. */
static void put_number(FILE *to, int64_t number)
{
    fprintf(to, "%" PRId64 "%s", number, number > INT32_MAX ? "_8" : "");
}

/* The subroutines are inside the program, so they have its rank. */
static void begin_fortran(FILE *to, const struct fth_gen_recorded *recorded,
                          const struct fth_gen_proposed_file *files, size_t count, bool writes)
{
    (void)writes;
    fputs("program recorded_run\n  use mpi\n  implicit none\n"
          "  integer :: ierror, rank, processes\n  call MPI_Init(ierror)\n"
          "  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)\n"
          "  call MPI_Comm_size(MPI_COMM_WORLD, processes, ierror)\n",
          to);
    fprintf(to,
            "  if (processes /= %" PRId64 ") then\n"
            "    print '(a,i0)', 'the recorded run had %" PRId64
            " ranks, this one has ', processes\n"
            "    call MPI_Abort(MPI_COMM_WORLD, 1, ierror)\n  end if\n",
            recorded->ranks, recorded->ranks);
    for (size_t i = 0; i < count; i++)
        fprintf(to, "  call save_%s()\n", files[i].stem);
    fputs("  call MPI_Finalize(ierror)\ncontains\n\n", to);
}

static void begin_file_in_fortran(FILE *to, const struct fth_gen_proposed_file *of, bool loops)
{
    fprintf(to, "  subroutine save_%s()\n", of->stem);
    for (size_t i = 0; i < of->layout.variable_count; i++)
        if (!of->layout.variables[i].gap)
            fprintf(to, "    %s, allocatable :: %s_part(:)\n",
                    of->layout.variables[i].type->in_fortran, of->layout.variables[i].name);
    if (loops)
        fputs("    integer :: step\n", to);
}

static void take_in_fortran(FILE *to, const struct fth_gen_proposed_variable *variable,
                            int64_t length)
{
    fprintf(to, "    allocate (%s_part(", variable->name);
    put_number(to, length);
    fputs("))\n", to);
}

static void fill_in_fortran(FILE *to, const char *indent,
                            const struct fth_gen_proposed_variable *variable, int64_t length)
{
    fprintf(to,
            "%s! Stands for your data: what a process has, without a hole, in the order of the "
            "file.\n%s%s_part = &\n%s  transfer(repeat(achar(97 + mod(rank, 26)), ",
            indent, indent, variable->name, indent);
    put_number(to, length * variable->type->bytes);
    fprintf(to, "), %s_part)\n", variable->name);
}

static void release_in_fortran(FILE *to, const struct fth_gen_proposed_variable *variable)
{
    fprintf(to, "    deallocate (%s_part)\n", variable->name);
}

static void begin_loop_in_fortran(FILE *to, size_t steps)
{
    fprintf(to, "    do step = 1, %zu\n", steps);
}

static void end_file_in_fortran(FILE *to, const struct fth_gen_proposed_file *of)
{
    fprintf(to, "  end subroutine save_%s\n\n", of->stem);
}

static void end_fortran(FILE *to, const struct fth_gen_recorded *recorded,
                        const struct fth_gen_proposed_file *files, size_t count)
{
    (void)recorded, (void)files, (void)count;
    fputs("end program recorded_run\n", to);
}

const struct fth_gen_frame fth_gen_fortran_frame = {
    .fortran = true,
    .end_loop = "    end do\n",
    .begin_program = begin_fortran,
    .begin_file = begin_file_in_fortran,
    .quote = quote_in_fortran,
    .take = take_in_fortran,
    .fill = fill_in_fortran,
    .release = release_in_fortran,
    .begin_loop = begin_loop_in_fortran,
    .end_file = end_file_in_fortran,
    .end_program = end_fortran,
};
