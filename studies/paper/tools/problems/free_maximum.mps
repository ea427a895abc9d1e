* SPDX-License-Identifier: MIT
* Free format, maximised, long names.
NAME a_problem_with_long_names
OBJSENSE
    MAX
ROWS
 N the_profit_of_all
 L hours_in_the_week
 L tons_of_the_material
 G chairs_promised
COLUMNS
 chairs_to_be_made the_profit_of_all 45 hours_in_the_week 5
 chairs_to_be_made tons_of_the_material 0.2 chairs_promised 1
 tables_to_be_made the_profit_of_all 80 hours_in_the_week 20
 tables_to_be_made tons_of_the_material 0.15
RHS
 all hours_in_the_week 400 tons_of_the_material 9
 all chairs_promised 4
BOUNDS
 UP all tables_to_be_made 15
ENDATA
