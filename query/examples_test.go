package query

import (
	"strings"
	"testing"
	"time"
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
	if len(want) != len(Examples) {
		t.Errorf("%d examples, want %d", len(Examples), len(want))
	}
	for _, e := range Examples {
		sql, err := e.Query(Days{day(1), day(3)})
		if err != nil {
			t.Error(err)
			continue
		}
		if got := values(t, db, sql); got != want[e.Name] {
			t.Errorf("%s\n%s\n got %s\nwant %s", e.Title, sql, got, want[e.Name])
		}
	}
	for _, bad := range []string{"{{", "{{.Nothing}}"} {
		if _, err := (Example{Name: "x", SQL: bad}).Query(Days{}); err == nil || !strings.Contains(err.Error(), "example x") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
