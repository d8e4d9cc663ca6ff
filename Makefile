# Everything a person or a machine does with this project. `make` alone lists it.
#
# PORT (8000) and REGISTRY_HOME (.local) are honoured by serve and stop; so are DATABASE_URL, DATABASE_OWNER_URL,
# CELERY_BROKER_URL and the rest of the environment that registry/settings.py reads.

.DEFAULT_GOAL := help
.PHONY: help serve stop test check format lock browser
MAKEFLAGS += --no-print-directory
SHELL := /bin/sh

PYTHON ?= python3
BIN := .venv/bin
# Tools read the settings but reach no server.
CHECK_ENVIRONMENT := SECRET_KEY=checks-only ALLOWED_HOSTS=localhost DATABASE_URL=postgres:///checks-only

help: ## List what can be made
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | while IFS="$$(printf '\t')" read -r name words; do \
		printf '  make %-8s %s\n' "$$name" "$$words"; done

serve: .venv/installed ## Run the registry at http://127.0.0.1:8000 until Ctrl-C
	@$(BIN)/python -m registry.serve

stop: .venv/installed ## Stop a registry, and what a killed one left running
	@$(BIN)/python -m registry.embedded stop

test: .venv/installed-dev browser check ## Install what tests need, run every check and every test
	@$(BIN)/python -W error -m pytest

check: .venv/installed-dev ## Run the linters, the type checker and the laws of the house, without any test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(CHECK_ENVIRONMENT) $(BIN)/lint-imports --no-logo
	$(CHECK_ENVIRONMENT) $(BIN)/mypy
	@git ls-files -z -- 'templates/*.html' 'templates/**/*.html' | xargs -0 -r $(BIN)/djade --target-version 5.2 --check
	$(CHECK_ENVIRONMENT) $(BIN)/python -W ignore::RuntimeWarning manage.py makemigrations --check --dry-run
	$(BIN)/python -m pytest -p no:randomly -q tests/house

format: .venv/installed-dev ## Bring Python and templates into the house's form
	@$(BIN)/ruff check --quiet --fix --exit-zero .
	@$(BIN)/ruff format .
	@git ls-files -z -- 'templates/*.html' 'templates/**/*.html' | xargs -0 -r $(BIN)/djade --target-version 5.2 || true # it counts a rewritten file as a failure

lock: .venv/bin/python ## Write the lock files anew from pyproject.toml (needs the network)
	@$(BIN)/python -m pip install -qq --disable-pip-version-check uv
	$(BIN)/python -m uv pip compile --quiet --universal --python-version 3.11 --upgrade --generate-hashes \
		--no-emit-index-url --no-emit-find-links --no-header pyproject.toml --output-file requirements.txt
	$(BIN)/python -m uv pip compile --quiet --universal --python-version 3.11 --upgrade --generate-hashes \
		--no-emit-index-url --no-emit-find-links --no-header --constraint requirements.txt --group dev \
		--output-file requirements-dev.txt

browser: # Chromium for the browser tests: on PATH, else Debian's package when root, else a clear line
	@for name in chromium chromium-browser google-chrome google-chrome-stable; do \
		command -v $$name >/dev/null 2>&1 && exit 0; done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then \
		echo "Installing Chromium for the browser tests …"; \
		(apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium) \
			</dev/null >/dev/null 2>.venv/chromium.log && exit 0; cat .venv/chromium.log >&2; fi; \
	echo "The browser tests need Chromium, and it is not on PATH. Install it (Debian, Ubuntu: apt install chromium)." >&2; \
	exit 1

# The stamps carry the lock's content: a second start installs nothing, a changed lock installs the difference.

.venv/installed: requirements.txt | .venv/bin/python
	@cmp -s requirements.txt $@ || { echo "Installing the locked packages …"; \
		$(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes --no-deps -r requirements.txt; }
	@cp requirements.txt $@

.venv/installed-dev: requirements-dev.txt .venv/installed
	@cmp -s requirements-dev.txt $@ || { echo "Installing the tools for tests and checks …"; \
		$(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes --no-deps -r requirements-dev.txt; }
	@cp requirements-dev.txt $@

.venv/bin/python:
	@command -v $(PYTHON) >/dev/null 2>&1 || { \
		echo "Python 3.11 or newer is needed, and there is no $(PYTHON) on PATH. Name one: make PYTHON=python3.12 serve" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Python 3.11 or newer is needed; $(PYTHON) is $$($(PYTHON) -c 'import platform; print(platform.python_version())')." \
			"Name another one: make PYTHON=python3.12 serve" >&2; exit 1; }
	@$(PYTHON) -m venv .venv || { \
		echo "$(PYTHON) cannot make a virtual environment. On Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
