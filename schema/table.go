package schema

import (
	"slices"
	"strings"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema/metric"
)

// Root defines which storage root a table lives under.
type Root uint8

// The storage roots. Restricted is a root of its own so that file permissions
// and credentials can differ.
const (
	StorageRoot Root = iota
	PipelineRoot
	RestrictedRoot
)

// String returns the root as the reference writes it.
func (r Root) String() string {
	return [...]string{"{storage_root}", "{pipeline_storage_root}", "{restricted_storage_root}"}[r]
}

// Folder returns the folder of the root, relative to an installation.
func (r Root) Folder() string { return [...]string{"lake", "pipeline", "restricted"}[r] }

// Column defines one column of a table.
type Column struct {
	Name    string
	Type    Type
	NotNull bool
	Doc     string // one line
	Source  string // member path of the ping ("environment/build/buildId"), "meta …", or input column
	Rule    Rule   // how the value is computed from Source
	Arg     string // argument of the rule: a histogram key, a bucket threshold, a probe or preference name

	ID       bool // the value is the id of a client, by which rows of forgotten clients are found
	Mentions bool // ids of clients may be in the texts of the value

	Probe     bool                 // a probe definition has the column made
	Scalar    *Scalar              // that definition, of a RuleScalar column
	Histogram *Histogram           // that definition, of a RuleHistogram column
	Events    []*metric.Definition // definitions of the events in the column
}

// Rule names the way in which a column is computed. Rules are the letters and words of the semantics, which
// define the value for a missing source or one of the wrong type.
type Rule string

// Rules of the tables made from pings. An empty rule reads the source by the
// column's type: string S, int I, long L, boolean B.
const (
	RulePath      Rule = ""          // Source by type
	RuleInteger   Rule = "integer"   // J: a 32-bit integer token only
	RuleText      Rule = "text"      // a JSON string only
	RuleSum       Rule = "sum"       // I on the member sum of histogram Source
	RuleKeyedSum  Rule = "keyed sum" // the same on key Arg of keyed histogram Source
	RuleAbove     Rule = "above"     // counts in buckets >= Arg of histogram Source
	RuleScalar    Rule = "scalar"    // the scalar Arg of Source or of its keyed sibling
	RuleHistogram Rule = "histogram" // the buckets of histogram Arg of Source or of its keyed sibling
	RuleFunc      Rule = "computed"  // by the function that the transform registers for the column
	RulePartition Rule = "partition" // the value of the partition key
)

// Rules of the tables made from main_summary rows.
const (
	RuleKey      Rule = "group key"
	RuleFirst    Rule = "first"    // first non-null value in (timestamp, document_id) order
	RuleTotal    Rule = "total"    // 64-bit sum, nulls skipped, null when all are null
	RuleMean     Rule = "mean"     // mean of the non-null values
	RuleMax      Rule = "max"      // largest value
	RulePlace    Rule = "place"    // from the first row with a known country, ?? for an unknown part; null without one
	RuleHours    Rule = "hours"    // seconds as hours, each row rounded half up to the scale, summed exactly
	RuleCombined Rule = "combined" // sum over rows of two columns, both known
	RuleSearches Rule = "searches" // sum of search_counts of part or kind Arg
	RuleCopy     Rule = "copy"     // the input column as it is
	RuleElem     Rule = "element"  // member of the exploded array element
)

// FromProbes is Made of a table whose columns the probe definitions determine.
const FromProbes = "from probes"

// PerEvent is Made of a table with a row for each event of a ping in telemetry.
const PerEvent = "events"

// Table is one of the published tables: everything that is known about it but
// how its computed columns are computed, which package table knows.
type Table struct {
	Name    string
	Version string // part of the location, "v4"
	Doc     string
	Grain   string // one row per …
	Refresh string
	Use     string   // which questions it is for
	Notes   []string // what to know before one relies on it, a sentence each

	Dir        string // folder below the root: the name, or the dashed one of the direct tables
	Root       Root
	Restricted bool // readable with an extra permission only
	Large      bool // queries must be limited by day

	// A table is made from pings, or from the rows of another table.
	DocType    string           // document type of its pings; "" when made from rows
	Namespace  string           // of its pings
	DocVersion string           // of its pings; "": any
	Apps       []string         // application names of its pings, which an installation may choose; nil: any
	Identity   []ping.MetaField // what the metadata of a ping must have for a row
	Direct     bool             // gets its rows as pings arrive, without a daily job
	Made       string           // FromProbes, or the transform of the rows if it is not that of the table's name

	Needs    []string // the table of the rows it is made from; none: from pings
	Requires []string // columns of these rows that must not be null for a row
	Reach
	// Snapshots, if not nil, configures a table of snapshots, or the table that one is made from.
	Snapshots *Snapshots

	Choice

	PartitionKeys []string
	DashedDays    bool // the partition value is YYYY-MM-DD instead of YYYYMMDD
	Columns       []Column
	Checks        []Check // rules that it keeps beside those of every table
}

// Choice names columns of a table, and views of them.
type Choice struct {
	// Views are selections of the rows under names of their own. Arg of a column is an expression in DuckDB's SQL, "" for the
	// column of the table.
	Views []*Table
	View  bool // it is one of these
	// Narrow names columns that most queries are about, as far as the table has them: see NarrowColumns.
	Narrow []string
	// Changed names the columns that a version of the transforms computes in another way than the one before.
	Changed map[int][]string
}

