package ingestion

var migrations = []string{`
CREATE TABLE loads (name TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE gone (name TEXT PRIMARY KEY) WITHOUT ROWID; -- files that another load has replaced
CREATE TABLE files (
	id    INTEGER PRIMARY KEY,
	name  TEXT NOT NULL UNIQUE,
	load  TEXT NOT NULL,
	last  INTEGER NOT NULL,  -- arrival, seconds
	error TEXT NOT NULL      -- JSON of the file if it has rejected submissions
);
CREATE INDEX files_by_load ON files (load);
CREATE INDEX files_of_errors ON files (last) WHERE error <> '';
CREATE TABLE counts (
	width     INTEGER NOT NULL, -- seconds: 60 or 3600
	start     INTEGER NOT NULL, -- seconds since the epoch
	file      INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
	class     TEXT NOT NULL,    -- of rejected submissions, duplicates among them; empty: pings
	namespace TEXT NOT NULL,
	type      TEXT NOT NULL,
	n         INTEGER NOT NULL,
	PRIMARY KEY (width, start, file, class, namespace, type)
) WITHOUT ROWID;
CREATE INDEX counts_by_file ON counts (file);
CREATE TABLE lag (at INTEGER NOT NULL, edge TEXT NOT NULL, seconds INTEGER NOT NULL, PRIMARY KEY (at, edge)) WITHOUT ROWID;
CREATE TABLE backlog (at INTEGER PRIMARY KEY, records INTEGER NOT NULL, bytes INTEGER NOT NULL);
`, `
CREATE TABLE tagged (
	file      INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
	tag       TEXT NOT NULL,    -- X-Debug-ID
	at        INTEGER NOT NULL, -- arrival, seconds
	document  TEXT NOT NULL,
	namespace TEXT NOT NULL,
	type      TEXT NOT NULL,
	class     TEXT NOT NULL,    -- as in counts
	message   TEXT NOT NULL     -- masked
);
CREATE INDEX tagged_by_tag ON tagged (tag, at);
CREATE INDEX tagged_by_file ON tagged (file);
`}
