PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
SOURCES := pyproject.toml README.md $(shell find memcli -name '*.py')

# `make score BENCH=folder`: a folder that has score.py; SETS names its data sets.
BENCH ?=
SETS ?= all

.PHONY: demo test check score bench clean

demo: $(VENV)/installed
	PATH="$(abspath $(BIN)):$$PATH" sh .ci/demo.sh

test: $(VENV)/tools
	$(BIN)/python -m pytest --ignore=tests/extras

check: $(VENV)/tools
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest tests/test_layers.py

score: $(VENV)/installed
	@test -f "$(BENCH)/score.py" || { echo "make score BENCH=folder, and the folder has score.py" >&2; exit 2; }
	$(BIN)/python "$(BENCH)/score.py" $(SETS) --mem "$(abspath $(BIN))/mem"

# `make bench ARGS="--keep DIR"` keeps the homes that it makes up for the next time.
bench: $(VENV)/installed
	@set -e; for script in tests/bench/*.py; do echo "== $$script"; $(BIN)/python "$$script" $(ARGS); done

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: $(BIN)/python $(SOURCES)
	$(BIN)/python -m pip install --quiet .
	touch $@

$(VENV)/tools: $(BIN)/python $(SOURCES)
	$(BIN)/python -m pip install --quiet '.[test]'
	touch $@ $(VENV)/installed

clean:
	rm -rf $(VENV) .demo build .mypy_cache .pytest_cache .ruff_cache .hypothesis
