# SPDX-License-Identifier: MIT
# The framework's list of leaves, its host tests, the tool that knows designs, and the user-level message library.

$(BUILD)/generated/messaging/leaves.hpp: tools/list_leaves.py messaging $(addprefix messaging/,location context_switch \
  interaction port transport synchronization transfer)
	$(PYTHON) tools/list_leaves.py messaging $@
