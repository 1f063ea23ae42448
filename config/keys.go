package config

import (
	"strings"
	"time"

	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/lake/iceberg/catalog"
	"github.com/pingmill/pingmill/schema/glean"
	"github.com/pingmill/pingmill/sql/presto"
)

// Section is the text in the file and the documentation about the keys below a name.
type Section struct{ Name, Doc string }

// Sections lists the sections of All.
var Sections = []Section{
	{"storage", "Where archive and tables are: URLs of buckets (s3://, gs://, azblob://) or paths; empty: in the data folder. Spool, ledger and temporary files always are"},
	{"edge", "The HTTP edge, which takes submissions"},
	{"edge.tls", "TLS of the edge; without it the edge speaks plain HTTP"},
	{"spool", "What is acknowledged and not decoded yet, in spool/ of the installation or a topic of Kafka"},
	{"spool.kafka", "How the brokers of that topic are spoken to"},
	{"glean", "Pings of applications with the Glean SDK, such as today's Firefox: see docs/edge.md"},
	{"private", "The private listener: metrics, health, status and profiles, for operators only"},
	{"web", "The query tool: pages and API for people, who sign in"},
	{"web.tls", "TLS of the query tool; without it a proxy in front should speak TLS"},
	{"web.oidc", "Accounts of a provider of OpenID Connect, beside those of the query tool"},
	{"flight", "Arrow Flight SQL, for notebooks and BI tools: with the tokens of the query tool, and its certificate if it has one"},
	{"postgres", "PostgreSQL's wire protocol, for psql, Grafana and the like: with the tokens of the query tool, and its certificate if it has one"},
	{"alerts", "Alerts of schedules of saved queries: which hosts webhooks may go to"},
	{"mail", "The server that sends mail, of alerts; without one none is sent"},
	{"schedule", "Daily jobs: each day's tables once all its submissions are in the archive"},
	{"publish", "Publishing of partitions"},
	{"iceberg", "Iceberg tables that follow the lake, for other engines: see docs/iceberg.md"},
	{"checks", "Checks of partitions before they are published, and of files"},
	{"quality", "Profiles of what is published, and what has changed from day to day"},
	{"query", "Queries: how much one may read, and how much of a result a terminal or the query tool shows"},
	{"retention", "How many days data is kept after the end of its day; 0: for ever. What is still needed stays until it is not"},
	{"archive", "The archive of raw pings"},
	{"deletion", "Deletion requests: removing the rows of clients that asked to be forgotten"},
	{"tables", "Rows of the day that is not over, for queries until the schedule makes the day; and snapshots of many days"},
	{"decode", "Decoding of submissions, those of the edge and those of files"},
}

// The commands that decode submissions, and those that publish or check partitions.
var (
	serve   = []string{"serve"}
	shows   = []string{"serve", "demo"}
	decodes = []string{"serve", "load", "decode", "replay"}
	workers = []string{"serve", "load", "replay"}
	checked = []string{"serve", "load", "run", "commit", "replay", "check", "quality"}
	queries = []string{"query"}
	limited = []string{"query", "serve"}
	keeps   = []string{"serve", "run", "plan", "task", "commit", "status", "expire"}
	made    = []string{"serve", "run", "plan", "task", "commit", "replay", "check", "status", "accept", "expire", "delete"}
	follows = []string{"serve", "load", "run", "commit", "replay", "expire", "delete"}
)

