# Run `make help` for the list of targets.

GO ?= go
BIN := bin/pingmill
PKGS := ./...

# An older Go fetches the version of go.mod, also where the system's default is not to.
export GOTOOLCHAIN := $(or $(GOTOOLCHAIN),auto)

# Node.js and Chromium for the tests of the pages, if the machine has no suitable ones: packaging/need.sh fetches them.
TOOLS := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/pingmill/tools
export PATH := $(TOOLS)/bin:$(PATH)

# With the first tag Arrow takes the standard library's JSON: the package that it takes otherwise is a tenth of all that a first build
# compiles, and nothing here uses it. The second one leaves out gRPC's pages of traces: as a user of templates they would keep all
# exported methods, 12 MB, in the program.
TAGS := arrow_json_stdlib,grpcnotrace
export GOFLAGS := $(GOFLAGS) -tags=$(TAGS)

# Tools, each at one version and outside of go.mod, which is the program's.
GOLANGCI := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
BENCHSTAT := golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da
GOVULNCHECK := golang.org/x/vuln/cmd/govulncheck@v1.9.0
ACTIONLINT := github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
GOTESTSUM := gotest.tools/gotestsum@v1.13.0
NFPM := github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.45.0
CYCLONEDX := github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0
HELM := helm.sh/helm/v3/cmd/helm@v3.22.0
COMPOSE := github.com/compose-spec/compose-go/v2/cmd@v2.16.2
VERSITYGW := github.com/versity/versitygw/cmd/versitygw@v1.8.0
CRANE := github.com/google/go-containerregistry/cmd/crane@v0.22.1
ROOTS := golang.org/x/crypto/x509roots/fallback@v0.0.0-20261030153154-30a33513ff6d

.DEFAULT_GOAL := help

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  %-12s %s\n", $$1, $$2}'

.PHONY: need
need: # print everything that is missing, in seconds
	@$(if $(NEEDED),:,GO=$(GO) packaging/need.sh build)

.PHONY: need-test
need-test: # the same for the tests, whose tools are fetched
	@$(if $(NEEDED),:,GO=$(GO) packaging/need.sh test)

# Which sources the program is built from. Without git, as from an archive of them, give it: make build COMMIT=…
# Without a tag the version is that of cmd/pingmill/version.go.
VERSION ?= $(shell git describe --tags --dirty 2>/dev/null)
COMMIT ?= $(shell git describe --match=- --always --abbrev=40 --dirty 2>/dev/null)
STAMP := -X main.buildVersion=$(VERSION) -X main.buildCommit=$(COMMIT)
# The linker leaves out the parts of DuckDB's library that nothing calls, and the library's names: 7 MB. Apple's linker knows other flags.
comma := ,
TRIM := $(if $(filter Linux,$(shell uname -s)),-Wl$(comma)--gc-sections -Wl$(comma)--exclude-libs$(comma)ALL)

.PHONY: build
build: need ## build bin/pingmill, without what debuggers need
	@GO=$(GO) packaging/build.sh -ldflags '-s -w $(STAMP) -extldflags "$(TRIM)"' -o $(BIN) ./cmd/pingmill

.PHONY: build-debug
build-debug: need ## build bin/pingmill with symbols and DWARF
	@GO=$(GO) packaging/build.sh -ldflags '$(STAMP) -extldflags "$(TRIM)"' -o $(BIN) ./cmd/pingmill

STATIC = -trimpath -tags $(TAGS),netgo,osusergo -ldflags '$(STAMP) -s -w -linkmode external -extldflags "-static $(TRIM)"'
.PHONY: static
static: need ## build bin/pingmill without shared libraries, for any Linux of this architecture
	$(GO) build $(STATIC) -o $(BIN) ./cmd/pingmill

# The names of the files have the version: without a tag the next one.
ARCHES ?= amd64 arm64
RELEASE := $(or $(VERSION),v$(shell sed -n 's/^const release = "\(.*\)"$$/\1/p' cmd/pingmill/version.go)-dev)
release: VERSION := $(RELEASE)
release: export STATIC_BUILD = $(STATIC)
.PHONY: release
release: need need-node ## archives, packages, images, SBOM and checksums of the last commit in dist/release: make release VERSION=v1.0.0
	@GO=$(GO) VERSION=$(VERSION) ARCHES='$(ARCHES)' NFPM='$(GO) run $(NFPM)' CYCLONEDX='$(GO) run $(CYCLONEDX)' ROOTS='$(ROOTS)' packaging/release/release.sh dist/release

