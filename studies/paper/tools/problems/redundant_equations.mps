* SPDX-License-Identifier: MIT
* The third equation is the sum of the others: an artificial stays. Optimum 5.
NAME TWICE
ROWS
 N COST
 E ONE
 E TWO
 E SUM
COLUMNS
 X COST 1 ONE 1
 X SUM 1
 Y COST 2 ONE 1
 Y TWO 1
 Y SUM 2
 Z COST 3 TWO 1
 Z SUM 1
RHS
 RHS ONE 3 TWO 2
 RHS SUM 5
ENDATA
