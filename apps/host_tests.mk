# SPDX-License-Identifier: MIT
# Host tests of what needs no messages: the arithmetic of the FFT, the MPS reader and the tableau, the
# rootfinder without its processes, HARPY's compiler and searches.
APPS_TESTED := $(addprefix apps/fft/,butterfly.c reference.c signal.c) \
  $(filter-out %/simplex.c %/solve.c %/text.c,$(wildcard apps/simplex/*.c)) \
  $(filter-out %/rootfinder.c %/force.c %/by_semaphores.c %/by_messages.c %/by_collective.c,\
    $(wildcard apps/rootfinder/*.c)) \
  $(filter-out %/harpy.c %/report.c,$(wildcard apps/harpy/*.c))
APPS_TESTS := $(wildcard apps/*/*_test.cpp)
APPS_TEST_OBJECTS := $(APPS_TESTED:%=$(BUILD)/tests/%.o) $(call host_objects,$(APPS_TESTS),asan)
APPS_SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all
APPS_TEST_FLAGS = -O1 -g -Wall -Wextra $(if $(WERROR),-Werror) -I. $(APPS_SANITIZE) -MMD -MP

$(BUILD)/tests/apps/%.c.o: apps/%.c apps/host_tests.mk
	@mkdir -p $(@D)
	$(HOST_CC) -std=gnu17 $(APPS_TEST_FLAGS) -c -o $@ $<

$(call host_program,programs,$(APPS_TEST_OBJECTS),$(APPS_TESTS),$(APPS_SANITIZE))

# HARPY's processes share their work by atomic operations alone: the same under the thread sanitizer.
APPS_THREADED := $(filter apps/harpy/%,$(APPS_TESTED))
APPS_THREADED_TESTS := $(filter apps/harpy/%,$(APPS_TESTS))
APPS_THREADED_OBJECTS := $(APPS_THREADED:%=$(BUILD)/tests/tsan/%.o) \
  $(call host_objects,$(APPS_THREADED_TESTS),tsan)

$(BUILD)/tests/tsan/apps/%: APPS_SANITIZE := $(SANITIZE_tsan)

$(BUILD)/tests/tsan/apps/%.c.o: apps/%.c apps/host_tests.mk
	@mkdir -p $(@D)
	$(HOST_CC) -std=gnu17 $(APPS_TEST_FLAGS) -c -o $@ $<

$(call host_program,tsan/harpy,$(APPS_THREADED_OBJECTS),$(APPS_THREADED_TESTS),$(SANITIZE_tsan))

-include $(APPS_TEST_OBJECTS:.o=.d) $(APPS_THREADED_OBJECTS:.o=.d)
