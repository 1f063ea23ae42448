package sitetest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
)

// TimesTable returns a table with dates and timestamps, also within other types.
func TimesTable() *schema.Table {
	column := func(name, typ string) schema.Column {
		return schema.Column{Name: name, Type: schema.MustType(typ), Doc: "Column " + name}
	}
	return &schema.Table{
		Name: "times", Dir: "example/times", Version: "v1", DocType: "times", Namespace: "example",
		PartitionKeys: []string{"submission_date"}, DashedDays: true,
		Columns: []schema.Column{
			column("n", "int"), column("day", "date"), column("at", "timestamp"), column("inside", "struct<day:date,at:timestamp>"),
			column("days", "array<date>"), column("named", "map<string,timestamp>"), column("submission_date", "string"),
		},
	}
}

// TimesRows are the rows of TimesTable as in JSON: usual ones with microseconds, ones before 1970, the ends of the years that
// four digits can write, and nulls.
var TimesRows = []string{
	`{"n":1,"day":"2018-03-01","at":"2018-03-01T04:05:06.789012Z","inside":{"day":"2018-03-01","at":"2018-03-01T04:05:06.000001Z"},` +
		`"days":["2018-03-01",null],"named":{"a":"2018-03-01T00:00:00.000000Z","b":null}}`,
	`{"n":2,"day":"1969-12-31","at":"1969-12-31T23:59:59.999999Z","inside":{"day":"1900-02-28","at":"1582-10-15T00:00:00.000001Z"},` +
		`"days":[],"named":{}}`,
	`{"n":3,"day":"0001-01-01","at":"0001-01-01T00:00:00.000000Z","inside":{"day":null,"at":null},"days":["9999-12-31"],` +
		`"named":{"z":"9999-12-31T23:59:59.999999Z"}}`,
	`{"n":4}`,
}

// WithTimes adds TimesTable with its rows, of Day, to an installation.
func WithTimes(t testing.TB, s *site.Site) {
	t.Helper()
	s.Tables = append(s.Tables, TimesTable())
	lt, err := s.Table("times")
	require.NoError(t, err)
	rows := make([]map[string]any, len(TimesRows))
	for i, text := range TimesRows {
		rows[i] = jsonRow(t, text)
	}
	Publish(t, lt, Day, "aaaa", "", rows)
}

func jsonRow(t testing.TB, text string) (row map[string]any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	require.NoError(t, d.Decode(&row))
	return row
}
