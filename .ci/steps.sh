# The steps of .ci/run and .ci/nightly, which source this file in the root of the repository. A step is a function; "step" runs it, prints how long it
# took and keeps the result for the table at the end. Downloads and installations run in the background from the start: a step calls "ready" for what it needs.
set -uo pipefail
exec </dev/null
export GOTOOLCHAIN=local

# One mode for everything but the race detector, as in the Makefile: each package is compiled once, also in a clone. "make lint" runs vet.
export CGO_ENABLED=0 GOFLAGS="$(go env GOFLAGS) -trimpath -vet=off -ldflags=-s"

scratch=$(mktemp -d)
server=
children=()
trap '[ -z "$server" ] || kill "$server"; kill "${children[@]}" 2>/dev/null; rm -rf "$scratch"' EXIT
stood=$scratch/stood
: >"$scratch/results"
: >"$scratch/not-run"

# Notes when the machine stands still: what fails then may have failed for that.
watch_clock() {
	local last now
	last=$(date +%s)
	while sleep 1; do
		now=$(date +%s)
		[ $((now - last)) -lt 5 ] || echo "$(date +%T): the machine stood still for $((now - last)) s" >>"$stood"
		last=$now
	done
}
watch_clock &
children+=($!)

step() { # NAME COMMAND…
	local name=$1 begin=$SECONDS result=ok
	shift
	printf '\n== %s: %s\n' "$name" "$*"
	"$@" || result=FAILED
	printf -- '-- %s: %s, %d s\n' "$name" $result $((SECONDS - begin))
	printf '%s\t%s\t%d\n' "$name" $result $((SECONDS - begin)) >>"$scratch/results"
}

