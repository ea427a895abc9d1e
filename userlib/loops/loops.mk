# SPDX-License-Identifier: MIT
# The loop runtime as gcc's OpenMP calls it: a libgomp.so.1 in a folder of its own for programs that are
# linked already, and a libgomp.a for programs that are linked statically, natively or for a boot.
LOOPS_FOLDER := userlib/loops
LOOPS_LIST := $(BUILD)/generated/userlib/loops/leaves.hpp
$(LOOPS_LIST): tools/list_leaves.py $(ADDED_LEAVES) $(LEAF_FILES) $(LEAF_FILES_NOW)
	@mkdir -p $(@D)
	$(PYTHON) tools/list_leaves.py loops $@ $(LEAVES)
	@touch $@

LOOPS_CORE := $(filter-out %_test.cpp %_explored.cpp,$(wildcard $(LOOPS_FOLDER)/*.cpp)) \
  $(addprefix messaging/design/,leaf_arguments.cpp fixed_string.cpp)
LOOPS_SOURCES := $(LOOPS_CORE) \
  $(wildcard $(addprefix $(LOOPS_FOLDER)/,surroundings/*.cpp openmp/*.cpp cedar/*.cpp))
LOOPS_FLAGS := -std=c++23 -O2 -g -fPIC -fvisibility=hidden -fno-exceptions -fno-rtti -fno-threadsafe-statics \
  -fno-stack-protector -fcf-protection=none -fno-plt -ftls-model=initial-exec -Wall -Wextra \
  $(if $(WERROR),-Werror) -MMD -MP -I. -I$(LOOPS_FOLDER)/surroundings -Iarch/linux -I$(BUILD)/generated \
  -Ibase/unchecked
LOOPS_OBJECTS := $(LOOPS_SOURCES:%=$(BUILD)/loops/%.o)
LOOPS_MAP := $(LOOPS_FOLDER)/openmp/libgomp.map

$(eval $(call standard_headers_rule,$(BUILD)/loops,$$(HOST_CXX) $$(LOOPS_FLAGS),$(LOOPS_FOLDER)/loops.mk))
$(LOOPS_OBJECTS): $(BUILD)/loops/%.cpp.o: %.cpp $(LOOPS_FOLDER)/loops.mk \
    $(call standard_headers,$(BUILD)/loops).gch | $(LOOPS_LIST)
	@mkdir -p $(@D)
	$(HOST_CXX) $(call FIRST,$(BUILD)/loops) $(LOOPS_FLAGS) -c $< -o $@

# Programs of C have no library of C++, so nothing of it may be needed.
LIBGOMP := $(BUILD)/lib/openmp/libgomp.so.1
$(LIBGOMP): $(LOOPS_OBJECTS) $(LOOPS_MAP)
	@mkdir -p $(@D)
	$(HOST_CC) -shared -Wl,-z,defs -Wl,-z,now -Wl,-soname,libgomp.so.1 -Wl,--version-script=$(LOOPS_MAP) \
	  -o $@ $(LOOPS_OBJECTS) -pthread
	ln -sf libgomp.so.1 $(@D)/libgomp.so

$(BUILD)/lib/openmp/libgomp.a: $(LOOPS_OBJECTS)
	@mkdir -p $(@D)
	rm -f $@
	$(NX_AR) rcs $@ $(LOOPS_OBJECTS)

.PHONY: loops tests-need-loops
# Cedar Fortran's wrapper links its programs with this runtime.
LOOPS_FILES := $(LIBGOMP) $(BUILD)/lib/openmp/libgomp.a $(BUILD)/cedarf77 $(NX_READY)
tests-need-loops: $(LOOPS_FILES)
# Any word asks for a run, of APP=, after which it is told where its loops' time went.
LOOPS_WORDS = $(filter-out $(BUILD_WORDS),$(given_names))
loops: $(LOOPS_FILES)
	$(if $(LOOPS_WORDS),@+$(call prepare,loops))
	$(if $(LOOPS_WORDS),@tools/parley loops $(run_words))
-include $(LOOPS_OBJECTS:.o=.d)

# Host tests: leaves and teams with threads that the thread sanitizer watches. The explorer's are among its
# own (messaging.mk).
$(BUILD)/generated/messaging/leaves.hpp: | $(LOOPS_LIST)
$(call host_tests,loops,$(LOOPS_CORE) \
  $(addprefix $(LOOPS_FOLDER)/surroundings/,booted.cpp clusters.cpp threads.cpp watched.cpp) \
  arch/hosted/platform.cpp \
  base/result.cpp $(wildcard $(LOOPS_FOLDER)/*_test.cpp),tsan)

# What constructs cost, beside gcc's library: ROUNDS=5 OMP_NUM_THREADS=2.
.PHONY: bench-loops
bench-loops: $(BUILD)/loops/overheads $(LIBGOMP)
	$(PYTHON) -B $(LOOPS_FOLDER)/bench/overheads.py $< $(dir $(LIBGOMP)) $(tool_words)

# How many instructions a pick-up takes: OMP_NUM_THREADS=2.
.PHONY: count-loops
count-loops: $(BUILD)/loops/pick_ups $(LIBGOMP)
	$(PYTHON) -B $(LOOPS_FOLDER)/bench/pick_ups.py $< $(dir $(LIBGOMP)) $(tool_words)
# Cedar's calls are in our library alone.
$(BUILD)/loops/pick_ups: LOOPS_BENCH_FLAGS := -Iuserlib/include -L$(BUILD)/lib/openmp -lgomp
$(BUILD)/loops/pick_ups: $(LIBGOMP)
$(BUILD)/loops/overheads $(BUILD)/loops/pick_ups: $(BUILD)/loops/%: $(LOOPS_FOLDER)/bench/%.c
	@mkdir -p $(@D)
	$(HOST_CC) -std=gnu17 -O2 -g -Wall -Wextra $(if $(WERROR),-Werror) -fopenmp -o $@ $< $(LOOPS_BENCH_FLAGS)
