# All of the project's commands. Needed: Python 3.11 or newer (with venv) and make.
# Another Python than python3: make PYTHON=python3.13 test

PYTHON  ?= python3
# Test processes: one for each core. Each imports and collects all tests anew.
TEST_PROCESSES ?= auto
# Where prose is read for relative clauses that stand in place of nouns.
PROSE   := service deploy docs openapi clients README.md CONTRIBUTING.md
CORE    := tests/game/test_cards.py tests/game/rulesets tests/game/rules
# The tests, beside CORE, whose code runs compiled where the service is served.
COMPILED := tests/api tests/conformance tests/game/agreement tests/game/fairness tests/game/golden tests/game/laws tests/game/notation \
	tests/http tests/live tests/platform tests/players
# Bytecode is kept: the tests start hundreds of processes.
unexport PYTHONDONTWRITEBYTECODE

PY := .venv/bin/python
# Only what stands in a lock file is installed, and only if its hash is the one there. A lock is complete, but for what
# requirements/left-out.in leaves out on purpose.
PIP_INSTALL := -m pip --disable-pip-version-check --no-input install --quiet
FROM_LOCK   := $(PIP_INSTALL) --require-hashes --no-deps
# The project itself: linked, not copied, and built by the locked build backend.
SELF        := $(PIP_INSTALL) --no-deps --no-build-isolation --editable .

.DEFAULT_GOAL := help
.PHONY: help run env test quick fmt lint types mypy pyright imports core unit coverage compiled wheel openapi guide golden cases conformance bench neighbors mutation rolling soak strength attacks deploy-check clients-check lowest pictures lock audit release clean

# Shown is what says so after two hashes, the three that matter first; what only maintainers need has one.
help:
	@echo "Three matter:"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2; if ($$1 == "quick") print "\nThe others:" }' Makefile

run: .venv/run.stamp ## Start the service; HOST, PORT and the other settings come from the environment
	@exec $(PY) -m service serve

# What only reads the code goes first, side by side: no test is run on code that fails it. Pyright takes as long as a
# tenth of all tests; the workflows run it at every push.
test: .venv/dev.stamp ## Run what every change has to pass: style, types, imports, every test
	@{ $(MAKE) --no-print-directory -j3 lint mypy imports && $(MAKE) --no-print-directory core unit; } || { \
		echo "make test: FAILED. Above, *** stands before the step; to see it alone: make lint, mypy, ..." >&2; exit 1; }
	@echo "make test: all passed"

quick: .venv/dev.stamp ## Run what to run at every save: lint, mypy, and the tests of the rules; takes seconds
	@$(MAKE) --no-print-directory -j3 lint mypy core

env: .venv/dev.stamp ## Make the development environment in .venv, no more

fmt: .venv/dev.stamp ## Format the code and mend what ruff can mend
	$(PY) -m ruff check --fix-only .
	$(PY) -m ruff format .

lint: .venv/dev.stamp ## Check style and format
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	@grep -rnwiE 'so many|whoever|whatever|of which|that of' --include='*.py' --include='*.md' --exclude-dir=node_modules $(PROSE); \
		[ $$? = 1 ] || { echo "Say the noun: \"the tokens of several seats\", not \"those of\"; \"60 seconds\", not \"so many\"" >&2; exit 1; }

types: mypy pyright ## Check types, with mypy and with pyright

mypy: .venv/dev.stamp
	$(PY) -m mypy

pyright: .venv/dev.stamp
	$(PY) -m basedpyright

imports: .venv/dev.stamp # Check that imports go one way
	.venv/bin/lint-imports --no-logo

# The tests of the rule book reach every branch of it by themselves.
core: .venv/dev.stamp # Run the tests of the cards, the rulesets and the rules, with branch coverage, and the examples of the game
	$(PY) -m coverage erase
	$(PY) -m coverage run -m pytest -q -n auto $(CORE)
	$(PY) -m coverage combine --quiet
	$(PY) -m coverage report --include='service/game/rules/*' --fail-under=100
	$(PY) -m pytest -q --doctest-modules service/game

