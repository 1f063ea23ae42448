package query

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/sql/query/view"
)

// compacted is main_summary with the days 20180301 and 20180303 in compact files, the first with a narrow one, and
// 20180302 in a file for each sample. hive is the same in files for each sample alone.
func compacted(t *testing.T) (compact, hive View) {
	t.Helper()
	l := newLake(t)
	compact, hive = TableView(l.main, nil), TableView(l.main, nil)
	narrow := ""
	for d := 1; d <= 3; d++ {
		day := fmt.Sprintf("submission_date_obj=2018030%d", d)
		var files []string
		for sample, clients := range map[string][]string{"4": {"'a'", "'b'"}, "42": {"'c'"}, view.HiveNull: {"NULL"}} {
			var rows []row
			for i, c := range clients {
				r := row{"client_id": c, "os": fmt.Sprintf("'os%d'", d), "document_id": fmt.Sprintf("'%d %s %d'", d, sample, i),
					"timestamp":     fmt.Sprint(d),
					"search_counts": fmt.Sprintf("[{'engine': 'google', 'source': 'urlbar', 'count': %d}]", d),
					"scalar_parent_browser_engagement_window_open_event_count": "7"}
				if sample == view.HiveNull {
					r["sample_id"] = "NULL"
				}
				rows = append(rows, r)
			}
			files = append(files, l.write(l.main, day+"/sample_id="+sample, rows...))
		}
		slices.Sort(files)
		hive.Files = append(hive.Files, files...)
		if d == 2 {
			compact.Files = append(compact.Files, files...)
			continue
		}
		all := filepath.Join(filepath.Dir(filepath.Dir(files[0])), "_compact-all-x")
		copyTo := func(to, columns string) {
			paths := make([]string, len(files))
			for i, f := range files {
				paths[i] = quoteText(f)
			}
			_, err := try(l.db, "COPY (SELECT "+columns+" FROM read_parquet(["+strings.Join(paths, ", ")+"], hive_partitioning = false)) TO "+
				quoteText(to)+" (FORMAT parquet)")
			require.NoError(t, err)
		}
		copyTo(all, "*")
		compact.Files = append(compact.Files, all)
		compact.Inside = append(compact.Inside, make([]string, len(compact.Files)-1-len(compact.Inside))...)
		compact.Inside = append(compact.Inside, "4,42,"+view.HiveNull)
		if d == 1 {
			narrow = strings.Replace(all, "all", "narrow", 1)
			copyTo(narrow, strings.Join(compact.NarrowColumns, ", "))
		}
	}
	compact.Files, compact.Narrow = append(compact.Files, narrow), 1
	return compact, hive
}

