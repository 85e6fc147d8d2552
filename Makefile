# ACR. Every target makes .venv as it needs; none asks anything. Another interpreter: make PYTHON=python3.12 …

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help install train run demo test check format docs dist sbom lock clean

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input --quiet
# Options for the program that a target starts: make run ARGS="--port 9000", make test ARGS="-k engine"
ARGS ?=

# The first interpreter that starts, is new enough and can make environments. Its name alone proves nothing:
# shims exist for versions that are not there, and some systems package venv apart.
SUITABLE := import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))
CANDIDATES := python3 python3.13 python3.12 python3.11 python3.14 python
PYTHON ?= $(firstword $(foreach name,$(CANDIDATES),$(shell $(name) -c '$(SUITABLE)' >/dev/null 2>&1 && echo $(name))))

help: ## Show this
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

install: $(VENV)/.dev ## Make .venv with all that tests and development need
train: $(VENV)/.train ## Also what trains language-model controllers (1.4 GB); TORCH="…" names the build
run: $(VENV)/.run ## Serve on 127.0.0.1:8300; without an upstream, the embedded model. First a minute or two. ARGS="--port 9000"
	@$(BIN)/acr serve $(ARGS)

demo: $(VENV)/.run ## Watch a model get lost, and brought back
	@$(BIN)/acr demo $(ARGS)

# Many tests wait for servers and processes, so two at a time take little more than half as long; a file's tests share
# what they start.
test: $(VENV)/.dev ## Run the tests, files side by side; for a debugger call pytest itself
	@$(BIN)/python -m pytest --numprocesses 2 --dist loadfile $(ARGS)

check: $(VENV)/.dev ## Lint, formatting, types, import rules
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.dev ## Put the code into shape
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .

docs: $(VENV)/.dev ## Build the pages into build/site, strictly and from nothing but this checkout
	$(BIN)/python docs/reference.py --check
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

dist: $(VENV)/.made ## Build wheel and source archive into dist/
	rm -rf dist
	$(PIP) install --constraint constraints.txt hatchling
	$(BIN)/python -m hatchling build

sbom: ## Write dist/sbom.cdx.json: what an installation with constraints.txt consists of
	rm -rf $(VENV)-sbom && mkdir -p dist
	$(PYTHON) -m venv $(VENV)-sbom/app && $(PYTHON) -m venv $(VENV)-sbom/tool
	$(VENV)-sbom/app/bin/pip install --quiet --disable-pip-version-check --constraint constraints.txt .
	$(VENV)-sbom/tool/bin/pip install --quiet --disable-pip-version-check cyclonedx-bom==7.5.0
	$(VENV)-sbom/tool/bin/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible \
		--output-file dist/sbom.cdx.json $(VENV)-sbom/app/bin/python
	rm -rf $(VENV)-sbom

lock: ## Write constraints.txt anew from what resolves today
	rm -rf $(VENV)-lock
	$(PYTHON) -m venv $(VENV)-lock
	$(VENV)-lock/bin/pip install --quiet --disable-pip-version-check '.[local,langchain,bench,learn,otel,redis,store,docs,deploy,dev]'
	{ sed -n '/^#/p' constraints.txt; $(VENV)-lock/bin/pip freeze --exclude adaptive-context-refactoring; } > constraints.new
	mv constraints.new constraints.txt
	rm -rf $(VENV)-lock

clean: ## Remove .venv and caches; fetched models stay
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist

$(VENV)/.made:
	@test -n "$(PYTHON)" || { echo "No Python 3.11 or newer with venv was found. On Debian or Ubuntu: apt install python3-venv. Or name one: make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c '$(SUITABLE)' || { echo "$(PYTHON) does not start, is older than 3.11, or has no venv module: make PYTHON=/path/to/python3" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.run: $(VENV)/.made pyproject.toml constraints.txt
	$(PIP) install --constraint constraints.txt --editable '.[local]'
	@touch $@

# Without CUDA anywhere: make train TORCH="torch==2.13.0 --index-url https://download.pytorch.org/whl/cpu"
TORCH ?= torch==2.13.0
$(VENV)/.train: $(VENV)/.dev
	$(PIP) install $(TORCH)
	$(PIP) install --constraint constraints.txt --editable '.[train]'
	@touch $@

$(VENV)/.dev: $(VENV)/.made pyproject.toml constraints.txt
	$(PIP) install --constraint constraints.txt --editable '.[local,langchain,bench,learn,docs,dev]'
	@touch $@ $(VENV)/.run
