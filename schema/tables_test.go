package schema

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// referenceColumn is a column of testdata/reference_schemas.json, or the place
// of the columns that depend on the probes.
type referenceColumn struct {
	Name, Type, Dynamic string
	Nullable            *bool
}

func TestTablesMatchReference(t *testing.T) {
	b, err := os.ReadFile("testdata/reference_schemas.json")
	require.NoError(t, err)
	var want map[string]struct {
		Version string
		Columns []referenceColumn
	}
	require.NoError(t, json.Unmarshal(b, &want))
	p, err := LoadProbes("")
	require.NoError(t, err)
	for name, ref := range want {
		table, err := Find(NewSet(p).Tables, name)
		require.NoError(t, err)
		if table.Version != ref.Version {
			t.Errorf("%s is %s, want %s", table.Name, table.Version, ref.Version)
		}
		compareColumns(t, table, ref.Columns)
	}
}

func compareColumns(t *testing.T, table *Table, want []referenceColumn) {
	t.Helper()
	got := table.Columns
	if table.Name == "clients_daily" { // its partition column follows the listing
		got = got[:len(got)-1]
	}
	for _, w := range want {
		if w.Dynamic != "" {
			prefix := strings.TrimSuffix(w.Dynamic, "s") + "_"
			n := 0
			for n < len(got) && strings.HasPrefix(got[n].Name, prefix) {
				n++
			}
			if n == 0 {
				t.Errorf("%s: no %s columns", table.Name, w.Dynamic)
			}
			got = got[n:]
			continue
		}
		if len(got) == 0 {
			t.Fatalf("%s ends before %s", table.Name, w.Name)
		}
		c := got[0]
		notNull := w.Nullable != nil && !*w.Nullable
		if c.Name != w.Name || c.Type.String() != w.Type || c.NotNull != notNull {
			t.Fatalf("%s has %s %s (not null: %v), want %s %s (%v)", table.Name, c.Name, c.Type, c.NotNull, w.Name, w.Type, notNull)
		}
		got = got[1:]
	}
	if len(got) > 0 {
		t.Errorf("%s has %s and %d more columns too many", table.Name, got[0].Name, len(got)-1)
	}
}

// TestEveryTableIsDocumented: what a table is, what it is for and what to know of it are sentences, and those of a table that
// everybody may read name none that not everybody may.
func TestEveryTableIsDocumented(t *testing.T) {
	p, err := LoadProbes("")
	require.NoError(t, err)
	for _, table := range NewSet(p).Tables {
		require.NotEmpty(t, table.Grain, table.Name)
		require.NotEmpty(t, table.Refresh, table.Name)
		require.NotEmpty(t, table.Notes, table.Name)
		texts := append([]string{table.Doc, table.Use}, table.Notes...)
		for _, text := range texts {
			require.Regexp(t, `^\S[^\r\n]*\.$`, text, table.Name)
		}
		for _, c := range table.Columns {
			texts = append(texts, c.Doc, c.SourceText())
		}
		for _, other := range NewSet(p).Tables {
			if other.Restricted && !table.Restricted {
				require.NotContains(t, strings.Join(texts, "\n"), other.Name, table.Name)
			}
		}
	}
}

func TestEveryColumnIsDocumented(t *testing.T) {
	p, err := LoadProbes("")
	require.NoError(t, err)
	for _, table := range NewSet(p).Tables {
		names := map[string]bool{}
		for _, c := range table.Columns {
			if c.Doc == "" || c.Source == "" || strings.ContainsAny(c.Doc, "\n\r") {
				t.Errorf("%s.%s: doc %q, source %q", table.Name, c.Name, c.Doc, c.Source)
			}
			if names[c.Name] {
				t.Errorf("%s.%s stands twice", table.Name, c.Name)
			}
			names[c.Name] = true
		}
		for _, k := range table.PartitionKeys {
			if table.Index(k) < len(table.Columns)-len(table.PartitionKeys) {
				t.Errorf("%s: partition column %s is not among the last", table.Name, k)
			}
		}
	}
}

func TestInputsOfDerivedTables(t *testing.T) {
	p, err := LoadProbes("")
	require.NoError(t, err)
	main := MainSummary(p)
	for _, table := range []*Table{Addons(), ClientsDaily(), searchClientsDaily()} {
		have := map[string]bool{"day of the run": true}
		for _, c := range Inputs(table, main) {
			have[c.Name] = true
		}
		for _, c := range table.Columns {
			for _, s := range strings.Split(c.Source, ", ") {
				if !have[s] {
					t.Errorf("%s.%s: the default probes have no %s", table.Name, c.Name, s)
				}
			}
		}
	}
}

func TestParseType(t *testing.T) {
	for _, s := range []string{
		"string", "decimal(37,6)", "map<string,map<int,int>>", "array<string not null>", "array<string>",
		"struct<a:int not null,b:array<struct<c:map<string,boolean>> not null>,d:double>",
	} {
		typ, err := ParseType(s)
		if err != nil || typ.String() != s {
			t.Errorf("%s: %v, %v", s, typ, err)
		}
	}
	for _, s := range []string{
		"", "text", "decimal", "decimal(39,6)", "decimal(a,6)", "decimal(7,b)", "decimal(7", "array<", "array<int", "map<double,int>",
		"map<string>", "map<string,", "map", "array", "struct", "struct<>", "struct<a>", "struct<a:>", "struct<a:int", "int int", "map<what,int>",
	} {
		if typ, err := ParseType(s); err == nil {
			t.Errorf("%q read as %v", s, typ)
		}
	}
}

func TestHiveName(t *testing.T) {
	for name, want := range map[string]string{
		"clientId": "client_id", "X-PingSender-Version": "x_ping_sender_version", "submissionURL": "submission_url",
		"FooBar?": "foo_bar_", "geoSubdivision1": "geo_subdivision1", "Timestamp": "timestamp", "reason": "reason",
		"defaultSearchEngineData": "default_search_engine_data", "a1B": "a1_b", "": "",
	} {
		if got := HiveName(name); got != want {
			t.Errorf("%s gives %s, want %s", name, got, want)
		}
	}
}

func TestTablePlaces(t *testing.T) {
	c := CrashSummary()
	if got := c.PartitionDir("20180301"); got != "submission_date=2018-03-01" {
		t.Error(got)
	}
	if got := newProfile().Location(); got != "{pipeline_storage_root}/telemetry-new-profile-parquet/v2" {
		t.Error(got)
	}
	if _, err := Find([]*Table{c}, "crash"); err == nil {
		t.Error("found a table that is not there")
	}
	if got, err := Find([]*Table{c}, "crash_summary"); err != nil || got != c {
		t.Error(got, err)
	}
	if c.Index("payload") < 0 || c.Index("nothing") != -1 {
		t.Error("wrong index")
	}
}
