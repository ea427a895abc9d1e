# SPDX-License-Identifier: MIT
# make install, make uninstall and make deb: the native library where a system has its libraries. What is made
# here stands in build/native as it will be installed; native/packaging/install.py lists what is.
PACKAGING := native/packaging
NATIVE_SHARE := $(NATIVE)/share
NATIVE_VERSION := $(shell sed -n 's/.*version = "\([0-9.]*\)".*/\1/p' native/nxrun/version.hpp)
NATIVE_MAJOR := $(firstword $(subst ., ,$(NATIVE_VERSION)))
prefix ?= /usr/local
DESTDIR ?=

NATIVE_MANUAL := $(NATIVE_SHARE)/man/made
NATIVE_FOUND := $(NATIVE)/lib/pkgconfig/nx.pc \
  $(addprefix $(NATIVE)/lib/cmake/Parley/,ParleyConfig.cmake ParleyConfigVersion.cmake)

.PHONY: native-share install uninstall deb tests-need-native-share
native-share: $(NATIVE_MANUAL) $(NATIVE_FOUND) $(NATIVE_SHARE)/bash-completion/completions/nxrun

$(NATIVE_MANUAL): $(PACKAGING)/manual.py $(wildcard $(PACKAGING)/*.in userlib/include/*.h) docs/nx2-calls.md \
  $(NATIVE)/bin/nxrun $(NATIVE)/bin/nxtrace $(NATIVE)/bin/nxcc $(NATIVE)/lib/libnx.a
	$(PYTHON) -B $< $(NATIVE)/bin $(@D)
	@touch $@

$(NATIVE_FOUND): native/nxrun/version.hpp $(addprefix $(PACKAGING)/,$(notdir $(NATIVE_FOUND)))
	@mkdir -p $(@D)
	sed 's/@VERSION@/$(NATIVE_VERSION)/g; s/@MAJOR@/$(NATIVE_MAJOR)/g' $(PACKAGING)/$(@F) > $@

$(NATIVE_SHARE)/bash-completion/completions/nxrun: $(PACKAGING)/nxrun.bash
	@mkdir -p $(@D)
	cp $< $@

# Words that nobody knows are refused here, too: a misspelt prefix would install somewhere else.
INSTALL_UNKNOWN = $(filter-out $(BUILD_WORDS) prefix DESTDIR,$(given_names))
INSTALL_SENTENCE = make $@ knows no word '$(firstword $(INSTALL_UNKNOWN))'; it takes prefix= and DESTDIR=.
install_refusal = $(if $(INSTALL_UNKNOWN),echo "$(INSTALL_SENTENCE)" >&2; exit 2,:)
INSTALL_WORDS = --build '$(NATIVE)' --version $(NATIVE_VERSION) --prefix '$(prefix)' \
  --destination '$(DESTDIR)'

# Who installs as root has built as himself before: then nothing is built here.
install:
	@$(install_refusal)
	@$(PYTHON) -B $(PACKAGING)/install.py check $(INSTALL_WORDS)
	@tools/install.sh native
	+@$(PYTHON) -B tools/build.py native-files native-share
	@$(PYTHON) -B $(PACKAGING)/install.py install $(INSTALL_WORDS)

uninstall:
	@$(install_refusal)
	@$(PYTHON) -B $(PACKAGING)/install.py check $(INSTALL_WORDS)
	@$(PYTHON) -B $(PACKAGING)/install.py uninstall $(INSTALL_WORDS)

deb:
	@$(install_refusal)
	@tools/install.sh deb
	+@$(PYTHON) -B tools/build.py native-files native-share
	@$(PACKAGING)/deb.sh '$(NATIVE)' $(NATIVE_VERSION) $(BUILD)

tests-need-native-share: native-files native-share
