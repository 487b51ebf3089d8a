# Two commands matter: `make demo` and `make test`. Each sets up what it needs first.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { command -v $$p; break; }; done)
VENV := .venv
BIN := $(VENV)/bin
GROUPS ?= core local
TEST_GROUPS := core local dev dask docker inspect notebooks
FAST := not slow and not network and not local_model and not chromium

.PHONY: demo test check lint bench setup setup-test lock clean

demo: setup
	$(BIN)/firmbench demo

test: setup-test
	$(BIN)/pytest -n 2 --dist loadgroup

check: setup-test
	$(BIN)/pytest -n 2 --dist loadgroup -q -m "$(FAST)"

lint: setup-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: setup-test
	$(BIN)/python -m tests.bench $(ONLY)

setup: $(BIN)/python
	@bash .ci/system gcc
	@$(BIN)/python .ci/install.py $(GROUPS)

setup-test: $(BIN)/python
	@bash .ci/system gcc git ctags chromium bwrap dockerd dtc clang-format arm-none-eabi-gcc qemu-system-arm
	@$(BIN)/python .ci/install.py $(TEST_GROUPS)

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "firmbench needs Python 3.11 or newer: apt-get install python3 python3-venv"; exit 1; }
	@bash .ci/system venv
	@$(PYTHON) -m venv $(VENV)

lock: setup-test
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python .ci/lock.py

clean:
	rm -rf $(VENV) *.egg-info .mypy_cache .ruff_cache .pytest_cache
