# SPDX-License-Identifier: MIT
# Our library beside the MPIs that are installed, and beside sockets: ROUNDS=8. The report draws the record.
COMPARE := $(BUILD)/compare
COMPARE_FLAGS := -std=gnu17 -O2 -g -Wall -Wextra $(if $(WERROR),-Werror) -I.
COMPARE_WORDS := $(if $(ROUNDS),--rounds $(ROUNDS))
MEASURES := $(addprefix $(COMPARE)/measure-,nx socket $(MPIS))
MEASURE_SOURCES := native/compare/measure.c native/compare/wire.h

.PHONY: compare compare-files
compare:
	@tools/install.sh native
	@tools/install.sh report
	@+$(MAKE) --quiet native compare-files
	@$(PYTHON) -B native/compare/compare.py $(BUILD) $(COMPARE_WORDS)
	@tools/parley report $(COMPARE)/record.json OUT=$(COMPARE)/report

compare-files: $(MEASURES)

$(COMPARE)/measure-nx: $(MEASURE_SOURCES) native/compare/wire_nx.c $(NATIVE)/lib/libnx.a | $(NATIVE_READY)
	@mkdir -p $(@D)
	$(NATIVE)/bin/nxcc $(COMPARE_FLAGS) -o $@ native/compare/measure.c native/compare/wire_nx.c

$(COMPARE)/measure-socket: $(MEASURE_SOURCES) native/compare/wire_socket.c
	@mkdir -p $(@D)
	$(HOST_CC) $(COMPARE_FLAGS) -o $@ native/compare/measure.c native/compare/wire_socket.c

$(addprefix $(COMPARE)/measure-,$(MPIS)): $(COMPARE)/measure-%: $(MEASURE_SOURCES) native/compare/wire_mpi.c
	@mkdir -p $(@D)
	mpicc.$* $(COMPARE_FLAGS) -o $@ native/compare/measure.c native/compare/wire_mpi.c
