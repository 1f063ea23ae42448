package schema

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// probesFolder writes files into a new folder and returns its name.
func probesFolder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
	}
	return dir
}

func loadProbes(t testing.TB, files map[string]string) *Probes {
	t.Helper()
	p, err := LoadProbes(probesFolder(t, files))
	require.NoError(t, err)
	return p
}

func TestLoadProbesFallsBackFileByFile(t *testing.T) {
	usual, err := LoadProbes("")
	require.NoError(t, err)
	same := loadProbes(t, nil)
	if !reflect.DeepEqual(usual, same) {
		t.Error("an empty folder differs from the embedded files")
	}
	p := loadProbes(t, map[string]string{"Scalars.yaml": "a:\n  b: {kind: uint}\n"})
	if len(p.Scalars) != 1 || p.Scalars[0].Name != "a.b" {
		t.Errorf("scalars are %v, want a.b alone", p.Scalars)
	}
	if !reflect.DeepEqual(p.Histograms, usual.Histograms) || !reflect.DeepEqual(p.UserPrefs, usual.UserPrefs) ||
		!reflect.DeepEqual(p.AddonScalars, usual.AddonScalars) {
		t.Error("a folder with Scalars.yaml alone changed the other probes")
	}
}

func TestLoadProbesEmptyFiles(t *testing.T) {
	p := loadProbes(t, map[string]string{
		"Scalars.yaml": "", "AddonScalars.yaml": "# nothing\n", "Histograms.json": "{}",
		"main_summary.yaml": "user_prefs: []\nhistogram_whitelist:\n",
	})
	if len(p.Scalars)+len(p.AddonScalars)+len(p.Histograms)+len(p.UserPrefs) != 0 {
		t.Errorf("empty files gave %+v", p)
	}
}

func TestLoadProbesListMembersFallBack(t *testing.T) {
	usual, err := LoadProbes("")
	require.NoError(t, err)
	p := loadProbes(t, map[string]string{"main_summary.yaml": `{"histogram_whitelist": []}`})
	if len(p.Histograms) != 0 || !reflect.DeepEqual(p.UserPrefs, usual.UserPrefs) {
		t.Error("a file without user_prefs lost the default ones")
	}
	p = loadProbes(t, map[string]string{"main_summary.yaml": `{"user_prefs": []}`})
	if len(p.UserPrefs) != 0 || !reflect.DeepEqual(p.Histograms, usual.Histograms) {
		t.Error("a file without histogram_whitelist lost the default one")
	}
}

func TestScalarProcesses(t *testing.T) {
	tests := []struct{ members, want string }{
		{``, "parent content gpu"},
		{`, record_in_processes: `, "parent content gpu"},
		{`, record_in_processes: [all]`, "parent content gpu"},
		{`, record_in_processes: [main]`, "parent"},
		{`, record_in_processes: [parent, main]`, "parent"},
		{`, record_in_processes: [gpu, content, main]`, "parent content gpu"},
		{`, record_in_processes: ["all_child"]`, "content gpu"},
		{`, record_in_processes: ["all_childs"]`, "content gpu"},
		{`, record_in_processes: ["all_children", "main"]`, "parent content gpu"},
		{`, record_in_processes: [content, socket]`, "content socket"},
		{`, record_in_processes: [content, forkserver]`, "content"},
		{`, record_in_processes: [dynamic]`, ""},
		{`, record_in_processes: []`, ""},
	}
	for _, tt := range tests {
		p := loadProbes(t, map[string]string{"Scalars.yaml": "{a: {b: {kind: uint" + tt.members + "}}}"})
		got := ""
		for _, s := range p.Scalars {
			got = strings.Join(processNames(s.Processes), " ")
		}
		if got != tt.want || (tt.want == "") != (len(p.Scalars) == 0) {
			t.Errorf("%q: processes %q, want %q", tt.members, got, tt.want)
		}
	}
}

