# SPDX-License-Identifier: MIT
# The study of parallel loops on Cedar: the document's tables, computed again. Nothing is built.

.PHONY: study-cedar
study-cedar:
	@$(PYTHON) -B studies/cedar/tools/overheads.py printed
