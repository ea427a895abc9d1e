# SPDX-License-Identifier: MIT
# The study of C.mmp: host tests of its programs, and its boots on the modelled machine.

CMMP := studies/cmmp
HARPY_TESTED := $(filter-out %/harpy.c %/report.c,$(wildcard $(CMMP)/apps/harpy/*.c))
ROOTFINDER_TESTED := $(addprefix $(CMMP)/apps/rootfinder/,carrier.c interval.c lengths.c options.c tail.c)
$(call program_tests,rootfinder,$(ROOTFINDER_TESTED),$(wildcard $(CMMP)/apps/rootfinder/*_test.cpp),asan)
$(call program_tests,harpy,$(HARPY_TESTED),$(wildcard $(CMMP)/apps/harpy/*_test.cpp),asan)
# HARPY's processes share their work by atomic operations alone.
$(call program_tests,tsan/harpy,$(HARPY_TESTED),$(wildcard $(CMMP)/apps/harpy/*_test.cpp),tsan)

# What is injected into a measuring kernel's machine, on the scheduler's simulated one.
LOSSES_TESTED := $(CMMP)/measuring/losses.cpp $(wildcard $(CMMP)/measuring/*_test.cpp) sched/gang.cpp \
  sched/server.cpp sched/system_scheduler.cpp base/result.cpp
$(call host_tests,losses,$(LOSSES_TESTED),asan)

.PHONY: study-cmmp

# Beside what Oleinick and Fuller print: the booted kernel on the modelled machine.
STUDY_WORDS_cmmp := CLOCK FULL
CMMP_MODELLED = $(PYTHON) -B $(CMMP)/tools/modelled.py $(if $(filter-out 0,$(FULL)),--full) \
  --records $(BUILD)/paper/cmmp/modelled --page $(BUILD)/paper
ifneq ($(filter-out modelled,$(CLOCK)),)
study-cmmp:
	@echo "make paper: STUDY=cmmp has its boots on the modelled machine: CLOCK is modelled, or left out." >&2
	@exit 2
else
study-cmmp:
	@tools/install.sh paper
	@+$(MAKE) --quiet run-files traced $(MODEL_PLUGIN) $(BUILD)/apps/rootfinder/rootfinder \
	    $(BUILD)/apps/harpy/harpy
	@mkdir -p $(BUILD)/paper/cmmp
	@$(CMMP_MODELLED)
endif
