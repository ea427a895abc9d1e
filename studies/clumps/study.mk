# SPDX-License-Identifier: MIT
# The study of clusters of multiprocessors: the thesis's model of shared network interfaces, beside what it
# says of it. Nothing is built.

CLUMPS_SLOWDOWNS = $(PYTHON) -B studies/clumps/tools/sharing.py slowdowns
CLUMPS_PRINTED = echo; $(PYTHON) -B studies/clumps/tools/sharing.py printed
.PHONY: study-clumps
study-clumps:
	@$(call in_turn,CLUMPS_SLOWDOWNS CLUMPS_PRINTED)