// Kind names the table's pings as the archive does.
func (t *Table) Kind() ping.DocType { return ping.KindOf(t.Namespace, t.DocType) }

// Grows reports whether rows can be added to the table while pings arrive: it is made from pings.
func (t *Table) Grows() bool { return t.DocType != "" && !t.Internal() }

// Source names the input of the table: the archive's pings of a kind, or a table.
func (t *Table) Source() string {
	if t.DocType != "" {
		return naming.Source(string(t.Kind()))
	}
	return t.Needs[0]
}

// Takes reports whether the table gets a row for a ping of its kind, judging by document version, application, sample
// and source tags.
func (t *Table) Takes(m *ping.Meta) bool {
	if t.Snapshots != nil {
		if n, ok := m.Int(ping.SampleID); !ok || !slices.Contains(t.Snapshots.Samples, int(n)) {
			return false
		}
	}
	return m.Namespace() == t.Namespace && !m.Automated() &&
		(t.DocVersion == "" || string(m.Text(ping.SourceVersion)) == t.DocVersion) &&
		(t.Apps == nil || slices.Contains(t.Apps, string(m.Text(ping.AppName))))
}

// Identifies reports whether the metadata has the members that a row needs.
func (t *Table) Identifies(m *ping.Meta) bool {
	return !slices.ContainsFunc(t.Identity, func(f ping.MetaField) bool { return !m.Has(f) })
}

// IDs returns the columns by whose values rows of forgotten clients are found: client_id, whatever a table says of it,
// and those that it declares.
func (t *Table) IDs() []string {
	return t.namesOf(func(c *Column) bool { return c.ID || c.Name == "client_id" && c.Type.Kind == String })
}

// Mentioning returns the columns in whose texts ids of forgotten clients may be.
func (t *Table) Mentioning() []string { return t.namesOf(func(c *Column) bool { return c.Mentions }) }

// NamesClients returns all columns by which the rows of a client are found.
func (t *Table) NamesClients() []string { return append(t.IDs(), t.Mentioning()...) }

func (t *Table) namesOf(is func(*Column) bool) (names []string) {
	for i := range t.Columns {
		if is(&t.Columns[i]) {
			names = append(names, t.Columns[i].Name)
		}
	}
	return names
}

// Fixed returns the columns that no probe definition decides on.
func (t *Table) Fixed() []Column {
	return slices.DeleteFunc(slices.Clone(t.Columns), func(c Column) bool { return c.Probe })
}

// NarrowColumns returns the columns that a compact file has for queries of no others: those of Narrow and the partition
// keys, in the order of the table. None if it names none.
func (t *Table) NarrowColumns() []Column {
	if len(t.Narrow) == 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(t.Columns), func(c Column) bool {
		return !slices.Contains(t.Narrow, c.Name) && !slices.Contains(t.PartitionKeys, c.Name)
	})
}

// Location returns the table's place below its root, as the reference writes it.
func (t *Table) Location() string { return t.Root.String() + "/" + t.Prefix() + t.snapshotDir() }

// LocationIn returns the table's place in an installation whose folder, as a path or a URL, is root. Settings of a
// bucket, as in the URL of a storage, are left out.
func (t *Table) LocationIn(root string) string {
	if strings.Contains(root, "://") {
		root, _, _ = strings.Cut(root, "?")
	}
	return strings.TrimSuffix(root, "/") + "/" + t.Root.Folder() + "/" + t.Prefix() + t.snapshotDir()
}

// Aliases returns the other names of the table in queries, such as clients_daily_v6. One with a point, such as
// firefox_desktop.baseline, is in a schema.
func (t *Table) Aliases() []string {
	if t.IsSnapshots() {
		return nil // each snapshot has the name of its day
	}
	all := []string{t.Name + "_" + t.Version}
	if app := t.Application(); app != "" {
		all = append(all, app+"."+strings.TrimPrefix(t.Name, app+"_"))
	}
	return all
}

// Application names the Glean application that the table is of as its folder does, such as firefox_desktop; "" for others.
func (t *Table) Application() string {
	if app, kind, ok := strings.Cut(t.Dir, "/"); ok && t.Name == app+"_"+kind {
		return app
	}
	return ""
}

// Prefix returns the location without the root: "main_summary/v4".
func (t *Table) Prefix() string { return strings.TrimSuffix(t.Dir+"/"+t.Version, "/") }

// PartitionDir returns the directory of one day: "submission_date_obj=20180301".
func (t *Table) PartitionDir(day string) string { return t.PartitionStart() + t.PartitionValue(day) }

// PartitionStart returns the beginning of the directories' names: "submission_date_obj=", or "v" for a snapshot.
func (t *Table) PartitionStart() string {
	if t.IsSnapshots() {
		return "v"
	}
	return t.PartitionKeys[0] + "="
}

// PartitionValue writes a day (YYYYMMDD) as the table's first partition key does.
func (t *Table) PartitionValue(day string) string {
	if t.DashedDays && len(day) == 8 {
		return day[:4] + "-" + day[4:6] + "-" + day[6:]
	}
	return day
}

// Index returns the position of the named column, or -1.
func (t *Table) Index(name string) int {
	for i := range t.Columns {
		if t.Columns[i].Name == name {
			return i
		}
	}
	return -1
}
