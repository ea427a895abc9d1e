* SPDX-License-Identifier: MIT
* A small diet problem with ranges on two nutrients and bounds on portions.
NAME          DIET
ROWS
 N  COST
 G  ENERGY
 G  PROTEIN
 G  CALCIUM
COLUMNS
    OATMEAL   COST                 3   ENERGY             110
    OATMEAL   PROTEIN              4   CALCIUM              2
    CHICKEN   COST                24   ENERGY             205
    CHICKEN   PROTEIN             32   CALCIUM             12
    EGGS      COST                13   ENERGY             160
    EGGS      PROTEIN             13   CALCIUM             54
    MILK      COST                 9   ENERGY             160
    MILK      PROTEIN              8   CALCIUM            285
    PIE       COST                20   ENERGY             420
    PIE       PROTEIN              4   CALCIUM             22
    PORK      COST                19   ENERGY             260
    PORK      PROTEIN             14   CALCIUM             80
RHS
    NEED      ENERGY            2000   PROTEIN             55
    NEED      CALCIUM            800
RANGES
    MOST      ENERGY             250   CALCIUM            400
BOUNDS
 UP PORTION   OATMEAL              4
 UP PORTION   CHICKEN              3
 UP PORTION   EGGS                 2
 UP PORTION   MILK                 8
 UP PORTION   PIE                  2
 UP PORTION   PORK                 2
ENDATA
