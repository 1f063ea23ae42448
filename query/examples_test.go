package query

import (
	"strings"
	"testing"
	"time"

	"github.com/pingmill/pingmill/query/examples"
)

func TestExamples(t *testing.T) {
	db := open(t, sharedDays(t)...)
	day := func(d int) time.Time { return time.Date(2018, 3, d, 0, 0, 0, 0, time.UTC) }
	want := map[string]string{
		"churn":    "0,\"2018-03-01\",3\n1,\"2018-03-02\",2\n2,\"2018-03-03\",2",
		"pings":    "\"release\",50,2\n\"beta\",null,1",
		"crashes":  "\"d3d11\",2\n\"basic\",1\nnull,1",
		"searches": "\"urlbar\",12\n\"searchbar\",6",
	}
	if len(want) != len(examples.All) {
		t.Errorf("%d examples, want %d", len(examples.All), len(want))
	}
	for _, e := range examples.All {
		sql, err := e.Query(examples.Days{From: day(1), To: day(3)})
		if err != nil {
			t.Error(err)
			continue
		}
		if got := valuesIn(t, db, Presto, sql); got != want[e.Name] {
			t.Errorf("%s\n%s\n got %s\nwant %s", e.Title, sql, got, want[e.Name])
		}
	}
	for _, bad := range []string{"{{", "{{.Nothing}}"} {
		if _, err := (examples.Example{Name: "x", SQL: bad}).Query(examples.Days{}); err == nil || !strings.Contains(err.Error(), "example x") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
