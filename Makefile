# edict is built with Go only. "make" lists the targets.

GO      ?= go
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null)
COMMIT  := $(shell git rev-parse --short=12 HEAD 2>/dev/null)
DATE    := $(shell git log -1 --format=%cI 2>/dev/null)
LDFLAGS := -s -w -X main.version=$(VERSION) -X main.commit=$(COMMIT) -X main.date=$(DATE)
BUILD   := $(GO) build -ldflags '$(LDFLAGS)'

# One mode for builds, tests, lint and benchmarks, so that each package is compiled once: without -trimpath, or with cgo, all
# dependencies are compiled again. Outside make: go env -w GOFLAGS=-trimpath CGO_ENABLED=0
export CGO_ENABLED := 0
export GOFLAGS     := $(strip $(filter-out -trimpath,$(shell $(GO) env GOFLAGS 2>/dev/null)) -trimpath)

# Tests link without debug information, and golangci-lint runs vet. Their files are in memory where there is room.
TEST = env $(shell $(CURDIR)/.ci/tmpdir) $(GO) test -vet=off -ldflags '-s -w'

PLATFORMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

# Paths that are handed to programs of bench, which run in that directory. A name without a slash is looked up in PATH.
override PYTHON := $(if $(findstring /,$(PYTHON)),$(abspath $(PYTHON)),$(PYTHON))

# Tools are built once into a directory of their own, at exactly this version.
TOOLS        ?= $(shell $(GO) env GOCACHE)/edict-tools
LINT_VERSION := v2.14.0
LINT         := $(TOOLS)/golangci-lint-$(LINT_VERSION)/golangci-lint

PACKAGES ?= ./...
FUZZTIME ?= 10s

.DEFAULT_GOAL := help
.PHONY: help build run test test-bench times check race nightly lint fuzz mutants bench abuse torture compat release packages platforms wheels module

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## build bin/edict
	@if [ ! -e bin/edict ]; then echo "Building bin/edict. The first build on a machine fetches 158 MB of modules and takes 153 s of CPU time; later ones take seconds."; fi
	$(BUILD) -o bin/edict ./cmd/edict

run: build ## build and start a demonstration on http://127.0.0.1:8080
	exec bin/edict serve --demo

# Twice as many packages as cores: most wait for disks, processes or a browser for part of their time.
SIDE_BY_SIDE ?= $(shell expr 2 \* `getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2`)

test: ## run every test that needs nothing but Go
	$(TEST) -p $(SIDE_BY_SIDE) -timeout 20m $(TESTFLAGS) $(PACKAGES)

test-bench: ## run the tests of bench/
	cd bench && $(TEST) -timeout 20m $(TESTFLAGS) $(PACKAGES)

TIMES ?= $(CURDIR)/bin/times.json

times: ## print where the time of all tests goes, for internals/testing.md (PACKAGES; TIMES=FILE keeps the events)
	@mkdir -p $(dir $(TIMES))
	$(TEST) -p $(SIDE_BY_SIDE) -json -count=1 -timeout 20m -exec $(CURDIR)/.ci/timed $(TESTFLAGS) $(PACKAGES) >$(TIMES); status=$$?; $(GO) -C bench run ./times $(TIMES); exit $$status

check: $(LINT) ## format, lint and test the packages that differ from upstream/main, and test those that import them (BASE=COMMIT: from another commit)
	@BASE=$(BASE) .ci/check $(LINT)

# Where goroutines meet. The other packages compute in one goroutine, start servers as processes, or drive a browser; "make nightly" races all packages.
RACE := ./client $(addprefix ./e2e/,clients server watch) ./messaging/... ./platform/... ./watch $(addprefix ./simulation/,jobs legislation objectstore population shelf simapi)

race: PACKAGES := $(if $(filter file,$(origin PACKAGES)),$(RACE),$(PACKAGES))
race: ## run the tests of packages where goroutines meet under the race detector (needs a C compiler; PACKAGES=./...: of all)
	CGO_ENABLED=1 $(TEST) -race -timeout 45m $(TESTFLAGS) $(PACKAGES)

nightly: ## run everything, long tests and faults included, for hours; it ends with a table of the steps
	.ci/nightly

lint: $(LINT) ## run the linters of .golangci.yml
	$(LINT) run
	cd bench && $(LINT) run

$(LINT):
	GOBIN=$(dir $(LINT)) $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(LINT_VERSION)

# Inputs that merely reach something new are shortened in at most ten tries. Without that limit the fuzzer spends a minute
# on each, in which it tries nothing else, wherever the same input does not always take the same way.
fuzz: ## run every fuzz target for FUZZTIME (10s) each
	@set -e; for file in $$(git ls-files '*_test.go' | xargs grep -lE '^func Fuzz[A-Z0-9]'); do \
		for target in $$(sed -nE 's/^func (Fuzz[A-Za-z0-9_]+).*/\1/p' $$file); do \
			echo "== $$(dirname $$file) $$target"; \
			$(GO) test ./$$(dirname $$file) -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x; \
		done; done

