package config

import (
	"maps"
	"strings"
	"testing"

	"github.com/pingmill/pingmill/schema"
)

func TestTableDays(t *testing.T) {
	got, err := TableDays([]string{"main_summary=90", " addons = 0"})
	if want := map[string]int{"main_summary": 90, "addons": 0}; err != nil || !maps.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	for _, c := range []struct{ text, want string }{
		{"main_summary", "want a table and a number of days"},
		{"main_summary=many", "want a table and a number of days"},
		{"main_summary=-1", "want a table and a number of days"},
		{"main_summary=36501", "up to 36500"},
		{"Main Summary=90", "want the name of a table"},
		{"addons=1,addons=2", "addons is there twice"},
	} {
		_, err := All.Load(Sources{Environ: []string{"PINGMILL_RETENTION_TABLE=" + c.text}})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
	}
	tables := schema.NewSet(&schema.Probes{}).Tables
	if err := CheckTables("retention.table", got, tables); err != nil {
		t.Error(err)
	}
	if err := CheckTables("retention.table", map[string]int{"main_summmary": 90}, tables); err == nil ||
		!strings.Contains(err.Error(), "retention.table (--keep-table): no such table as main_summmary: want one of main_summary, addons") {
		t.Error(err)
	}
	file := "retention:\n  archive: 90\n  table: [main_summary=90, addons=0]\n"
	if _, err := All.Load(Sources{File: write(t, file)}); err != nil {
		t.Error(err)
	}
}

func TestQueryDays(t *testing.T) {
	got, err := QueryDays([]string{"main_summary=14/60", " addons = 0", "clients_daily=3/0"})
	if want := map[string][2]int{"main_summary": {14, 60}, "addons": {0, 0}, "clients_daily": {3, 0}}; err != nil || !maps.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	for _, c := range []struct{ text, want string }{
		{"main_summary", "want a table and numbers of days"},
		{"main_summary=7/", "want a table and numbers of days"},
		{"main_summary=7/8/9", "want a table and numbers of days"},
		{"main_summary=-1/2", "want a table and numbers of days"},
		{"=1/2", "want the name of a table"},
		{"addons=1,addons=2", "addons is there twice"},
	} {
		_, err := All.Load(Sources{Environ: []string{"PINGMILL_QUERY_TABLE_DAYS=" + c.text}})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
	}
}
