# SPDX-License-Identifier: MIT
# The study of C.mmp on a simulated machine: build/tools/cmmp, and its tests. The rootfinder's own sources,
# whose work is given simulated time where it begins: the names of those functions stand for what does so.

FLAVOUR_simulated := -Itools/cmmp/simulated $(HOST_FLAGS) -Iarch/hosted -g1
OBJECTS_simulated := $(TESTS)/simulated/objects
PROGRAMS_simulated := $(TESTS)
$(eval $(call flavour_rules,simulated))

SIMULATED := tools/cmmp/simulated
SIMULATED_SOURCES := $(addprefix $(SIMULATED)/,programs.cpp job.cpp) sched/server.cpp base/result.cpp \
  $(DESIGN_SOURCES)
SIMULATED_PROGRAM := $(addprefix $(OBJECTS_simulated)/apps/rootfinder/,by_messages.c.o by_semaphores.c.o \
  carrier.c.o force.c.o interval.c.o lengths.c.o tail.c.o)
SIMULATED_TESTS := $(wildcard $(SIMULATED)/*_test.cpp)
SIMULATED_OBJECTS := $(call host_objects,$(SIMULATED_SOURCES),simulated) $(SIMULATED_PROGRAM)

# P and V are the simulated machine's, whichever the kind: none lies in the program's own code.
CALLED := -DPARLEY_NX_SPINNING_H
RENAMED := -Dtail_probability=real_tail_probability -Dtail_work=real_tail_work \
  -Dinterval_find=real_interval_find
$(addprefix $(OBJECTS_simulated)/apps/rootfinder/,interval.c.o tail.c.o): OWN := $(RENAMED)
$(OBJECTS_simulated)/apps/rootfinder/%.c.o: apps/rootfinder/%.c $(SIMULATED)/simulated.mk
	@mkdir -p $(@D)
	$(HOST_CC) -std=gnu17 -O2 -g -Wall -Wextra $(if $(WERROR),-Werror) -I. -Iuserlib/include $(CALLED) $(OWN) \
	    -MMD -MP -c -o $@ $<

$(BUILD)/tools/cmmp: $(SIMULATED_OBJECTS) $(OBJECTS_simulated)/$(SIMULATED)/cmmp.o
	@mkdir -p $(@D)
	$(HOST_CXX) $^ -o $@

$(call host_program,cmmp,$(SIMULATED_OBJECTS) $(call host_objects,$(SIMULATED_TESTS),simulated),\
  $(SIMULATED_TESTS),)

-include $(patsubst %.o,%.d,$(SIMULATED_OBJECTS) $(OBJECTS_simulated)/$(SIMULATED)/cmmp.o \
  $(call host_objects,$(SIMULATED_TESTS),simulated))
