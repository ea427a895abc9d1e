# SPDX-License-Identifier: MIT
# The front door. `make` alone explains itself; every output goes under build/.

BUILD := build
CROSS ?=
CXX := $(CROSS)g++
# For what runs on this machine: host tests, and the tool that knows designs.
HOST_CXX := $(CROSS)g++
HOST_CC := $(CROSS)gcc
PYTHON := /usr/bin/python3

# Functions of kernel, library and libnx begin at cache lines. The emulator finds the target of a call that
# it
# cannot chain by bits 0 to 11 of its address, folded to six: functions that begin at lines of one page then
# never evict each other.
ALIGNED := -falign-functions=64
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

include $(wildcard tools/testing/testing.mk kernel/kernel.mk messaging/messaging.mk sched/sched.mk \
                   userlib/userlib.mk apps/apps.mk tools/tools.mk)

.PHONY: help
help:
	@cat tools/help.txt

.PHONY: clean
clean:
	rm -rf $(BUILD)