// All lists the keys of the program, in the order of the file.
var All = Keys{
	{Name: "data", Flag: "data", Default: "data", Doc: "folder of the installation"},
	{Name: "probes", Flag: "probes", Doc: "folder of probe definitions; empty: the embedded ones of 2018; firefox: those of a Firefox of 2026"},
	{Name: "apps", Flag: "app", Type: List, Default: "Firefox", Doc: "applications whose pings main_summary, crash_summary and event_events take", Commands: made},
	{Name: "grace", Flag: "grace", Type: Duration, Default: "30s", Doc: "how long requests may take to finish at the end", Commands: serve},
	{Name: "only", Flag: "only", Type: List, Default: "edge,decode,schedule,web", Check: part, Doc: "parts of the service that this process runs: edge, decode, schedule, web", Commands: []string{"serve", "health"}},
	{Name: "server", Flag: "server", Doc: "address of a query tool that runs the queries, with https:// or http://; empty: they run here", Commands: queries},
	{Name: "token", Flag: "token", Secret: true, Doc: "API token for the server; better in the environment or in a file than as a flag, which others may see", Commands: queries},
	{Name: "token-file", Flag: "token-file", Doc: "file with the API token", Commands: queries},

	{Name: "storage.url", Flag: "storage", Doc: "place of all four: archive/, lake/, pipeline/ and restricted/ are below it"},
	{Name: "storage.archive", Flag: "storage-archive", Doc: "the archive, with deletion requests and leases"},
	{Name: "storage.lake", Flag: "storage-lake", Doc: "the tables"},
	{Name: "storage.pipeline", Flag: "storage-pipeline", Doc: "the tables that are made as pings arrive"},
	{Name: "storage.restricted", Flag: "storage-restricted", Doc: "the restricted tables, which fewer people may read"},

	{Name: "edge.listen", Flag: "listen", Default: "127.0.0.1:8080", Check: address, Doc: "address of the edge; :8080 for all interfaces", Commands: []string{"serve", "health"}},
	{Name: "edge.name", Flag: "edge", Default: "edge", Check: edgeName, Doc: "name of this edge in the installation: the same for ever, and no other edge's", Commands: serve},
	{Name: "edge.namespaces", Flag: "namespace", Type: List, Default: "telemetry", Doc: "namespaces that are taken; requests to be forgotten are, of any", Commands: serve},
	{Name: "edge.max-request", Flag: "max-request", Type: Size, Default: "1MiB", Min: 1, Doc: "largest body of a request as it is sent", Commands: serve},
	{Name: "edge.max-connections", Flag: "max-connections", Type: Number, Default: "20000", Min: 1, Doc: "open connections; beyond, the one idle for longest is closed", Commands: serve},
	{Name: "edge.trusted-proxies", Flag: "trusted-proxy", Type: Networks, Doc: "networks (CIDR) of proxies whose X-Forwarded-For counts; without them behind a proxy every place is the proxy's", Commands: serve},
	{Name: "edge.tls.cert", Flag: "tls-cert", Doc: "certificate file (PEM), read again when it changes", Commands: []string{"serve", "health"}},
	{Name: "edge.tls.key", Flag: "tls-key", Doc: "key file (PEM)", Commands: []string{"serve", "health"}},

	{Name: "glean.applications", Flag: "glean-application", Type: List, Default: strings.Join(ingest.FirefoxApplications(), ","), Check: application, Doc: "application ids whose pings are taken and checked by Glean's rules; *: every namespace except telemetry", Commands: decodes},
	{Name: "glean.definitions", Flag: "definitions", Type: List, Doc: "folders of Glean definitions, with a folder for each application, later ones being newer versions; firefox: the built-in ones of Firefox desktop"},
	{Name: "glean.columns", Flag: "glean-column", Type: List, Doc: "metrics, by id or column, that get a column of the metrics ping; empty: all"},
	{Name: "glean.unknown", Flag: "glean-unknown", Default: glean.UnknownArchived, Check: glean.CheckUnknown, Doc: "pings that no definitions know: archive (they are in the archive only) or generic (each type of the archive has a table, with all metrics as JSON)", Commands: made},

	{Name: "private.listen", Flag: "private", Default: "127.0.0.1:8081", Check: address, Doc: "address of the private listener: not one that strangers reach, and each process its own", Commands: []string{"serve", "health"}},
	{Name: "private.hosts", Flag: "private-host", Type: List, Check: hostName, Doc: "names by which the private listener may be asked, beside addresses, localhost and the name in private.listen; others are refused, as pages of strangers could ask", Commands: serve},
	{Name: "private.profiles", Flag: "profiles", Type: Bool, Default: "false", Doc: "have profiles of the process at /debug/pprof/ of the private listener, for everybody who can connect to it: they show parts of its memory", Commands: serve},

	{Name: "web.listen", Flag: "web", Default: "127.0.0.1:8090", Check: address, Doc: "address of the query tool; :8090 for all interfaces", Commands: shows},
	{Name: "web.url", Flag: "web-url", Check: webURL, Doc: "address by which people reach the query tool, without a path; empty: http:// or https:// and web.listen", Commands: serve},
	{Name: "web.trusted-proxies", Flag: "web-trusted-proxy", Type: Networks, Doc: "networks (CIDR) of proxies in front of the query tool whose X-Forwarded-For counts; without them all people behind one come from its address", Commands: serve},
	{Name: "web.default-grants", Flag: "default-grant", Type: List, Default: "*", Doc: "what new people may read: tables, table.column, or * for every table that is not restricted", Commands: serve},
	{Name: "web.tls.cert", Flag: "web-tls-cert", Doc: "certificate file (PEM), read again when it changes", Commands: serve},
	{Name: "web.tls.key", Flag: "web-tls-key", Doc: "key file (PEM)", Commands: serve},
	{Name: "web.oidc.issuer", Flag: "oidc-issuer", Check: issuer, Doc: "address of the provider, with https; empty: none", Commands: serve},
	{Name: "web.oidc.client-id", Flag: "oidc-client-id", Doc: "the name that the provider gave the query tool", Commands: serve},
	{Name: "web.oidc.client-secret", Flag: "oidc-client-secret", Secret: true, Doc: "its secret; better in the environment or in a file of its own than as a flag", Commands: serve},
	{Name: "web.oidc.client-secret-file", Flag: "oidc-client-secret-file", Doc: "file with its secret", Commands: serve},
	{Name: "web.oidc.name", Flag: "oidc-name", Doc: "name of the provider on the page; empty: its host", Commands: serve},
	{Name: "web.oidc.scopes", Flag: "oidc-scope", Type: List, Default: "openid,email,profile", Doc: "scopes that the provider is asked for", Commands: serve},
	{Name: "web.oidc.claim", Flag: "oidc-claim", Default: "email", Doc: "claim that is the name of a person, such as email, which has to be verified, or name", Commands: serve},
	{Name: "web.oidc.domains", Flag: "oidc-domain", Type: List, Doc: "domains of verified e-mail addresses that may come in; empty: everybody whom the provider signs in", Commands: serve},
	{Name: "web.oidc.groups-claim", Flag: "oidc-groups-claim", Default: "groups", Doc: "claim that lists the groups of a person", Commands: serve},
	{Name: "web.oidc.groups", Flag: "oidc-group", Type: List, Check: group, Doc: "what groups give beside what was given here: ops=operate for a right, ops=addons for a grant", Commands: serve},

	{Name: "flight.listen", Flag: "flight", Check: addressOrNone, Doc: "address of Arrow Flight SQL, such as 127.0.0.1:8091; empty: it is off", Commands: serve},
	{Name: "postgres.listen", Flag: "postgres", Check: addressOrNone, Doc: "address of PostgreSQL's protocol, such as 127.0.0.1:5432; empty: it is off. Without TLS it takes tokens from this machine only", Commands: serve},
	{Name: "postgres.idle", Flag: "postgres-idle", Type: Duration, Default: "1h", Doc: "how long a session of PostgreSQL's protocol may be silent, or leave an answer unread, before it is closed; 0: for ever", Commands: serve},

	{Name: "alerts.webhook-hosts", Flag: "webhook-host", Type: List, Check: webhookHost, Doc: "hosts that webhooks may go to, by https: example.org, *.example.org, example.org:8443, or by plain HTTP http://a.example; empty: none", Commands: serve},
	{Name: "alerts.private", Flag: "webhook-private", Type: Bool, Default: "false", Doc: "let webhooks go to addresses that are not public, such as those of this machine and its network", Commands: serve},
	{Name: "mail.server", Flag: "mail-server", Check: mailServer, Doc: "host and port of the mail server, such as mail.example:587; empty: no mail is sent", Commands: serve},
	{Name: "mail.from", Flag: "mail-from", Doc: "address of the sender", Commands: serve},
	{Name: "mail.tls", Flag: "mail-tls", Default: "starttls", Check: mailTLS, Doc: "how the server is spoken to: starttls (the connection must become encrypted), tls (it is from the start), none", Commands: serve},
	{Name: "mail.user", Flag: "mail-user", Doc: "name at the server; empty: without signing in", Commands: serve},
	{Name: "mail.password", Flag: "mail-password", Secret: true, Doc: "password at the server", Commands: serve},
	{Name: "mail.domains", Flag: "mail-domain", Type: List, Check: hostName, Doc: "domains that mail may go to; empty: all", Commands: serve},

	{Name: "schedule.enabled", Flag: "schedule", Type: Bool, Default: "true", Doc: "make the daily tables; false where pingmill run is started by something else", Commands: serve},
	{Name: "schedule.lookback", Flag: "lookback", Type: Number, Default: "35", Min: 1, Doc: "days back that are looked at, for what was missed or has changed", Commands: serve},
	{Name: "schedule.remake", Flag: "remake", Type: Number, Default: "0", Max: 100000, Doc: "stale partitions of days before the lookback that are made again in a day, as after an upgrade: newest first, after the daily work; 0: none", Commands: serve},
	{Name: "schedule.edge-timeout", Flag: "edge-timeout", Type: Duration, Default: "24h", Doc: "how long days wait for an edge that is silent while others are not; they are made again when it comes back. 0: for ever", Commands: keeps},
	{Name: "schedule.shared-as", Flag: "shared-as", Check: sharedName, Doc: "name of this server where several publish into one lake, each another: they take leases for partitions; empty: the lake is this one's alone", Commands: []string{"serve", "load", "run", "commit", "replay", "expire", "delete"}},
	{Name: "publish.grace", Flag: "publish-grace", Type: Duration, Default: "1h", Doc: "how long the files of a partition stay after others have replaced them, for queries that began before; 0: not at all", Commands: []string{"serve", "load", "run", "commit", "replay", "expire", "delete"}},
	{Name: "publish.bucket-grace", Flag: "publish-bucket-grace", Type: Duration, Default: "0", Doc: "that time in a bucket of an object store, where engines that list a partition's folder read these files as well; with Iceberg tables it is publish.grace", Commands: []string{"serve", "load", "run", "commit", "replay", "expire", "delete"}},

	{Name: "iceberg.catalog", Flag: "iceberg-catalog", Default: catalog.None, Check: catalogKind, Doc: "catalog of the Iceberg tables: rest, glue, sql; none: there are none", Commands: follows},
	{Name: "iceberg.uri", Flag: "iceberg-uri", Doc: "where the catalog is: https://… of a REST catalog; sqlite:///PATH or postgres://… of a SQL one; a region of Glue, or nothing for the usual one", Commands: follows},
	{Name: "iceberg.warehouse", Flag: "iceberg-warehouse", Doc: "warehouse of a REST catalog, name of a SQL catalog (pingmill), account of Glue; empty: the usual one", Commands: follows},
	{Name: "iceberg.namespace", Flag: "iceberg-namespace", Default: "pingmill", Doc: "namespace of the tables", Commands: follows},
	{Name: "iceberg.restricted-namespace", Flag: "iceberg-restricted", Default: "pingmill_restricted", Doc: "namespace of the tables that fewer people may read", Commands: follows},
	{Name: "iceberg.keep-snapshots", Flag: "iceberg-keep-snapshots", Type: Duration, Default: "24h", Doc: "how long a snapshot stays after the next one, with the files that it names; those with forgotten clients go at once", Commands: follows},
	{Name: "iceberg.every", Flag: "iceberg-every", Type: Duration, Default: "5m", Min: int64(time.Second), Max: int64(24 * time.Hour), Doc: "how often rows that arrive are committed, and what could not be is tried again; daily tables are committed when they are published", Commands: serve},
	{Name: "iceberg.token", Flag: "iceberg-token", Secret: true, Doc: "token for a REST catalog; better in the environment than as a flag", Commands: follows},
	{Name: "iceberg.credential", Flag: "iceberg-credential", Secret: true, Doc: "ID:SECRET for a REST catalog with OAuth 2; better in the environment than as a flag", Commands: follows},

	{Name: "checks.dir", Flag: "checks", Doc: "folder of more checks, as SQL files; empty: only those of the tables", Commands: checked},
	{Name: "checks.skip", Flag: "skip-check", Type: List, Doc: "names of checks that are left out", Commands: checked},
	{Name: "checks.files-every", Flag: "check-files-every", Type: Duration, Default: "720h", Doc: "time within which every file of the tables and the archive is read and compared with its hash; 0: never", Commands: serve},

	{Name: "quality.enabled", Flag: "quality", Type: Bool, Default: "true", Doc: "make a profile of each partition that is published: what the quality pages show", Commands: serve},

	{Name: "deletion.metrics", Flag: "deletion-metric", Type: List, Doc: "ids of further metrics of Glean: their values are forgotten if a ping whose type ends in -deletion-request has them", Commands: decodes},
	{Name: "deletion.every", Flag: "delete-every", Type: Duration, Default: "168h", Doc: "how often rows are removed from the files, if there are requests; 0: only by pingmill delete --now", Commands: []string{"serve", "delete"}},

	{Name: "spool.min-free", Flag: "min-free", Type: Size, Default: "1GiB", Doc: "free disk below which submissions are refused", Commands: []string{"serve", "status"}},
	{Name: "spool.segment-bytes", Flag: "segment-bytes", Type: Size, Default: "64MiB", Max: 1 << 30, Doc: "size at which a segment is sealed", Commands: serve},
	{Name: "spool.segment-age", Flag: "segment-age", Type: Duration, Default: "10s", Doc: "age at which a segment is sealed, and then decoded", Commands: serve},
	{Name: "spool.second", Flag: "spool-second", Doc: "folder on another disk, for submissions that wait too long for the first one; empty: none", Commands: serve},

	{Name: "spool.url", Flag: "spool", Check: spoolURL, Doc: "topic that is the spool: kafka://a,b/topic with the brokers a and b; empty: spool/ of the installation", Commands: serve},
	{Name: "spool.kafka.tls", Flag: "kafka-tls", Type: Bool, Default: "false", Doc: "speak TLS to the brokers", Commands: serve},
	{Name: "spool.kafka.ca", Flag: "kafka-ca", Doc: "file of certificates (PEM) by which those of the brokers are checked; empty: the system's", Commands: serve},
	{Name: "spool.kafka.cert", Flag: "kafka-cert", Doc: "certificate file (PEM) for brokers that want one", Commands: serve},
	{Name: "spool.kafka.key", Flag: "kafka-key", Doc: "its key file (PEM)", Commands: serve},
	{Name: "spool.kafka.sasl", Flag: "kafka-sasl", Check: mechanism, Doc: "how to sign in: plain, scram-sha-256 or scram-sha-512; empty: not at all", Commands: serve},
	{Name: "spool.kafka.user", Flag: "kafka-user", Doc: "name of this program at the brokers", Commands: serve},
	{Name: "spool.kafka.password", Flag: "kafka-password", Secret: true, Doc: "its password; better in the environment or in a file of its own than as a flag", Commands: serve},
	{Name: "spool.kafka.password-file", Flag: "kafka-password-file", Doc: "file with its password", Commands: serve},

	{Name: "retention.archive", Flag: "keep-archive", Type: Number, Default: "0", Max: maxDays, Doc: "days to keep raw pings; tables cannot be made again afterwards", Commands: keeps},
	{Name: "retention.errors", Flag: "keep-errors", Type: Number, Default: "0", Max: maxDays, Doc: "days to keep rejected submissions", Commands: keeps},
	{Name: "retention.tables", Flag: "keep-tables", Type: Number, Default: "0", Max: maxDays, Doc: "days to keep the tables that retention.table does not name", Commands: keeps},
	{Name: "retention.table", Flag: "keep-table", Type: List, Check: tableDays, Doc: "days to keep single tables, such as main_summary=90; 0: for ever", Commands: keeps},
	{Name: "retention.ledger", Flag: "keep-ledger", Type: Number, Default: "0", Max: maxDays, Doc: "days to keep the history of runs; the last run of each partition stays", Commands: keeps},

	{Name: "archive.compact-after", Flag: "compact-after", Type: Number, Default: "0", Max: maxDays, Doc: "days after the end of a day until its raw pings get their smallest form, about a third smaller; 0: never", Commands: serve},

	{Name: "query.days", Flag: "max-days", Type: Number, Default: "7", Max: maxDays, Doc: "days of a very large table that a query may read; 0: any number", Commands: limited},
	{Name: "query.sampled-days", Flag: "max-sampled-days", Type: Number, Default: "31", Max: maxDays, Doc: "the same for a query with a condition on sample_id", Commands: limited},
	{Name: "query.small", Flag: "small-read", Type: Size, Default: "1GiB", Doc: "size of the files of a very large table below which a query may read any number of its days; 0: its days are always limited", Commands: limited},
	{Name: "query.table-days", Flag: "table-days", Type: List, Check: queryDays, Doc: "such limits of single tables: main_summary=14/60 is 14 days, 60 with a sample", Commands: limited},
	{Name: "query.decimal-literals", Default: presto.DecimalLiterals, Flag: "decimal-literals", Check: presto.CheckLiterals, Doc: "what numbers with a point, such as 100.0, are in Presto's SQL: decimal, as in Trino, or double, as in Presto before 2018", Commands: limited},
	{Name: "query.max-files", Flag: "max-files", Type: Number, Default: "0", Doc: "files that a query may read; 0: any number", Commands: limited},
	{Name: "query.max-read", Flag: "max-read", Type: Size, Default: "0", Doc: "size of the files that a query may read; 0: any", Commands: limited},
	{Name: "query.max-rows", Flag: "max-rows", Type: Number, Default: "10000", Doc: "rows of a table on a terminal; files and pipes get all; 0: all", Commands: queries},
	{Name: "query.max-shown", Flag: "max-shown", Type: Size, Default: "64MiB", Doc: "size of a table on a terminal; 0: any", Commands: queries},
	{Name: "query.cache", Flag: "query-cache", Type: Size, Default: "10GiB", Min: 16 << 20, Doc: "disk for what queries read of tables in a bucket; what was not used for longest goes first"},
	{Name: "query.cache-dir", Flag: "query-cache-dir", Doc: "folder for it, which is yours alone; empty: tmp/cache in the folder of the installation"},
	{Name: "query.slots", Flag: "query-slots", Type: Number, Default: "0", Max: 1000, Doc: "queries of the query tool that run at once; with two or more the last free one is reserved for a person who has none running, with 1 a long query holds up everybody; 0: one for two cores, at least two, as far as there is memory", Commands: serve},
	{Name: "query.per-person", Flag: "query-per-person", Type: Number, Default: "2", Max: 1000, Doc: "of them of one person; 0: any number", Commands: serve},
	{Name: "query.waiting", Flag: "query-waiting", Type: Number, Default: "100", Doc: "queries that wait for their turn; a person has at most as many waiting as places are free, so half of them alone; one more is refused; 0: any number", Commands: serve},
	{Name: "query.memory", Flag: "query-memory", Type: Size, Default: "2GiB", Min: 64 << 20, Doc: "memory of a query of the query tool; what does not fit goes to disk", Commands: serve},
	{Name: "query.threads", Flag: "query-threads", Type: Number, Default: "0", Max: 1000, Doc: "threads of a query of the query tool; 0: all cores", Commands: serve},
	{Name: "query.time", Flag: "query-time", Type: Duration, Default: "10m", Doc: "how long a query of the query tool may run; 0: for ever", Commands: serve},
	{Name: "query.spill", Flag: "query-spill", Type: Size, Default: "20GiB", Doc: "disk of a query of the query tool for temporary data, such as what does not fit in memory; 0: nine tenths of what is free", Commands: serve},
	{Name: "query.spill-total", Flag: "query-spill-total", Type: Size, Default: "50GiB", Doc: "disk of all queries of the query tool together for temporary data; above it the query that has most ends; 0: any", Commands: serve},
	{Name: "query.result-rows", Flag: "query-result-rows", Type: Number, Default: "100000", Doc: "rows of a result that a page shows; a query asked as a whole has all; 0: all", Commands: serve},
	{Name: "query.result-bytes", Flag: "query-result-bytes", Type: Size, Default: "256MiB", Doc: "size of such a result; 0: any", Commands: serve},
	{Name: "query.keep-results", Flag: "keep-results", Type: Duration, Default: "168h", Doc: "how long results are kept; 0: as long as there is room", Commands: serve},
	{Name: "query.results", Flag: "query-results", Type: Size, Default: "20GiB", Min: 1 << 20, Doc: "size of all results together: the oldest are removed; a whole one may have half of it", Commands: serve},

	{Name: "tables.live", Flag: "live", Type: List, Default: "main_summary,crash_summary,glean", Check: liveTable, Doc: "tables whose rows are visible while their pings arrive, beside the direct ones; glean: those of all Glean pings and their events, but for such with more than 1,000 columns; empty: none", Commands: serve},
	{Name: "tables.live-every", Flag: "live-every", Type: Duration, Default: "20s", Doc: "how often new rows of them become visible", Commands: serve},
	{Name: "tables.snapshot-samples", Flag: "snapshot-samples", Type: List, Default: "42", Check: sample, Doc: "samples whose clients longitudinal has, of 0 to 99", Commands: made},
	{Name: "tables.snapshots", Flag: "snapshots", Type: Number, Default: "2", Min: 1, Doc: "snapshots of longitudinal that are kept", Commands: made},
	{Name: "tables.live-rows", Flag: "live-rows", Type: Number, Default: "20000000", Doc: "rows of a day up to which that is done; a larger one waits for its end; 0: the default", Commands: serve},

	{Name: "decode.geo", Flag: "geo", Doc: "MaxMind city database (.mmdb), looked at every 30 seconds; without one every place is ??", Commands: decodes},
	{Name: "decode.cities", Flag: "cities", Doc: "file with the cities that may be named: geonames ids or English names, one a line; empty: all", Commands: decodes},
	{Name: "decode.schemas", Flag: "schemas", Doc: "folder of JSON Schemas; empty: the embedded ones", Commands: decodes},
	{Name: "decode.duplicate-window", Flag: "duplicate-window", Type: Duration, Default: "24h", Doc: "how long a submission's URI is remembered; 0: not at all", Commands: decodes},
	{Name: "decode.max-uris", Flag: "max-uris", Type: Number, Default: "67108864", Doc: "most URIs remembered, some 30 MB a million; 0: the default", Commands: decodes},
	{Name: "decode.max-body", Flag: "max-body", Type: Size, Default: "32MiB", Doc: "largest unpacked body; 0: the default", Commands: decodes},
	{Name: "decode.max-ratio", Flag: "max-ratio", Type: Number, Default: "1000", Doc: "how many times the size of what came an unpacked body over 1 MiB may have; 0: the default", Commands: decodes},
	{Name: "decode.workers", Flag: "workers", Type: Number, Default: "0", Max: 1024, Doc: "decoders at a time; 0: one for each core", Commands: workers},
	{Name: "decode.publish-every", Flag: "publish-every", Type: Duration, Default: "20s", Doc: "how often rows of the direct tables become visible", Commands: serve},
	{Name: "decode.archive-every", Flag: "archive-every", Type: Duration, Default: "5m", Doc: "how often decoded pings are committed to the archive", Commands: serve},
}
