package catalog

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/worker"
)

// TestReplacedMeanwhile: a query whose files are replaced and removed at once, as are those with rows of forgotten
// clients, after it was planned or after its files were verified, begins again with what is published then. It records
// no damage.
func TestReplacedMeanwhile(t *testing.T) {
	const day = "20180301"
	for name, replace := range map[string]func(q *worker.Request, do func()){
		"planned": func(q *worker.Request, do func()) {
			q.Allow = func(context.Context, worker.Plan) error { do(); return nil }
		},
		"verified": func(q *worker.Request, do func()) {
			verify := q.Verify
			q.Verify = func(ctx context.Context, scans []query.Scan) error {
				defer do()
				return verify(ctx, scans)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := publishingSite(t)
			s.Grace = lake.Grace{}
			lt, err := s.Table("crash_summary")
			require.NoError(t, err)
			pub := &publishing{lt, day}
			require.NoError(t, pub.publish(t.Context(), 3))
			r := &worker.Runner{Temp: t.TempDir()}
			defer r.Close()
			var out bytes.Buffer
			times := 0
			err = Again(t.Context(), func(ctx context.Context, avoid []string) error {
				q, err := Request(ctx, s, query.Presto, "SELECT count(*) FROM crash_summary WHERE client_id <> ''", avoid...)
				require.NoError(t, err)
				if times++; times == 1 {
					replace(&q, func() { require.NoError(t, pub.publish(t.Context(), 5)) })
				}
				q.Format = query.FormatCSV
				_, err = r.Run(t.Context(), q, &out, nil)
				return err
			})
			require.NoError(t, err)
			require.Equal(t, "count(*)\n10\n", out.String())
			require.Equal(t, 2, times)
			checkFound(t, lt)
		})
	}
}
