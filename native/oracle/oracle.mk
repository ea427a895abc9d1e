# SPDX-License-Identifier: MIT
# NX/2 over each MPI that is installed, build/oracle/<mpi>/libnx.a, and the programs that the tests compare
# with: the same sources as everywhere, and nothing of the message system.
ORACLE := $(BUILD)/oracle
ORACLE_SOURCES := $(wildcard native/oracle/*.c) userlib/nx/statistics.c
ORACLE_NAMES := ring fft simplex talk
ORACLE_FLAGS := -std=gnu17 -O2 -g -Wall -Wextra -Wshadow $(if $(WERROR),-Werror) -MMD -MP
ORACLE_PROGRAM_FLAGS := $(APPS_CFLAGS) -MMD -MP -I$(BUILD)/include

.PHONY: oracle tests-need-oracle
tests-need-oracle: $(foreach mpi,$(MPIS),$(ORACLE_NAMES:%=$(ORACLE)/$(mpi)/%))
oracle: tests-need-oracle
	$(if $(MPIS),,$(error No MPI is installed (Debian: apt-get install libmpich-dev mpich, or libopenmpi-dev \
	    openmpi-bin)))

oracle_sources = $(or $(wildcard apps/$(1)/*.c),kernel/tests/programs/$(1).c)

# $(1): the MPI, $(2): the program
define oracle_program
$(ORACLE)/$(1)/$(2): $(patsubst %.c,$(ORACLE)/$(1)/programs/%.o,$(call oracle_sources,$(2))) \
    $(ORACLE)/$(1)/libnx.a
	@mkdir -p $$(@D)
	mpicc.$(1) -o $$@ $$^ -lm
endef

# $(1): the MPI
define oracle_rules
$(ORACLE)/$(1)/objects/%.o: %.c native/oracle/oracle.mk
	@mkdir -p $$(@D)
	mpicc.$(1) $(ORACLE_FLAGS) -DPARLEY_NX_NARROW_H -I. -Iuserlib/include -c -o $$@ $$<
$(ORACLE)/$(1)/programs/%.o: %.c native/oracle/oracle.mk | $(NX_HEADERS)
	@mkdir -p $$(@D)
	mpicc.$(1) $(ORACLE_PROGRAM_FLAGS) -c -o $$@ $$<
$(ORACLE)/$(1)/libnx.a: $(ORACLE_SOURCES:%.c=$(ORACLE)/$(1)/objects/%.o)
	@mkdir -p $$(@D)
	rm -f $$@
	$(NX_AR) rcs $$@ $$^
$(foreach name,$(ORACLE_NAMES),$(eval $(call oracle_program,$(1),$(name))))
endef
$(foreach mpi,$(MPIS),$(eval $(call oracle_rules,$(mpi))))

-include $(shell find $(ORACLE) -name '*.d' 2>/dev/null)