func TestScalars(t *testing.T) {
	p := loadProbes(t, map[string]string{"Scalars.yaml": `
mock:
  keyed.uint:
    bug_numbers: [1, 2]
    description: >
      Two
      lines.
    expires: 2018-01-01
    kind: uint
    keyed: true
    notification_emails: [a@example.org]
    release_channel_collection: opt-out
    record_in_processes: &main
      - 'main'
  bool: {kind: boolean, keyed: "true", record_in_processes: *main}
  str: {kind: string, keyed: false}
telemetry.test:
  unsigned: {kind: uint}
telemetry.mock:
  unsigned: {kind: uint}
telemetry:
  test.kept: {kind: uint}
  mocked: {kind: uint}
empty:
`})
	want := []Scalar{
		{Name: "mock.bool", Column: "mock_bool", Kind: ScalarBoolean, Keyed: true, Processes: []Process{ProcessParent}},
		{Name: "mock.keyed.uint", Column: "mock_keyed_uint", Kind: ScalarUint, Keyed: true,
			Processes: []Process{ProcessParent}, Doc: "Two lines.", OptOut: true},
		{Name: "mock.str", Column: "mock_str", Kind: ScalarString,
			Processes: []Process{ProcessParent, ProcessContent, ProcessGPU}},
		{Name: "telemetry.test.kept", Column: "telemetry_test_kept", Kind: ScalarUint,
			Processes: []Process{ProcessParent, ProcessContent, ProcessGPU}},
	}
	if !reflect.DeepEqual(p.Scalars, want) {
		t.Errorf("got  %+v\nwant %+v", p.Scalars, want)
	}
	if got := want[2].ColumnIn(ProcessGPU); got != "scalar_gpu_mock_str" {
		t.Errorf("column is %s", got)
	}
}

func TestAddonScalars(t *testing.T) {
	p := loadProbes(t, map[string]string{"AddonScalars.yaml": `
telemetry.mock:
  string_kind: {kind: string, record_in_processes: [dynamic], description: Mock.}
addon.x:
  n: {kind: uint, keyed: true, record_in_processes: [main, dynamic]}
  other: {kind: uint, record_in_processes: [main]}
  absent: {kind: uint}
addon_x:
  n: {kind: uint, keyed: false, record_in_processes: [dynamic]}
`})
	want := []Scalar{
		{Name: "addon.x.n", Column: "addon_x_n", Kind: ScalarUint, Keyed: true},
		{Name: "addon_x.n", Column: "addon_x_n", Kind: ScalarUint},
		{Name: "telemetry.mock.string_kind", Column: "telemetry_mock_string_kind", Kind: ScalarString, Doc: "Mock."},
	}
	if !reflect.DeepEqual(p.AddonScalars, want) {
		t.Errorf("got  %+v\nwant %+v", p.AddonScalars, want)
	}
}

func TestUserPrefs(t *testing.T) {
	p := loadProbes(t, map[string]string{"main_summary.yaml": `
user_prefs:
  - {name: P3.MESSY-one, type: string, why: ignored}
  - {name: p1, type: integer}
  - name: p2
    type: boolean
histogram_whitelist: []
`})
	want := []UserPref{
		{"P3.MESSY-one", "user_pref_p3_messy_one", prefString},
		{"p1", "user_pref_p1", prefInteger},
		{"p2", "user_pref_p2", prefBoolean},
	}
	if !reflect.DeepEqual(p.UserPrefs, want) {
		t.Errorf("got  %+v\nwant %+v", p.UserPrefs, want)
	}
}

