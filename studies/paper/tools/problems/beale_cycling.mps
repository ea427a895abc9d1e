* SPDX-License-Identifier: MIT
* Beale: the rule of the largest gain cycles here for ever. Optimum -0.05.
NAME BEALE
ROWS
 N COST
 L R1
 L R2
 L R3
COLUMNS
 X4 COST -0.75 R1 0.25
 X4 R2 0.5
 X5 COST 150 R1 -60
 X5 R2 -90
 X6 COST -0.02 R1 -0.04
 X6 R2 -0.02 R3 1
 X7 COST 6 R1 9
 X7 R2 3
RHS
 RHS R3 1
ENDATA
