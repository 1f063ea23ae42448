package access

// migrations create and update the tables. Times are milliseconds since 1970, 0 for none.
var migrations = []string{`
CREATE TABLE people (
  id       TEXT PRIMARY KEY,
  name     TEXT NOT NULL UNIQUE COLLATE NOCASE, -- postgres: name TEXT NOT NULL,
  email    TEXT NOT NULL,
  kind     TEXT NOT NULL,
  rights   TEXT NOT NULL,             -- JSON, as are grants and limits
  grants   TEXT NOT NULL,
  limits   TEXT NOT NULL,
  groups   TEXT NOT NULL,             -- JSON: what the groups of the provider give
  disabled INTEGER NOT NULL,
  password TEXT NOT NULL,             -- hash, '' for none
  issuer   TEXT NOT NULL,             -- of OpenID Connect, '' for none
  subject  TEXT NOT NULL,
  created  INTEGER NOT NULL,
  seen     INTEGER NOT NULL           -- when they signed in last
);
CREATE UNIQUE INDEX people_subject ON people (issuer, subject) WHERE subject <> '';
CREATE TABLE sessions (
  hash    BLOB PRIMARY KEY,
  person  TEXT NOT NULL REFERENCES people ON DELETE CASCADE,
  how     TEXT NOT NULL,
  address TEXT NOT NULL,
  agent   TEXT NOT NULL,
  created INTEGER NOT NULL,
  used    INTEGER NOT NULL
);
CREATE INDEX sessions_person ON sessions (person);
CREATE TABLE links (
  hash    BLOB PRIMARY KEY,
  person  TEXT NOT NULL UNIQUE REFERENCES people ON DELETE CASCADE,
  expires INTEGER NOT NULL
);
CREATE TABLE tokens (
  id      TEXT PRIMARY KEY,
  person  TEXT NOT NULL REFERENCES people ON DELETE CASCADE,
  name    TEXT NOT NULL,
  hash    BLOB NOT NULL UNIQUE,
  scopes  TEXT NOT NULL,              -- JSON
  created INTEGER NOT NULL,
  expires INTEGER NOT NULL,
  used    INTEGER NOT NULL
);
CREATE INDEX tokens_person ON tokens (person);
CREATE TABLE audit (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  at      INTEGER NOT NULL,
  person  TEXT NOT NULL,              -- stays when the account goes, as does the name
  name    TEXT NOT NULL,
  event   TEXT NOT NULL,
  outcome TEXT NOT NULL,
  address TEXT NOT NULL,
  about   TEXT NOT NULL,
  sql     TEXT NOT NULL,
  reads   TEXT NOT NULL               -- JSON: tables and days
);
CREATE INDEX audit_person ON audit (person, id);
-- postgres: CREATE UNIQUE INDEX people_name ON people (lower(name));
`, `
CREATE INDEX audit_refused ON audit (at) WHERE event = 'sign-in' AND outcome <> 'done';
`}