.PHONY: release-check
release-check: need need-node ## make release twice, in two folders and with an empty cache, and compare the bytes
	@VERSION=$(RELEASE) ARCHES='$(ARCHES)' packaging/release/check.sh

.PHONY: release-try
release-try: need-node ## what make release has made: the package, the image, and README's start until the first row; needs root, debootstrap and bwrap
	GO=$(GO) packaging/try-binary.sh
	NFPM='$(GO) run $(NFPM)' packaging/try-release.sh $(firstword $(SUITE))
	packaging/try-start.sh $(or $(SUITE),bookworm trixie)

.PHONY: charts-check
charts-check: build ## the Helm chart and the compose file with their own tools; needs python3
	@HELM='$(GO) run $(HELM)' COMPOSE='$(GO) run $(COMPOSE)' packaging/try-charts.sh $(BIN)

.PHONY: compose-try
compose-try: need-node ## pingmill and the S3 server of the compose file, with what make release has made, until a row is seen; needs root, podman, netavark, aardvark-dns and busybox
	VERSITYGW=$(VERSITYGW) packaging/try-compose.sh

# Without assembly, as arm64 always is, the scanner and the writer of files have other code.
.PHONY: arm64-check
arm64-check: ## the program for arm64 that make release has made, and tests of kernels for arm64; needs Linux 6.7, qemu-user-static and g++-aarch64-linux-gnu
	packaging/try-arm64.sh

.PHONY: compat-data
compat-data: build ## data of this version for the tests of later ones (cmd/pingmill/testdata/compat), at a release
	packaging/compat-data.sh $(abspath $(BIN)) $(shell $(BIN) version | awk '{print $$2}')

PREFIX ?= /usr/local
.PHONY: install
install: build ## install the program, man pages and completions below $(DESTDIR)$(PREFIX)
	install -d $(DESTDIR)$(PREFIX)/bin
	install -m 755 $(BIN) $(DESTDIR)$(PREFIX)/bin/pingmill
	$(BIN) man $(DESTDIR)$(PREFIX)

.PHONY: demo
demo: build ## synthetic pings, all tables, and the query tool on them, with pings that arrive
	$(BIN) demo --dir demo

.PHONY: test
test: need-test ## all that a change has to pass; it ends with the tests that were skipped, and why
	@$(MAKE) --no-print-directory NEEDED=1 -j2 vet web-check
	@$(MAKE) --no-print-directory NEEDED=1 e2e unit

.PHONY: check
check: test cross lint lint-workflows race fuzz-network ## make test, and what a release has to pass besides: other systems, the linter, races, fuzzing

.PHONY: vet
vet: need # more than go test does by itself, which need not do it again
	$(GO) vet $(PKGS)

# Packages at once: two for each core, since some wait for the disk most of the time.
AT_ONCE = $(shell echo $$((2 * $$(getconf _NPROCESSORS_ONLN))))
# Those whose tests take longest begin first, so that no core waits for them at the end.
LONGEST := ./cmd/pingmill ./tools/chaos ./ingest/loader ./sql/queryservice ./store/blob ./sql/catalog ./serve/pgwire ./serve/trino ./sql/worker \
  ./sql/query ./privacy/erase ./etl ./serve/flight ./tools/rules ./table
# Files of tests in memory, where there is enough of it: a quarter of the processor time of all tests is ext4's, which looks long for an
# inode that was not deleted just now. The tests of what is about the disk have theirs there.
MEMORY = $(shell df -k /dev/shm 2>/dev/null | awk 'NR > 1 && $$4 > 4000000 {print "GOTMPDIR=/dev/shm TMPDIR=/dev/shm"}')
ON_DISK := ./store ./ingest/spool
# Without symbols and by a linker that is faster than GNU ld, if there is one, linking all tests takes half of the processor time.
FAST_LD = $(if $(filter Linux,$(shell uname -s)),$(or $(if $(shell command -v ld.lld),lld),$(if $(shell command -v ld.gold),gold)))
LINK = -s -w $(addprefix -extldflags=-fuse-ld=,$(FAST_LD))
# The program that tests of several packages and of the pages start, linked once for all of them, with a stamp that a test expects.
PROGRAM := bin/tested/pingmill
.PHONY: program
program: need
	@$(GO) build -buildvcs=false -ldflags '$(LINK) -X main.buildVersion=v1.2.3 -X main.buildCommit=0a1b2c3d' -o $(PROGRAM) ./cmd/pingmill

