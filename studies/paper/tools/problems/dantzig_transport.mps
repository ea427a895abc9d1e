* SPDX-License-Identifier: MIT
* Dantzig's transport problem: two plants, three markets. Optimum 153.675.
NAME          TRANSPORT
ROWS
 N  COST
 L  SEATTLE
 L  SANDIEGO
 G  NEWYORK
 G  CHICAGO
 G  TOPEKA
COLUMNS
    SEA-NY    COST             0.225   SEATTLE              1
    SEA-NY    NEWYORK              1
    SEA-CH    COST             0.153   SEATTLE              1
    SEA-CH    CHICAGO              1
    SEA-TO    COST             0.162   SEATTLE              1
    SEA-TO    TOPEKA               1
    SAN-NY    COST             0.225   SANDIEGO             1
    SAN-NY    NEWYORK              1
    SAN-CH    COST             0.162   SANDIEGO             1
    SAN-CH    CHICAGO              1
    SAN-TO    COST             0.126   SANDIEGO             1
    SAN-TO    TOPEKA               1
RHS
    RHS       SEATTLE            350   SANDIEGO           600
    RHS       NEWYORK            325   CHICAGO            300
    RHS       TOPEKA             275
ENDATA
