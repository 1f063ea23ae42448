package table

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

func TestAddons(t *testing.T) {
	const full = `{"addon_id":"x","blocklisted":false,"name":"N","user_disabled":true,"app_disabled":false,"version":"1.0","scope":1,` +
		`"type":"extension","foreign_install":true,` +
		`"has_binary_components":false,"install_day":17000,"update_day":17001,"signed_state":2,"is_system":true,"is_web_extension":true,` +
		`"multiprocess_compatible":true}`
	const ping = `"document_id":"d","client_id":"c","subsession_start_date":"s","normalized_channel":"n",` +
		`"submission_date_obj":"20180301","sample_id":"42"`
	rows := dailyRows(t, "addons",
		`{`+ping+`,"active_addons":[`+full+`,{"addon_id":"y"}]}`,
		`{"client_id":null,"document_id":"dropped","active_addons":[`+full+`]}`,
		`{"client_id":"","active_addons":null}`,
		`{"client_id":"e","document_id":"d2","active_addons":[]}`,
		`{"client_id":null,"active_addons":null}`,
		`{"client_id":"f","active_addons":[{"addon_id":"","name":"","scope":0},{"addon_id":"z","version":"2","is_system":false}]}`)
	var got []string
	for _, r := range rows {
		for k, v := range r {
			if v == nil {
				delete(r, k)
			}
		}
		got = append(got, toJSON(r))
	}
	want := []string{
		`{` + ping + `,"addon_id":"x","blocklisted":false,"name":"N","user_disabled":true,"app_disabled":false,"version":"1.0","scope":1,` +
			`"type":"extension","foreign_install":true,` +
			`"has_binary_components":false,"install_day":17000,"update_day":17001,"signed_state":2,"is_system":true}`,
		`{` + ping + `,"addon_id":"y"}`, `{"client_id":""}`, `{"client_id":"e","document_id":"d2"}`,
		`{"client_id":"f","addon_id":"","name":"","scope":0}`, `{"client_id":"f","addon_id":"z","version":"2","is_system":false}`,
	}
	for i := range want {
		want[i] = toJSON(fromJSON(t, want[i]))
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("got\n%s\nwant\n%s", g, w)
	}
}

// Columns that the rows do not have read as null.
func TestRowsWithoutColumns(t *testing.T) {
	tables := schema.NewSet(defaultProbes(t)).Tables
	for name, want := range map[string]int{"clients_daily": 1, "search_clients_daily": 1, "addons": 0} {
		table, err := schema.Find(tables, name)
		require.NoError(t, err)
		inputs := []schema.Column{{Name: "os", Type: schema.MustType("string")}}
		rows, err := NewRows(table, inputs)
		require.NoError(t, err)
		in, out := column.NewBatch(inputs), column.NewBatch(table.Columns)
		in.SetBytes(0, []byte("Linux"))
		in.EndRow()
		in.EndRow()
		addRows(rows, out, in)
		flushRows(rows, out)
		got := rowsOf(t, out)
		if len(got) != want {
			t.Fatalf("%s: %d rows, want %d", name, len(got), want)
		}
		for _, r := range got {
			for column, v := range r {
				isCount := strings.HasPrefix(column, "search_count_") || column == "sessions_started_on_this_day" ||
					column == "pings_aggregated_by_this_row"
				w := map[bool]string{true: `0`, false: `null`}[isCount]
				if column == "os" {
					w = `"Linux"`
				} else if column == "experiments" {
					w = `{}`
				}
				if toJSON(v) != w {
					t.Errorf("%s: %s is %s, want %s", name, column, toJSON(v), w)
				}
			}
		}
	}
	if _, err := NewRows(schema.CrashSummary(), nil); err == nil || !strings.Contains(err.Error(), "crash_summary") {
		t.Errorf("crash_summary from rows: %v", err)
	}
}

// A reader may leave empty texts nil; they are not null.
func TestNilTexts(t *testing.T) {
	for _, name := range []string{"clients_daily", "search_clients_daily"} {
		d := openDaily(t, name)
		for i, c := range d.inputs {
			if c.Type.Kind == schema.String {
				d.in.SetShared(i, nil)
			}
			if c.Name == "search_counts" {
				n := d.in.Start(i).Elem
				d.in.StrShared(n.Fields[0], 0, nil)
				d.in.StrShared(n.Fields[1], 0, nil)
				d.in.Long(n.Fields[2], 0, 1)
			}
		}
		d.in.EndRow()
		addRows(d.rows, d.out, d.in)
		for _, r := range d.finish(t) {
			for _, c := range d.table.Columns {
				special := c.Name == "profile_creation_date" || c.Name == "addon_version"
				if c.Type.Kind == schema.String && !special && toJSON(r[c.Name]) != `""` {
					t.Errorf("%s: %s is %s", name, c.Name, toJSON(r[c.Name]))
				}
			}
		}
	}
}
