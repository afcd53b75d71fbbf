# Each target does all of its own set-up: a machine with Python >= 3.11 and make is enough.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Python compiles what is imported when it is imported: compiling all of every package takes as long as installing it.
# What was compiled must then be kept, whatever the machine's settings: the tests start hundreds of processes.
export PYTHONDONTWRITEBYTECODE :=
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
OLDEST := .venv-oldest
DATA := $(wildcard ../shared/data)
ifneq ($(DATA),)
export WEAKLEARN_DATA ?= $(abspath $(DATA))
endif
# One trial is one process: threads inside BLAS would only fight over the cores.
export OPENBLAS_NUM_THREADS ?= 1
export OMP_NUM_THREADS ?= 1

.PHONY: help reproduce reproduce-full test test-slow test-oldest coverage coverage-kernels lint format bench docs pictures dist kernels warmup clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-16s %s\n", $$1, $$2}'

# A stamp per set of extras, so that reproducing does not install test tools.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit("weaklearn needs Python 3.11 or newer, found " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)

$(VENV)/core.stamp: pyproject.toml | $(BIN)/python
	$(INSTALL) -e '.[data]'
	@touch $@

$(VENV)/dev.stamp: pyproject.toml | $(BIN)/python
	$(INSTALL) -e '.[data,test,lint]'
	@touch $@ $(VENV)/core.stamp

$(VENV)/docs.stamp: pyproject.toml | $(BIN)/python
	$(INSTALL) -e '.[data,docs]'
	@touch $@ $(VENV)/core.stamp

# Compiled first, group by group, no kernel is compiled by two workers at the same time.
reproduce: $(VENV)/core.stamp ## run every experiment of the lab, quick profile, and write the report
	$(BIN)/weaklearn warmup
	$(BIN)/weaklearn reproduce

reproduce-full: $(VENV)/core.stamp ## the same with the published number of trials (hours)
	$(BIN)/weaklearn reproduce --profile full

# Kernels are compiled beside the type check, once, before two processes of pytest would both compile them. `worksteal`
# gives each process neighbouring tests, which share fixtures. Tests of servers and browsers wait a good deal, so there is
# one process more than there are cores.
test: ## everything CI checks: lint, types, layers, tests, doctests
	@$(MAKE) --no-print-directory -j 2 lint kernels
	$(BIN)/python -m pytest -q -n $$(( $$(nproc 2>/dev/null || echo 2) + 1 )) --dist worksteal -m "not slow"

kernels: $(VENV)/dev.stamp
	$(BIN)/weaklearn warmup

test-slow: $(VENV)/dev.stamp ## the tests that take minutes each: a hundred kills, published claims
	$(BIN)/python -m pytest -q -s -m slow

coverage: $(VENV)/dev.stamp ## share of the lines that the tests run, kernels apart
	$(BIN)/python -m pytest -q -n auto --dist worksteal -m "not slow" --cov --cov-report=term

# Without the compiler, kernels are a hundred times slower: only tests of small cases.
coverage-kernels: $(VENV)/dev.stamp ## the same of the kernels, with the compiler off
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m coverage run --rcfile=/dev/null --data-file=.coverage.kernels \
	  --source=weaklearn._fast -m pytest -q -W ignore::RuntimeWarning -m "not slow" \
	  -k "not large_sets and not boosted_trees and not scikit_learn and not DecisionStump" \
	  $(addprefix src/weaklearn/,linear boosting kernel monotone complexity multiclass stumps.py trees.py) \
	  tests/test_stumps.py tests/test_trees.py tests/kernel tests/monotone
	$(BIN)/python -m coverage report --rcfile=/dev/null --data-file=.coverage.kernels

lint: $(VENV)/dev.stamp ## ruff, mypy and the import layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/dev.stamp ## format and fix what can be fixed
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/dev.stamp ## speed against peers, as ratios in one run
	$(BIN)/python -m benchmarks

docs: $(VENV)/docs.stamp ## build the site in docs/_build/html; a warning is an error
	$(BIN)/python -m sphinx -b html -W --keep-going -j auto docs docs/_build/html
	@echo "docs/_build/html/index.html"

pictures: $(VENV)/dev.stamp ## photograph every page of the application, for the docs; needs Chromium
	mkdir -p docs/_build/album
	WEAKLEARN_PICTURES=$(abspath docs/_build/album) $(BIN)/python -m pytest -q -m slow tests/web/test_pictures.py
	$(BIN)/python docs/pictures.py docs/_build/album

dist: $(VENV)/dev.stamp ## build the wheel and the source archive, and install the wheel in an empty environment
	$(INSTALL) build
	rm -rf dist
	$(BIN)/python -m build --outdir dist .
	$(BIN)/python -m pytest -q -m slow tests/docs/test_packaging.py

# Old releases warn of their own future: such warnings are no errors here. The check of weights in scikit-learn 1.6 makes
# two classes of three by the first label, before and after shuffling: no classifier for two classes can pass it.
test-oldest: ## a fast part of the tests with the oldest supported dependencies
	test -x $(OLDEST)/bin/python || $(PYTHON) -m venv $(OLDEST)
	$(OLDEST)/bin/python -m pip install --quiet --disable-pip-version-check uv
	$(OLDEST)/bin/python -m uv pip install --quiet --python $(OLDEST)/bin/python --resolution lowest-direct -e . pytest==8.2.0 hypothesis==6.100.0
	$(OLDEST)/bin/python -m pytest -q -x -m "not slow" -k "not sample_weight_equivalence" -o filterwarnings=default tests/linear tests/boosting/test_adaboost.py tests/test_costs.py tests/test_stumps.py

warmup: $(VENV)/core.stamp ## compile the kernels, once per installation
	$(BIN)/weaklearn warmup

clean: ## remove everything that make made
	rm -rf $(VENV) $(OLDEST) dist docs/_build docs/api docs/gallery docs/reproduction.md reproduction .pytest_cache .ruff_cache .mypy_cache .hypothesis
