# SPDX-License-Identifier: MIT
# The study of C.mmp: host tests of its programs; and the simulated machine, build/studies/cmmp/cmmp, with its
# tests. The machine runs the rootfinder's own sources, whose work is given simulated time where it begins:
# the names of those functions stand for what does so.

CMMP := studies/cmmp
HARPY_TESTED := $(filter-out %/harpy.c %/report.c,$(wildcard $(CMMP)/apps/harpy/*.c))
ROOTFINDER_TESTED := $(addprefix $(CMMP)/apps/rootfinder/,carrier.c interval.c lengths.c options.c tail.c)
$(call program_tests,rootfinder,$(ROOTFINDER_TESTED),$(wildcard $(CMMP)/apps/rootfinder/*_test.cpp),asan)
$(call program_tests,harpy,$(HARPY_TESTED),$(wildcard $(CMMP)/apps/harpy/*_test.cpp),asan)
# HARPY's processes share their work by atomic operations alone.
$(call program_tests,tsan/harpy,$(HARPY_TESTED),$(wildcard $(CMMP)/apps/harpy/*_test.cpp),tsan)

FLAVOUR_simulated := -I$(CMMP)/simulated $(HOST_FLAGS) -Iarch/hosted -g1
OBJECTS_simulated := $(TESTS)/simulated/objects
PROGRAMS_simulated := $(TESTS)
$(eval $(call flavour_rules,simulated))

# What is injected into a measuring kernel's machine, on the scheduler's simulated one.
LOSSES_TESTED := $(CMMP)/measuring/losses.cpp $(wildcard $(CMMP)/measuring/*_test.cpp) sched/gang.cpp \
  sched/server.cpp sched/system_scheduler.cpp base/result.cpp
$(call host_tests,losses,$(LOSSES_TESTED),asan)

SIMULATED := $(CMMP)/simulated
SIMULATED_SOURCES := $(addprefix $(SIMULATED)/,programs.cpp job.cpp) sched/server.cpp base/result.cpp \
  $(DESIGN_SOURCES)
SIMULATED_PROGRAM := $(addprefix $(OBJECTS_simulated)/$(CMMP)/apps/rootfinder/,by_messages.c.o \
  by_semaphores.c.o carrier.c.o force.c.o interval.c.o lengths.c.o tail.c.o)
SIMULATED_TESTS := $(wildcard $(SIMULATED)/*_test.cpp)
SIMULATED_OBJECTS := $(call host_objects,$(SIMULATED_SOURCES),simulated) $(SIMULATED_PROGRAM)

# P and V are the simulated machine's, whichever the kind: none lies in the program's own code.
CALLED := -DPARLEY_NX_SPINNING_H
RENAMED := -Dtail_probability=real_tail_probability -Dtail_work=real_tail_work \
  -Dinterval_find=real_interval_find
$(addprefix $(OBJECTS_simulated)/$(CMMP)/apps/rootfinder/,interval.c.o tail.c.o): OWN := $(RENAMED)
$(OBJECTS_simulated)/$(CMMP)/apps/rootfinder/%.c.o: $(CMMP)/apps/rootfinder/%.c $(CMMP)/study.mk
	@mkdir -p $(@D)
	$(HOST_CC) -std=gnu17 -O2 -g -Wall -Wextra $(if $(WERROR),-Werror) -I. -Iuserlib/include $(CALLED) $(OWN) \
	    -MMD -MP -c -o $@ $<

$(BUILD)/$(CMMP)/cmmp: $(SIMULATED_OBJECTS) $(OBJECTS_simulated)/$(SIMULATED)/cmmp.o
	@mkdir -p $(@D)
	$(HOST_CXX) $^ -o $@

$(call host_program,cmmp,$(SIMULATED_OBJECTS) $(call host_objects,$(SIMULATED_TESTS),simulated),\
  $(SIMULATED_TESTS),)

-include $(patsubst %.o,%.d,$(SIMULATED_OBJECTS) $(OBJECTS_simulated)/$(SIMULATED)/cmmp.o \
  $(call host_objects,$(SIMULATED_TESTS),simulated))

.PHONY: tests-need-cmmp study-cmmp
tests-need-cmmp: $(BUILD)/$(CMMP)/cmmp

# Beside what Oleinick and Fuller print, on the simulated machine. HARPY's work with narrower and wider beams:
# grammars of more and less that is to be tried.
HARPY_BEAMS := 80 120 160
HARPY_WORK = $(foreach beam,$(HARPY_BEAMS),$(BUILD)/paper/harpy-beam-$(beam).txt)
CMMP_ROOTFINDER = $(PYTHON) -B $(CMMP)/tools/rootfinder.py study --out $(BUILD)/paper
CMMP_HARPY_MODEL = echo; $(PYTHON) -B $(CMMP)/tools/harpy.py model $(HARPY_WORK)
CMMP_HARPY_NATIVE = $(PYTHON) -B $(CMMP)/tools/harpy.py native --work 2000
HARPY_SEARCH := $(BUILD)/native/bin/nxrun -n 1 $(BUILD)/native/apps/harpy/harpy --variant 0 --write work
STUDY_WORDS_cmmp := CLOCK FULL
CMMP_MODELLED = $(PYTHON) -B $(CMMP)/tools/modelled.py $(if $(filter-out 0,$(FULL)),--full) \
  --records $(BUILD)/paper/cmmp/modelled --page $(BUILD)/paper
ifneq ($(filter-out modelled,$(CLOCK))$(if $(CLOCK),,$(filter-out 0,$(FULL))),)
study-cmmp:
	@echo "make paper: CLOCK is modelled, or left out; and FULL=1 goes with CLOCK=modelled." >&2
	@exit 2
else ifeq ($(CLOCK),modelled)
# The booted kernel on the modelled machine.
study-cmmp:
	@tools/install.sh paper
	@+$(MAKE) --quiet run-files traced $(MODEL_PLUGIN) $(BUILD)/apps/rootfinder/rootfinder \
	    $(BUILD)/apps/harpy/harpy $(BUILD)/$(CMMP)/cmmp
	@mkdir -p $(BUILD)/paper/cmmp
	@$(CMMP_MODELLED)
else
study-cmmp:
	@tools/install.sh paper
	@tools/install.sh native
	@+$(MAKE) --quiet $(BUILD)/$(CMMP)/cmmp native-files
	@mkdir -p $(BUILD)/paper
	@for beam in $(HARPY_BEAMS); do \
	    $(HARPY_SEARCH) --utterances 15 --beam $$beam > $(BUILD)/paper/harpy-beam-$$beam.txt || exit 1; done
	@$(call in_turn,CMMP_ROOTFINDER CMMP_HARPY_MODEL CMMP_HARPY_NATIVE)
endif
