# SPDX-License-Identifier: MIT
# Our library beside the MPIs that are installed, and beside sockets: ROUNDS=8. The report draws the record.
COMPARE := $(BUILD)/compare
COMPARE_FLAGS := -std=gnu17 -O2 -g -Wall -Wextra $(if $(WERROR),-Werror) -I.
COMPARE_WORDS := $(if $(ROUNDS),--rounds $(ROUNDS))
MEASURES := $(addprefix $(COMPARE)/measure-,nx socket limit $(MPIS))
MEASURE_SOURCES := native/compare/measure.c native/compare/wire.h

.PHONY: compare compare-files
compare:
	@tools/install.sh native
	@tools/install.sh report
	@+$(MAKE) --quiet native compare-files
	@$(PYTHON) -B native/compare/compare.py $(BUILD) $(COMPARE_WORDS)
	@tools/parley report $(COMPARE)/record.json OUT=$(COMPARE)/report

compare-files: $(MEASURES)
.PHONY: tests-need-own-ranks
tests-need-own-ranks: $(addprefix $(COMPARE)/measure-,socket limit)

$(COMPARE)/measure-nx: $(MEASURE_SOURCES) native/compare/wire_nx.c $(NATIVE)/lib/libnx.a | $(NATIVE_READY)
	@mkdir -p $(@D)
	$(NATIVE)/bin/nxcc $(COMPARE_FLAGS) -o $@ native/compare/measure.c native/compare/wire_nx.c

# Those that start their ranks themselves.
OWN_RANKS := native/compare/own_ranks.c native/compare/own_ranks.h
$(addprefix $(COMPARE)/measure-,socket limit): $(COMPARE)/measure-%: $(MEASURE_SOURCES) $(OWN_RANKS) \
    native/compare/wire_%.c
	@mkdir -p $(@D)
	$(HOST_CC) $(COMPARE_FLAGS) -o $@ $(filter %.c,$^)

$(addprefix $(COMPARE)/measure-,$(MPIS)): $(COMPARE)/measure-%: $(MEASURE_SOURCES) native/compare/wire_mpi.c
	@mkdir -p $(@D)
	mpicc.$* $(COMPARE_FLAGS) -o $@ native/compare/measure.c native/compare/wire_mpi.c