MUTANTS ?= -n 40 messaging messaging/sqlstore messaging/realtime simulation/engine platform/auth platform/http1

mutants: ## break MUTANTS one at a time and see whether the tests notice
	$(GO) -C bench run ./mutants $(MUTANTS)

bench: ## measure messaging (BENCHFLAGS="-only all": all of it), streams (STREAMFLAGS) and simulation (PYTHON=…: beside OpenFisca; COUNTRIES=DIR: the packages there)
	$(GO) -C bench run ./messaging $(BENCHFLAGS)
	$(GO) -C bench run ./streams $(STREAMFLAGS)
	$(GO) -C bench run ./simulation -python "$(PYTHON)"
	@if [ -n "$(COUNTRIES)" ]; then set -e; $(MAKE) -s build; \
		$(GO) -C bench run ./household -country $(abspath $(COUNTRIES))/openfisca-france -variable revenu_disponible -period 2022 \
			-input salaire_de_base:2022=30000 -input date_naissance:ETERNITY=1985-03-02 -python "$(PYTHON)"; \
		$(GO) -C bench run ./population -country $(abspath $(COUNTRIES))/country-template -python "$(PYTHON)"; \
		$(GO) -C bench run ./population -country $(abspath $(COUNTRIES))/openfisca-france -kind france -python "$(PYTHON)"; fi

abuse: ## attack the server while honest clients use it, and say what it costs them (ABUSEFLAGS="-short", "-only streams")
	$(GO) -C bench run ./abuse $(ABUSEFLAGS)

torture: ## kill messaging 1000 times under load, cut its power 200 times, break three nodes on PostgreSQL, and check every promise (docs/concepts/durability.md)
	$(GO) -C bench run ./torture -kills 1000 $(TORTUREFLAGS)
	$(GO) -C bench run ./torture -how power -kills 200 $(TORTUREFLAGS)
	$(GO) -C bench run ./torture -nodes 3 -kills 1000 $(TORTUREFLAGS)

DIR             ?= ..
REFERENCE_LIMIT ?= 2m

compat: build ## run the tests of the country packages below DIR; PYTHON=… also with OpenFisca-Core, each at most REFERENCE_LIMIT
	$(GO) -C bench run ./compat -edict $(abspath bin/edict) $(if $(PYTHON),-python $(PYTHON) -limit $(REFERENCE_LIMIT)) $(abspath $(DIR))

# What archives, images and packages are called. It is that of clients/python/pyproject.toml and clients/typescript/package.json.
RELEASE  ?= 0.1.0
DIST     ?= dist
FORMATS  ?= deb rpm

release: build ## build dist/: an archive for every platform, packages for Debian and RPM, an image for containers, a bill of materials, checksums
	@set -e; for p in $(PLATFORMS); do \
		os=$${p%/*} arch=$${p#*/}; out=$(DIST)/edict-$$os-$$arch; \
		if [ $$os = windows ]; then out=$$out.exe; fi; \
		echo "$$out"; GOOS=$$os GOARCH=$$arch $(BUILD) -o $$out ./cmd/edict; \
	done
	@mkdir -p $(DIST)/docs/completions
	bin/edict completion bash >$(DIST)/docs/completions/edict.bash
	bin/edict completion zsh >$(DIST)/docs/completions/_edict
	bin/edict completion fish >$(DIST)/docs/completions/edict.fish
	bin/edict man $(DIST)/docs/man
	@$(MAKE) -s packages
	$(GO) run ./release -dir $(DIST) -docs $(DIST)/docs -version $(RELEASE) -date $(DATE)

NFPM := $(GO) run github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.43.0

packages: # FORMATS (none: FORMATS=) of the programs for Linux that release has built
	@set -e; for p in $(filter linux/%,$(PLATFORMS)); do for kind in $(FORMATS); do \
		DIST=$(DIST) ARCH=$${p#*/} VERSION=$(RELEASE) SOURCE_DATE_EPOCH=$(shell git log -1 --format=%ct 2>/dev/null) $(NFPM) package -f deploy/nfpm.yaml -p $$kind -t $(DIST); \
	done; done

platforms:
	@echo $(PLATFORMS)

PYTHON3 ?= python3

wheels: release ## make wheels of the Python client that carry the program, in dist/wheels
	$(PYTHON3) clients/python/wheels.py $(DIST) $(DIST)/wheels

# PATH on the command line replaces the search path of every command: the one that make was started with is restored.
STARTED_PATH = $(shell if [ -r /proc/$$PPID/environ ]; then PATH=/usr/bin:/bin; tr '\0' '\n' </proc/$$PPID/environ | sed -n 's/^PATH=//p'; else printf %s "$$PATH"; fi)

module: ## rename the Go module everywhere: make module PATH=example.org/edict
ifeq ($(origin PATH),command line)
	@PATH='$(STARTED_PATH)'; $(GO) run ./release/module '$(PATH)'
else
	@echo "Give the new module path: make module PATH=example.org/edict" >&2; exit 2
endif
