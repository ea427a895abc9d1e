# SPDX-License-Identifier: MIT
# The front door. `make` alone explains itself; every output goes under build/.

BUILD := build
# LEAVES: folders with leaves of their own, each laid out like the project (docs/adding-a-subclass.md). What
# is built with them has a folder of its own, so that neither build undoes the other; what sees no list of
# leaves is taken from BASE.
LEAVES ?=
nothing :=
space := $(nothing) $(nothing)
ifneq ($(strip $(LEAVES)),)
LEAVES_BUILD := build/leaves/$(subst $(space),+,$(subst /,-,$(strip $(patsubst %/,%,$(LEAVES)))))
ifeq ($(filter command,$(firstword $(origin BUILD))),)
BASE := $(BUILD)
BUILD := $(LEAVES_BUILD)
# What a compiler notes of dependencies is there or not; nobody asks for it.
$(BASE)/tests/%.d: ;
$(BASE)/tests/%: always ; @echo "make: with LEAVES=$(LEAVES), that program is $(BUILD)/tests/$*." >&2; exit 2
endif
endif
BASE ?=
CROSS ?=
CXX := $(CROSS)g++
# For what runs on this machine: host tests, and the tool that knows designs.
HOST_CXX := $(CROSS)g++
HOST_CC := $(CROSS)gcc
PYTHON := /usr/bin/python3

# Of kernel, library and libnx; the file says why.
ALIGNED := -falign-functions=$(shell sed -n 's/^.define FUNCTION_ALIGNMENT //p' arch/x86_64/emulator.hpp)
WERROR ?=
DISPATCH ?= virtual
# With WERROR=1 (as in .ci/run) every compiler warning ends the build.
ifneq ($(WERROR),)
CXX += -Werror
endif

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-print-directory --no-builtin-rules
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc)
endif

# What a compiler has made of headers is of use to that compiler alone, in that version.
COMPILED_BY := $(or $(BASE),$(BUILD))/compiled_by
COMPILER_NOW := $(strip $(filter-out -Werror,$(CXX)) $(shell $(CXX) --version 2>/dev/null | sed q))
COMPILER_BEFORE := $(file <$(COMPILED_BY))
$(COMPILED_BY): $(if $(filter-out x$(subst $(space),_,$(COMPILER_BEFORE)),\
    x$(subst $(space),_,$(COMPILER_NOW))),always)
	@mkdir -p $(@D)
	@printf '%s' '$(COMPILER_NOW)' > $@

# What most sources read of the standard library is read once for each kind of them, which saves a quarter to
# half of the time that a source takes. A source with flags of its own reads it itself. $(1): a kind's folder
standard_headers = $(1)/first/standard_headers.hpp
FIRST = -include $(call standard_headers,$(1)) -fpch-preprocess -Werror=invalid-pch
# $(1): folder of the kind, $(2): compiler and flags, $(3): the fragments that say these, $(4): which headers,
# if not the kernel's
define standard_headers_rule
$(call standard_headers,$(1)).gch: $(sort $(4) base/standard_headers.hpp) $(3) $(COMPILED_BY)
	@mkdir -p $$(@D)
	$(2) -w -x c++-header $(or $(4),base/standard_headers.hpp) -o $$@
endef

include $(wildcard testing/testing.mk kernel/kernel.mk messaging/messaging.mk sched/sched.mk jobs/jobs.mk \
                   userlib/userlib.mk apps/apps.mk native/native.mk studies/*/study.mk \
                   tools/machine_model/machine_model.mk tools/tools.mk native/packaging/packaging.mk)

.PHONY: help
help:
	@cat tools/help.txt
	@if test -x $(PYTHON); then $(PYTHON) -B tools/parley keys; else \
	    echo "  python3 tells them: tools/install.sh run installs it"; fi
	@echo
	@echo "Programs (APP=): $(sort $(APPS_FOLDERS))," \
	    "and those that do what none may: $(sort $(APPS_FAULTS))" | fold -s -w 110

.PHONY: clean
clean:
	rm -rf $(BUILD)