func TestHistograms(t *testing.T) {
	all := []Process{ProcessParent, ProcessContent, ProcessGPU}
	tests := []struct {
		definition string
		want       *Histogram
	}{
		{`{"kind":"flag"}`, &Histogram{Kind: HistogramFlag, Processes: all}},
		{`{"kind":"boolean","keyed":"true","description":" x\n y "}`,
			&Histogram{Kind: HistogramBoolean, Keyed: true, Processes: all, Doc: "x y"}},
		{`{"kind":"enumerated","n_values":"11","keyed":"false"}`, &Histogram{Kind: HistogramEnumerated, NValues: 11, Processes: all}},
		{`{"kind":"enumerated"}`, nil},
		{`{"kind":"enumerated","n_values":"JS::reasons"}`, nil},
		{`{"kind":"linear","low":"2","high":"10","n_buckets":5}`,
			&Histogram{Kind: HistogramLinear, Low: 2, High: 10, Buckets: 5, Processes: all}},
		{`{"kind":"exponential","high":10,"n_buckets":5,"keyed":true}`,
			&Histogram{Kind: HistogramExponential, Keyed: true, Low: 1, High: 10, Buckets: 5, Processes: all}},
		{`{"kind":"exponential","low":"LOW","high":10,"n_buckets":5}`,
			&Histogram{Kind: HistogramExponential, Low: 1, High: 10, Buckets: 5, Processes: all}},
		{`{"kind":"exponential","n_buckets":5}`, nil},
		{`{"kind":"exponential","high":10}`, nil},
		{`{"kind":"exponential","high":10.5,"n_buckets":5}`, nil},
		{`{"kind":"exponential","high":"HIGH","n_buckets":5}`, nil},
		{`{"kind":"exponential","high":99999999999999999999,"n_buckets":5}`, nil},
		{`{"kind":"categorical","labels":["a","b"],"record_in_processes":["main","content"]}`,
			&Histogram{Kind: HistogramCategorical, Labels: []string{"a", "b"}, Processes: all[:2]}},
		{`{"kind":"count"}`, nil},
		{`{"kind":"flag","record_in_processes":[]}`, nil},
		{`{"kind":"flag","record_in_processes":null,"releaseChannelCollection":7}`, &Histogram{Kind: HistogramFlag, Processes: all}},
	}
	for _, tt := range tests {
		p := loadProbes(t, map[string]string{
			"Histograms.json":   "\ufeff" + `{"Not_Listed": {"kind":"flag"}, "H_1": ` + tt.definition + `}`,
			"main_summary.yaml": "histogram_whitelist: [H_1, H_1, UNDEFINED]",
		})
		var want []Histogram
		if tt.want != nil {
			tt.want.Name = "H_1"
			want = []Histogram{*tt.want}
		}
		if !reflect.DeepEqual(p.Histograms, want) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", tt.definition, p.Histograms, want)
		}
	}
	if got := (Histogram{Name: "GC_MS_2"}).ColumnIn(ProcessContent); got != "histogram_content_gc_ms_2" {
		t.Errorf("column is %s", got)
	}
}

func TestProbesHash(t *testing.T) {
	base := map[string]string{
		"Scalars.yaml":      "a: {b: {kind: uint, description: one}}",
		"AddonScalars.yaml": "a: {b: {kind: uint, record_in_processes: [dynamic]}}",
		"Histograms.json":   `{"H": {"kind":"categorical","labels":["x"]}}`,
		"main_summary.yaml": "user_prefs: [{name: p, type: integer}]\nhistogram_whitelist: [H]",
	}
	hash := func(file, content string) string {
		files := map[string]string{}
		for name, c := range base {
			files[name] = c
		}
		files[file] = content
		return loadProbes(t, files).Hash()
	}
	want := hash("Scalars.yaml", base["Scalars.yaml"])
	if len(want) != 64 {
		t.Errorf("hash %q is not 64 digits", want)
	}
	if hash("Scalars.yaml", "a: {b: {kind: uint, description: two}}") != want {
		t.Error("another description changed the hash")
	}
	seen := map[string]string{want: "the first"}
	for _, c := range [][2]string{
		{"Scalars.yaml", "a: {b: {kind: boolean}}"},
		{"Scalars.yaml", "a: {b: {kind: uint, keyed: true}}"},
		{"Scalars.yaml", "a: {b: {kind: uint, record_in_processes: [main]}}"},
		{"Scalars.yaml", "a: {c: {kind: uint}}"},
		{"Scalars.yaml", ""},
		{"AddonScalars.yaml", ""},
		{"Histograms.json", `{"H": {"kind":"categorical","labels":["y"]}}`},
		{"Histograms.json", `{"H": {"kind":"flag"}}`},
		{"main_summary.yaml", "user_prefs: [{name: p, type: string}]\nhistogram_whitelist: [H]"},
		{"main_summary.yaml", "user_prefs: [{name: P, type: integer}]\nhistogram_whitelist: [H]"},
	} {
		h := hash(c[0], c[1])
		if first, ok := seen[h]; ok {
			t.Errorf("%v has the hash of %s", c, first)
		}
		seen[h] = fmt.Sprint(c)
	}
}

func TestKindNames(t *testing.T) {
	for i, name := range histogramKindNames {
		if k, ok := kindNamed[HistogramKind](name, histogramKindNames); !ok || int(k) != i || k.String() != name {
			t.Errorf("kind %s is %v, %v", name, k, ok)
		}
	}
	if !slices.Equal([]string{prefString.String(), ScalarString.String(), HistogramCategorical.String(), ProcessGPU.String()},
		[]string{"string", "string", "categorical", "gpu"}) {
		t.Error("the last constants and names do not match")
	}
}
