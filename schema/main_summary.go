package schema

import (
	"cmp"
	"fmt"
	"sort"

	"github.com/pingmill/pingmill/ping"
)

// Struct types that several columns share.
const (
	addonMembers = "addon_id:string not null,blocklisted:boolean,name:string,user_disabled:boolean," +
		"app_disabled:boolean,version:string,scope:int,type:string,foreign_install:boolean," +
		"has_binary_components:boolean,install_day:int,update_day:int,signed_state:int," +
		"is_system:boolean,is_web_extension:boolean,multiprocess_compatible:boolean"
	addonType = "struct<" + addonMembers + ">"
	popupType = "struct<offered:int,action_1:int,action_2:int,action_3:int,action_last:int," +
		"dismissal_click_elsewhere:int,dismissal_leave_page:int,dismissal_close_button:int," +
		"dismissal_not_now:int,open_submenu:int,learn_more:int,reopen_offered:int,reopen_action_1:int," +
		"reopen_action_2:int,reopen_action_3:int,reopen_action_last:int," +
		"reopen_dismissal_click_elsewhere:int,reopen_dismissal_leave_page:int," +
		"reopen_dismissal_close_button:int,reopen_dismissal_not_now:int,reopen_open_submenu:int," +
		"reopen_learn_more:int>"
	eventType = "struct<timestamp:long not null,category:string not null,method:string not null," +
		"object:string not null,string_value:string,map_values:map<string,string>>"
)

// col returns a column whose value is at a path of the ping.
func col(name, typ, source, doc string) Column {
	return Column{Name: name, Type: MustType(typ), Source: source, Doc: doc}
}

// computed returns a column that a function of the transform computes; source says from what.
func computed(name, typ, source, doc string) Column {
	c := col(name, typ, source, doc)
	c.Rule = RuleFunc
	return c
}

// required marks a column as never null.
func required(c Column) Column {
	c.NotNull = true
	return c
}

// identity makes a column the one by which rows of forgotten clients are found.
func identity(c Column) Column {
	c.ID = true
	return c
}

// sum returns the sum of a histogram of the parent process.
func sum(name, histogram, doc string) Column {
	c := col(name, "int", "payload/histograms/"+histogram, doc)
	c.Rule = RuleSum
	return c
}

// keyedSum returns the sum under one key of a keyed histogram of the parent process.
func keyedSum(name, histogram, key, doc string) Column {
	c := col(name, "int", "payload/keyedHistograms/"+histogram, doc)
	c.Rule, c.Arg = RuleKeyedSum, key
	return c
}

// above makes the columns that count the samples of a histogram at or above
// thresholds, for the parent ("main") and the content process.
func above(name, histogram, doc string, thresholds ...int) []Column {
	var cols []Column
	for _, p := range []struct{ word, path string }{
		{"main", "payload/histograms/"}, {"content", "payload/processes/content/histograms/"},
	} {
		for _, t := range thresholds {
			c := col(fmt.Sprintf("%s_%s_above_%d", name, p.word, t), "long", p.path+histogram,
				fmt.Sprintf("%s of %d or more, %s process", doc, t, p.word))
			c.Rule, c.Arg = RuleAbove, fmt.Sprint(t)
			cols = append(cols, c)
		}
	}
	return cols
}

// partition returns a column that holds the value of a partition key.
func partition(name, source, doc string) Column {
	c := col(name, "string", source, doc)
	c.Rule = RulePartition
	return c
}

// mainVersion is the version of main_summary unless the probe definitions name
// another.
const mainVersion = "v4"

