package job_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl/job"
)

func TestGraph(t *testing.T) {
	g, err := job.New([]job.Node{
		{Name: "churn", Needs: []string{"clients_daily", "crash_summary"}},
		{Name: "clients_daily", Needs: []string{"main_summary"}},
		{Name: "crash_summary"},
		{Name: "main_summary"},
		{Name: "addons", Needs: []string{"main_summary"}},
	})
	require.NoError(t, err)
	if got := strings.Join(g.Order(), " "); got != "crash_summary main_summary clients_daily churn addons" {
		t.Errorf("order %s", got)
	}
	if got := g.Needs("churn"); !slices.Equal(got, []string{"clients_daily", "crash_summary"}) {
		t.Errorf("needs of churn %v", got)
	}
	for targets, want := range map[string]string{
		"main_summary":         "main_summary",
		"addons":               "main_summary addons",
		"churn":                "crash_summary main_summary clients_daily churn",
		"addons crash_summary": "crash_summary main_summary addons",
	} {
		got, err := g.Closure(strings.Fields(targets)...)
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("closure of %s: %v, %v; want %s", targets, got, err, want)
		}
	}
	if _, err := g.Closure("nothing"); err == nil || !strings.Contains(err.Error(), `unknown table "nothing": there are crash_summary`) {
		t.Errorf("closure of an unknown table: %v", err)
	}
}

func TestGraphErrors(t *testing.T) {
	for want, nodes := range map[string][]job.Node{
		"a table without a name":            {{}},
		"table a is given twice":            {{Name: "a"}, {Name: "a"}},
		"table a needs b, which is unknown": {{Name: "a", Needs: []string{"b"}}},
		"table a needs b twice":             {{Name: "a", Needs: []string{"b", "b"}}, {Name: "b"}},
		"cycle: a needs a":                  {{Name: "a", Needs: []string{"a"}}},
		"cycle: b needs c needs b": {{Name: "a", Needs: []string{"b"}}, {Name: "b", Needs: []string{"c"}},
			{Name: "c", Needs: []string{"b"}}},
		"cycle: a needs c needs b needs a": {{Name: "a", Needs: []string{"d", "c"}}, {Name: "b", Needs: []string{"a"}},
			{Name: "c", Needs: []string{"b"}}, {Name: "d"}},
	} {
		g, err := job.New(nodes)
		if err == nil || err.Error() != "build graph: "+want || g != nil {
			t.Errorf("graph %v, error %v; want %q", g, err, want)
		}
	}
}

func TestUnits(t *testing.T) {
	g := newGraph(t)
	units, err := g.Units([]string{"clients_daily", "main_summary"}, []string{"20180102", "20180101", "20180102"})
	want := []job.Unit{
		{Table: "main_summary", Day: "20180101"}, {Table: "clients_daily", Day: "20180101"},
		{Table: "main_summary", Day: "20180102"}, {Table: "clients_daily", Day: "20180102"},
	}
	if err != nil || !slices.Equal(units, want) {
		t.Errorf("units %v, %v", units, err)
	}
	if _, err := g.Units([]string{"nothing"}, nil); err == nil {
		t.Error("units of an unknown table: no error")
	}
	if _, err := g.Units([]string{"main_summary"}, []string{"20180230"}); err == nil {
		t.Error("units of a day that does not exist: no error")
	}
}

func TestDays(t *testing.T) {
	for day, want := range map[string]string{
		"20180228": "", "20160229": "", "00010101": "",
		"20180230": "there is no such date", "20180229": "there is no such date", "20181301": "there is no such date",
		"20180100": "there is no such date", "2018-01-01": "not written as YYYYMMDD", "": "not written as YYYYMMDD",
		"2018 101": "not written as YYYYMMDD", "2018010": "not written as YYYYMMDD", "٢٠١٨": "not written as YYYYMMDD",
	} {
		at, err := job.ParseDay(day)
		switch {
		case want == "" && (err != nil || job.FormatDay(at) != day):
			t.Errorf("day %q: %v, %v", day, at, err)
		case want != "" && (err == nil || !strings.HasSuffix(err.Error(), want)):
			t.Errorf("day %q: error %v; want %q", day, err, want)
		}
	}
	got, err := job.DayRange("20171230", "20180102")
	if err != nil || strings.Join(got, " ") != "20171230 20171231 20180101 20180102" {
		t.Errorf("days %v, %v", got, err)
	}
	for _, bad := range [][2]string{{"20180102", "20180101"}, {"x", "20180101"}, {"20180101", "x"}} {
		if got, err := job.DayRange(bad[0], bad[1]); err == nil {
			t.Errorf("days %s to %s: %v, no error", bad[0], bad[1], got)
		}
	}
}

func TestSamples(t *testing.T) {
	for list, want := range map[string]string{
		"0-99": "0-99", "42": "42", "0-9,50": "0-9,50", "50,0-9": "0-9,50", "0-100": "0-100", "100": "100",
		"0-9,10-19": "0-19", "0-50,20-30,99": "0-50,99", " 1 , 2 ": "1-2", "7,7": "7", "05": "5",
	} {
		got, err := job.ParseSamples(list)
		if err != nil || job.FormatSamples(got) != want {
			t.Errorf("samples %q: %v, %v; want %s", list, got, err, want)
		}
	}
	for _, list := range []string{"", ",", "1,", "-", "-1", "1-", "9-5", "101", "0-101", "a", "1-2-3", "+1", "1 - 2", "99999999999999999999"} {
		if got, err := job.ParseSamples(list); err == nil || !strings.HasPrefix(err.Error(), "read samples ") {
			t.Errorf("samples %q: %v, error %v", list, got, err)
		}
	}
}

func FuzzParseSamples(f *testing.F) {
	for _, seed := range []string{"0-99", "42", "0-9,50", "9-5", "100,", "-"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, list string) {
		ranges, err := job.ParseSamples(list)
		if err != nil {
			return
		}
		last := -2
		for _, r := range ranges {
			if r.Lo <= last+1 || r.Hi < r.Lo || r.Hi > job.NoClient {
				t.Fatalf("samples %q: %v", list, ranges)
			}
			last = r.Hi
		}
		again, err := job.ParseSamples(job.FormatSamples(ranges))
		if err != nil || !slices.Equal(again, ranges) {
			t.Fatalf("samples %q: %v, written and read again %v, %v", list, ranges, again, err)
		}
	})
}

func FuzzParseDay(f *testing.F) {
	for _, seed := range []string{"20180101", "20180230", "2018-01-01", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, day string) {
		if at, err := job.ParseDay(day); err == nil && job.FormatDay(at) != day {
			t.Fatalf("day %q is read as %v", day, at)
		}
	})
}