SUMMARY = $(GO) run $(GOTESTSUM) --format pkgname-and-test-fails --format-hide-empty-pkg --raw-command --
.PHONY: unit
unit: program ## every test, and the scanner's without assembly; the summary names what was skipped
	@$(SUMMARY) env $(MEMORY) PINGMILL_TEST_PROGRAM=$(abspath $(PROGRAM)) GO=$(GO) LINK='$(LINK)' packaging/unit.sh $(AT_ONCE) '$(if $(MEMORY),$(ON_DISK))' $(LONGEST) $(PKGS)

# What needs no C compiler builds elsewhere, too; DuckDB and the commands, which do, are left out, as are packages whose tests do. Package parquet is built as
# an import: its tests compare with arrow-go, a third of all that would be compiled. Nothing of it runs, so the compiler need
# neither optimise nor write for debuggers.
SYSTEMS := darwin/arm64 windows/amd64
.PHONY: cross
cross: need ## go vet for the other systems
	@for system in $(SYSTEMS); do \
	  export CGO_ENABLED=0 GOOS=$${system%/*} GOARCH=$${system#*/}; echo "go vet for $$system"; \
	  $(GO) vet -gcflags='all=-N -l -dwarf=false' $$($(GO) list -e -test -f '{{or .ForTest .ImportPath}} {{len .DepsErrors}}' $(PKGS) | awk '{bad[$$1] += $$2} END {for (p in bad) if (!bad[p] && p !~ /\.test$$|\/parquet/) print p}') || exit 1; \
	done

