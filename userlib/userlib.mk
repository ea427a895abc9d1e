# SPDX-License-Identifier: MIT
# libnx (build/lib/libnx.a), its headers (build/include) and the compiler wrappers (build/nxcc, nxc++, nxf77).
CROSS ?=
BUILD ?= build

NX_CC := $(CROSS)gcc
NX_AR := $(CROSS)ar
NX_CFLAGS := -std=gnu17 -O2 -g -fPIE -fno-stack-protector -fcf-protection=none -fno-math-errno \
             -Wall -Wextra -Wshadow -Wmissing-prototypes -I. -Iuserlib/include $(if $(WERROR),-Werror)

NX_SOURCES := $(wildcard userlib/nx/*.c userlib/collective/*.c userlib/fortran/*.c)
NX_OBJECTS := $(NX_SOURCES:%.c=$(BUILD)/%.o)
NX_HEADERS := $(patsubst userlib/include/%,$(BUILD)/include/%,$(wildcard userlib/include/*.h))
NX_WRAPPERS := $(BUILD)/nxcc $(BUILD)/nxc++ $(BUILD)/nxf77

# What a program needs before it can be compiled and linked.
NX_READY := $(BUILD)/lib/libnx.a $(NX_HEADERS) $(NX_WRAPPERS)

.PHONY: userlib
userlib: $(NX_READY)

$(NX_OBJECTS): $(BUILD)/%.o: %.c userlib/userlib.mk
	@mkdir -p $(@D)
	$(NX_CC) $(NX_CFLAGS) -MMD -MP -c -o $@ $<

# The archive is made anew, so that an object whose source is gone does not stay in it.
$(BUILD)/lib/libnx.a: $(NX_OBJECTS)
	@mkdir -p $(@D)
	rm -f $@
	$(NX_AR) rcs $@ $(NX_OBJECTS)

$(NX_HEADERS): $(BUILD)/include/%: userlib/include/%
	@mkdir -p $(@D)
	cp $< $@

$(NX_WRAPPERS): userlib/wrapper.sh.in
	@mkdir -p $(@D)
	sed 's|@CROSS@|$(CROSS)|' $< > $@.new
	chmod +x $@.new
	mv $@.new $@

-include $(NX_OBJECTS:.o=.d)
