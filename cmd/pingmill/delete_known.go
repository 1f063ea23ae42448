package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/query"
	"github.com/pingmill/pingmill/report"
	"github.com/pingmill/pingmill/site"
)

// mostCounted is of how many clients the rows are counted.
const mostCounted = 100

// knownRows is what the published tables have of some clients.
type knownRows struct {
	tables map[string]int64 // rows by table
	ids    map[string]int64 // by id in lower case
}

// countKnown counts, before the request hides them.
func countKnown(ctx context.Context, s *site.Site, temp string, clients []string) (k knownRows, err error) {
	k = knownRows{map[string]int64{}, map[string]int64{}}
	db, err := openQuery(ctx, s, query.Options{TempDir: temp})
	if err != nil {
		return k, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var ids, samples []string
	for _, c := range clients {
		for _, id := range []string{c, strings.ToLower(c), strings.ToUpper(c)} {
			ids = append(ids, "'"+strings.ReplaceAll(id, "'", "''")+"'")
			samples = append(samples, fmt.Sprintf("'%d'", ping.SampleOf([]byte(id))))
		}
	}
	var bad []error
	for _, t := range s.Tables {
		if query.TableView(t, nil).Client == "" {
			continue
		}
		where := "client_id IN (" + strings.Join(ids, ", ") + ")"
		if slices.Contains(t.PartitionKeys, "sample_id") { // of the others' files none is opened
			where += " AND sample_id IN (" + strings.Join(samples, ", ") + ")"
		}
		bad = append(bad, k.add(ctx, db, t.Name, "SELECT lower(client_id), count(*) FROM "+t.Name+" WHERE "+where+" GROUP BY 1"))
	}
	return k, errors.Join(bad...)
}

func (k *knownRows) add(ctx context.Context, db *query.DB, table, sql string) (err error) {
	rows, err := db.Query(ctx, sql)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	k.tables[table] = 0
	for {
		row, err := rows.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		id, _ := row[0].(string)
		n, _ := row[1].(int64)
		k.tables[table] += n
		k.ids[id] += n
	}
}

// print says what is known, and warns of clients of which there is nothing.
func (k *knownRows) print(out io.Writer, s *site.Site, clients []string) {
	var parts, none []string
	for _, t := range s.Tables {
		if n := k.tables[t.Name]; n > 0 {
			parts = append(parts, report.Plural(n, "row")+" in "+t.Name)
		}
	}
	for _, c := range clients {
		if k.ids[strings.ToLower(c)] == 0 {
			none = append(none, c)
		}
	}
	fmt.Fprintf(out, "published of %s: %s\n", report.Clients(len(clients)), cmp.Or(strings.Join(parts, ", "), "no rows"))
	if len(none) > 0 {
		fmt.Fprintf(out, "warning: no rows are published of %s: is the id right?\n", report.ShortList(none))
	}
}