# Runs a step next to others, two at a time, and prints its output when it ends. Not for steps that measure time or need both cores.
aside() { # NAME COMMAND…
	[ ${#asides[@]} -lt 2 ] || gather
	local log=$scratch/aside.$((++asides_started))
	step "$@" >"$log" 2>&1 &
	asides[$!]=$log
}
declare -A asides=()
asides_started=0

# Waits for one of the steps aside; "all" waits for all of them.
gather() {
	local pid
	while [ ${#asides[@]} -gt 0 ]; do
		wait -n -p pid "${!asides[@]}" || true
		cat "${asides[$pid]}"
		unset "asides[$pid]"
		[ "${1:-}" = all ] || return 0
	done
}

not_run() { # WHAT AND WHY
	echo "NOT RUN: $*"
	echo "$*" >>"$scratch/not-run"
}

# Runs preparations in the background, one after the other: functions get_NAME, each with its log and status.
lane() { # NAME…
	(
		renice -n 5 -p $BASHPID >/dev/null
		for name in "$@"; do
			("get_$name") >"$scratch/get.$name.log" 2>&1
			echo $? >"$scratch/get.$name.new" && mv "$scratch/get.$name.new" "$scratch/get.$name.rc"
		done
	) &
	children+=($!)
}

# Waits for a preparation. When it failed, the step that needs it returns $missing: 0 after NOT RUN, and 1 when files differ from their recorded hashes.
ready() { # NAME WHAT
	local log=$scratch/get.$1.log
	until [ -e "$scratch/get.$1.rc" ]; do sleep 0.2; done
	[ "$(cat "$scratch/get.$1.rc")" != 0 ] || return 0
	tail -n 5 "$log"
	missing=1
	! grep -qE 'DO NOT MATCH|EINTEGRITY|EUSAGE' "$log" || return 1
	missing=0
	not_run "$2"
	return 1
}
missing=0

# Prints the table of all steps, and ends with status 1 when one failed.
summary() {
	local failed
	failed=$(awk -F '\t' '$2 == "FAILED" { printf " [%s]", $1 }' "$scratch/results")
	[ -z "$failed" ] || [ ! -f "$scratch/failures" ] || tail -n 200 "$scratch/failures"
	[ ! -f "$stood" ] || cat "$stood"
	printf '\n%-28s %-7s %8s\n' step result seconds
	awk -F '\t' '{ printf "%-28s %-7s %8d\n", $1, $2, $3 }' "$scratch/results"
	[ ! -s "$scratch/not-run" ] || sed 's/^/NOT RUN: /' "$scratch/not-run"
	[ ! -s "$scratch/counts" ] || awk '{ p += $1; f += $2; s += $3 } END { printf "tests: %d passed, %d failed, %d skipped\n", p, f, s }' "$scratch/counts"
	if [ -n "$failed" ]; then
		echo "FAILED after $SECONDS s:$failed"
		exit 1
	fi
	echo "all passed in $SECONDS s"
}

# Preparations

need() { # COMMAND PACKAGE: install what the machine lacks
	command -v "$1" >/dev/null && return
	command -v apt-get >/dev/null || { echo "$1 is missing"; return 1; }
	apt-get -qq update && apt-get -qq install -y "$2" >/dev/null
}

install() { # PACKAGE…
	[ $# -gt 0 ] || return 0
	echo "to install: $*"
	command -v apt-get >/dev/null || return 1
	[ -e "$scratch/updated" ] || { apt-get -qq update && : >"$scratch/updated"; } || return 1
	DEBIAN_FRONTEND=noninteractive apt-get -qq install -y "$@" >/dev/null
}

# A browser and PostgreSQL: the tests that need them skip without, and fail when the one that is named does not start.
get_engines() {
	local missing=()
	find_browser || missing+=(chromium)
	find_postgres || missing+=(postgresql)
	python3 -c 'import venv, ensurepip' || missing+=(python3-venv)
	install "${missing[@]}" || return 1
	command -v chromium-headless-shell || install chromium-headless-shell || true # Chromium does as well and takes longer
}

# The tools that look at packages and images.
get_packagers() {
	local missing=()
	command -v rpm || missing+=(rpm)
	command -v skopeo || missing+=(skopeo)
	install "${missing[@]}"
}

# What operators put in front of and next to the server: its tests skip without.
get_operators() {
	local missing=()
	command -v nginx || [ -x /usr/sbin/nginx ] || missing+=(nginx)
	command -v caddy || missing+=(caddy)
	command -v promtool || missing+=(prometheus)
	[ ${#missing[@]} -eq 0 ] || install --no-install-recommends "${missing[@]}"
}

get_r() { Rscript -e 'library(httr2); library(jsonlite)' || { install --no-install-recommends r-base-core r-cran-httr2 r-cran-jsonlite && Rscript -e 'library(httr2); library(jsonlite)'; }; }
get_r_arrow() { Rscript -e 'library(arrow)' || { install --no-install-recommends r-cran-arrow && Rscript -e 'library(arrow)'; }; }

venv() { # DIR REQUIREMENT…
	python3 -m venv "$1" && "$1/bin/pip" install -q "${@:2}"
}

wheels() { # DIR FILE: download what a file names, by hash, and unpack it into DIR/files
	python3 -m pip download -q --no-deps --require-hashes -d "$1" -r "$2" || return 1
	local wheel
	for wheel in "$1"/*.whl; do
		python3 -m zipfile -e "$wheel" "$1/files" || return 1
	done
}

get_country() { wheels "$scratch/country" .ci/country-template.txt; }
get_policyengine() { wheels "$scratch/policyengine" .ci/policyengine.txt; }
get_policyengine_us() { wheels "$scratch/policyengine" .ci/policyengine-us.txt; }
get_authlib() { venv "$scratch/authlib" -r e2e/people/testdata/authlib/requirements.txt; }
get_schemathesis() { venv "$scratch/schemathesis" -r e2e/clients/testdata/schemathesis/requirements.txt; }
get_kubernetes() { venv "$scratch/kubernetes" kubernetes-validate; }
get_spark() { need java default-jre-headless && venv "$scratch/spark" 'pyspark==4.3.0'; }

# Prints every Python from 3.9 on with venv, the oldest first.
pythons() {
	local v name
	for v in 3.9 3.10 3.11 3.12 3.13 3.14; do
		for name in "python$v" "${PYENV_ROOT:-$HOME/.pyenv}/versions/$v".*/bin/python; do
			"$name" -c 'import venv, ensurepip' 2>/dev/null && echo "$name" && break
		done
	done
}

# The oldest Python with what the client needs and its tests, the newest also with what is optional; they are python/oldest and python/newest.
get_pythons() {
	local found=($(pythons)) dir=$scratch/python tests='pytest httpx-sse nbclient ipykernel httpx numpy pandas pyarrow'
	[ ${#found[@]} -gt 0 ] || { echo "there is no Python from 3.9 on with venv"; return 1; }
	"${found[0]}" -m venv "$dir/oldest" && "$dir/oldest/bin/pip" install -q $tests &&
		"${found[-1]}" -m venv "$dir/newest" && "$dir/newest/bin/pip" install -q $tests polars matplotlib mypy
}

npm_ci() { # FROM DIR: copy a folder and install what its lock file names
	command -v npm && mkdir -p "$(dirname "$2")" && cp -r "$1" "$2" && rm -rf "$2/node_modules" && cd "$2" && npm ci --ignore-scripts --no-audit --no-fund
}

get_typescript() { npm_ci e2e/clients/testdata/typescript "$scratch/typescript"; }
get_ts_client() { npm_ci clients/typescript "$scratch/ts-client"; }
get_console() { mkdir -p "$scratch/repo" && cp -r clients "$scratch/repo/" && npm_ci console "$scratch/repo/console"; } # it imports ../clients/typescript
get_oauth4webapi() { npm_ci e2e/people/testdata/oauth4webapi "$scratch/oauth4webapi"; }

get_generators() { cd e2e/clients/testdata && go mod download; }
get_versitygw() { GOBIN=$scratch/tools go install github.com/versity/versitygw/cmd/versitygw@v1.8.0; }
get_compose() { GOBIN=$scratch/tools/compose go install github.com/compose-spec/compose-go/v2/cmd@v2.16.2; }
get_nfpm() { go run github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.43.0 --version; }
get_govulncheck() { GOBIN=$scratch/tools go install golang.org/x/vuln/cmd/govulncheck@v1.8.0; }

# Steps

tools() { need git git && need curl curl && need cc gcc && need make make && go version; }

find_browser() {
	local name
	for name in chromium chromium-browser google-chrome; do
		command -v "$name" && return
	done
	return 1
}

find_postgres() { ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1 | grep .; }

# Waits for the browser and PostgreSQL that are installed in the background. Tests find them: a variable EDICT_… has every command of the tests read the
# whole grammar of the command line, which takes 25 ms of CPU time.
engines() {
	local browser postgres
	ready engines "the installation of Chromium and PostgreSQL" || true
	browser=$(find_browser) && postgres=$(find_postgres) || { echo "Chromium or PostgreSQL is missing and cannot be installed"; return 1; }
	"$browser" --version && "$postgres/postgres" --version
}

# A full disk fails builds and installations half-way through: what builds left behind goes first. A run takes 4 GB beside what it finds built.
room() {
	local cache
	cache=$(go env GOCACHE) && mkdir -p "$cache" || return 1
	df -h "$scratch" "$cache"
	[ "$(df --output=avail -BG "$scratch" "$cache" | tail -n +2 | tr -d 'G ' | sort -n | head -n 1)" -lt 20 ] || return 0
	echo "less than 20 GB are free: go clean -cache"
	go clean -cache && df -h "$scratch" "$cache"
}

formatting() {
	local bad
	bad=$(gofmt -l $(git ls-files '*.go'))
	[ -z "$bad" ] || { echo "gofmt -w $bad"; return 1; }
}

# Both modules; bench requires what the product requires, at the same versions.
tidy() { go mod tidy -diff && go -C bench mod tidy -diff; }

# The SQLite driver is generated against one version of its C library and breaks with any other.
libc() {
	local sqlite have want
	sqlite=$(go list -m -f '{{.Version}}' modernc.org/sqlite) || return 1
	have=$(go list -m -f '{{.Version}}' modernc.org/libc) || return 1
	want=$(go mod graph | sed -n "s|^modernc.org/sqlite@$sqlite modernc.org/libc@||p")
	echo "sqlite $sqlite asks for libc $want; go.mod has $have"
	[ "$have" = "$want" ]
}

generated() {
	local before
	before=$(git diff)
	go generate ./... && go test ./cli -run TestSample -count=1 -update || return 1
	[ "$before" = "$(git diff)" ] || { git diff --stat; echo "commit what go generate and the tests' -update write"; return 1; }
}

# Prints what each test that failed said, the package it is of, and data races: the last of all again, so it is kept short.
failures() { # LOG
	awk '
		/^ *=== (RUN|PAUSE|CONT|NAME)/ { name = $3; next }
		/^ *--- FAIL/ { failed[$3] = 1; order[++n] = $3; next }
		/^ *--- (PASS|SKIP)/ { delete said[$3]; delete lines[$3]; next }
		/^FAIL\t/ {
			print
			for (i = 1; i <= n; i++) { printf "--- FAIL: %s\n%s", order[i], said[order[i]] }
		}
		/^(FAIL|ok|\?)[ \t]/ { split("", said); split("", lines); split("", failed); n = 0; name = ""; next }
		/^time=/ || /^[0-9\/]+ [0-9:]+ (INFO|WARN) / { next }
		name != "" && lines[name]++ < 40 { said[name] = said[name] substr($0, 1, 400) "\n" }' "$1" | head -n 300
	grep -A30 -E '^WARNING: DATA RACE' "$1" | head -n 100
	grep -A30 -E '^(panic: |fatal error: )' "$1" | head -n 60
}

# Runs "make TARGET" with -v in a log and prints the packages, what failed and why, what was skipped, and the counts.
gotest() { # DIR TARGET [FLAGS [PACKAGES]]
	local log=$scratch/$2.log rc=0 passed skipped wrong
	make -C "$1" "$2" TESTFLAGS="-v ${3:-}" ${4:+PACKAGES="$4"} >"$log" 2>&1 || rc=$?
	grep -E '^(ok|FAIL|panic:|WARNING: DATA RACE)' "$log"
	grep -B1 -E '^ *--- SKIP' "$log" | grep -v '^--$' # -v prints the reason before the verdict
	passed=$(grep -cE '^ *--- PASS' "$log") wrong=$(grep -cE '^ *--- FAIL' "$log") skipped=$(grep -cE '^ *--- SKIP' "$log")
	echo "tests: $passed passed, $wrong failed, $skipped skipped"
	echo "$passed $wrong $skipped" >>"$scratch/counts"
	[ $rc = 0 ] || failures "$log" | tee -a "$scratch/failures"
	return $rc
}

# Where goroutines meet: RACE in the Makefile. All packages and pages are raced at night.
race() { gotest . race; }
race_everything() { gotest . race '-count=1 -timeout 6h' ./...; }

# What a request borrowed is spoiled when it is given back, so that a use after that is a wrong answer or a panic.
poison() {
	go test -count=1 -tags poison ./platform/heap ./platform/jsonio ./platform/web ./simulation/scenario ./simulation/engine ./simulation/simapi &&
		go test -count=1 -tags poison ./simulation/country -run 'Script|Document' &&
		go test -count=1 -tags poison ./e2e/simulation ./e2e/server -run '^(TestSimulation|TestOpenFisca|TestReplay|TestMalformedRequests)$'
}

# Every system and both architectures once, tests included, by their types alone: "go vet" for three targets compiled hundreds of packages first and
# took ten minutes. What vet looks for beside types is the same on every system, and "make lint" looks for it here; "make release" builds all six.
cross() { go test . -run '^TestTargets$' -count=1 -v -cross; }

# The first command of the README's last paragraph, where nothing but the commit is there. Tests of pages and those on PostgreSQL run too.
clone() {
	[ -z "$(git status --porcelain)" ] || echo "there are uncommitted changes; the clone has only what is committed"
	! ready console "axe, which npm does not give" || export EDICT_AXE=$scratch/repo/console/node_modules/axe-core/axe.min.js
	[ -d "$scratch/clone" ] || git clone -q . "$scratch/clone"
	gotest "$scratch/clone" test
}

# The same where there is nothing but Go: tests of pages and those on PostgreSQL report that and skip.
clone_alone() { git clone -q . "$scratch/clone" && EDICT_BROWSER=none EDICT_POSTGRES=none gotest "$scratch/clone" test; }

tests() {
	! ready console "axe, which npm does not give" || export EDICT_AXE=$scratch/repo/console/node_modules/axe-core/axe.min.js
	gotest . test '-count=1 -timeout 3h'
}

run_clone() {
	EDICT_LISTEN=127.0.0.1:0 make -s -C "$scratch/clone" run >"$scratch/stdout" 2>"$scratch/stderr" &
	server=$!
	local url= i
	for i in $(seq 240); do
		url=$(sed -n 's/^edict listening on //p' "$scratch/stdout")
		[ -z "$url" ] || break
		kill -0 "$server" 2>/dev/null || break
		sleep 0.5
	done
	[ -n "$url" ] || { echo "the server did not start"; cat "$scratch/stderr"; return 1; }
	grep 'first build on a machine' "$scratch/stdout" || { echo "make run does not say what it does"; return 1; }
	local path rc=0
	for path in /healthz /readyz /openapi.json /docs; do
		echo "curl $url$path -> $(curl -sS -m 10 -o /dev/null -w '%{http_code}' "$url$path")"
		curl -sS -m 10 -f -o /dev/null "$url$path" || rc=1
	done
	kill "$server" # make passes the signal on; its own status says only that it was told to stop
	wait "$server"
	server=
	return $rc
}

# A country package that others published, by hash. Nothing of it is kept; without the index there is nothing to run.
country() {
	ready country "the country package: the package index does not answer from here" || return "$missing"
	local dir=$scratch/country cache=$scratch/cache wheel tests
	wheel=$(echo "$dir"/*.whl) tests=$dir/files/openfisca_country_template/tests
	make -s build && bin/edict check --cache "$cache" --country "$wheel" && bin/edict test --cache "$cache" --country "$wheel" "$tests" && [ -n "$(ls "$cache")" ] &&
		bin/edict test --cache off --country "$wheel" "$tests" &&
		go test ./e2e/simulation -run 'TestOpenFiscaAgain|TestTemplate' -country "$dir/files/openfisca_country_template"
}

# Compares the verdicts on a package's tests with recorded verdicts of the original.
verdicts() { # PACKAGE FILE
	go test ./simulation/yamltest -run '^TestOriginalVerdicts$' -count=1 -timeout 60m -package "$scratch/policyengine/files/$1" -verdicts "testdata/policyengine/$2.verdicts"
}

# Compares households with the original's answers, at the routes of PolicyEngine's API or by the test of all doors.
households() { # PACKAGE FILE [TEST]
	go test ./simulation/simapi -run "^${3:-TestOriginalHouseholds}\$" -count=1 -timeout 60m -package "$scratch/policyengine/files/$1" -households "../yamltest/testdata/policyengine/households/$2.jsonl.gz"
}

# Packages for PolicyEngine, by hash: one with the program, and both against the recorded verdicts of the original; of the larger one the files that agree.
policyengine() {
	ready policyengine "PolicyEngine's packages: the package index does not answer from here" || return "$missing"
	local dir=$scratch/policyengine canada
	canada=$(echo "$dir"/policyengine_canada-*.whl)
	make -s build && bin/edict check --cache off --country "$canada" && bin/edict test --cache off --country "$canada" "$dir/files/policyengine_canada/tests" &&
		verdicts policyengine_canada canada-0.99.1 && verdicts policyengine_uk uk-2.162.10-held && households policyengine_canada canada-0.99.1 && households policyengine_uk uk-2.162.10 &&
		households policyengine_canada canada-0.99.1 TestOriginalDoors
}

# The same for every verdict that is recorded: the whole of both larger packages. The largest takes 6 GB of memory.
policyengine_all() {
	ready policyengine "PolicyEngine's packages: the package index does not answer from here" && ready policyengine_us "policyengine-us: the package index does not answer from here" || return "$missing"
	verdicts policyengine_uk uk-2.162.10 && verdicts policyengine_us us-2.68.0 && households policyengine_us us-2.68.0 && households policyengine_us us-2.68.0 TestOriginalDoors
}

# Clients made by standard generators from what the server says of itself; without their modules there is nothing to run.
clients() {
	go test ./e2e/clients -run '^TestReconnect$' -count=1 -outage 30s || return 1
	ready generators "clients in Go: the module index does not answer from here" || return "$missing"
	go test ./e2e/clients -run '^TestClients$' -count=1 -clients
}

# The tests of the module in bench: kills, power cuts, what the checker finds, whether named mutants still apply.
bench() { gotest . test-bench; }

# Attacks on the program as it is built, a few seconds each: honest clients are served and memory stays within its bound.
abuse() { go -C bench run ./abuse "$@"; }

# Three nodes on PostgreSQL with a standby, every fault of docs/guides/cluster.md at least once, and the checker.
nodes() { go -C bench run ./torture -nodes 3 "$@"; }

# The same in TypeScript, type-checked strictly; the generators are those of the lock file, by hash.
typescript() {
	ready typescript "clients in TypeScript: npm or its index is missing" && ready ts_client "the TypeScript client: npm or its index is missing" || return "$missing"
	go test ./e2e/clients -run '^TestTypeScriptClients$' -count=1 -typescript "$scratch/typescript" &&
		go test ./e2e/console -run '^TestTypeScriptClient$' -count=1 -ts-client "$scratch/ts-client"
}

# The console's sources: types checked strictly, and the libraries in the repository those that npm has, by the hashes of the lock file.
console_sources() {
	ready console "the console's sources: npm or its index is missing" || return "$missing"
	local dir=$scratch/repo/console file name
	for file in "$dir"/lib/*/*.mjs; do
		name=$(basename "$file")
		find "$dir/node_modules/preact" "$dir/node_modules/@preact" -path '*/dist/*' -name "$name" -exec cmp -s {} "$file" \; -print | grep -q . || { echo "$name is not the file of npm"; return 1; }
	done
	(cd "$dir" && npm run --silent check)
}

# The Python client: a wheel with the program in it, installed into a clean environment, used from there by the tests; with the oldest and the newest
# Python that there are. Without the package index there is nothing to run.
python_client() {
	ready pythons "the Python client: no Python from 3.9 on with venv, or no package index" || return "$missing"
	local dir=$scratch/python found=($(pythons)) age extra wheel log=$scratch/python.log
	mkdir -p "$dir/programs" && make -s build && cp bin/edict "$dir/programs/edict-$(go env GOOS)-$(go env GOARCH)" || return 1
	"${found[0]}" clients/python/wheels.py "$dir/programs" "$dir/wheels" 2>/dev/null || return 1
	wheel=$(ls "$dir"/wheels/*.whl | grep -v none-any) # by its file: an index may have another project of that name
	rm -rf "$dir/tests" && cp -r clients/python/tests "$dir/tests" && cp clients/reconnect.json "$scratch/" # two folders above the tests, as in the repository
	for age in oldest newest; do
		extra=pandas
		[ $age = oldest ] || extra=pandas,polars,plot
		"$dir/$age/bin/pip" install -q "$wheel[$extra]" >"$log" 2>&1 || { tail -n 5 "$log"; return 1; }
		"$dir/$age/bin/python" --version
		(cd "$dir" && PATH=$dir/$age/bin:$PATH python -m pytest -q -rs tests) || return 1
	done
	(cd clients/python && "$dir/newest/bin/mypy" --config-file pyproject.toml --cache-dir "$dir/mypy") || return 1
	PATH=$dir/newest/bin:$PATH "$dir/newest/bin/python" clients/python/notebook.py --run >"$log" 2>&1 || { tail -n 40 "$log"; return 1; }
	echo "docs/guides/notebook.ipynb: executed"
}

# Starts a program in a directory that is all it sees, as nobody in particular, and asks whether it is ready.
started() { # ROOT COMMAND…
	local root=$1 out=$scratch/started url= i rc=1
	shift
	mkdir -p "$root/state" && chown 65532:65532 "$root/state" && : >"$out" || return 1
	chroot --userspec=65532:65532 "$root" "$@" --listen 127.0.0.1:0 --data /state --cache off >"$out" 2>"$out.err" &
	server=$!
	for i in $(seq 240); do
		url=$(sed -n 's/^edict listening on //p' "$out")
		[ -z "$url" ] || ! curl -sf -m 10 -o /dev/null "$url/readyz" || { rc=0 && break; }
		kill -0 "$server" 2>/dev/null || break
		sleep 0.5
	done
	[ $rc = 0 ] && echo "$* in $root: ready" || cat "$out" "$out.err"
	kill "$server"
	wait "$server"
	server=
	return $rc
}

# Debian has a package edict, a Japanese dictionary: both are installed side by side, so that a file of both is an error of dpkg.
dictionary() { # ROOT DIR
	(cd "$2" && apt-get -qq -o APT::Sandbox::User=root download edict) >"$scratch/dictionary.log" 2>&1 || { not_run "next to the dictionary of Debian, which apt-get does not give"; return 0; }
	dpkg --root="$1" --force-script-chrootless --install "$2"/edict_*_all.deb
}

# A package for Debian: installed into an empty root, started there by the configuration it brings, removed, purged. Its scripts, which speak to systemd,
# find that they have nothing to do.
debian_package() { # FILE ROOT
	command -v dpkg >/dev/null && [ "$(id -u)" = 0 ] || { not_run "the package for Debian, which needs dpkg and root"; return 0; }
	mkdir -p "$2/var/lib/dpkg/updates" "$2/var/lib/dpkg/info" "$2/tmp" && touch "$2/var/lib/dpkg/status" "$2/var/lib/dpkg/available" || return 1
	dictionary "$2" "$(dirname "$2")" && dpkg --root="$2" --force-script-chrootless --install "$1" && started "$2" /usr/bin/edict serve --config /etc/edict/edict.yaml &&
		cmp deploy/edict.service "$2/usr/lib/systemd/system/edict.service" && [ -s "$2/usr/share/man/man1/edict-serve.1" ] &&
		dpkg --root="$2" --force-script-chrootless --remove edict-server && [ ! -e "$2/usr/bin/edict" ] && [ -e "$2/etc/edict/edict.yaml" ] && dpkg --root="$2" --force-script-chrootless --purge edict-server && [ ! -e "$2/etc/edict/edict.yaml" ]
}

rpm_package() { # FILE ROOT
	[ "$(id -u)" = 0 ] && command -v rpm >/dev/null || { not_run "the package for RPM, which needs rpm and root"; return 0; }
	mkdir -p "$2" && rpm --root="$2" --initdb && rpm --root="$2" -i --nodeps --noscripts "$1" 2>/dev/null && rpm --root="$2" -V --nodeps edict-server && started "$2" /usr/bin/edict serve --config /etc/edict/edict.yaml &&
		rpm --root="$2" -e --nodeps --noscripts edict-server 2>/dev/null && [ ! -e "$2/usr/bin/edict" ]
}

# The image as another tool reads it: its layout, the architecture of this machine, and its files, in which the program is started.
image() { # FILE DIR
	command -v skopeo >/dev/null || { not_run "the image, which needs skopeo"; return 0; }
	mkdir -p "$2/root" && skopeo --insecure-policy copy -q "oci-archive:$1" "dir:$2/read" && skopeo inspect --config "dir:$2/read" || return 1
	[ "$(id -u)" = 0 ] || { not_run "the image's program, which needs root"; return 0; }
	local layer
	for layer in $(skopeo inspect --format '{{range .Layers}}{{.}} {{end}}' "dir:$2/read"); do
		tar -xzf "$2/read/${layer#sha256:}" -C "$2/root" || return 1
	done
	[ -s "$2/root/etc/ssl/certs/ca-certificates.crt" ] && started "$2/root" /edict serve
}

# The image in a container that may write nothing but its data and has no capabilities, where a daemon runs.
container() { # FILE
	docker info >/dev/null 2>&1 && command -v skopeo >/dev/null || { not_run "the image in a container, which needs skopeo and a daemon of Docker"; return 0; }
	local name=edict-ci-$$ rc=1 i
	skopeo --insecure-policy copy -q "oci-archive:$1" "docker-daemon:edict-server:$name" || return 1
	docker run -d --name "$name" --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges:true "edict-server:$name" >/dev/null || return 1
	for i in $(seq 60); do
		docker exec "$name" /edict ready && rc=0 && break
		sleep 0.5
	done
	docker stop "$name" >/dev/null && [ "$(docker inspect -f '{{.State.ExitCode}}' "$name")" = 0 ] || rc=1
	[ $rc = 0 ] || docker logs "$name"
	docker rm "$name" >/dev/null
	docker rmi "edict-server:$name" >/dev/null
	return $rc
}

# Compose files, read as docker compose reads them. No daemon takes part: nothing is started.
compose() { # DIR
	ready compose "compose files: compose-go cannot be installed here" || return "$missing"
	local read=$scratch/tools/compose/cmd
	sed 's/\${POSTGRES_PASSWORD:?[^}]*}/secret/' deploy/compose-cluster.yaml >"$1/cluster.yaml"
	"$read" deploy/compose.yaml >/dev/null && "$read" "$1/cluster.yaml" >/dev/null && echo "compose files: read" || return 1
	! "$read" deploy/compose-cluster.yaml >"$scratch/compose.log" 2>&1 && grep -q 'give the database a password' "$scratch/compose.log"
}

# What is published, of this platform: built in another directory it has the same bytes; archive, packages and image are unpacked into clean
# directories and used from there. Manifests and the unit are looked at by the tools of others, as far as they can be installed.
release() {
	local dir=$scratch/release here arch formats='deb rpm' platforms
	arch=$(go env GOARCH) && here=$(go env GOOS)-$arch && platforms=${1:-${here/-//}}
	mkdir -p "$dir/compose" && make -s build || return 1
	[ -d "$scratch/clone" ] || git clone -q . "$scratch/clone" || return 1
	if [ -z "$(git status --porcelain)" ]; then
		make -s -C "$scratch/clone" build && cmp bin/edict "$scratch/clone/bin/edict" && echo "two directories, one program" || return 1
	else
		not_run "the comparison of two builds, with uncommitted changes"
	fi
	ready nfpm "packages for Debian and RPM: nfpm cannot be installed here" || formats=
	ready packagers "rpm or skopeo cannot be installed here" || true
	make -s release DIST="$dir/dist" PLATFORMS="$platforms" RELEASE=0.0.1 FORMATS="$formats" && (cd "$dir/dist" && sha256sum -c SHA256SUMS) || return 1
	mkdir "$dir/clean" && tar -xzf "$dir/dist/edict-0.0.1-$here.tar.gz" -C "$dir/clean" && (cd "$dir/clean/edict-0.0.1-$here" && ./edict version && ls) || return 1
	if [ -n "$formats" ]; then
		debian_package "$dir/dist/edict-server_0.0.1_$arch.deb" "$dir/debian" && rpm_package "$(echo "$dir"/dist/edict-server-0.0.1-1.*.rpm)" "$dir/rpm" || return 1
	fi
	image "$dir/dist/edict-server-0.0.1-image.tar" "$dir/image" && container "$dir/dist/edict-server-0.0.1-image.tar" && compose "$dir/compose" && bin/edict config check deploy/edict.yaml || return 1
	if command -v systemd-analyze >/dev/null; then
		sed "s#/usr/bin/edict#$PWD/bin/edict#" deploy/edict.service >"$dir/edict.service"
		systemd-analyze verify --man=no "$dir/edict.service" || return 1
	else
		not_run "systemd-analyze, which is not here"
	fi
	ready kubernetes "kubernetes-validate cannot be installed here" || return "$missing"
	"$scratch/kubernetes/bin/kubernetes-validate" --strict deploy/kubernetes/*.yaml
}

# nginx, Caddy and promtool with the configurations of the pages for operators; what cannot be installed is skipped, with the reason.
operators() {
	local rc=0
	ready operators "the installation of nginx, Caddy and Prometheus" || true
	go test ./e2e/deploy -count=1 -v >"$scratch/operators.log" 2>&1 || rc=$?
	grep -E '^(--- |ok|FAIL)|is not installed' "$scratch/operators.log"
	[ $rc = 0 ] || cat "$scratch/operators.log"
	return $rc
}

# The code of docs/guides/r.md, block by block, against a real server; without R and httr2 there is nothing to run.
r_page() {
	local flags=()
	ready r "R and httr2 cannot be installed here" || return "$missing"
	ready r_arrow "the block of docs/guides/r.md with arrow, which Debian does not have" && flags+=(-r-arrow)
	go test ./e2e/clients -run '^TestR$' -count=1 -rscript Rscript "${flags[@]}"
}

# Sign-in with libraries that others wrote; without an index there is nothing to run.
signin() {
	local flags=()
	if ready authlib "sign-in with authlib, which cannot be installed here"; then flags+=(-authlib "$scratch/authlib/bin/python"); elif [ "$missing" = 1 ]; then return 1; fi
	if ready oauth4webapi "sign-in with oauth4webapi, which cannot be installed here"; then flags+=(-oauth4webapi "$scratch/oauth4webapi"); elif [ "$missing" = 1 ]; then return 1; fi
	go test ./e2e/people -run '^(TestOAuth2|TestAuthlib|TestBrowserOAuth4WebAPI|TestBrowserSignIn)$' -count=1 "${flags[@]}"
}

# Requests that schemathesis makes of /openapi.json, as an admin and as a user; without its packages there is nothing to run.
schemathesis() {
	ready schemathesis "schemathesis cannot be installed here" || return "$missing"
	go test ./e2e/clients -run '^TestSchemathesis$' -count=1 -v -schemathesis "$scratch/schemathesis/bin/python" "$@"
}

# Status 3 says vulnerabilities were found; any other failure that the database could not be asked.
vulnerabilities() {
	local rc=0
	ready govulncheck "vulnerabilities: govulncheck cannot be installed here" || return "$missing"
	"$scratch/tools/govulncheck" ./... >"$scratch/vuln" 2>&1 || rc=$?
	cat "$scratch/vuln"
	if [ $rc != 0 ] && grep -q 'fetching vulnerabilities' "$scratch/vuln"; then
		not_run "vulnerabilities: the database does not answer from here"
		return 0
	fi
	return $rc
}

# The recipe of docs/guides/population.md for several machines, by xargs: parts of the sample make the file of one run.
parts() {
	local dir=$scratch/parts
	make -s build && mkdir -p "$dir" && bin/edict population --quiet --sample --output "$scratch/one.csv" >/dev/null || return 1
	seq 4 | xargs -P 2 -I '{}' bin/edict population --quiet --sample --output "$dir/{}.csv" --part '{}/4' &&
		bin/edict population merge --quiet --output "$scratch/all.csv" "$dir" >/dev/null && cmp "$scratch/one.csv" "$scratch/all.csv"
}

# The same by the recipe for Spark, on a cluster of two workers; without its package or Java there is nothing to run.
spark() {
	ready spark "Spark cannot be installed here" || return "$missing"
	local dir=$scratch/spark log=$scratch/spark.log
	awk '/^```python$/ { on = 1; next } /^```$/ { on = 0 } on' docs/guides/population-jobs.md >"$dir/parts.py"
	rm -rf "$dir/parts" && mkdir "$dir/parts" || return 1
	PATH=$dir/bin:$PATH PYSPARK_PYTHON=$dir/bin/python SPARK_LOCAL_IP=127.0.0.1 spark-submit --master 'local-cluster[2,1,512]' --conf spark.executor.memory=512m \
		"$dir/parts.py" 4 "$dir/parts" "$PWD/bin/edict" population --sample >"$log" 2>&1 || { tail -n 40 "$log"; return 1; }
	bin/edict population merge --quiet --output "$scratch/spark.csv" "$dir/parts" >/dev/null && cmp "$scratch/one.csv" "$scratch/spark.csv" && ls "$dir/parts"
}

# Mutants that are drawn: survivors are printed, and only a run that ends without a table fails.
mutants() {
	make -s mutants >"$scratch/mutants.log" 2>&1
	cat "$scratch/mutants.log"
	grep -q 'killed %' "$scratch/mutants.log"
}

# The other commands of the README, in the clone that "make run" has built, and the TypeScript client as its page builds it.
readme() {
	sed -n '/^```/d; s/^    \(bin\/edict population .*[^ ]\)  *#.*/\1/p' README.md >"$scratch/readme.sh"
	[ -s "$scratch/readme.sh" ] && (cd "$scratch/clone" && sh -ex "$scratch/readme.sh" >/dev/null) || return 1
	ready ts_client "the commands of the TypeScript client's page: npm or its index is missing" || return "$missing"
	(cd "$scratch/ts-client" && npm run --silent build && npm pack --silent)
}

# Files in buckets, on a server that others wrote; without its module there is nothing to run.
buckets() {
	ready versitygw "buckets: versitygw cannot be installed here" || return "$missing"
	go test ./simulation/objectstore ./e2e/population -run '^(TestStorage|TestBucket.*)$' -count=1 -s3 "$scratch/tools/versitygw --access key --secret secret --port {address} posix {dir}"
}
