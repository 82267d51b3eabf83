# Each target sets itself up: a machine with Python 3.11 or newer, a C compiler, git and make is enough.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# The core install of `make check` is kept apart, so that no other package can hide what the core needs.
CHECK := .venv-check
LOCK := requirements-dev.lock
PRODUCT := packages/tamis
PAPERS := packages/tamis-papers
LAB := packages/tamis-lab
PACKAGES := $(PRODUCT) $(PAPERS) $(LAB)
# What build.py compiles, and what from.
BUILD_KERNEL := $(PRODUCT)/kernel/build.py
KERNEL := $(PRODUCT)/src/tamis/kernel/kernel.so
KERNEL_SOURCES := $(wildcard $(addprefix $(PRODUCT)/kernel/,*.[ch] *.py freestanding/*.h)) \
	$(addprefix $(PRODUCT)/src/tamis/,document/tags.py document/unspaced.py page_type.py extractor/conventions.json \
	extractor/noise.json)

.PHONY: demo check test nightly room installed sanitized lint lock locked browser node java shells clang wasm extension
.PHONY: npm docs readme
.PHONY: pythons install-check pictures wheel bench gate weights folds scores fuzz fuzz-kernel clean

demo: $(VENV)/.core
	$(BIN)/tamis extract examples/harbour.html --with-metadata --highlight build/harbour-highlighted.html
	@echo
	@echo "The same page with its content marked: build/harbour-highlighted.html"

# The tests run side by side, one process a core; NumPy's threads would only get in their way.
TESTS := -m pytest -n auto --dist loadgroup
test nightly check: export OPENBLAS_NUM_THREADS = 1

# Under a minute, while you change the core: no browser, Node, Java, PyTorch, ONNX, Ray, Spark or Arrow. Tests that
# need one are listed as skipped.
check: $(CHECK)/.test
	$(CHECK)/bin/python $(TESTS) -m "not slow and not nightly"

# The tests of one room: make room ROOM=render
room: $(CHECK)/.test
	$(CHECK)/bin/python -m pytest $(wildcard packages/*/tests/$(ROOM) tests/$(ROOM))

# The tests of the kernel under AddressSanitizer and UBSan. gcc has both as libraries, which must be loaded before Python.
# Memory that Python never frees is not a leak of ours. It comes from malloc, so that reading past a short string is
# noticed. A find aborts the tests: pytest then says where they were, and must not have caught the report.
sanitized: $(CHECK)/.test
	@case "$$(gcc -print-file-name=libasan.so 2> /dev/null)" in \
	/*) CC=gcc $(PYTHON) $(BUILD_KERNEL) sanitized build/kernel-sanitized.so && \
		TAMIS_KERNEL=$(CURDIR)/build/kernel-sanitized.so LD_PRELOAD="$$(gcc -print-file-name=libasan.so)" \
		ASAN_OPTIONS=detect_leaks=0:abort_on_error=1 UBSAN_OPTIONS=print_stacktrace=1:abort_on_error=1 \
		PYTHONMALLOC=malloc OPENBLAS_NUM_THREADS=1 \
		$(CHECK)/bin/python -m pytest -q --capture=sys $(PRODUCT)/tests/kernel ;; \
	*) echo "no gcc with AddressSanitizer here: the kernel is not tested under it" ;; \
	esac

# Everything but what takes long: lint, types, browser, Node, Java, all extras.
test: installed lint
	$(BIN)/python $(TESTS)

# What takes long, too, with coverage: run it once before a change of what it tests is done.
nightly: installed lint sanitized
	$(BIN)/python $(TESTS) -m "" --hypothesis-profile=nightly --cov --cov-report=term
	$(MAKE) --no-print-directory fuzz fuzz-kernel

# All that the tests need.
installed: $(VENV)/.dev browser node java shells
	@if command -v npm > /dev/null; then $(MAKE) --no-print-directory extension; fi

# Tests of pages on a screen need Chromium. Where it can't be installed they say that they did not run.
browser:
	@command -v chromium chromium-browser google-chrome > /dev/null || { \
		command -v apt-get > /dev/null && [ "$$(id -u)" = 0 ] && apt-get update --quiet=2 && \
		DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet=2 --no-install-recommends chromium > /dev/null; } || \
		echo "no Chromium here: tests in a browser will be skipped"

# The extension is put together by Node. Where it can't be installed, what tests the extension says that it did not run.
node:
	@command -v npm > /dev/null || { \
		command -v apt-get > /dev/null && [ "$$(id -u)" = 0 ] && apt-get update --quiet=2 && \
		DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet=2 --no-install-recommends nodejs npm > /dev/null; } || \
		echo "no Node here: the extension is not built, and its tests will be skipped"

# Spark runs on Java. Where it can't be installed, its tests say that they did not run.
java:
	@command -v java > /dev/null || { \
		command -v apt-get > /dev/null && [ "$$(id -u)" = 0 ] && apt-get update --quiet=2 && \
		DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet=2 --no-install-recommends default-jre-headless > /dev/null; } || \
		echo "no Java here: tests with Spark will be skipped"

# Completion is tested in zsh and fish, too. Where they can't be installed, these tests say that they did not run.
shells:
	@command -v zsh > /dev/null && command -v fish > /dev/null || { \
		command -v apt-get > /dev/null && [ "$$(id -u)" = 0 ] && apt-get update --quiet=2 && \
		DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet=2 --no-install-recommends zsh fish > /dev/null; } || \
		echo "no zsh or no fish here: tests of completion in it will be skipped"

# The kernel is compiled for the browser by clang and lld.
clang:
	@command -v clang > /dev/null && command -v wasm-ld > /dev/null || { \
		command -v apt-get > /dev/null && [ "$$(id -u)" = 0 ] && apt-get update --quiet=2 && \
		DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet=2 --no-install-recommends clang lld > /dev/null; } || \
		echo "no clang or no lld here: build/kernel.wasm is not made, and the extension is not built"

# build/kernel.wasm, the kernel for the browser.
wasm: clang
	@if command -v clang > /dev/null && command -v wasm-ld > /dev/null; then \
		$(MAKE) --no-print-directory build/kernel.wasm; fi

build/kernel.wasm: $(KERNEL_SOURCES)
	$(PYTHON) $(BUILD_KERNEL) wasm $@

# build/extension/chrome and build/extension/firefox, to be loaded unpacked, and a zip of each.
extension: extension/node_modules/.installed wasm
	@if test -f build/kernel.wasm; then cd extension && node tools/build.js; fi

# build/npm, the npm package; `npm pack` there packs it.
npm: extension/node_modules/.installed wasm
	@if test -f build/kernel.wasm; then cd extension && node tools/npm.js; fi

extension/node_modules/.installed: extension/package-lock.json | node
	cd extension && npm ci --ignore-scripts --no-audit --no-fund
	touch $@

lint: $(VENV)/.dev node
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m tools.audit
	@if command -v npm > /dev/null; then $(MAKE) --no-print-directory extension/node_modules/.installed; fi
	@if command -v npm > /dev/null; then cd extension && npm run --silent lint && npm run --silent types; fi

# Choose the newest packages within the bounds of all pyproject.toml, for all systems, and write down their hashes. What
# builds tamis itself is among them.
lock: $(VENV)/.lock
	$(BIN)/python -m tools.lock | $(BIN)/uv pip compile $(PACKAGES:%=%/pyproject.toml) - \
		$(foreach extra,datatrove haystack langchain llama-index mcp pandas polars ray s3 scrapy server spark train peers,--extra $(extra)) \
		--group dev --group release --universal --python-version 3.11 --upgrade --generate-hashes --no-annotate --quiet --no-emit-package tamis \
		--no-emit-package tamis-papers --no-emit-package tamis-lab --custom-compile-command "make lock" --output-file $(LOCK)

# Everything as it was locked, each package checked by its hash, in place of the newest within the bounds.
locked: | $(BIN)/python
	$(BIN)/python -m pip install --quiet --no-deps --require-hashes --requirement $(LOCK)
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation $(PACKAGES:%=--editable %)
	touch $(addprefix $(VENV)/.,core dev docs release)

# build/site; a warning, such as a link to nowhere, is an error.
docs: $(VENV)/.docs
	$(BIN)/mkdocs build --strict

# README.md and the guides, line by line in a clean environment, in about ten minutes. For one page, or to look at the
# folder afterwards: make readme ARGUMENTS='--only docs/how-to/batch.md --keep'
readme: $(VENV)/.core
	$(BIN)/python -m tools.readme $(ARGUMENTS)

# The core on each pythonX.Y of the PATH, and on others: make pythons PYTHONS='/opt/python3.14/bin/python3 ...'
pythons:
	$(PYTHON) -m tools.pythons $(PYTHONS)

# All pictures of README.md and docs/, from the shipped weights.
pictures: $(VENV)/.dev browser extension
	$(BIN)/python -m tools.readme_picture
	$(BIN)/python -m tools.explain_picture
	$(BIN)/python -m tools.extension_pictures
	$(BIN)/python -m tools.playground_pictures

# dist/: the source archive and the wheel of each package. The wheel of tamis is made for Linux: auditwheel finds the oldest
# glibc that the kernel runs with, and names it for that (manylinux). The demo then runs from the wheels, outside the
# checkout.
wheel: $(VENV)/.release
	rm -rf dist
	for package in $(PACKAGES); do $(BIN)/python -m build --outdir dist $$package || exit 1; done
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/auditwheel repair --wheel-dir dist dist/tamis-*-linux_*.whl
	rm dist/*-linux_*.whl
	$(BIN)/python -m tools.try_wheel dist

# Whether each extra installs with the oldest pip that comes with this Python, and with the one of today. Needs a network;
# a quarter of an hour.
install-check:
	$(PYTHON) -m tools.install_check

# All benchmarks; about an hour. Those that lack a corpus, Chromium or Node say so, and the others run.
bench: $(VENV)/.dev browser node
	@if command -v npm > /dev/null; then $(MAKE) --no-print-directory extension; fi
	$(BIN)/python -m benchmarks

# About four minutes on two cores; needs the six corpora that the floors are pinned on.
gate: $(VENV)/.dev
	$(BIN)/tamis bench --corpus wcxb:dev --corpus cleaneval:test --corpus l3s-gn1 --corpus googletrends-2017:test \
		--corpus chaos --no-peers --gate benchmarks/floors.toml --output build/gate
	$(BIN)/tamis bench --metadata --no-peers --gate benchmarks/floors.toml --output build/gate

# Training of the default extractor. `make weights` trains the shipped networks, in under an hour on two cores;
# `make folds` trains the networks of the folds, too: three minutes on a GPU after the features, hours without one
# (docs/research/tamis.md). Both write build/tamis, and continue where they were interrupted.
CORPORA := wcxb:dev news-2023:train canola cleaneval:dev googletrends-2017:train press-2026 recipes threads pages
TRAIN := $(BIN)/tamis train tamis $(CORPORA:%=--corpus %) --validation 0.05 --seed 1 \
	--features build/features.safetensors --output build/tamis
weights: $(VENV)/.dev
	$(TRAIN)
folds: $(VENV)/.dev
	$(TRAIN) --folds 5
	$(BIN)/python -m tamis_lab.training.metadata build/tamis

# Weights measured on all validation sets beside stored figures, in about a minute on two cores; WEIGHTS is a folder, by
# default build/tamis, else the shipped weights. make scores TEST=1 adds the test sets: for a release, not for a choice.
WEIGHTS :=
scores: $(VENV)/.dev
	$(BIN)/python -m tamis_lab.scores $(WEIGHTS) $(if $(TEST),--test) $(if $(LIMIT),--limit $(LIMIT)) $(ARGUMENTS)

# Generated pages and damaged archives, other ones each day; finds go to build/fuzz, each with its seed. For longer:
# make fuzz SECONDS=3600, or COUNT=1000000, and SEED to begin elsewhere.
SECONDS := 60
SEED := $(shell date +%Y%m%d)000000
fuzz: $(VENV)/.dev browser node
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tests.fuzz extract batch $$(test -d extension/node_modules && echo extension) \
		--seed $(SEED) $(if $(COUNT),--count $(COUNT),--seconds $(SECONDS))

# Pages, damaged tables, markup and weights through the kernel by libFuzzer, under AddressSanitizer and UBSan: 50,000
# inputs in some minutes. A find is kept in build/fuzz/kernel, and `build/fuzz-kernel FILE` repeats it. What reaches new
# code is kept in build/fuzz-seeds/found for the next time. For more: make fuzz-kernel COUNT=1000000, and other SEEDs.
CORPUS := build/fuzz-seeds
FUZZ_KERNEL := $(BUILD_KERNEL) fuzz build/fuzz-kernel
fuzz-kernel: $(VENV)/.dev
	@$(PYTHON) $(FUZZ_KERNEL) 2> /dev/null || { \
		command -v apt-get > /dev/null && [ "$$(id -u)" = 0 ] && apt-get update --quiet=2 && \
		DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet=2 --no-install-recommends clang libclang-rt-dev > /dev/null; \
		$(PYTHON) $(FUZZ_KERNEL); }
	$(BIN)/python $(PRODUCT)/kernel/fuzz/corpus.py $(CORPUS)
	mkdir -p $(CORPUS)/found build/fuzz/kernel
	build/fuzz-kernel -runs=$(or $(COUNT),50000) -seed=$$(($(SEED) % 4294967295)) -max_len=4096 -timeout=10 \
		-dict=$(CORPUS)/words -artifact_prefix=build/fuzz/kernel/ -verbosity=0 -print_final_stats=1 \
		$(CORPUS)/found $(CORPUS)/seeds

clean:
	rm -rf $(VENV) $(CHECK) $(KERNEL) build dist extension/node_modules .coverage* .mypy_cache .ruff_cache .pytest_cache .hypothesis

.PRECIOUS: %/bin/python # else make deletes it as an intermediate file
%/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "tamis needs Python 3.11 or newer")'
	$(PYTHON) -m venv $*
	$@ -m pip install --quiet 'pip>=25.1' # which knows dependency groups

# pip compiles it as well, but only when it is called: after a change of the kernel the new one comes from here.
$(KERNEL): $(KERNEL_SOURCES)
	$(PYTHON) $(BUILD_KERNEL) library $@

# $(VENV)/.NAME is there when what the group or the extras of that name need is installed. The kernel is behind the bar:
# it is built again where it is old, and nothing is installed again for that.
INPUTS := pyproject.toml $(PACKAGES:%=%/pyproject.toml)
$(VENV)/.core: $(INPUTS) | $(BIN)/python $(KERNEL)
	$(BIN)/python -m pip install --quiet --editable $(PRODUCT) --editable $(PAPERS)
	touch $@

$(VENV)/.%: $(INPUTS) | $(BIN)/python $(KERNEL)
	$(BIN)/python -m pip install --quiet $(PACKAGES:%=--editable %) --group $*
	touch $@ $(VENV)/.core

# In two steps: see the extra `peers` of tamis-lab.
EXTRAS := datatrove,haystack,langchain,llama-index,mcp,pandas,polars,ray,s3,scrapy,server,spark
$(VENV)/.dev: $(INPUTS) | $(BIN)/python $(KERNEL)
	$(BIN)/python -m pip install --quiet --editable '$(PRODUCT)[$(EXTRAS)]' --editable $(PAPERS) --editable '$(LAB)[train]' \
		--group dev
	$(BIN)/python -m pip install --quiet --editable $(PRODUCT) --editable $(PAPERS) --editable '$(LAB)[peers]'
	touch $@ $(VENV)/.core

$(CHECK)/.%: $(INPUTS) | $(CHECK)/bin/python $(KERNEL)
	$(CHECK)/bin/python -m pip install --quiet $(PACKAGES:%=--editable %) --group $*
	touch $@
