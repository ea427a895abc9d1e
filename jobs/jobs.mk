# SPDX-License-Identifier: MIT
# What the kernel and nxrun have in common: host tests of it. None has threads, so the address sanitizer sees
# all that the plain program could; how it is used by several at once is explored (messaging.mk).
JOBS_SOURCES := $(filter-out %_test.cpp %_explored.cpp,$(wildcard jobs/*.cpp))
JOBS_TESTED := $(JOBS_SOURCES) $(wildcard jobs/*_test.cpp) base/result.cpp base/text.cpp
$(call host_tests,jobs,$(JOBS_TESTED),asan)
$(call host_tests_on_request,jobs,$(JOBS_TESTED),plain)
