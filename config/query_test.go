package config

import (
	"maps"
	"strings"
	"testing"
)

func TestQueryDays(t *testing.T) {
	got, err := QueryDays([]string{"main_summary=14/60", " addons = 0", "clients_daily=3/0"})
	if want := map[string][2]int{"main_summary": {14, 60}, "addons": {0, 0}, "clients_daily": {3, 0}}; err != nil || !maps.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	for _, c := range []struct{ text, says string }{
		{"main_summary", "want a table and numbers of days"},
		{"main_summary=7/", "want a table and numbers of days"},
		{"main_summary=7/8/9", "want a table and numbers of days"},
		{"main_summary=-1/2", "want a table and numbers of days"},
		{"nothing=1/2", "no such table: want one of main_summary"},
		{"addons=1,addons=2", "addons is there twice"},
	} {
		_, err := All.Load(Sources{Environ: []string{"PINGMILL_QUERY_TABLE_DAYS=" + c.text}})
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %s", c.text, err, c.says)
		}
	}
}
