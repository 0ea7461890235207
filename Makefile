# edict needs Go and nothing else. "make" lists what there is.

GO      ?= go
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null)
COMMIT  := $(shell git rev-parse --short=12 HEAD 2>/dev/null)
DATE    := $(shell git log -1 --format=%cI 2>/dev/null)
LDFLAGS := -s -w -X main.version=$(VERSION) -X main.commit=$(COMMIT) -X main.date=$(DATE)
BUILD   := CGO_ENABLED=0 $(GO) build -trimpath -ldflags '$(LDFLAGS)'

PLATFORMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

# Tools are built once into a directory of their own, at exactly this version.
TOOLS        ?= $(shell $(GO) env GOCACHE)/edict-tools
LINT_VERSION := v2.14.0
LINT         := $(TOOLS)/golangci-lint-$(LINT_VERSION)/golangci-lint

FUZZTIME ?= 10s

.DEFAULT_GOAL := help
.PHONY: help build run test race lint fuzz mutants bench abuse torture compat release

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## build bin/edict
	$(BUILD) -o bin/edict ./cmd/edict

run: build ## build and start a demonstration on http://127.0.0.1:8080
	exec bin/edict serve --demo

test: ## run every test that needs nothing but Go
	CGO_ENABLED=0 $(GO) test $(TESTFLAGS) ./...

race: ## run the tests under the race detector (needs a C compiler)
	CGO_ENABLED=1 $(GO) test -race -timeout 30m $(TESTFLAGS) ./...

lint: $(LINT) ## run the linters of .golangci.yml
	$(LINT) run

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
	$(GO) run ./bench/mutants $(MUTANTS)

bench: ## measure messaging (BENCHFLAGS="-only all": all of it), streams (STREAMFLAGS) and simulation (PYTHON=…: beside OpenFisca; COUNTRIES=DIR: the packages there)
	$(GO) run ./bench/messaging $(BENCHFLAGS)
	$(GO) run ./bench/streams $(STREAMFLAGS)
	$(GO) run ./bench/simulation -python "$(PYTHON)"
	@if [ -n "$(COUNTRIES)" ]; then set -e; $(MAKE) -s build; \
		$(GO) run ./bench/household -country $(COUNTRIES)/openfisca-france -variable revenu_disponible -period 2022 \
			-input salaire_de_base:2022=30000 -input date_naissance:ETERNITY=1985-03-02 -python "$(PYTHON)"; \
		$(GO) run ./bench/population -country $(COUNTRIES)/country-template -python "$(PYTHON)"; \
		$(GO) run ./bench/population -country $(COUNTRIES)/openfisca-france -kind france -python "$(PYTHON)"; fi

abuse: ## attack the server while honest clients use it, and say what it costs them (ABUSEFLAGS="-short", "-only streams")
	$(GO) run ./bench/abuse $(ABUSEFLAGS)

torture: ## kill messaging 1000 times under load, cut its power 200 times, and check every promise (docs/durability.md)
	$(GO) run ./bench/torture -kills 1000 $(TORTUREFLAGS)
	$(GO) run ./bench/torture -how power -kills 200 $(TORTUREFLAGS)

DIR             ?= ..
REFERENCE_LIMIT ?= 2m

compat: build ## run the tests of the country packages below DIR; PYTHON=… also with OpenFisca-Core, each at most REFERENCE_LIMIT
	$(GO) run ./bench/compat -edict bin/edict $(if $(PYTHON),-python $(PYTHON) -limit $(REFERENCE_LIMIT)) $(DIR)

release: ## build dist/edict-OS-ARCH for every platform
	@set -e; for p in $(PLATFORMS); do \
		os=$${p%/*} arch=$${p#*/}; out=dist/edict-$$os-$$arch; \
		if [ $$os = windows ]; then out=$$out.exe; fi; \
		echo "$$out"; GOOS=$$os GOARCH=$$arch $(BUILD) -o $$out ./cmd/edict; \
	done
