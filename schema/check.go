package schema

import "github.com/pingmill/pingmill/ping"

// Check is a rule that a table keeps; package check knows how each kind of rule
// is checked.
type Check struct {
	Name    string // after the table's: "grain" of clients_daily_grain
	Kind    CheckKind
	Rule    string         // one sentence
	Key     []string       // columns that name a row
	Columns []string       // columns that the rule is about, beside the key
	With    string         // the other table, of rules that compare two
	Most    int            // a key with more rows than this in the source may have none; 0: any number counts
	Field   ping.MetaField // what the first column of the key is in the metadata, of rules about pings
}

// CheckKind is a kind of rule.
type CheckKind string

// The kinds of rules.
const (
	OnePerPing    CheckKind = "one per ping"     // pings and rows have the same keys
	AsManyAsPings CheckKind = "as many as pings" // the same where rows lack the ping's id: their numbers are equal
	OfPings       CheckKind = "of pings"         // rows have keys of pings, and not every ping has rows
	EveryRow      CheckKind = "every row"        // each row it is made from has rows, and no others are there
	EveryKey      CheckKind = "every key"        // the rows it is made from have the same keys, how often does not count
	NoSearch      CheckKind = "no search"        // rows without usable searches have a row with nulls in Of
	Unique        CheckKind = "unique"           // no two rows have a key
	NeverNull     CheckKind = "never null"       // of the columns of the key
	NeverZero     CheckKind = "never zero"       // of the columns Of
	AtMostOne     CheckKind = "at most one"      // of the columns Of is not null
	SameSums      CheckKind = "same sums"        // by the key, of the columns Of, in the table With; keys with a null first part do not count
	SomeKeys      CheckKind = "some keys"        // each row has the key of a row that it is made from, and no two rows have the same key
	SeenKeys      CheckKind = "seen keys"        // the rows it is made from have the keys of the rows whose pattern in Of has bit 0, each once
	Readable      CheckKind = "readable"         // few rows have an element that is null because its value cannot be read
)
