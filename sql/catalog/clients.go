package catalog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/sql/query"
)

// MaxClients is the maximum number of clients whose rows are counted at once.
const MaxClients = 100

// ClientRows has the numbers of rows of some clients in the published tables.
type ClientRows struct {
	Tables  map[string]int64 // rows by table
	Clients map[string]int64 // rows by id in lower case
}

// CountClients counts the rows of clients before a request to forget hides them. temp is a folder for data that does
// not fit in memory.
func CountClients(ctx context.Context, s *site.Site, temp string, clients []string) (k ClientRows, err error) {
	err = Again(ctx, func(ctx context.Context, avoid []string) error {
		k, err = countClients(ctx, s, temp, clients, avoid)
		return err
	})
	return k, err
}

func countClients(ctx context.Context, s *site.Site, temp string, clients, avoid []string) (k ClientRows, err error) {
	k = ClientRows{map[string]int64{}, map[string]int64{}}
	db, err := Open(ctx, s, query.Options{TempDir: temp}, avoid...)
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
		if query.TableView(t, nil).Client == "" || t.Internal() {
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

func (k *ClientRows) add(ctx context.Context, db *query.DB, table, sql string) (err error) {
	rows, err := db.Query(ctx, sql)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	k.Tables[table] = 0
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
		k.Tables[table] += n
		k.Clients[id] += n
	}
}
