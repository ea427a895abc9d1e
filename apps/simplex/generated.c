/* SPDX-License-Identifier: MIT */
#include "generated.h"

/* What the problem is told to, in the order of its text. */
struct listener {
    void *of;
    void (*column)(void *of, long column, long cost);
    void (*entry)(void *of, long column, long row, long value);
    void (*right_side)(void *of, long row, long value);
};

/* 0 to 999, from Knuth's linear congruences: the same everywhere. */
static long dice(unsigned long *state)
{
    *state = *state * 6364136223846793005ul + 1442695040888963407ul;
    return (long)((*state >> 33) % 1000);
}

/* Row 0 has a positive entry in every column, which bounds the problem. */
static void tell_columns(const struct generated *generated, const struct listener *listener,
                         unsigned long *state)
{
    for (long j = 0; j < generated->columns; j++) {
        listener->column(listener->of, j, -(dice(state) + 1));
        for (long i = 0; i < generated->rows; i++) {
            long value = i == 0 ? dice(state) + 1 : dice(state) - 300;
            if (i == 0 || dice(state) < 500)
                listener->entry(listener->of, j, i, value);
        }
    }
}

static void tell_right_sides(const struct generated *generated, const struct listener *listener,
                             unsigned long *state)
{
    for (long i = 0; i < generated->rows; i++)
        listener->right_side(listener->of, i, 100 * (dice(state) + 1));
}

enum { name_room = 24 };

static void problem_column(void *of, long column, long cost)
{
    char name[name_room];
    struct problem *problem = of;
    snprintf(name, sizeof name, "X%ld", column);
    problem_add_column(problem, name);
    problem_add_entry(problem, problem->objective, (double)cost);
}

/* The objective is the problem's row 0. */
static void problem_entry(void *of, long column, long row, long value)
{
    (void)column;
    problem_add_entry(of, row + 1, (double)value);
}

static void problem_right_side(void *of, long row, long value)
{
    ((struct problem *)of)->rows[row + 1].right_side = (double)value;
}

void generated_problem(const struct generated *generated, struct problem *problem)
{
    const struct listener listener = {problem, problem_column, problem_entry, problem_right_side};
    unsigned long state = (unsigned long)generated->seed;
    char name[name_room];
    problem_add_row(problem, "COST", 'N');
    for (long i = 0; i < generated->rows; i++) {
        snprintf(name, sizeof name, "R%ld", i);
        problem_add_row(problem, name, 'L');
    }
    tell_columns(generated, &listener, &state);
    tell_right_sides(generated, &listener, &state);
}

static void write_column(void *of, long column, long cost)
{
    fprintf(of, "    X%-7ld  COST      %12ld\n", column, cost);
}

static void write_entry(void *of, long column, long row, long value)
{
    fprintf(of, "    X%-7ld  R%-7ld  %12ld\n", column, row, value);
}

static void write_right_side(void *of, long row, long value)
{
    fprintf(of, "    RHS       R%-7ld  %12ld\n", row, value);
}

void generated_write(const struct generated *generated, FILE *out)
{
    const struct listener listener = {out, write_column, write_entry, write_right_side};
    unsigned long state = (unsigned long)generated->seed;
    fprintf(out, "NAME          R%ldC%ldS%ld\nROWS\n N  COST\n", generated->rows, generated->columns,
            generated->seed);
    for (long i = 0; i < generated->rows; i++)
        fprintf(out, " L  R%ld\n", i);
    fprintf(out, "COLUMNS\n");
    tell_columns(generated, &listener, &state);
    fprintf(out, "RHS\n");
    tell_right_sides(generated, &listener, &state);
    fprintf(out, "ENDATA\n");
}
