package config

// Section is the text in the file and the documentation about the keys below a name.
type Section struct{ Name, Doc string }

// Sections lists the sections of All.
var Sections = []Section{
	{"storage", "Where archive and tables are: URLs of buckets (s3://, gs://, azblob://) or paths; empty: in the data folder. Spool, " +
		"ledger and temporary files always are"},
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
	{"postgres", "PostgreSQL's wire protocol, for psql, Grafana and the like: with the tokens of the query tool, and its certificate if " +
		"it has one"},
	{"trino", "Trino's protocol, for its clients and the tools that have a driver for it, such as Superset, Metabase and Tableau: with " +
		"the tokens of the query tool, and its certificate if it has one"},
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
