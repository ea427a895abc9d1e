# SPDX-License-Identifier: MIT
# The commands of the front door: what each needs built, and the tool that then does the work.

# Of tools/parley_runner/keys.py and of studies, read without python3, which may not be there yet. NAME counts
# on the command line alone, for in the environment others set it.
KEY_FILES := tools/parley_runner/keys.py $(wildcard studies/*/tools/*/runner_keys.py)
RUN_KEYS := $(filter-out NAME,$(shell cat $(KEY_FILES) | tr -d ' \n\050' | \
    grep -o 'Key"[a-z_]*"' | cut -d'"' -f2 | tr a-z A-Z))
GIVEN_ORIGINS := command environment override
# Every key that the user gave, as a quoted KEY=value word; `value` keeps dollars and quotes as typed.
given = $(filter $(firstword $(origin $(1))),$(GIVEN_ORIGINS))
# Words given to make that are nobody's: the tool refuses them with the nearest name. A value may have blanks,
# so only what make itself knows as given counts as a name.
BUILD_WORDS := BUILD CROSS CXX HOST_CXX HOST_CC PYTHON WERROR LEAVES
word_names = $(foreach word,$(MAKEOVERRIDES),$(firstword $(subst =, ,$(word))))
given_names = $(foreach name,$(sort $(word_names)),\
    $(if $(filter command,$(firstword $(origin $(name)))),$(name)))
unknown_names = $(filter-out $(RUN_KEYS) $(BUILD_WORDS),$(given_names))
run_words = $(foreach key,$(RUN_KEYS),$(if $(call given,$(key)),$(call quote,$(key)))) \
            $(foreach name,$(unknown_names),$(call quote,$(name)))
quote = '$(1)=$(subst ','\'',$(value $(1)))'

# Of one kind: the kernel, the one that also measures gangs, and the library.
system = $(1)/kernel.elf $(1)/measuring/kernel.elf $(1)/lib/messages.elf
SYSTEM_virtual := $(call system,$(BUILD))
SYSTEM_static := $(call system,$(BUILD)/static)
NAMED_APPS := $(if $(CONFIG),$(APPS_NAMES),$(filter $(APPS_NAMES),$(or $(APP),ring)))
RUN_PROGRAMS := $(foreach name,$(NAMED_APPS),$(BUILD)/apps/$(name)/$(name))
TRACED_virtual := $(call system,$(BUILD)/traced)
TRACED_static := $(call system,$(BUILD)/traced/static)
TRACED_FILES := $(TRACED_$(DISPATCH))
# Without a library: the plain one is the same.
accounted = $(1)/kernel.elf $(1)/measuring/kernel.elf
ACCOUNTED_virtual := $(call accounted,$(BUILD)/accounted)
ACCOUNTED_static := $(call accounted,$(BUILD)/accounted/static)
CHECKED_virtual := $(call system,$(BUILD)/checked)
CHECKED_static := $(call system,$(BUILD)/checked/static)
RUN_FILES := $(SYSTEM_$(DISPATCH)) $(BUILD)/designs $(NX_READY) $(if $(TRACE)$(PROFILE),$(TRACED_FILES)) \
             $(if $(filter 1,$(Q)),$(ACCOUNTED_$(DISPATCH))) \
             $(if $(filter 1,$(CHECKED)),$(CHECKED_$(DISPATCH))) \
             $(if $(filter modelled,$(CLOCK)),$(MODEL_PLUGIN) $(MODEL_JUDGE))
TEST_FILES := $(SYSTEM_virtual) $(SYSTEM_static) $(BUILD)/designs $(NX_READY) \
              $(APPS) $(TRACED_virtual) $(TRACED_static) $(CHECKED_virtual)

ifeq ($(SYSTEM_$(DISPATCH)),)
$(error DISPATCH is `virtual' or `static', not `$(DISPATCH)')
endif

# The tools look where make builds, if it was told; else the environment may say so.
ifneq ($(filter command,$(firstword $(origin BUILD)))$(strip $(LEAVES)),)
export PARLEY_BUILD := $(abspath $(BUILD))
endif

