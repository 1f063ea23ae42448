package config

import (
	"errors"
	"fmt"
	"net"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Section is the text of the file and the documentation about the keys below a name.
type Section struct{ Name, Doc string }

// Sections are those of All.
var Sections = []Section{
	{"edge", "The HTTP edge, which takes submissions"},
	{"edge.tls", "TLS of the edge; without it the edge speaks plain HTTP"},
	{"spool", "What is acknowledged and not decoded yet, in spool/ of the installation"},
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
	{"checks", "Checks of partitions before they are published, and of files"},
	{"quality", "Profiles of what is published, and what has changed from day to day"},
	{"query", "Queries: how much one may read, and how much of a result a terminal or the query tool shows"},
	{"retention", "How many days data is kept after the end of its day; 0: for ever. What is still needed stays until it is not"},
	{"deletion", "Deletion requests: removing the rows of clients that asked to be forgotten"},
	{"decode", "Decoding of submissions, those of the edge and those of files"},
}

// The commands that decode submissions, and those that publish or check partitions.
var (
	serve   = []string{"serve"}
	decodes = []string{"serve", "load", "decode", "replay"}
	workers = []string{"serve", "load", "replay"}
	checked = []string{"serve", "load", "run", "replay", "check", "quality"}
	asks    = []string{"query"}
	limited = []string{"query", "serve"}
	keeps   = []string{"serve", "run", "status", "expire"}
)

// All are the keys of the program, in the order of the file.
var All = Keys{
	{Name: "data", Flag: "data", Default: "data", Doc: "folder of the installation"},
	{Name: "probes", Flag: "probes", Doc: "folder of probe definitions; empty: the embedded set"},
	{Name: "apps", Flag: "app", Type: List, Default: "Firefox", Doc: "applications whose pings main_summary and crash_summary take", Commands: []string{"serve", "run", "replay", "check", "status", "expire", "delete"}},
	{Name: "grace", Flag: "grace", Type: Duration, Default: "30s", Doc: "how long requests may take to finish at the end", Commands: serve},
	{Name: "only", Flag: "only", Type: List, Default: "edge,decode,schedule,web", Check: part, Doc: "parts of the service that this process runs: edge, decode, schedule, web", Commands: []string{"serve", "health"}},
	{Name: "server", Flag: "server", Doc: "address of a query tool that runs the queries, with https:// or http://; empty: they run here", Commands: asks},
	{Name: "token", Flag: "token", Secret: true, Doc: "API token for the server; better in the environment or in a file than as a flag, which others may see", Commands: asks},
	{Name: "token-file", Flag: "token-file", Doc: "file with the API token", Commands: asks},

	{Name: "edge.listen", Flag: "listen", Default: "127.0.0.1:8080", Check: address, Doc: "address of the edge; :8080 for all interfaces", Commands: []string{"serve", "health"}},
	{Name: "edge.name", Flag: "edge", Default: "edge", Check: edgeName, Doc: "name of this edge in the installation: the same for ever, and no other edge's", Commands: serve},
	{Name: "edge.namespaces", Flag: "namespace", Type: List, Default: "telemetry", Doc: "namespaces that are taken; requests to be forgotten are, of any", Commands: serve},
	{Name: "edge.max-request", Flag: "max-request", Type: Size, Default: "1MiB", Min: 1, Doc: "largest body of a request as it is sent", Commands: serve},
	{Name: "edge.max-connections", Flag: "max-connections", Type: Number, Default: "20000", Min: 1, Doc: "open connections; beyond, the one idle for longest is closed", Commands: serve},
	{Name: "edge.trusted-proxies", Flag: "trusted-proxy", Type: Networks, Doc: "networks (CIDR) of proxies whose X-Forwarded-For counts; without them behind a proxy every place is the proxy's", Commands: serve},
	{Name: "edge.tls.cert", Flag: "tls-cert", Doc: "certificate file (PEM), read again when it changes", Commands: []string{"serve", "health"}},
	{Name: "edge.tls.key", Flag: "tls-key", Doc: "key file (PEM)", Commands: []string{"serve", "health"}},

	{Name: "private.listen", Flag: "private", Default: "127.0.0.1:8081", Check: address, Doc: "address of the private listener: not one that strangers reach, and each process its own", Commands: []string{"serve", "health"}},
	{Name: "private.hosts", Flag: "private-host", Type: List, Check: hostName, Doc: "names by which the private listener may be asked, beside addresses, localhost and the name in private.listen; others are refused, as pages of strangers could ask", Commands: serve},

	{Name: "web.listen", Flag: "web", Default: "127.0.0.1:8090", Check: address, Doc: "address of the query tool; :8090 for all interfaces", Commands: serve},
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

	{Name: "alerts.webhook-hosts", Flag: "webhook-host", Type: List, Check: webhookHost, Doc: "hosts that webhooks may go to, by https: example.org, *.example.org, example.org:8443, or by plain HTTP http://a.example; empty: none", Commands: serve},
	{Name: "alerts.private", Flag: "webhook-private", Type: Bool, Default: "false", Doc: "let webhooks go to addresses that are not public, such as those of this machine and its network", Commands: serve},
	{Name: "mail.server", Flag: "mail-server", Check: mailServer, Doc: "host and port of the mail server, such as mail.example:587; empty: no mail is sent", Commands: serve},
	{Name: "mail.from", Flag: "mail-from", Doc: "address of the sender", Commands: serve},
	{Name: "mail.tls", Flag: "mail-tls", Default: "starttls", Check: mailTLS, Doc: "how the server is spoken to: starttls (the connection must become encrypted), tls (it is from the start), none", Commands: serve},
	{Name: "mail.user", Flag: "mail-user", Doc: "name at the server; empty: without signing in", Commands: serve},
	{Name: "mail.password", Flag: "mail-password", Secret: true, Doc: "password at the server", Commands: serve},
	{Name: "mail.domains", Flag: "mail-domain", Type: List, Check: hostName, Doc: "domains of the people who may get mail; empty: all", Commands: serve},

	{Name: "schedule.enabled", Flag: "schedule", Type: Bool, Default: "true", Doc: "make the daily tables; false where pingmill run is started by something else", Commands: serve},
	{Name: "schedule.lookback", Flag: "lookback", Type: Number, Default: "35", Min: 1, Doc: "days back that are looked at, for what was missed or has changed", Commands: serve},

	{Name: "schedule.shared-as", Flag: "shared-as", Check: sharedName, Doc: "name of this server where several publish into one lake, each another: they take leases for partitions; empty: the lake is this one's alone", Commands: []string{"serve", "load", "run", "replay", "expire", "delete"}},

	{Name: "publish.grace", Flag: "publish-grace", Type: Duration, Default: "1h", Doc: "how long the files of a partition stay after others have replaced them, for queries that began before; 0: not at all", Commands: []string{"serve", "load", "run", "replay", "expire", "delete"}},

	{Name: "checks.dir", Flag: "checks", Doc: "folder of more checks, as SQL files; empty: only those of the tables", Commands: checked},
	{Name: "checks.skip", Flag: "skip-check", Type: List, Doc: "names of checks that are left out", Commands: checked},
	{Name: "checks.files-every", Flag: "check-files-every", Type: Duration, Default: "720h", Doc: "time within which every file of the tables and the archive is read and compared with its hash; 0: never", Commands: serve},

	{Name: "quality.enabled", Flag: "quality", Type: Bool, Default: "true", Doc: "make a profile of each partition that is published: what the quality pages show", Commands: serve},

	{Name: "deletion.every", Flag: "delete-every", Type: Duration, Default: "168h", Doc: "how often rows are removed from the files, if there are requests; 0: only by pingmill delete --now", Commands: []string{"serve", "delete"}},

	{Name: "spool.min-free", Flag: "min-free", Type: Size, Default: "1GiB", Doc: "free disk below which submissions are refused", Commands: []string{"serve", "status"}},
	{Name: "spool.segment-bytes", Flag: "segment-bytes", Type: Size, Default: "64MiB", Max: 1 << 30, Doc: "size at which a segment is sealed", Commands: serve},
	{Name: "spool.segment-age", Flag: "segment-age", Type: Duration, Default: "10s", Doc: "age at which a segment is sealed, and then decoded", Commands: serve},

	{Name: "retention.archive", Flag: "keep-archive", Type: Number, Default: "0", Max: maxDays, Doc: "days to keep raw pings; tables cannot be made again afterwards", Commands: keeps},
	{Name: "retention.errors", Flag: "keep-errors", Type: Number, Default: "0", Max: maxDays, Doc: "days to keep rejected submissions", Commands: keeps},
	{Name: "retention.tables", Flag: "keep-tables", Type: Number, Default: "0", Max: maxDays, Doc: "days to keep the tables that retention.table does not name", Commands: keeps},
	{Name: "retention.table", Flag: "keep-table", Type: List, Check: tableDays, Doc: "days to keep single tables, such as main_summary=90; 0: for ever", Commands: keeps},
	{Name: "retention.ledger", Flag: "keep-ledger", Type: Number, Default: "0", Max: maxDays, Doc: "days to keep the history of runs; the last run of each partition stays", Commands: keeps},

	{Name: "query.days", Flag: "max-days", Type: Number, Default: "7", Max: maxDays, Doc: "days of a very large table that a query may read; 0: any number", Commands: limited},
	{Name: "query.sampled-days", Flag: "max-sampled-days", Type: Number, Default: "31", Max: maxDays, Doc: "the same for a query with a condition on sample_id", Commands: limited},
	{Name: "query.table-days", Flag: "table-days", Type: List, Check: queryDays, Doc: "such limits of single tables: main_summary=14/60 is 14 days, 60 with a sample", Commands: limited},
	{Name: "query.max-files", Flag: "max-files", Type: Number, Default: "0", Doc: "files that a query may read; 0: any number", Commands: limited},
	{Name: "query.max-read", Flag: "max-read", Type: Size, Default: "0", Doc: "size of the files that a query may read; 0: any", Commands: limited},
	{Name: "query.max-rows", Flag: "max-rows", Type: Number, Default: "10000", Doc: "rows of a table on a terminal; files and pipes get all; 0: all", Commands: asks},
	{Name: "query.max-shown", Flag: "max-shown", Type: Size, Default: "64MiB", Doc: "size of a table on a terminal; 0: any", Commands: asks},
	{Name: "query.slots", Flag: "query-slots", Type: Number, Default: "0", Max: 1000, Doc: "queries of the query tool that run at once; 0: one for two cores, as far as there is memory", Commands: serve},
	{Name: "query.per-person", Flag: "query-per-person", Type: Number, Default: "2", Max: 1000, Doc: "of them of one person; 0: any number", Commands: serve},
	{Name: "query.waiting", Flag: "query-waiting", Type: Number, Default: "100", Doc: "queries that wait for their turn; one more is refused but to who has none waiting; 0: any number", Commands: serve},
	{Name: "query.memory", Flag: "query-memory", Type: Size, Default: "2GiB", Min: 64 << 20, Doc: "memory of a query of the query tool; what does not fit goes to disk", Commands: serve},
	{Name: "query.threads", Flag: "query-threads", Type: Number, Default: "0", Max: 1000, Doc: "threads of a query of the query tool; 0: all cores", Commands: serve},
	{Name: "query.time", Flag: "query-time", Type: Duration, Default: "10m", Doc: "how long a query of the query tool may run; 0: for ever", Commands: serve},
	{Name: "query.spill", Flag: "query-spill", Type: Size, Default: "20GiB", Doc: "disk of a query of the query tool for what does not fit in memory; 0: any", Commands: serve},
	{Name: "query.result-rows", Flag: "query-result-rows", Type: Number, Default: "100000", Doc: "rows of a result that a page shows; a query asked as a whole has all; 0: all", Commands: serve},
	{Name: "query.result-bytes", Flag: "query-result-bytes", Type: Size, Default: "256MiB", Doc: "size of such a result; 0: any", Commands: serve},
	{Name: "query.keep-results", Flag: "keep-results", Type: Duration, Default: "168h", Doc: "how long results are kept; 0: as long as there is room", Commands: serve},
	{Name: "query.results", Flag: "query-results", Type: Size, Default: "20GiB", Min: 1 << 20, Doc: "size of all results together: the oldest are removed; a whole one may have half of it", Commands: serve},

	{Name: "decode.geo", Flag: "geo", Doc: "MaxMind city database (.mmdb), looked at every 30 seconds; without one every place is ??", Commands: decodes},
	{Name: "decode.cities", Flag: "cities", Doc: "file with the cities that may be named: geonames ids or English names, one a line; empty: all", Commands: decodes},
	{Name: "decode.schemas", Flag: "schemas", Doc: "folder of JSON Schemas; empty: the embedded ones", Commands: decodes},
	{Name: "decode.duplicate-window", Flag: "duplicate-window", Type: Duration, Default: "24h", Doc: "how long a submission's URI is remembered; 0: not at all", Commands: decodes},
	{Name: "decode.max-uris", Flag: "max-uris", Type: Number, Default: "67108864", Doc: "most URIs remembered, some 30 MB a million; 0: the default", Commands: decodes},
	{Name: "decode.max-body", Flag: "max-body", Type: Size, Default: "32MiB", Doc: "largest unpacked body; 0: the default", Commands: decodes},
	{Name: "decode.max-ratio", Flag: "max-ratio", Type: Number, Default: "1000", Doc: "how many times the size of what came an unpacked body over 1 MiB may have; 0: the default", Commands: decodes},
	{Name: "decode.workers", Flag: "workers", Type: Number, Default: "0", Doc: "decoders at a time; 0: one for each core", Commands: workers},
	{Name: "decode.publish-every", Flag: "publish-every", Type: Duration, Default: "20s", Doc: "how often rows of the direct tables become visible", Commands: serve},
	{Name: "decode.archive-every", Flag: "archive-every", Type: Duration, Default: "5m", Doc: "how often decoded pings are committed to the archive", Commands: serve},
}

// Rule is a condition on several keys.
type Rule struct {
	Keys  []string
	Check func(v *Values) error
}

// Rules are those of All.
var Rules = []Rule{
	{Keys: []string{"edge.tls.cert", "edge.tls.key"}, Check: func(v *Values) error {
		if (v.text("edge.tls.cert") == "") != (v.text("edge.tls.key") == "") {
			return errors.New("want both or neither")
		}
		return nil
	}},
	{Keys: []string{"web.tls.cert", "web.tls.key"}, Check: func(v *Values) error {
		if (v.text("web.tls.cert") == "") != (v.text("web.tls.key") == "") {
			return errors.New("want both or neither")
		}
		return nil
	}},
	{Keys: []string{"mail.server", "mail.from"}, Check: func(v *Values) error {
		if (v.text("mail.server") == "") != (v.text("mail.from") == "") {
			return errors.New("want both or neither")
		}
		return nil
	}},
	{Keys: []string{"web.oidc.issuer", "web.oidc.client-id"}, Check: func(v *Values) error {
		if (v.text("web.oidc.issuer") == "") != (v.text("web.oidc.client-id") == "") {
			return errors.New("want both or neither")
		}
		return nil
	}},
	{Keys: []string{"web.oidc.client-secret", "web.oidc.client-secret-file"}, Check: func(v *Values) error {
		if v.text("web.oidc.client-secret") != "" && v.text("web.oidc.client-secret-file") != "" {
			return errors.New("want one of them")
		}
		return nil
	}},
	{Keys: []string{"only", "schedule.enabled"}, Check: func(v *Values) error {
		enabled, _ := strconv.ParseBool(v.text("schedule.enabled")) // checked
		if !slices.ContainsFunc(v.texts("only"), func(part string) bool { return part != "schedule" || enabled }) {
			return errors.New("nothing is left to run: want parts, and schedule only where it is enabled")
		}
		return nil
	}},
	{Keys: []string{"retention.table"}, Check: func(v *Values) error {
		_, err := TableDays(v.texts("retention.table"))
		return err
	}},
	{Keys: []string{"query.table-days"}, Check: func(v *Values) error {
		_, err := QueryDays(v.texts("query.table-days"))
		return err
	}},
	{Keys: []string{"edge.max-request", "spool.segment-bytes"}, Check: func(v *Values) error {
		if v.size("edge.max-request") > v.size("spool.segment-bytes")/2 {
			return errors.New("the largest request does not fit a spool segment: want segments of twice that size or more")
		}
		return nil
	}},
}

// rules checks what concerns several keys.
func (v *Values) rules() error {
	var bad []error
next:
	for _, r := range Rules {
		var places []string
		for _, name := range r.Keys {
			if v.keys.find(name) == nil {
				continue next
			}
			places = append(places, name+" ("+v.Source(name)+")")
		}
		if err := r.Check(v); err != nil {
			bad = append(bad, fmt.Errorf("%s: %w", strings.Join(places, " and "), err))
		}
	}
	return errors.Join(bad...)
}

var hostNames = regexp.MustCompile(`^[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_])?$`)

func hostName(s string) error {
	if !hostNames.MatchString(s) {
		return errors.New("want a host name such as metrics.example.org, without a port")
	}
	return nil
}

// webhookHost is a host that webhooks may go to.
func webhookHost(s string) error {
	name := strings.TrimPrefix(strings.TrimPrefix(s, "http://"), "*.")
	if host, port, err := net.SplitHostPort(name); err == nil && port != "" {
		name = host
	}
	if strings.Trim(name, "[]") == "" || strings.ContainsAny(strings.Trim(name, "[]"), "/*@ ") {
		return errors.New("want a host such as hook.example.org, *.example.org or http://127.0.0.1:9000")
	}
	return nil
}

// mailServer is empty or an address with a host.
func mailServer(s string) error {
	if host, _, err := net.SplitHostPort(s); s != "" && (err != nil || host == "") {
		return errors.New("want a host with a port, such as mail.example.org:587")
	}
	return nil
}

func mailTLS(s string) error {
	if s != "starttls" && s != "tls" && s != "none" {
		return errors.New("want starttls, tls or none")
	}
	return nil
}

// part is the name of a part of the service.
func part(s string) error {
	if s != "edge" && s != "decode" && s != "schedule" && s != "web" {
		return errors.New("there is no such part: want some of edge, decode, schedule and web")
	}
	return nil
}

var edgeNames = regexp.MustCompile(`^[A-Za-z0-9_]{1,100}$`)

// sharedName is an edge's name or none.
func sharedName(s string) error {
	if s == "" {
		return nil
	}
	return edgeName(s)
}

func edgeName(s string) error {
	if !edgeNames.MatchString(s) {
		return errors.New("want a name of letters, digits and _")
	}
	return nil
}