// MainSummary returns the table of main pings. Its columns depend on the probe definitions.
func MainSummary(p *Probes) *Table {
	t := &Table{
		Name: "main_summary", Dir: "main_summary", Version: cmp.Or(p.Version, mainVersion),
		Doc:     "Main pings, flattened: a chosen part of environment, session, probes and add-ons.",
		Grain:   "main ping",
		Refresh: "daily, shortly after midnight UTC",
		Use: "Questions about single main pings, and those that no smaller table answers: for what clients did on a day clients_daily " +
			"is quicker.",
		Notes: []string{
			"It is very large: limit queries to a few days with submission_date_obj, and to some samples with sample_id where these will do.",
			"It has a part of the ping only; of the histograms those that the probe definitions name, and all scalars.",
			"The same document may be there more than once: count by document_id where that matters.",
			"timestamp and submission_date_obj are by the server's clock, client_submission_date, creation_date and subsession_start_date by " +
				"the client's.",
		},
		DocType: "main", Namespace: ping.Telemetry, DocVersion: "4", Apps: DesktopApps, Made: FromProbes, Large: true,
		Identity: []ping.MetaField{ping.DocumentID, ping.SubmissionDate, ping.Timestamp},
		Choice: Choice{Narrow: mainSummaryNarrow,
			Changed: map[int][]string{3: {"client_submission_latency", "flash_version", "counts beyond 64 bits"}}},
		PartitionKeys: []string{"submission_date_obj", "sample_id"},
		Checks: []Check{{
			Name: "one_per_ping", Kind: OnePerPing, Key: []string{"document_id"}, Field: ping.DocumentID,
			Rule: "every main ping of the day that the table takes has one row, and every row is of such a ping",
		}, {
			Name: "required", Kind: NeverNull, Key: []string{"document_id", "submission_date", "timestamp"},
			Rule: "document_id, submission_date and timestamp are never null",
		}},
	}
	t.Columns = append(t.Columns, mainIdentity...)
	t.Columns = append(t.Columns, mainSystem...)
	t.Columns = append(t.Columns, mainSession...)
	t.Columns = append(t.Columns, mainCounters...)
	t.Columns = append(t.Columns, mainAddons...)
	t.Columns = append(t.Columns, mainMeasures...)
	t.Columns = append(t.Columns, mainThresholds()...)
	t.Columns = append(t.Columns, prefColumns(p.UserPrefs)...)
	t.Columns = append(t.Columns, scalarColumns(p.Scalars)...)
	t.Columns = append(t.Columns, histogramColumns(p.Histograms)...)
	t.Columns = append(t.Columns, mainAddonScalars...)
	t.Columns = append(t.Columns,
		partition("submission_date_obj", "meta/submissionDate", "UTC day the ping arrived, YYYYMMDD"),
		partition("sample_id", "meta/sampleId", "crc32 of the client id modulo 100, as text"))
	return t
}

func mainThresholds() []Column {
	var cols []Column
	cols = append(cols, above("gc_max_pause_ms", "GC_MAX_PAUSE_MS_2", "Garbage collection pauses (ms)", 150, 250, 2500)...)
	cols = append(cols, above("cycle_collector_max_pause", "CYCLE_COLLECTOR_MAX_PAUSE", "Cycle collector pauses (ms)", 150, 250, 2500)...)
	cols = append(cols, above("input_event_response_coalesced_ms", "INPUT_EVENT_RESPONSE_COALESCED_MS", "Input event response times (ms)", 150,
		250, 2500)...)
	return append(cols, above("ghost_windows", "GHOST_WINDOWS", "Ghost window counts", 1)...)
}

func prefColumns(prefs []UserPref) []Column {
	kinds := map[prefKind]string{prefInteger: "int", prefBoolean: "boolean", prefString: "string"}
	var cols []Column
	for _, p := range prefs {
		c := col(p.Column, kinds[p.Kind], "environment/settings/userPrefs", "User preference "+p.Name)
		c.Arg = p.Name
		switch c.Type.Kind {
		case Int:
			c.Rule = RuleInteger
		case String:
			c.Rule = RuleText
		}
		c.Probe = true
		cols = append(cols, c)
	}
	return cols
}

var scalarTypes = map[ScalarKind]string{ScalarUint: "int", ScalarBoolean: "boolean", ScalarString: "string"}

func scalarColumns(scalars []Scalar) []Column {
	var cols []Column
	for i := range scalars {
		s := &scalars[i]
		typ := scalarTypes[s.Kind]
		if s.Keyed {
			typ = "map<string," + typ + ">"
		}
		for _, p := range s.Processes {
			c := col(s.ColumnIn(p), typ, "payload/processes/"+p.String()+"/scalars", probeDoc(s.Doc, s.Name, p))
			c.Rule, c.Arg, c.Scalar, c.Probe = RuleScalar, s.Name, s, true
			cols = append(cols, c)
		}
	}
	return byName(cols)
}

func histogramColumns(histograms []Histogram) []Column {
	var cols []Column
	for i := range histograms {
		h := &histograms[i]
		typ := "map<int,int>"
		if h.Kind == HistogramCategorical {
			typ = "map<string,int>"
		}
		if h.Keyed {
			typ = "map<string," + typ + ">"
		}
		for _, p := range h.Processes {
			c := col(h.ColumnIn(p), typ, histogramPath(p), probeDoc(h.Doc, h.Name, p))
			c.Rule, c.Arg, c.Histogram, c.Probe = RuleHistogram, h.Name, h, true
			cols = append(cols, c)
		}
	}
	return byName(cols)
}

func histogramPath(p Process) string {
	if p == ProcessParent {
		return "payload/histograms"
	}
	return "payload/processes/" + p.String() + "/histograms"
}

func byName(cols []Column) []Column {
	sort.Slice(cols, func(i, j int) bool { return cols[i].Name < cols[j].Name })
	return cols
}

func probeDoc(doc, name string, p Process) string {
	if doc == "" {
		doc = name
	}
	return doc + " (" + p.String() + " process)"
}
