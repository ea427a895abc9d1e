/* SPDX-License-Identifier: MIT */
/* The loop structures of five programs of the Perfect Benchmarks, as far as Natarajan, Sharma and Iyer's
 * document on Cedar (1994) lets them be known. Each number says where it is from:
 *
 *   printed   it stands in the document
 *   follows   it follows from what is printed
 *   chosen    it is this project's: the document prints neither loop counts nor grain
 *
 * Constructs (printed, section 2): FLO52 has SDOALLs with CDOALLs in them, ADM has XDOALLs, the other three
 * have both; each has a few loops of the main cluster alone.
 *
 * Serial share (follows, tables 1 and 4): what of the completion time on one processor is no parallel loop,
 * which includes the system's time. FLO52 39 of 613 s, ARC2D 72 of 2139, MDG 135 of 4935, OCEAN 79 of 2726,
 * ADM 44 of 707.
 *
 * Share of loops of the main cluster alone (follows, tables 3 and 4: the middle of what explains the ideal
 * times on both 16 and 32 processors; `make paper STUDY=cedar' computes the bounds). */
#ifndef PARLEY_CEDAR_INPUTS_H
#define PARLEY_CEDAR_INPUTS_H

enum construct { no_loop, sdoall, xdoall };

/* One loop, which goes over sections of `length` points: `outer` iterations for clusters, each with `inner`
 * for processors, or outer * inner iterations for whoever fetches them. The length is the grain of an
 * iteration. Lengths are not multiples of the 32 memory modules, as a vector's sections are not either. */
struct loop_input {
    enum construct construct;
    long outer, inner, length;
};

struct program_input {
    const char *name;
    double serial_percent;       /* of the completion time on one processor */
    double cluster_only_percent; /* of the time of loops on one processor */
    struct loop_input loops[4];  /* of each time step; the first without a construct ends them */
};

/* chosen: grids of a multigrid scheme, each half as fine as the one before. */
static const struct program_input flo52_input = {
    "FLO52", 6.4, 0.4, {{sdoall, 16, 16, 70}, {sdoall, 8, 16, 70}, {sdoall, 4, 16, 70}}};

/* chosen: sweeps along one axis and along the other, and a loop over points that nobody strip-mined. */
static const struct program_input arc2d_input = {
    "ARC2D", 3.4, 1.5, {{sdoall, 16, 16, 70}, {sdoall, 16, 16, 70}, {xdoall, 16, 8, 70}}};

/* chosen: one loop over pairs, of the largest grain, and a short one. */
static const struct program_input mdg_input = {"MDG", 2.7, 0.04, {{sdoall, 16, 16, 70}, {xdoall, 16, 4, 35}}};

/* chosen: transforms of rows and of columns, and an XDOALL with fewer iterations than would keep 32
 * processors busy. */
static const struct program_input ocean_input = {
    "OCEAN", 2.9, 0.7, {{sdoall, 16, 16, 70}, {xdoall, 8, 9, 70}, {xdoall, 8, 5, 70}}};

/* chosen: columns of air, one iteration each, in three loops. */
static const struct program_input adm_input = {
    "ADM", 6.2, 5.3, {{xdoall, 16, 8, 35}, {xdoall, 16, 8, 35}, {xdoall, 16, 4, 35}}};

#endif
