* SPDX-License-Identifier: MIT
* Every type of bound and of range, and a constant in the objective.
NAME          BOUNDS
ROWS
 N  COST
 N  OTHER
 L  LESS
 G  MORE
 E  EQUALUP
 E  EQUALDN
COLUMNS
    A         COST                 1   LESS                 1
    A         MORE                 2   OTHER                5
    B         COST                -2   LESS                 1
    B         EQUALUP              1
    C         COST                 3   MORE                 1
    C         EQUALDN              1
    MARK      'MARKER'                 'INTORG'
    D         COST                -1   LESS                 2
    D         EQUALUP              1
    E         COST                 2   MORE                 1
    E         EQUALDN              3
    MARK      'MARKER'                 'INTEND'
    F         COST               0.5   LESS                 1
    F         MORE                -1
    G         COST                -4   EQUALUP              2
    G         EQUALDN              1
    H         COST                 1   LESS                -1
    H         MORE                 1
RHS
    RHS       COST               -10   LESS                20
    RHS       MORE                -5   EQUALUP              6
    RHS       EQUALDN              6
RANGES
    RNG       LESS                15   MORE                30
    RNG       EQUALUP              4   EQUALDN             -3
BOUNDS
 FR BND       A
 UP BND       B                    3
 LO BND       B                   -2
 MI BND       C
 UP BND       C                    4
 BV BND       D
 LI BND       E                    1
 UI BND       E                    2
 MI BND       F
 UP BND       F                   -1
 FX BND       G                  1.5
 LO BND       H                   -7
 PL BND       H
ENDATA
