# SPDX-License-Identifier: MIT
# The native NX library: build/native is laid out as it will be installed, bin (nxrun, the compiler wrappers),
# lib (libnx.a, libnx.so), lib/parley (the message libraries, the parts of the wrappers and of nxtrace) and
# include/parley.
# build/native/apps has the programs of apps/ and of studies.
NATIVE := $(BUILD)/native

.PHONY: native native-files
native:
	@tools/install.sh native
	+@$(PYTHON) -B tools/build.py native-files

NATIVE_LIBRARIES := $(addprefix $(NATIVE)/lib/parley/,messages messages-static messages-traced \
  messages-static-traced)
native-files: $(NATIVE)/bin/nxrun $(NATIVE)/bin/nxtrace $(NATIVE_LIBRARIES) $(NATIVE)/lib/libnx.so \
  native-apps

# The message library: the same sources as the kernel's user-level one over another platform. It may use
# vector registers, and nothing aligns its functions for an emulator's tables. Two words that are in registers
# are stored as two words: the compiler would join them in memory, and wait for its own stores.
NATIVE_LIBRARY_SOURCES := $(filter-out userlib/library/platform.cpp %.S,$(LIBRARY_SOURCES)) \
  $(filter-out %_test.cpp,$(wildcard native/library/*.cpp))
NATIVE_LIBRARY_FLAGS := \
  $(filter-out -mgeneral-regs-only -Iuserlib/library -falign-functions%,$(LIBRARY_FLAGS)) \
  -mprfchw -fno-tree-slp-vectorize -Inative/library -Iarch/linux -Iuserlib/library

# Static dispatch has lines alone for debuggers, as in the kernel.
$(NATIVE)/messages/objects/userlib/library/composition_static.cpp.o: private NATIVE_LIBRARY_FLAGS += -g1
$(NATIVE)/messages/objects/userlib/library/composition_static.cpp.o: private FIRST :=
$(eval $(call standard_headers_rule,$(NATIVE)/messages/objects,$$(HOST_CXX) $$(NATIVE_LIBRARY_FLAGS),\
  native/native.mk messaging/messaging.mk))
$(NATIVE)/messages/objects/%.cpp.o: %.cpp native/native.mk \
    $(call standard_headers,$(NATIVE)/messages/objects).gch | $(LEAF_LIST)
	@mkdir -p $(@D)
	$(HOST_CXX) $(call FIRST,$(NATIVE)/messages/objects) $(NATIVE_LIBRARY_FLAGS) -c $< -o $@

# Nobody measures it: see the kernel's.
$(NATIVE)/traced/objects/userlib/library/composition_static.cpp.o: private NATIVE_LIBRARY_FLAGS += -O0

# A traced library finds other trace_points.hpp first (nxrun --trace, --profile). A source that sees none of
# them is the same there.
$(NATIVE)/traced/objects/%.cpp.o: %.cpp $(NATIVE)/messages/objects/%.cpp.o
	@mkdir -p $(@D)
	$(if $(call sees,userlib/library/traced,$(NATIVE)/messages/objects/$*.cpp.d),\
	  $(HOST_CXX) $(WATCHED_INCLUDES) $(NATIVE_LIBRARY_FLAGS) -g1 -c $< -o $@,\
	  cp -p $(NATIVE)/messages/objects/$*.cpp.o $@)
$(NATIVE)/traced/objects/userlib/library/traced/%.cpp.o: userlib/library/traced/%.cpp native/native.mk
	@mkdir -p $(@D)
	$(HOST_CXX) $(WATCHED_INCLUDES) $(NATIVE_LIBRARY_FLAGS) -g1 -c $< -o $@

# $(1): the file, $(2): the objects' folder, $(3): virtual or static, $(4): more sources
define native_library_rules
NATIVE_LIBRARY_OBJECTS_$(1) := \
  $$(patsubst %,$(NATIVE)/$(2)/objects/%.o,$$(NATIVE_LIBRARY_SOURCES) $$(LIBRARY_$(3)) $(4))
$(NATIVE)/lib/parley/$(1): $$(NATIVE_LIBRARY_OBJECTS_$(1)) $(BUILD)/lib/library.ld
	@mkdir -p $$(@D)
	$$(HOST_CXX) -nostdlib -static -no-pie -Wl,--build-id=none -Wl,-z,max-page-size=4096 \
	  -Wl,-z,noexecstack -T $(BUILD)/lib/library.ld $$(NATIVE_LIBRARY_OBJECTS_$(1)) -o $$@
-include $$(NATIVE_LIBRARY_OBJECTS_$(1):.o=.d)
endef
$(eval $(call native_library_rules,messages,messages,virtual))
$(eval $(call native_library_rules,messages-static,messages,static))
$(eval $(call native_library_rules,messages-traced,traced,virtual,$(WATCHED_SOURCES)))
$(eval $(call native_library_rules,messages-static-traced,traced,static,$(WATCHED_SOURCES)))

# nxtrace draws and tells what nxrun --trace has kept: the same parts as of the kernel's runner.
NXTRACE_PARTS := $(wildcard tools/parley_trace/*.py) \
  $(addprefix tools/parley_runner/,__init__.py counted.py ending.py frames.py places.py standard_files.py \
    status.py trace_command.py)
NXTRACE_FILES := $(NXTRACE_PARTS:tools/%=$(NATIVE)/lib/parley/nxtrace/%)

$(NXTRACE_FILES): $(NATIVE)/lib/parley/nxtrace/%: tools/%
	@mkdir -p $(@D)
	cp $< $@

$(NATIVE)/bin/nxtrace: native/nxtrace.py $(NXTRACE_FILES)
	@mkdir -p $(@D)
	install -m 755 $< $@

# libnx: the same sources, but what the kernel does for programs is done by Linux and nxrun. The shadow
# headers stand before those of userlib/nx.
NATIVE_NX_ONLY_SHARED := native/libnx/shared_fortran.c
NATIVE_NX_ONLY_STATIC := userlib/fortran/statements.c
NATIVE_NX_SOURCES := $(filter-out userlib/nx/start.c userlib/nx/threads.c \
    userlib/nx/handler_code.c,$(NX_SOURCES)) \
  $(filter-out $(NATIVE_NX_ONLY_SHARED),$(wildcard native/libnx/*.c))
NATIVE_NX_FLAGS := -Inative/libnx/shadow $(filter-out -fPIE -falign-functions%,$(NX_CFLAGS)) -fPIC
NATIVE_NX_OBJECTS := $(NATIVE_NX_SOURCES:%.c=$(NATIVE)/libnx/%.o)
NATIVE_NX_SHARED := $(filter-out $(NATIVE_NX_ONLY_STATIC:%.c=$(NATIVE)/libnx/%.o),$(NATIVE_NX_OBJECTS)) \
  $(NATIVE_NX_ONLY_SHARED:%.c=$(NATIVE)/libnx/%.o)

$(sort $(NATIVE_NX_OBJECTS) $(NATIVE_NX_SHARED)): $(NATIVE)/libnx/%.o: %.c native/native.mk userlib/userlib.mk
	@mkdir -p $(@D)
	$(NX_CC) $(NATIVE_NX_FLAGS) -MMD -MP -c -o $@ $<
	@$(CROSS)nm -g --defined-only $@ | \
	    awk '$$3 !~ /^nx_|^_gfortran|^__wrap/ { print $$3 } END { print "_" }' > $@.names
	@$(CROSS)objcopy --weaken-symbols=$@.names $@

$(NATIVE)/lib/libnx.a: $(NATIVE_NX_OBJECTS)
	@mkdir -p $(@D)
	rm -f $@
	$(NX_AR) rcs $@ $(NATIVE_NX_OBJECTS)

$(NATIVE)/lib/libnx.so: $(NATIVE_NX_SHARED)
	@mkdir -p $(@D)
	$(NX_CC) -shared -Wl,-z,defs -Wl,-soname,libnx.so.1 -o $(NATIVE)/lib/libnx.so.1 $(NATIVE_NX_SHARED) \
	  $(addprefix -Wl$(comma)--wrap=_gfortran_,flush_i4 fnum_i4)
	ln -sf libnx.so.1 $@

-include $(NATIVE_NX_OBJECTS:.o=.d) $(NATIVE_NX_ONLY_SHARED:%.c=$(NATIVE)/libnx/%.d)

# nxrun
NXRUN_TESTS := $(wildcard $(addsuffix /*_test.cpp,native/nxrun native/network))
NXRUN_SOURCES := $(filter-out %_test.cpp %_explored.cpp,$(wildcard native/nxrun/*.cpp)) \
  $(filter-out %_test.cpp,$(wildcard native/network/*.cpp)) \
  $(DESIGN_SOURCES) \
  messaging/system_bytes.cpp messaging/memory/buddy_heap.cpp \
  $(JOBS_SOURCES) native/library/platform.cpp base/result.cpp \
  base/text.cpp
NXRUN_OBJECTS := $(NXRUN_SOURCES:%=$(NATIVE)/nxrun/%.o)
NXRUN_FLAGS := $(HOST_FLAGS) -Inative/library -Iarch/hosted

$(eval $(call standard_headers_rule,$(NATIVE)/nxrun,$$(HOST_CXX) $$(NXRUN_FLAGS),native/native.mk,\
  base/hosted_headers.hpp))
$(NXRUN_OBJECTS): $(NATIVE)/nxrun/%.cpp.o: %.cpp native/native.mk \
    $(call standard_headers,$(NATIVE)/nxrun).gch | $(LEAF_LIST)
	@mkdir -p $(@D)
	$(HOST_CXX) $(call FIRST,$(NATIVE)/nxrun) $(NXRUN_FLAGS) -c $< -o $@

# The Linux calls' numbers and names, as this host's headers have them.
LINUX_CALL_NAMES := $(BUILD)/generated/native/nxrun/linux_call_names.hpp
$(LINUX_CALL_NAMES): native/native.mk
	@mkdir -p $(@D)
	printf '#include <asm/unistd.h>\n' | $(HOST_CC) -E -dM - | \
	    sed -n 's/^#define __NR_\([a-z0-9_]*\) \([0-9]*\)$$/{\2, "\1"},/p' | sort >$@
$(NATIVE)/nxrun/native/nxrun/activity.cpp.o: $(LINUX_CALL_NAMES)

$(NATIVE)/nxrun/library_image.o: native/libnx/library_image.c
	@mkdir -p $(@D)
	$(HOST_CC) -std=gnu17 -O2 -g -Wall -Wextra -I. -MMD -MP -c $< -o $@

NXRUN_TESTED := $(addprefix native/nxrun/,places.cpp machine_clock.cpp \
  machine.cpp helper_process.cpp trace_area.cpp trace_part.cpp job_trace.cpp trace_collection.cpp \
  verdict.cpp job_ending.cpp rank_semaphores.cpp \
  printable.cpp fault_report.cpp source_names.cpp rank_requests.cpp record.cpp events.cpp ranks.cpp \
  rank_output.cpp departures.cpp processes.cpp shared_file.cpp first_machine.cpp other_machine.cpp \
  shared_job_memory.cpp arena_messages.cpp wait_watch.cpp activity.cpp separate_ranks.cpp rank_schedule.cpp \
  shared_space.cpp program_image.cpp network_connection.cpp installation.cpp \
  job_control.cpp terminal.cpp turns.cpp turn_keeper.cpp) native/network/network_link.cpp \
  native/network/clock_rounds.cpp native/network/job_departure.cpp native/network/machine_gathering.cpp \
  $(JOBS_SOURCES)
$(call host_tests,nxrun,$(NXRUN_TESTED) messaging/system_bytes.cpp \
  messaging/memory/buddy_heap.cpp messaging/memory/blocks.cpp arch/hosted/platform.cpp $(DESIGN_SOURCES) \
  base/text.cpp base/result.cpp $(NXRUN_TESTS),plain)

# Of what is tested nxrun's own objects will do: a host test's flags differ in how much is optimised and told
# to debuggers, and in the platform, which is the message library's in nxrun. What sees that is compiled over
# the tests' own.
$(NXRUN_TESTED:%.cpp=$(OBJECTS_plain)/%.o): $(OBJECTS_plain)/%.o: %.cpp $(NATIVE)/nxrun/%.cpp.o
	@mkdir -p $(@D)
	$(if $(call sees,native/library,$(NATIVE)/nxrun/$*.cpp.d),\
	  $(HOST_CXX) $(call HOST_FIRST,plain) $(FLAVOUR_plain) -c $< -o $@,\
	  cp -p $(NATIVE)/nxrun/$*.cpp.o $@)
$(NXRUN_TESTED:%.cpp=$(OBJECTS_plain)/%.o): $(call standard_first,plain)

# An adapter for the tests, where nxrun looks for those of MPIs.
FAKE_ADAPTER := $(BUILD)/lib/parley/network-fake.so
$(FAKE_ADAPTER): native/nxrun/fake_adapter.c native/network/adapter.h native/native.mk
	@mkdir -p $(@D)
	$(HOST_CC) -std=gnu17 -O2 -g -Wall -Wextra $(if $(WERROR),-Werror) -I. -fPIC -shared -o $@ $<
$(TESTS)/nxrun: | $(FAKE_ADAPTER)

$(call host_tests,copy,native/library/copy.cpp native/library/copy_test.cpp,plain)

# A build that is this one, but for the booted library: its copy routine is the native one, and it asks for
# lines where the native one does, in a way that the modelled machine sees.
NATIVE_COPY := $(BUILD)/native_copy
NATIVE_COPY_FLAGS := -include native/booted/hints.hpp
NATIVE_COPY_SOURCES := $(filter-out %.S,$(LIBRARY_SOURCES)) $(LIBRARY_virtual)
NATIVE_COPY_OBJECTS := $(patsubst %,$(NATIVE_COPY)/objects/%.o,$(NATIVE_COPY_SOURCES)) \
  $(filter %.S.o,$(filter-out %/copy.S.o,$(LIBRARY_OBJECTS_virtual))) $(NATIVE_COPY)/objects/copy.o
$(NATIVE_COPY)/objects/%.cpp.o: %.cpp native/native.mk $(call standard_headers,$(BUILD)/lib/objects).gch \
    | $(LEAF_LIST)
	@mkdir -p $(@D)
	$(HOST_CXX) $(call FIRST,$(BUILD)/lib/objects) $(NATIVE_COPY_FLAGS) -Inative/booted $(LIBRARY_FLAGS) \
	  -c $< -o $@
$(NATIVE_COPY)/objects/copy.o: native/booted/copy.cpp native/native.mk
	@mkdir -p $(@D)
	$(HOST_CXX) $(NATIVE_COPY_FLAGS) $(NATIVE_LIBRARY_FLAGS) -c $< -o $@
$(NATIVE_COPY)/lib/messages.elf: $(NATIVE_COPY_OBJECTS) $(BUILD)/lib/library.ld
	@mkdir -p $(@D)
	$(HOST_CXX) -nostdlib -static -no-pie -Wl,--build-id=none -Wl,-z,max-page-size=4096 \
	  -Wl,-z,noexecstack -T $(BUILD)/lib/library.ld $(NATIVE_COPY_OBJECTS) -o $@
	cd $(NATIVE_COPY) && for one in kernel.elf measuring designs apps machine_model; do \
	    ln -sfn ../$$one $$one; done
-include $(NATIVE_COPY_OBJECTS:.o=.d)

# A modelled machine beside this host: MACHINE=modern PORTS="carrying circular" ROUNDS=8 OUT=file.json
VALIDATE_WORDS = $(foreach name,$(filter-out $(BUILD_WORDS),$(given_names)),$(call quote,$(name)))
.PHONY: validate-machine tests-need-native-copy
validate-machine:
	@tools/install.sh native
	@+$(MAKE) --quiet $(BUILD)/designs
	@$(PYTHON) -B tools/validate_machine.py $(BUILD) --check $(VALIDATE_WORDS)
	@+$(MAKE) --quiet run-files CLOCK=modelled $(NATIVE_COPY)/lib/messages.elf $(NATIVE)/bin/nxrun \
	    $(NATIVE_LIBRARIES) $(NATIVE)/apps/ring/ring
	@$(PYTHON) -B tools/validate_machine.py $(BUILD) $(VALIDATE_WORDS)
tests-need-native-copy: $(NATIVE_COPY)/lib/messages.elf

# The MPIs that are installed, each with its own compiler; and an adapter to each.
MPIS := $(foreach name,openmpi mpich,$(if $(shell command -v mpicc.$(name)),$(name)))
NETWORK_ADAPTERS := $(MPIS:%=$(NATIVE)/lib/parley/network-%.so)
native-files: $(NETWORK_ADAPTERS)

$(NETWORK_ADAPTERS): $(NATIVE)/lib/parley/network-%.so: native/network/mpi.c native/network/adapter.h \
    native/native.mk
	@mkdir -p $(@D)
	mpicc.$* -std=gnu17 -O2 -g -Wall -Wextra $(if $(WERROR),-Werror) -I. -fPIC -shared -o $@ $<

$(NATIVE)/bin/nxrun: $(NXRUN_OBJECTS) $(NATIVE)/nxrun/library_image.o
	@mkdir -p $(@D)
	$(HOST_CXX) $^ -o $@

-include $(NXRUN_OBJECTS:.o=.d) $(NATIVE)/nxrun/library_image.d

# The compiler wrappers, with what they need beside them.
NATIVE_WRAPPERS := $(addprefix $(NATIVE)/bin/,nxcc nxc++ nxf77 cedarf77)
NATIVE_HEADERS := $(patsubst $(BUILD)/include/%,$(NATIVE)/include/parley/%,$(NX_HEADERS))
NATIVE_TRANSLATORS := $(patsubst $(BUILD)/lib/%,$(NATIVE)/lib/parley/%,$(NX_TRANSLATORS))
NATIVE_OLD_NAMES := $(addprefix $(NATIVE)/lib/parley/old-names/,if77 ar) $(NATIVE)/old-names
NATIVE_READY := $(NATIVE_WRAPPERS) $(NATIVE)/lib/libnx.a $(NATIVE)/lib/libkmath.a \
  $(NATIVE)/lib/parley/openmp/libgomp.a \
  $(NATIVE)/lib/parley/program.ld $(NATIVE_HEADERS) $(NATIVE_TRANSLATORS) $(NATIVE_OLD_NAMES)

$(NATIVE_WRAPPERS): userlib/wrappers/wrapper.sh.in userlib/userlib.mk native/native.mk
	$(call nx_wrapper,/..,,-l:libnx.a,for this machine (nxrun -n 4 ./program),/parley)

# The same names as of the kernel's wrappers, where they will be installed and where they are looked for here.
$(eval $(call nx_old_names,$(NATIVE)/lib/parley/old-names,../../../bin))
$(NATIVE)/old-names:
	@mkdir -p $(@D)
	ln -sfn lib/parley/old-names $@

$(NATIVE_HEADERS): $(NATIVE)/include/parley/%: $(BUILD)/include/%
	@mkdir -p $(@D)
	cp $< $@

$(NATIVE)/lib/libkmath.a: $(BUILD)/lib/libkmath.a
	@mkdir -p $(@D)
	cp $< $@

# Of cedarf77's programs.
$(NATIVE)/lib/parley/openmp/libgomp.a: $(BUILD)/lib/openmp/libgomp.a
	@mkdir -p $(@D)
	cp $< $@

$(NATIVE)/lib/parley/program.ld $(NATIVE_TRANSLATORS): $(NATIVE)/lib/parley/%: $(BUILD)/lib/%
	@mkdir -p $(@D)
	cp $< $@

# The programs, from the same objects' sources by these wrappers.
NATIVE_APPS := $(foreach name,$(filter-out gang,$(APPS_FOLDERS)),$(NATIVE)/apps/$(name)/$(name))

.PHONY: native-apps
native-apps: $(NATIVE_READY) $(NATIVE_APPS)

native_objects = $(patsubst $(BUILD)/%,$(NATIVE)/%,$(call apps_objects,$(1)))

define native_app
$(NATIVE)/apps/$(1)/$(1): $(call native_objects,$(1)) $(NATIVE)/lib/libnx.a
	@mkdir -p $$(@D)
	$(NATIVE)/bin/$(call apps_wrapper,$(1)) -g -o $$@ $(call native_objects,$(1)) $$(APPS_LIBRARIES) -lm
endef
$(foreach name,$(filter-out gang,$(APPS_FOLDERS)),$(eval $(call native_app,$(name))))

# $(1): a folder of programs
define native_compiled
$(NATIVE)/$(1)/%.c.o: $(1)/%.c native/native.mk | $(NATIVE_READY)
	@mkdir -p $$(@D)
	$(NATIVE)/bin/nxcc $$(APPS_CFLAGS) $(call apps_seen,$(1)) -MMD -MP -c -o $$@ $$<

$(NATIVE)/$(1)/%.cc.o: $(1)/%.cc native/native.mk | $(NATIVE_READY)
	@mkdir -p $$(@D)
	$(NATIVE)/bin/nxc++ $$(APPS_CFLAGS) -std=c++20 -I. -MMD -MP -c -o $$@ $$<

$(NATIVE)/$(1)/%.f.o: $(1)/%.f native/native.mk | $(NATIVE_READY)
	@mkdir -p $$(@D)
	$(NATIVE)/bin/nxf77 $$(APPS_FFLAGS) -c -o $$@ $$<
endef
$(foreach root,$(APPS_ROOTS),$(eval $(call native_compiled,$(root))))

-include $(shell find $(wildcard $(APPS_ROOTS:%=$(NATIVE)/%)) -name '*.d' 2>/dev/null)

include native/oracle/oracle.mk native/compare/compare.mk
