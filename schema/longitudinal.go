package schema

import (
	"slices"
	"time"

	"github.com/pingmill/pingmill/internal/lazy"
	"github.com/pingmill/pingmill/ping"
)

// Snapshots configure a table of snapshots, and the table that it is made from. A snapshot is made from the pings of many days
// and is named by the last of them; its folder is vYYYYMMDD, without partition keys.
type Snapshots struct {
	Samples []int  // whose clients have rows
	Months  int    // of days before the last one that a snapshot covers, by the calendar
	Pings   int    // most pings of a client, the newest ones
	Keep    int    // how many snapshots are kept
	Parts   bool   // the table has the pings of a day for snapshots, cut to what they need; it is not for queries
	day     string // of the only snapshot that DDL reads, YYYYMMDD
}

// usualSnapshots holds the settings of longitudinal unless the installation has others.
var usualSnapshots = Snapshots{Samples: []int{42}, Months: 6, Pings: 1000, Keep: 2}

// First returns the first day that a snapshot up to a day, YYYYMMDD, covers; it is the last of its month if the month lacks the
// day. An invalid day stays as it is.
func (s *Snapshots) First(day string) string {
	const layout = "20060102"
	last, err := time.Parse(layout, day)
	if err != nil {
		return day
	}
	first := time.Date(last.Year(), last.Month()-time.Month(s.Months), 1, 0, 0, 0, 0, time.UTC)
	end := first.AddDate(0, 1, -1).Day()
	return first.AddDate(0, 0, min(last.Day(), end)-1).Format(layout)
}

// DueOn reports whether the schedule makes the table for a day: a snapshot for the last Saturday before today only.
func (t *Table) DueOn(day string, now time.Time) bool {
	now = now.UTC()
	return !t.IsSnapshots() || day == now.AddDate(0, 0, -1-int(now.Weekday())).Format("20060102")
}

// IsSnapshots reports whether each run makes a snapshot from many days instead of the partition of a day.
func (t *Table) IsSnapshots() bool { return t.Snapshots != nil && !t.Snapshots.Parts }

// snapshotName matches the name of one snapshot: its table and its day.
var snapshotName = lazy.Regexp(`^(\w+)_v([0-9]{8})$`)

// FindSnapshot returns the named table or view of the set. The name of one snapshot, such as longitudinal_v20180630, gives its
// table, by that name, for DDL and location.
func (s *Set) FindSnapshot(name string) (*Table, error) {
	for _, t := range s.Tables {
		if i := slices.IndexFunc(t.Views, func(v *Table) bool { return v.Name == name }); i >= 0 {
			return t.Views[i], nil
		}
	}
	found := snapshotName().FindStringSubmatch(name)
	if found == nil {
		return s.Find(name)
	}
	t, err := s.Find(found[1])
	if err != nil || !t.IsSnapshots() {
		return s.Find(name)
	}
	one, snapshots := *t, *t.Snapshots
	snapshots.day = found[2]
	one.Name, one.Snapshots = name, &snapshots
	return &one, nil
}

// snapshotDir returns the snapshot's folder below the table's if the table is one snapshot.
func (t *Table) snapshotDir() string {
	if t.Snapshots == nil || t.Snapshots.day == "" {
		return ""
	}
	return "/" + t.PartitionDir(t.Snapshots.day)
}

// Internal reports whether other tables are made from the table and it is not for queries.
func (t *Table) Internal() bool { return t.Snapshots != nil && t.Snapshots.Parts }

// longitudinal returns the table with a row for each client of a sample, over six months. It has columns of the
// histograms and scalars that are recorded by default in release versions.
func longitudinal(p *Probes) *Table {
	snapshots := usualSnapshots
	t := &Table{
		Name: "longitudinal", Dir: "longitudinal",
		Doc:     "Clients of a sample over six months: an array for each field, with an element for each main ping, newest first.",
		Grain:   "client of the sample with a usable main ping in the six months",
		Refresh: "weekly, on Sunday, up to the Saturday before; and on demand",
		Use:     "Questions about clients over time: what a client had before and after, how long it stayed, what changed.",
		Notes: []string{
			"It has a sample of the clients, by default sample 42, which is 1 % of them.",
			"longitudinal is the newest complete snapshot; longitudinal_v20180630 is the one up to that day.",
			"Arrays of a row have one element for each ping, in the same order: x[1] is of the newest ping. An array is null if all elements are.",
			"A client has at most its newest 1,000 pings, by the text of subsession_start_date and then profile_subsession_counter.",
			"A histogram that a ping does not have reads as zeros, a scalar as a null value.",
		},
		Needs: []string{"longitudinal_pings"}, Snapshots: &snapshots,
		Checks: []Check{{
			Name: "unique", Kind: Unique, Key: []string{"client_id"}, Rule: "client_id is unique",
		}, {
			Name: "readable", Kind: Readable, Rule: "at most 0.5 % of the clients have an element that is null because its value cannot be read",
		}},
	}
	t.Columns = append(t.Columns, longitudinalFixed()...)
	t.Columns = append(t.Columns, releaseColumns(p)...)
	return t
}

// longitudinalPings returns the table of the main pings that longitudinal is made from: of the clients of the sample,
// cut to the sections that have columns there. It is not for queries.
func longitudinalPings() *Table {
	snapshots := usualSnapshots
	snapshots.Parts = true
	return &Table{
		Name: "longitudinal_pings", Dir: "longitudinal_pings", Version: "v1", Snapshots: &snapshots,
		Doc:     "Main pings of the sample, cut to the sections that longitudinal needs, in the order of a hash of the client.",
		Grain:   "main ping of a client of the sample",
		Refresh: "daily, shortly after midnight UTC",
		Use:     "Making longitudinal. Queries do not see it.",
		Notes: []string{
			"A day is removed when no snapshot that is kept covers it.",
		},
		DocType: "main", Namespace: ping.Telemetry, DocVersion: "4", Apps: DesktopApps,
		Identity:      []ping.MetaField{ping.ClientID, ping.DocumentID},
		PartitionKeys: []string{"submission_date_obj"},
		Columns: []Column{
			required(computed("client_hash", "long", "meta/clientId", "Hash of the client, by which rows are sorted")),
			required(col("client_id", "string", "meta/clientId", "Id of the client (a browser profile)")),
			required(computed("meta", "string", "meta", "Metadata of the ping, as JSON")),
			required(computed("start", "string", "payload/info/subsessionStartDate", "Start of the subsession as sent")),
			required(computed("counter", "long", "payload/info/profileSubsessionCounter", "Number of the subsession in the profile")),
			required(computed("ping", "string", "the sources of longitudinal", "The needed sections of the ping, as JSON")),
			partition("submission_date_obj", "meta/submissionDate", "UTC day the ping arrived, YYYYMMDD"),
		},
	}
}

// Element returns the type of one ping's value in a column of a table of snapshots: the element of the array, or, by
// key, of the arrays of the map.
func (c *Column) Element() Type {
	switch {
	case c.Type.Kind == Map && c.Keyed():
		return Type{Kind: Map, Key: c.Type.Key, Elem: c.Type.Elem.Elem}
	case c.Type.Kind == Array:
		return *c.Type.Elem
	}
	return c.Type
}

// Keyed reports whether a column of a keyed probe has a map of arrays.
func (c *Column) Keyed() bool {
	return c.Histogram != nil && c.Histogram.Keyed || c.Scalar != nil && c.Scalar.Keyed
}