# Packages that start goroutines, in the code or its tests. Those that take minutes under the race detector, or to compile for
# it with the SQL engine or SQLite, are only in make race.
STARTS := \bgo func|\bgo [a-z][A-Za-z.]*[(]|[.]Go[(]
CONCURRENT = $(sort $(shell grep -rlE --include='*.go' '$(STARTS)' . | xargs -n1 dirname | sed s,/storetest,,))
SLOW_RACES := ./archive ./sql/worker ./tools/bench ./sql/catalog ./tools/chaos ./check ./cmd/pingmill ./privacy/erase ./etl ./tools/generate ./ingest ./ingest/loader ./sql/query ./terminal/report ./privacy/retain ./service ./site ./site/sitetest ./serve/bi ./sql/queryservice ./serve/flight ./serve/pgwire ./tools/bench/load ./serve/web ./serve/web/jobs ./etl/tasks ./etl/tasks/sparktest ./store/blob ./lake/iceberg
.PHONY: race
race: need ## the tests of the concurrent packages under the race detector
	$(GO) test -race -vet=off -timeout 120m $(CONCURRENT)

.PHONY: race-quick
race-quick: need ## make race, but for what takes minutes
	$(MEMORY) $(GO) test -race -vet=off -timeout 30m $(filter-out $(SLOW_RACES),$(CONCURRENT))

.PHONY: cover
cover: need ## test coverage by package
	$(GO) test -cover $(PKGS)

.PHONY: lint
lint: need ## the linter, as .golangci.yml has it
	$(GO) run $(GOLANGCI) run

.PHONY: lint-workflows
lint-workflows: need ## the workflow files of the hosting service
	$(GO) run $(ACTIONLINT) .github/workflows/*.yml

.PHONY: audit
audit: need need-node ## known weaknesses of the dependencies, from the public lists of Go and npm
	$(GO) run $(GOVULNCHECK) $(PKGS)
	cd serve/web/app && npm audit --omit=dev

.PHONY: generate
generate: ## regenerate the assembly of the JSON index and of inflate, the example configuration and its documentation
	$(GO) generate ./...

FUZZTIME ?= 10m
FUZZED ?= $(PKGS)
.PHONY: fuzz
fuzz: need ## every fuzz target for FUZZTIME (10m) each
	@for pkg in $$($(GO) list $(FUZZED)); do \
	  for target in $$($(GO) test -vet=off -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
	    time=$(FUZZTIME); [ $$target != FuzzRequest ] || time=$(or $(SOCKETTIME),$(FUZZTIME)); \
	    echo "== $$pkg $$target"; \
	    $(GO) test -vet=off -run '^$$' -fuzz "^$$target$$" -fuzztime $$time -fuzzminimizetime 100x -parallel 2 $$pkg || exit 1; \
	  done; \
	done

# The parsers that face the network, some seconds each; make test runs the seeds. The end of a time can make go test fail by itself (go.dev/issue/75804),
# so it is a number of inputs: a smaller one where each goes over a socket.
.PHONY: fuzz-network
fuzz-network: # what the network and people send; two minutes
	@$(MAKE) --no-print-directory fuzz FUZZED='./ping ./ping/inflate ./ingest ./ingest/edge ./sql/presto/syntax ./sql/gate ./sql/params ./sql/saved ./sql/saved/timing ./serve/web/session ./serve/trino ./access/oidc' FUZZTIME=50000x SOCKETTIME=3000x

.PHONY: bench
bench: need ## speed against DuckDB and of all parts, some 20 minutes, written to docs/benchmarks.md; ONLY=name,name replaces the sections of some parts
	$(GO) run ./tools/bench $(if $(ONLY),-only $(ONLY)) -out docs/benchmarks.md

SIZES ?= 1,5,30
.PHONY: bench-whole
bench-whole: need ## what a ping costs from the socket to all tables, in days of SIZES (1,5,30) GB of JSON, beside an earlier program BASELINE if given
	$(GO) run ./tools/bench -only whole -limit 5h -out docs/benchmarks.md -sizes $(SIZES) $(if $(BASELINE),-baseline $(abspath $(BASELINE)))

SPARK_VENV ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/pingmill-bench-spark
.PHONY: bench-spark
bench-spark: need ## the same beside Spark, which is installed from PyPI below the user's cache; needs python3 and Java 17
	@command -v java >/dev/null || { echo "make: java is missing: install a JRE 17" >&2; exit 1; }
	@[ -x $(SPARK_VENV)/bin/spark-submit ] || { python3 -m venv $(SPARK_VENV) && $(SPARK_VENV)/bin/pip install -q --disable-pip-version-check pyspark==3.5.9; }
	$(GO) run ./tools/bench -only whole -limit 2h -out docs/benchmarks.md -sizes 1 -spark $(SPARK_VENV)/bin/spark-submit

BESIDE := clickhouse,polars
BESIDE_VENV ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/pingmill-bench-beside
.PHONY: bench-beside
bench-beside: need ## the same beside ClickHouse and polars, which are installed from PyPI below the user's cache; needs python3; ONLY is one of clickhouse, polars, YEAR as in bench-queries
	@$(BESIDE_VENV)/bin/python -c 'import chdb, polars' 2>/dev/null || { python3 -m venv $(BESIDE_VENV) && \
	  $(BESIDE_VENV)/bin/pip install -q --disable-pip-version-check chdb==4.4.0 polars==2.1.0; }
	$(GO) run ./tools/bench -only $(or $(ONLY),$(BESIDE)) -limit 2h -out docs/benchmarks.md -python $(BESIDE_VENV)/bin/python $(if $(YEAR),-year $(YEAR))

.PHONY: scale-sim
scale-sim: need ## what 1, 10 and 100 million clients need, and a simulated night, written to docs/scaling.md; MEASURE=1 measures the small cases anew
	$(GO) run ./tools/bench/scale $(if $(MEASURE),-measure tools/bench/scale/measured.json) $(if $(INPUTS),-inputs $(INPUTS))

CLIENTS ?= 1000000
HOURS ?= 1
.PHONY: fleet-run
fleet-run: build ## what CLIENTS (1000000) send in HOURS (1), in as much time, and the tables of it, with a bucket; written to docs/scaling.md
	$(GO) test ./tools/bench/scale -run TestFleet -timeout 24h -v -count 1 -fleet.clients $(CLIENTS) -fleet.hours $(HOURS) \
		-fleet.program $(abspath $(BIN)) -fleet.out fleet.json
	$(GO) run ./tools/bench/scale

LAKE_CLIENTS ?= 2000000
REMOVED ?= 10000
.PHONY: bench-removal
bench-removal: need ## the removal of REMOVED (10000) of LAKE_CLIENTS (2000000) from a lake of 30 days, beside an earlier program BASELINE if given; LAKE keeps the lake
	$(GO) run ./tools/bench -only removal -limit 12h -out docs/benchmarks.md -clients $(LAKE_CLIENTS) -removed $(REMOVED) $(if $(LAKE),-lake $(abspath $(LAKE))) $(if $(BASELINE),-baseline $(abspath $(BASELINE)))

.PHONY: bench-queries
bench-queries: need ## queries of a year and of a large day alone; their installations are kept in YEAR and DAY, if given
	$(GO) run ./tools/bench -only year,day -limit 2h -out docs/benchmarks.md $(if $(YEAR),-year $(YEAR)) $(if $(DAY),-day $(DAY))

.PHONY: load-test
load-test: build ## ten people who query at once over HTTP and Flight SQL while a job runs and pings arrive: shares, times, and what became of the pings
	$(GO) run ./tools/bench/load -program $(BIN)

KERNELS := ./ping ./ping/inflate ./ingest ./lake/parquet ./table ./ingest/spool
BENCH ?= .
COUNT ?= 1
.PHONY: bench-kernels
bench-kernels: need ## go test -bench of the kernels, COUNT (1) times each; BENCH is a pattern of names
	@$(GO) test -vet=off -run '^$$' -bench '$(BENCH)' -count $(COUNT) -timeout 5h $(KERNELS)

.PHONY: bench-compare
bench-compare: need ## what OLD and NEW, two outputs of make bench-kernels COUNT=10, differ by
	@$(GO) run $(BENCHSTAT) $(OLD) $(NEW)

.PHONY: soak
soak: build ## killed runs, a killed server with a full disk and a million submissions, a day of steady load, four edges behind nginx, Kafka; needs nginx, java and mvn
	$(GO) test ./etl -run TestKilledRuns -kills 50 -timeout 60m -v
	$(GO) test ./cmd/pingmill -run TestSoak -timeout 120m -v -soak.submissions 1000000 -soak.kills 100 -soak.fills 5 -soak.disk 34359738368 -soak.rate 0
	$(GO) test ./cmd/pingmill -run 'TestEdges$$' -timeout 60m -v -edges.nginx -edges.submissions 60000 -edges.rate 400 -edges.kills 20
	@$(MAKE) --no-print-directory kafka
	$(GO) test ./cmd/pingmill -run TestSteadyLoad -timeout 60m -v -steady.took 20m -steady.rate 300
	@$(MAKE) --no-print-directory doors

STATEMENTS ?= 10000
.PHONY: doors
doors: need ## STATEMENTS (10000) through every door of an installation where pings arrive, days are published and expire, and clients are forgotten
	$(GO) test ./cmd/pingmill -run 'TestDoors$$' -timeout 4h -v -doors.took 90m -doors.statements $(STATEMENTS) -doors.askers 8 -doors.pause 0

.PHONY: engines-iceberg
engines-iceberg: need ## Iceberg tables with a REST catalog and Glue, read by Spark, Trino and pyiceberg, also while they are published 100 times (Java 17, Maven, Python)
	$(GO) test ./lake/iceberg -engines -timeout 60m -v -count 1
	$(GO) test ./cmd/pingmill -run TestIcebergEngines -iceberg.engines -timeout 30m -v -count 1

.PHONY: object-storage
object-storage: need ## tables of the demonstration on a disk and in a bucket, and the requests of a day in a lake of two months
	$(GO) test ./cmd/pingmill -run 'TestDemoInABucket|TestRequestsOfADay|TestTryObjectStorage' -timeout 30m -v -count 1 -bucket.demo -bucket.days 58 | grep -v '^{'

IDLE ?= 1h
.PHONY: idle-requests
idle-requests: need ## the requests of object storage of a service in which nothing arrives, counted for IDLE (1h) after as long a pause
	$(GO) test ./cmd/pingmill -run TestIdleRequests -timeout 4h -v -count 1 -bucket.idle $(IDLE) | grep -v '^{'

BUSY ?= 20m
.PHONY: busy-requests
busy-requests: need ## the requests of object storage of a service in which pings arrive, counted for BUSY (20m)
	$(GO) test ./cmd/pingmill -run TestBusyRequests -timeout 4h -v -count 1 -bucket.busy $(BUSY) | grep -v '^{'

.PHONY: attack
attack: need ## submissions as hostile clients could send them, with what each of them takes
	$(GO) test ./cmd/pingmill -run TestAttack -timeout 60m -v -attack.each

CHAOS ?= 10m
.PHONY: kafka
kafka: need ## real brokers, decoders and edges killed and held up while submissions come, and what a topic costs beside the local spool; needs java and mvn
	$(GO) test ./cmd/pingmill -run TestKafka -timeout 30m -v -kafka.submissions 30000

.PHONY: chaos
chaos: need ## damaged files, failing system calls, signals, stopped servers and buckets with faults for CHAOS (10m) each; make test has some trials of each kind
	$(GO) test ./etl -run TestPausedServer -timeout 60m -v -pauses 1000
	$(GO) test ./sql/catalog -run WhilePublishing -timeout 60m -v -publishing.rounds 50
	$(GO) test ./tools/chaos -timeout 12h -v -chaos.seed 0 -chaos.time $(CHAOS) -chaos.bucket $(CHAOS)

.PHONY: mixed
mixed: need ## three servers of two versions on one lake: upgraded and taken back under load, with kills, for ROUNDS (10)
	$(GO) test ./tools/chaos -run 'TestMixed$$' -timeout 12h -v -chaos.seed 0 -chaos.mixed $(or $(ROUNDS),10)

.PHONY: outages
outages: need ## a service whose object storage is away, restarts, lists what was, forgets versions and fails, for OUTAGES (30m)
	$(GO) test ./tools/chaos -run 'TestOutages$$' -timeout 12h -v -chaos.seed 0 -chaos.outage $(or $(OUTAGES),30m)

.PHONY: live
live: need ## how soon pings are seen in queries, while 500 submissions a second arrive on one core and a job runs on the other, for LIVE (5m)
	$(GO) test ./cmd/pingmill -run 'TestLive$$' -timeout 60m -v -live.took $(or $(LIVE),5m)

.PHONY: live-cost
live-cost: need ## what live rows cost beside ingestion, in ROUNDS (5) of a minute
	$(GO) test ./cmd/pingmill -run 'TestLiveCost$$' -timeout 60m -v -live.cost $(or $(ROUNDS),5)

.PHONY: year
year: need ## a year's backfill of all tables, killed 20 times, and one of clients from day to day, killed 50 times
	$(GO) test ./etl -run TestKilledBackfill -timeout 60m -v -backfill.days 365 -backfill.pings 40 -backfill.tables all -backfill.kills 20
	$(GO) test ./etl -run TestKilledChain -timeout 60m -v -chain.days 40 -chain.kills 50

.PHONY: engines
engines: build ## read a demo with pandas, polars, pyarrow, DuckDB, ClickHouse, Spark and Trino, also while it changes; needs python3, Java 17 and mvn
	packaging/try-engines.sh $(BIN)

.PHONY: bi-tools
bi-tools: need ## Trino's protocol with Superset, which takes 1 GB, and all other tools of docs/bi.md; needs python3, Java 17 and mvn
	$(GO) test ./serve/trino -timeout 60m -v -count 1 -tools.superset
	$(GO) test ./serve/pgwire ./serve/flight -timeout 60m -v -count 1

.PHONY: spark
spark: build ## a day's tasks on a standalone cluster of Spark and a bucket, with killed executors and drivers; needs python3 and Java 17
	$(GO) test ./etl/tasks/sparktest -run TestSpark -timeout 60m -v -program $(abspath $(BIN))

.PHONY: firefox
firefox: build ## ten profiles of a real Firefox against a fresh pingmill, and every table compared with what they sent; needs firefox-esr and python3
	packaging/try-firefox.sh $(BIN)

.PHONY: schedulers
schedulers: build ## what is packaged for Kubernetes and Airflow with their own tools; needs python3
	packaging/try-schedulers.sh $(BIN)

.PHONY: image-check
image-check: need ## the steps of packaging/Dockerfile by hand, and the service in what comes out; needs root, no container runtime
	packaging/try-image.sh

.PHONY: unit-check
unit-check: static ## the systemd unit on a new Debian, by the commands of docs/operations.md; needs root, debootstrap and systemd-nspawn
	packaging/try-unit.sh $(BIN)

.PHONY: need-node
need-node: need-test # the pages' packages, as serve/web/app/package-lock.json has them; reinstalled when it changes
	@cd serve/web/app && { cmp -s package-lock.json node_modules/.installed || { npm ci --no-audit --no-fund --loglevel=error && cp package-lock.json node_modules/.installed; }; }

.PHONY: web
web: need-node ## build the pages into serve/web/dist, which is part of the program
	cd serve/web/app && npm run --silent build

.PHONY: web-types
web-types: need need-node ## the API's document and its types for the pages
	$(GO) test ./serve/web -run TestDocument -count 1 -write
	cd serve/web/app && npm run --silent types

.PHONY: web-check
web-check: need-node ## the pages' types, style and unit tests, and whether serve/web/dist is what they build
	cd serve/web/app && npm run --silent check && npm run --silent test && npm run --silent check-build

.PHONY: web-test
web-test: web e2e ## the pages in a browser, on a server with generated pings; E2E=name for the specs with this name

.PHONY: e2e
e2e: need-node program # the same with the pages in serve/web/dist as they are, which web-check compares with their sources
	cd serve/web/app && $(MEMORY) E2E_BIN=$(or $(E2E_BIN),$(abspath $(PROGRAM))) npm run --silent e2e -- $(E2E)

.PHONY: screenshots
screenshots: web ## the pictures in docs/images, of a server with generated pings
	cd serve/web/app && E2E_PICTURES=$(abspath docs/images) npm run --silent e2e -- picture.spec

SHOTS ?= /tmp/pingmill-shots
.PHONY: web-screenshots
web-screenshots: web ## pictures of every page, wide and narrow, light and dark, in SHOTS
	cd serve/web/app && E2E_SHOTS=$(SHOTS) npm run --silent e2e -- pages.spec

# A release's documentation is a folder with its name; of any other revision it is dev.
SITE_VERSION ?= $(if $(findstring -,$(VERSION)),dev,$(or $(VERSION),dev))
SITE_VENV = $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/pingmill/site-$(shell cksum < packaging/site/requirements.txt | cut -d' ' -f1)
.PHONY: site
site: need-node ## the documentation as a site in dist/site, which needs no network once built; SITE_VERSION (dev) is its folder; needs python3 with venv
	@[ -x $(SITE_VENV)/bin/mkdocs ] || { python3 -m venv --clear $(SITE_VENV) && $(SITE_VENV)/bin/pip install -q --disable-pip-version-check -r packaging/site/requirements.txt; }
	python3 packaging/site/stage.py dist/.docs $(SITE_VERSION)
	SOURCE_DATE_EPOCH=$(shell git log -1 --format=%ct) NO_MKDOCS_2_WARNING=1 $(SITE_VENV)/bin/mkdocs build -q -f packaging/site/mkdocs.yml -d $(abspath dist/site/$(SITE_VERSION))
	python3 packaging/site/versions.py dist/site

.PHONY: site-test
site-test: site ## every page of the site in a browser, wide and narrow, with axe, and its search; SITE_SHOTS=DIR keeps pictures
	cd serve/web/app && SITE_VERSION=$(SITE_VERSION) npm run --silent site

.PHONY: fresh-check
fresh-check: ## make demo and make test in an empty Debian, after what they print as missing; needs root, debootstrap and a Debian mirror
	packaging/try-fresh.sh $(or $(SUITE),trixie)

.PHONY: clean
clean: ## remove what was built and generated
	rm -rf bin demo dist coverage.out