unit: .venv/dev.stamp # Run all other tests
	$(PY) -m pytest -n $(TEST_PROCESSES) --dist=worksteal $(CORE:%=--ignore=%)

coverage: .venv/dev.stamp ## Run every test with branch coverage; takes twice as long
	$(PY) -m coverage erase
	$(PY) -m coverage run -m pytest -n $(TEST_PROCESSES) --dist=worksteal
	$(PY) -m coverage combine --quiet
	$(PY) -m coverage report

COMPILE := COMPILE=1 CC='$(CURDIR)/.venv-compile/bin/python -m ziglang cc -mcpu=baseline' .venv-compile/bin/python -m hatchling build

wheel: .venv-compile/stamp # Build a wheel into dist/ that is compiled for this Python and this platform
	$(COMPILE) --target wheel --directory dist

# What is served is compiled. Left out are the tests that look at other tools, and those that put a wrong rule in the place
# of a right one, which compiled callers do not see.
.PHONY: .compiled
.compiled: .venv-compile/stamp
	rm -rf .compiled
	$(COMPILE) --directory .compiled/dist
	tar -xzf .compiled/dist/*.tar.gz --strip-components=1 -C .compiled
	.venv-compile/bin/python -m zipfile -e .compiled/dist/*.whl .compiled

compiled: .venv/dev.stamp .compiled ## Compile the service into .compiled, and run the tests on it
	cd .compiled && BUILD=compiled $(CURDIR)/$(PY) -m pytest -q -n $(TEST_PROCESSES) --dist=worksteal $(CORE) $(COMPILED) \
		--deselect tests/conformance/test_conformance.py::test_a_wrong_rule_is_found_by_a_case
	$(PY) -m tests.programs.digests 200 > .compiled/pure.txt
	cd .compiled && $(CURDIR)/$(PY) -m tests.programs.digests 200 | diff pure.txt -

# A quick part: what starts servers, reads and writes HTTP, and knows private parts of libraries.
OLDEST := tests/api tests/http tests/platform tests/server/test_left_out.py tests/server/test_parser.py \
	tests/server/test_server_library.py tests/server/test_tracing.py tests/live/store/test_client_library.py

lowest: .venv-lowest/stamp # Start and test the service with the oldest packages that pyproject.toml allows
	.venv-lowest/bin/python -m service --version
	.venv-lowest/bin/python -m pytest -q -n auto --dist=worksteal --ignore=tests/api/contract $(OLDEST)

deploy-check: .venv/dev.stamp .venv-tools/stamp ## Ask the tools that know the files in deploy/; gets what is missing
	$(PY) -m tests.programs.deploy_check

# Without Chromium, the tests in a browser are left out, and named; CHROMIUM says where it is.
clients-check: .venv/dev.stamp clients/node_modules/.stamp ## Check the packages in clients/ for browsers and Node; gets what is missing, by npm
	npm run --silent --prefix clients check

pictures: .venv/dev.stamp clients/node_modules/.stamp # Take the pictures of the README anew; needs Chromium
	npm run --silent --prefix clients pictures --workspace table

openapi: .venv/dev.stamp ## Ask the examples, and write openapi/openapi.json anew, and what clients have of it
	$(PY) -m openapi.examples
	$(PY) -m openapi.examples.guide
	$(PY) -m openapi.document
	@! command -v npm >/dev/null || { $(MAKE) --no-print-directory clients/node_modules/.stamp && npm run --silent --prefix clients generate; }

guide: .venv/dev.stamp ## Write the tables of metrics and settings in deploy/ anew
	$(PY) -m deploy.generate.metrics_table > deploy/METRICS.md.new
	mv deploy/METRICS.md.new deploy/METRICS.md
	$(PY) -m deploy.generate.settings_table

golden: .venv/dev.stamp ## Write the golden playthroughs and answers of the tests anew
	$(PY) -m tests.game.golden
	$(PY) -m tests.players.golden
	$(PY) -m tests.http.golden

cases: .venv/dev.stamp ## Write the cases of openapi/conformance that are made from the service anew
	$(PY) -m openapi.conformance.generate

conformance: ## Ask a service the cases of openapi/conformance: make conformance URL=http://localhost:8000
	@$(PYTHON) openapi/conformance/runner.py $(or $(URL),http://localhost:8000)

# The load comes from wrk; without it, and without the right to install it, the measuring says how to get it.
# A shorter run: make bench BENCH='--rounds 3'
bench: .venv/dev.stamp .venv-run/stamp .compiled ## Measure speed for a quarter of an hour, and write tests/programs/bench/RESULTS.md
	@command -v wrk >/dev/null || [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null || { \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends wrk; }
	$(PY) -m tests.programs.bench --write $(BENCH)

# What cannot be had on this machine is named with the reason. The quick half, which CI runs: make neighbors QUICK=1
neighbors: .venv/dev.stamp ## Run the service with other people's balancers, stores, agents and generators, and print a table; gets what is missing
	$(PY) -m tests.programs.neighbors $(if $(QUICK),--quick)

# A file or a folder alone: make mutation CHAPTER=game/rules/bare.py
mutation: .venv/dev.stamp # Change the rules in every small way, and print which changes the conformance kit and the tests miss; hours
	$(PY) -m tests.programs.mutation $(CHAPTER)

# Needs the commit of the last release, which a shallow clone fetches.
rolling: .venv/dev.stamp # Run the last release beside this version, as in an upgrade and a rollback: nothing may be lost; two minutes
	$(PY) -m tests.programs.rolling

strength: .venv/dev.stamp # Let the computer players play each other, and write tests/programs/strength/RESULTS.md
	$(PY) -m tests.programs.strength

soak: .venv/dev.stamp # Serve at full load for ten minutes: the memory of the process must stay as it is
	@command -v wrk >/dev/null || [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null || { \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends wrk; }
	$(PY) -m tests.programs.soak

attacks: .venv/dev.stamp # Attack a service and its load balancer for a quarter of an hour, and tell their memory and how long others wait; needs haproxy
	$(PY) -m tests.programs.attacks
	$(PY) -m tests.programs.attacks --dearest --seconds 5
	$(PY) -m tests.programs.attacks --balancer

# One resolution for all systems and Pythons. The later locks follow the earlier ones, so that they agree. Each package
# with its hashes is one line.
LOCK := .venv-tools/bin/uv pip compile --quiet --universal --python-version 3.11 --upgrade \
	--generate-hashes --no-annotate --no-emit-index-url --no-emit-find-links --custom-compile-command 'make lock'
LEAN := --excludes requirements/left-out.in

lock: .venv-tools/stamp # Choose the newest allowed versions and write requirements/ anew
	$(LOCK) $(LEAN) pyproject.toml -o requirements/run.txt
	$(LOCK) $(LEAN) pyproject.toml --extra otel -c requirements/run.txt -o requirements/otel.txt
	$(LOCK) pyproject.toml --group dev -c requirements/otel.txt -o requirements/dev.txt
	$(LOCK) $(LEAN) pyproject.toml --group compile -c requirements/dev.txt -o requirements/compile.txt
	$(LOCK) pyproject.toml --group tools -c requirements/dev.txt -o requirements/tools.txt
	perl -0pi -e 's/ *\\\n +/ /g' requirements/*.txt
	cd clients && npm install --package-lock-only --omit-lockfile-registry-resolved --ignore-scripts --no-audit --no-fund

# Strict: a package that could not be looked up is a failure, not a silence.
audit: .venv-tools/stamp # Look the locked versions up in the public lists of known weaknesses
	for lock in compile dev tools; do \
		.venv-tools/bin/python -m pip_audit --strict --disable-pip --require-hashes -r requirements/$$lock.txt || exit 1; done
	@command -v npm >/dev/null || { echo "npm is needed to look up what the packages for Node stand on" >&2; exit 1; }
	npm audit --prefix clients --package-lock-only

# Without running the tests: make release RELEASE=--dry-run
release: .venv/dev.stamp clients/node_modules/.stamp ## Check all that a release of VERSION needs, and build it; nothing is tagged or pushed
	$(PY) -m deploy.release $(VERSION) $(RELEASE)

clean: ## Remove all that make and the tools created
	rm -rf .compiled .mutation .venv .venv-compile .venv-lowest .venv-run .venv-tools .neighbors clients/node_modules clients/*/dist \
		clients/*/coverage dist htmlcov .coverage .coverage.* \
		.hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	cd $(CLIENT)/src/catch_the_ten && rm -rf _sync _async/calls.py models.py problems.py
	rm -f clients/typescript/src/schema.ts
	find service tests -name __pycache__ -type d -prune -exec rm -rf {} +

# ── Environments. The stamps say what is installed, so that nothing is installed twice. ──

define MAKE_VENV
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "Python 3.11 or newer is needed, but '$(PYTHON)' is: $$($(PYTHON) --version 2>&1)" >&2; \
		echo "If there is another one, name it: make PYTHON=python3.13 ..." >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
		echo "'$(PYTHON)' has no venv. On Debian or Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	@$(PYTHON) -m venv --clear $(1) || { rm -rf $(1); exit 1; }
endef

.venv/bin/python:
	$(call MAKE_VENV,.venv)

.venv-%/bin/python:
	$(call MAKE_VENV,.venv-$*)

.PRECIOUS: .venv-%/bin/python

# The service itself is not installed: it is found in the working directory.
.venv/run.stamp: requirements/run.txt | .venv/bin/python
	@echo "Installing what the service needs into .venv ..."
	@$(PY) $(FROM_LOCK) -r requirements/run.txt
	@touch $@

.venv/dev.stamp: clients/python/src/catch_the_ten/models.py
	@touch $@

# What clients have of the document is in no commit: it is written again when the document or its generator changes.
CLIENT := clients/python
$(CLIENT)/src/catch_the_ten/models.py: .venv/packages.stamp openapi/openapi.json $(wildcard $(CLIENT)/generate/*.py) \
		$(filter-out %/calls.py,$(wildcard $(CLIENT)/src/catch_the_ten/_async/*.py))
	@$(PY) -m clients.python.generate
	@touch $@

# dev.txt holds run.txt, hence both stamps.
.venv/packages.stamp: requirements/dev.txt pyproject.toml | .venv/bin/python
	@echo "Installing what development needs into .venv; the first time takes about a minute ..."
	@$(PY) $(FROM_LOCK) -r requirements/dev.txt
	@$(PY) $(SELF)
	@touch .venv/run.stamp $@

# The oldest versions are chosen anew each time, so that they are those that somebody gets who installs them today.
.venv-lowest/stamp: pyproject.toml .venv-tools/stamp | .venv-lowest/bin/python
	@echo "Installing the oldest packages that pyproject.toml allows into .venv-lowest ..."
	@.venv-tools/bin/uv pip install --quiet --python .venv-lowest/bin/python --resolution lowest-direct --group dev -r pyproject.toml
	@touch $@

# An environment for each lock file of its name. The service itself is not installed there: what needs it finds it in the
# working directory. .venv-run is as an image has it: the packages of development would be taken for the service's memory.
.venv-%/stamp: requirements/%.txt | .venv-%/bin/python
	@echo "Installing $< into .venv-$* ..."
	@.venv-$*/bin/python $(FROM_LOCK) -r $<
	@touch $@

# No script of a package is run, here and below.
clients/node_modules/.packages: clients/package-lock.json
	@echo "Installing what the packages for browsers and Node are built with into clients/node_modules ..."
	@npm ci --prefix clients --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

clients/node_modules/.stamp: clients/node_modules/.packages openapi/openapi.json
	@npm run --silent --prefix clients types
	@touch $@
