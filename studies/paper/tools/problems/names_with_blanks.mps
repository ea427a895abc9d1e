* SPDX-License-Identifier: MIT
* Names with blanks, a set without a name: fixed format only. Optimum -28.
NAME          BLANKS
ROWS
 N  THE COST
 L  ROW ONE
 L  ROW TWO
COLUMNS
    COL A     THE COST            -4   ROW ONE              1
    COL A     ROW TWO              2
    COL B     THE COST            -3   ROW ONE              1
    COL B     ROW TWO              1
RHS
              ROW ONE              8   ROW TWO             12
ENDATA
