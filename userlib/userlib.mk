# SPDX-License-Identifier: MIT
# libnx (build/lib/libnx.a), its headers (build/include) and the compiler wrappers (build/nxcc, nxc++,
# nxf77).
CROSS ?=
BUILD ?= build

NX_CC := $(CROSS)gcc
NX_AR := $(CROSS)ar
NX_CFLAGS := -std=gnu17 -O2 -g -fPIE -fno-stack-protector -fcf-protection=none -fno-math-errno $(ALIGNED) \
             -Wall -Wextra -Wshadow -Wmissing-prototypes -I. -Iuserlib/include $(if $(WERROR),-Werror)
# The library defines the calls of which this header, in programs, makes macros.
NX_CFLAGS += -DPARLEY_NX_NARROW_H

NX_SOURCES := $(wildcard $(foreach part,nx am collective files fortran,userlib/$(part)/*.c))
NX_OBJECTS := $(NX_SOURCES:%.c=$(BUILD)/%.o)
NX_HEADERS := $(patsubst userlib/include/%,$(BUILD)/include/%,\
  $(wildcard userlib/include/*.h userlib/include/*/*.h))
NX_HEADERS += $(BUILD)/include/fcube.h
# What the kernel declares and nx.h includes.
NX_HEADERS += $(patsubst %,$(BUILD)/include/interface/%.h,capabilities gang_times semaphores)
NX_WRAPPERS := $(BUILD)/nxcc $(BUILD)/nxc++ $(BUILD)/nxf77
NX_TRANSLATORS := $(patsubst userlib/%,$(BUILD)/lib/%,$(wildcard userlib/wrappers/*.py))

# libkmath: vector calls of the hypercubes' mathematical library; the wrappers add libblas for the rest.
# Programs of the time have no header for these.
NX_KMATH_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard userlib/kmath/*.c))
$(NX_KMATH_OBJECTS): NX_CFLAGS += -Wno-missing-prototypes

# What a program needs before it can be compiled and linked.
NX_READY := $(BUILD)/lib/libnx.a $(BUILD)/lib/libkmath.a \
  $(BUILD)/lib/program.ld $(NX_HEADERS) $(NX_WRAPPERS) $(NX_TRANSLATORS) \
  $(BUILD)/old-names/if77 $(BUILD)/old-names/ar

.PHONY: userlib
userlib: $(NX_READY)

# The calls' names are weak: a program may have functions of its own under some of them, as programs had
# that
# were moved between machines.
$(NX_OBJECTS) $(NX_KMATH_OBJECTS): $(BUILD)/%.o: %.c userlib/userlib.mk
	@mkdir -p $(@D)
	$(NX_CC) $(NX_CFLAGS) -MMD -MP -c -o $@ $<
	@$(CROSS)nm -g --defined-only $@ | \
	    awk '$$3 !~ /^nx_|^_gfortran|^__wrap/ { print $$3 } END { print "_" }' > $@.names
	@$(CROSS)objcopy --weaken-symbols=$@.names $@

# The archive is made anew, so that an object whose source is gone does not stay in it.
$(BUILD)/lib/libnx.a: $(NX_OBJECTS)
	@mkdir -p $(@D)
	rm -f $@
	$(NX_AR) rcs $@ $(NX_OBJECTS)

$(BUILD)/lib/libkmath.a: $(NX_KMATH_OBJECTS)
	@mkdir -p $(@D)
	rm -f $@
	$(NX_AR) rcs $@ $(NX_KMATH_OBJECTS)

$(BUILD)/lib/program.ld: userlib/program.ld
	@mkdir -p $(@D)
	cp $< $@

# The name under which older Fortran programs include fnx.h.
$(BUILD)/include/fcube.h: userlib/include/fnx.h
	@mkdir -p $(@D)
	cp $< $@

$(BUILD)/lib/wrappers/%.py: userlib/wrappers/%.py
	@mkdir -p $(@D)
	cp $< $@

$(BUILD)/include/interface/%.h: interface/%.h
	@mkdir -p $(@D)
	cp $< $@

$(BUILD)/include/%.h: userlib/include/%.h
	@mkdir -p $(@D)
	cp $< $@

# $(1): where include/ and lib/ lie from there, $(2): how a program is placed, $(3): the library, $(4): for
# what, $(5): the folder in both that holds headers and the wrappers' own parts
define nx_wrapper
	@mkdir -p $(@D)
	sed -e 's|@CROSS@|$(CROSS)|; s|@UP@|$(1)|; s|@POSITION@|$(2)|; s|@NX@|$(3)|; s|@FOR@|$(4)|' \
	  -e 's|@BELOW@|$(5)|' $< > $@.new
	chmod +x $@.new
	mv $@.new $@
endef

$(NX_WRAPPERS) $(BUILD)/cedarf77: userlib/wrappers/wrapper.sh.in userlib/userlib.mk
	$(call nx_wrapper,,-static-pie,-lnx,that the Parley kernel boots (make run APP=path/to/program))

# The tools' names on the hypercubes, for makefiles of the time: PATH=build/old-names:$$PATH make
# $(1): the folder, $(2): the wrappers' folder from there
define nx_old_names
$(1)/if77: $(NX_WRAPPERS)
	@mkdir -p $$(@D)
	for name in icc cc; do ln -sf $(2)/nxcc $$(@D)/$$$$name; done
	ln -sf $(2)/nxc++ $$(@D)/iCC
	ln -sf $(2)/nxf77 $$(@D)/f77
	for tool in nm size strip ranlib; do ln -sf "$$$$(command -v $(CROSS)$$$$tool)" $$(@D)/$$$${tool}860; done
	ln -sf $(2)/nxf77 $$@

$(1)/ar: userlib/wrappers/ar.sh.in
	@mkdir -p $$(@D)
	sed "s|@AR@|$$$$(command -v $(NX_AR))|" $$< > $$@.new
	chmod +x $$@.new
	mv $$@.new $$@
	ln -sf ar $$(@D)/ar860
endef
$(eval $(call nx_old_names,$(BUILD)/old-names,..))

-include $(NX_OBJECTS:.o=.d) $(NX_KMATH_OBJECTS:.o=.d)

# Host tests: the same sources against a fake message system, in which a node is a thread. Two shadow
# headers,
# found first on the include path, replace the proxy call by a function and give every thread its own
# process.
NX_TEST_SOURCES := $(wildcard userlib/testing/*_test.cpp userlib/testing/fake_*.cpp)
NX_OF_FORTRAN_LIBRARY := userlib/fortran/statements.c userlib/fortran/files.c
NX_OF_C_LIBRARY := userlib/nx/error_texts.c
NX_OF_KERNEL := userlib/nx/start.c userlib/nx/threads.c \
  userlib/nx/join.c userlib/nx/sleeping.c userlib/fortran/sleeping.c
NX_TESTED := $(filter-out $(NX_OF_KERNEL) $(NX_OF_C_LIBRARY) $(NX_OF_FORTRAN_LIBRARY),$(NX_SOURCES))
NX_TEST_OBJECTS := $(NX_TESTED:%.c=$(BUILD)/tests/%.o) $(call host_objects,$(NX_TEST_SOURCES),asan)
NX_SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all
NX_SHADOWS := -Iuserlib/testing/shadow

$(BUILD)/tests/userlib/%.o: userlib/%.c userlib/userlib.mk
	@mkdir -p $(@D)
	$(HOST_CC) $(NX_SHADOWS) $(filter-out -fPIE,$(NX_CFLAGS)) $(NX_SANITIZE) -MMD -MP -c -o $@ $<

$(call host_objects,$(NX_TEST_SOURCES),asan): private FLAVOUR_asan := $(NX_SHADOWS) $(FLAVOUR_asan) \
  -Iuserlib/include
$(call host_program,nx,$(NX_TEST_OBJECTS),$(NX_TEST_SOURCES),$(NX_SANITIZE))

-include $(NX_TEST_OBJECTS:.o=.d)
include userlib/loops/loops.mk