.PHONY: all traced run run-system run-files debug iso designs test test-rest test-all test-files
.PHONY: bench paper check format path report compare-runs reproduce tune sweep soak

# Everything, the test programs included.
all: $(TEST_FILES)

traced: $(TRACED_FILES)

run-system: $(RUN_FILES)

run-files: run-system $(RUN_PROGRAMS)

# Refuses wrong words, then installs and builds what they need, and shows what is done.
prepare = if ! test -x $(PYTHON); then tools/install.sh $(1); fi; \
    $(PYTHON) -B tools/prepare.py $(1) $(BUILD) $(run_words)

# All that test-all may need.
test-files: $(TEST_FILES) $(HOST_TESTS)

run:
	@+$(call prepare,run)
	@tools/parley run $(run_words)

debug:
	@+$(call prepare,debug)
	@tools/parley debug $(run_words)

iso:
	@+$(call prepare,iso)
	@tools/parley iso $(run_words)

# Records may be named as plain words, too: make compare-runs before.json after.json
OF_RECORDS := report compare-runs reproduce
NAMED_RECORDS := $(if $(filter $(OF_RECORDS),$(MAKECMDGOALS)),$(filter %.json,$(MAKECMDGOALS)))
ifneq ($(NAMED_RECORDS),)
.PHONY: $(NAMED_RECORDS)
$(NAMED_RECORDS): ; @:
endif
# What was given on the command line and is not the build's own.
tool_words = $(foreach name,$(filter-out $(BUILD_WORDS),$(given_names)),$(call quote,$(name)))

report:
	@tools/install.sh report
	@tools/parley report $(NAMED_RECORDS) $(tool_words)

# Refused first, then built what its boots need, then run.
sweep:
	@tools/install.sh run
	@+$(MAKE) --quiet $(BUILD)/designs
	@+needs=$$(tools/parley sweep --needs $(tool_words)) && echo "$$needs" | while read -r words; do \
	    $(MAKE) --quiet run-files $$words || exit 1; done
	@tools/parley sweep $(tool_words)

# Like a sweep: the record says what is built.
reproduce:
	@tools/install.sh run
	@tools/install.sh compare
	@+$(MAKE) --quiet $(BUILD)/designs
	@+needs=$$(tools/parley reproduce --needs $(NAMED_RECORDS) $(tool_words)) && echo "$$needs" | \
	    while read -r words; do $(MAKE) --quiet run-files $$words || exit 1; done
	@tools/parley reproduce $(NAMED_RECORDS) $(tool_words)

tune:
	@tools/install.sh run
	@+$(MAKE) --quiet $(BUILD)/designs
	@+needs=$$(tools/parley tune --needs $(tool_words)) && echo "$$needs" | while read -r words; do \
	    $(MAKE) --quiet run-files $$words || exit 1; done
	@tools/parley tune $(tool_words)

compare-runs:
	@tools/install.sh compare
	@tools/parley compare-runs $(NAMED_RECORDS) $(tool_words)

designs:
	@+$(MAKE) --quiet $(BUILD)/designs
	@$(BUILD)/designs list

# What a test declares to need (testing/suites/declarations.py) is built before it runs.
TEST_WORDS = $(filter-out $(BUILD_WORDS),$(given_names))
test test-rest test-all:
	@tools/install.sh test
	+@$(PYTHON) -B testing/test_all.py $@ $(BUILD) $(foreach name,$(TEST_WORDS),$(call quote,$(name))) -- \
	    $(HOST_SUITES)

# Says that a target is there (testing/suites/building.py).
announce/%: %
	@echo 'ready: $*'

.PHONY: tests-need-system tests-need-static tests-need-traced tests-need-traced-static tests-need-checked
.PHONY: tests-need-accounted tests-need-designs
# Programs that tests look at, beside running them.
.PHONY: tests-need-explorer
.PHONY: tests-need-apps tests-need-own-leaves tests-need-native
tests-need-system: $(SYSTEM_virtual) $(BUILD)/designs $(NX_READY)
tests-need-static: $(SYSTEM_static)
tests-need-traced: $(TRACED_virtual)
tests-need-traced-static: $(TRACED_static)
tests-need-checked: $(CHECKED_virtual)
tests-need-accounted: $(ACCOUNTED_virtual)
tests-need-designs: $(BUILD)/designs
tests-need-apps: $(APPS)
tests-need-native: native-files
tests-need-explorer: $(TESTS)/explorer