// TestNarrow: queries give the same over compact files, some narrow, and others, and read no more than they have to.
func TestNarrow(t *testing.T) {
	compact, hive := compacted(t)
	var scans []Scan
	db, _ := verified(t, func(s []Scan) error { scans = append(scans, s...); return nil }, compact)
	plain, _ := verified(t, func([]Scan) error { return nil }, hive)
	for sql, want := range map[string]string{
		"SELECT count(*) FROM main_summary":                                                                "narrow all 4 4 4",
		"SELECT submission_date_obj, count(*) FROM main_summary GROUP BY 1 ORDER BY 1":                     "narrow all 4 4 4",
		"SELECT submission_date_obj, sample_id, os, client_id FROM main_summary ORDER BY 1, 2, 4":          "narrow all 4 4 4",
		"SELECT os, sample_id FROM main_summary WHERE submission_date_obj = '20180301' ORDER BY client_id": "narrow",
		"SELECT os FROM main_summary WHERE sample_id = '42' ORDER BY 1":                                    "narrow all 4",
		"SELECT count(*) FROM main_summary WHERE sample_id IS NULL":                                        "narrow all 4",
		"SELECT sum(scalar_parent_browser_engagement_window_open_event_count) FROM main_summary":           "all all 4 4 4",
		"SELECT os, vendor, update_channel FROM main_summary WHERE submission_date_obj < '20180302'":       "all",
		"SELECT sum(s.count) FROM main_summary CROSS JOIN UNNEST(search_counts) AS t(s)":                   "narrow all 4 4 4",
		"SELECT count(*) FROM (SELECT * FROM main_summary WHERE submission_date_obj <> '20180302')":        "narrow all",
		"SELECT * FROM main_summary WHERE submission_date_obj = '20180301' AND client_id = 'c'":            "all",
		"SELECT m FROM main_summary m WHERE submission_date_obj = '20180301' AND client_id = 'c'":          "all",
		"SELECT count(*) FROM main_summary a JOIN main_summary b USING (document_id) WHERE a.sample_id = '4'": "narrow all 4 4 4 " +
			"narrow all 4",
		"SELECT 1; SELECT max(os) FROM main_summary WHERE submission_date_obj = '20180301'":                            "narrow",
		"SELECT vendor FROM main_summary WHERE submission_date_obj = '20180301' LIMIT 1; SELECT '1' FROM main_summary": "narrow narrow all 4 4 4",
	} {
		scans = nil
		got, want2 := values(t, db, sql), values(t, plain, sql)
		if got != want2 {
			t.Errorf("%s\n got %s\nwant %s", sql, got, want2)
		}
		var read []string
		for _, s := range scans {
			for _, f := range s.Files {
				switch name := filepath.Base(f); {
				case strings.HasPrefix(name, "_compact-"):
					read = append(read, strings.Split(name, "-")[1])
				default:
					read = append(read, "4")
				}
			}
			if !slices.Contains(s.Columns, "submission_date_obj") && len(s.Files) > 0 && strings.Contains(s.Files[0], "_compact") {
				t.Errorf("%s: the day is read, not verified: %v", sql, s.Columns)
			}
		}
		if got := strings.Join(read, " "); got != want {
			t.Errorf("%s\nread %s, want %s", sql, got, want)
		}
	}
	if got, want := compact.Partitions(), hive.Partitions(); !reflect.DeepEqual(got, want) {
		t.Errorf("partitions %v, want %v", got, want)
	}
}

// TestFew: Presto's SQL has the same results over a wide view with the columns that it names as over one with all.
func TestFew(t *testing.T) {
	compact, hive := compacted(t)
	db, seen := verified(t, func([]Scan) error { return nil }, compact)
	plain, _ := verified(t, func([]Scan) error { return nil }, hive)
	for _, sql := range []string{
		"SELECT submission_date_obj, count(*), max(OS) FROM main_summary GROUP BY 1 ORDER BY 1",
		"SELECT engine, sum(count) * 2 FROM main_summary CROSS JOIN UNNEST(search_counts) AS s(engine, source, count) WHERE sample_id = '4' " +
			"GROUP BY 1",
		"SELECT * FROM main_summary WHERE client_id = 'c' AND submission_date_obj = '20180302'",
		"SELECT m.*, n.os FROM main_summary m JOIN main_summary n USING (document_id) WHERE m.client_id = 'c' AND m.submission_date_obj = " +
			"'20180301'",
		"WITH x AS (SELECT * FROM main_summary) SELECT count(*), min(vendor), max(document_id) FROM x WHERE submission_date_obj <> '20180303'",
		"SELECT a.document_id FROM main_summary a, main_summary b WHERE a.document_id = b.document_id AND a.sample_id = '42' ORDER BY 1",
	} {
		var got [2]string
		for i, d := range []*DB{db, plain} {
			rows, err := d.QueryIn(t.Context(), Presto, sql)
			require.NoError(t, err, sql)
			for {
				row, err := rows.Next()
				if errors.Is(err, io.EOF) {
					break
				}
				require.NoError(t, err, sql)
				got[i] += fmt.Sprintln(row...)
			}
			require.NoError(t, rows.Close())
		}
		if got[0] != got[1] || got[0] == "" {
			t.Errorf("%s\n got %s\nwant %s", sql, got[0], got[1])
		}
	}
	if len(*seen) < 6 {
		t.Errorf("verified %v", *seen)
	}
}
