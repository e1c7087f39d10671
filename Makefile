# A thin face over CMake: each target is a line or two, the work is in CMakePresets.json, scripts/ and CTest.
PREFIX  ?= /usr/local
DESTDIR ?=
PRESET  ?= release
JOBS    ?= $(shell nproc)

# The folder of the preset: `release` builds in build, every other one in build-NAME.
BUILD := build$(if $(filter-out release,$(PRESET)),-$(PRESET))

# A library with a sanitizer inside cannot be preloaded into programs without one: unit tests only.
TESTS := $(if $(filter asan tsan,$(PRESET)),-L unit,-LE long)

# Ninja, where it is, builds in less time; a folder that was made for another one keeps to that.
export CMAKE_GENERATOR ?= $(if $(shell command -v ninja),Ninja,Unix Makefiles)

# MPI launchers refuse root and more ranks than cores without these variables; containers are often both.
export OMPI_ALLOW_RUN_AS_ROOT = 1
export OMPI_ALLOW_RUN_AS_ROOT_CONFIRM = 1
export OMPI_MCA_rmaps_base_oversubscribe = 1
export PRTE_MCA_rmaps_default_mapping_policy = :oversubscribe

.DEFAULT_GOAL := help
.PHONY: help setup build demo test validate bench install wheel package format lint clean
.NOTPARALLEL:
MAKEFLAGS += --no-print-directory

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' Makefile | expand -t 18
	@echo
	@echo "  PRESET=debug|asan|tsan builds and tests that variant; JOBS=N limits the parallel jobs."

setup: ## install what building and testing needs, or say what is missing
	@scripts/setup build test

build: ## build; leaves build/bin/fathom, which works in place
	@scripts/setup check build
	cmake --preset $(PRESET)
	cmake --build $(BUILD) -j $(JOBS)

demo: ## set up, build, record a badly made program and a small MPI program, show what they did
	@scripts/setup build
	@$(MAKE) build
	scripts/demo $(BUILD)

# One more than jobs: tests wait for disks, launchers and programs that sleep.
test: setup build ## set up, build, run every test but the long ones
	ctest --test-dir $(BUILD) --output-on-failure --no-tests=error $(TESTS) -j $$(($(JOBS) + 1)) --repeat until-pass:2

validate: setup build ## the simulator against published figures (validate.json), then the long tests
	$(BUILD)/examples/validate validate.json
	ctest --test-dir $(BUILD) --output-on-failure --no-tests=error -L long

bench: build ## measure what docs/figures.md quotes
	bench/run $(BUILD)

install: ## build and install below PREFIX (default /usr/local); DESTDIR is put in front
	@mkdir -p "$(DESTDIR)$(PREFIX)" 2>/dev/null && [ -w "$(DESTDIR)$(PREFIX)" ] || \
	  { echo "No right to write to $(DESTDIR)$(PREFIX): use root, or make install PREFIX=\$$HOME/.local"; exit 1; }
	@$(MAKE) build
	DESTDIR="$(DESTDIR)" cmake --install $(BUILD) --prefix "$(PREFIX)"

wheel: ## a Python wheel with all of Fathom, which needs no compiler; leaves it in build-wheel/dist
	@scripts/setup check build
	scripts/wheel

package: build ## a Debian package and an RPM, as far as their tools are there; leaves them in build/packages
	cd $(BUILD) && cpack

format: ## let clang-format lay out the C sources
	scripts/setup dev
	git ls-files -co --exclude-standard '*.c' '*.h' | xargs clang-format -i

lint: build ## clang-tidy on the C sources, shellcheck on the scripts
	scripts/setup dev
	scripts/lint $(BUILD)

clean: ## remove everything that was built
	rm -rf build build-debug build-asan build-tsan build-wheel