# A whole system with leaves that it has never seen, in a folder of its own.
OWN_SYSTEM := $(BUILD)/own_leaves
tests-need-own-leaves: $(SYSTEM_virtual)
	+$(MAKE) BUILD=$(OWN_SYSTEM) BASE=$(BUILD) LEAVES=$(OWN_LEAVES) tests-need-system \
	    $(foreach app,behaviours ring selftest,$(OWN_SYSTEM)/apps/$(app)/$(app))

format:
	@tools/install.sh check
	@$(PYTHON) -B -c 'import sys; sys.path.insert(0, "tools/checks"); import formatting; formatting.apply()'

# The dispatch gate looks into both kernels' objects, the analysis needs the generated headers.
check:
	@tools/install.sh check
	@+$(MAKE) --quiet $(SYSTEM_virtual) $(SYSTEM_static) $(LINUX_CALL_NAMES)
	@$(PYTHON) -B tools/checks/check_all.py $(BUILD)

# The files whose code one message runs through; it names the words that it does not take.
path:
	@tools/install.sh run
	@+$(MAKE) --quiet run-files
	@$(PYTHON) -B tools/profile/path_of_message.py $(run_words)

bench:
	@tools/install.sh run
	@+$(MAKE) --quiet run-files $(SYSTEM_static) $(TRACED_FILES) apps $(BUILD)/tests/sched
	@$(PYTHON) tools/bench.py

# Tables and figures beside what a study's documents print: of STUDY, or of the paper. A study's fragment has
# the target, and in STUDY_WORDS_(its name) the words that it takes.
STUDY ?=
STUDIED := $(or $(STUDY),paper)
STUDIES := $(patsubst studies/%/study.mk,%,$(wildcard studies/*/study.mk))
# Every part is shown, whatever became of those before it; what does not hold makes the status 1.
in_turn = status=0; $(foreach part,$(1),{ $($(part)); } || status=1; ) exit $$status
NOT_STUDIED = $(filter-out STUDY $(BUILD_WORDS) $(STUDY_WORDS_$(STUDIED)),$(given_names))
ifneq ($(words $(STUDIED)) $(filter $(STUDIES),$(STUDIED)),1 $(STUDIED))
paper:
	@echo "make paper: there is no STUDY=$(STUDY); there are $(STUDIES), and without STUDY it is paper." >&2
	@exit 2
else ifneq ($(NOT_STUDIED),)
paper:
	@echo "make paper: STUDY=$(STUDIED) takes no $(firstword $(NOT_STUDIED)); it takes" \
	    "$(or $(STUDY_WORDS_$(STUDIED)),no word of its own)." >&2
	@exit 2
else
paper: study-$(STUDIED)
endif

# What no user should try: MINUTES=10, SEED= (repeats a find), ONLY= (parts). ONLY=mutants: every concurrency
# fault that a rule plants, under the host tests.
ifeq ($(ONLY),mutants)
soak:
	@tools/install.sh mutate
	@+$(MAKE) --quiet $(LEAF_LIST)
	@$(PYTHON) -B tools/mutate --build $(BUILD) -- $(HOST_SUITES) $(REQUESTED_SUITES)
else ifeq ($(ONLY),explorer)
soak:
	@tools/install.sh run
	@+$(MAKE) --quiet $(TESTS)/explorer
	@$(PYTHON) -B tools/soak/soak.py $(if $(MINUTES),--minutes $(MINUTES)) explorer
else
soak:
	@tools/install.sh run
	@+$(MAKE) --quiet run-files apps $(if $(filter modelled,$(ONLY)),$(MODEL_PLUGIN))
	@$(PYTHON) -B tools/soak/soak.py $(if $(MINUTES),--minutes $(MINUTES)) $(if $(SEED),--seed $(SEED)) $(ONLY)
endif
