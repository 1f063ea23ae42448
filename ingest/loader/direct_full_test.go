package loader

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
)

// Rows that wait for the archive are bounded by what they take; the others come
// with the archive.
func TestDirectRowsAreBounded(t *testing.T) {
	ctx := context.Background()
	s := sitetest.Memory(t, store.NewMemory())
	d := newDirect(s, s.Locks(), &DecodeOptions{Edge: "e1", Log: slog.New(slog.NewTextHandler(t.Output(), nil))})
	d.most = 1 << 10
	w, err := archive.NewWriter(ctx, s.Archive, archive.Options{})
	require.NoError(t, err)
	const pings = 20
	body := []byte(`{"id":"i","payload":{"reason":"startup"},"x":"` + strings.Repeat("x", directSizeBytes/4) + `"}`)
	for i := range pings {
		var m ping.Meta
		for f, v := range map[ping.MetaField]string{
			ping.DocumentID: fmt.Sprintf("d%d", i), ping.SubmissionDate: sitetest.Day, ping.SourceName: "telemetry",
			ping.DocTypeField: "new-profile",
		} {
			m.SetString(f, v)
		}
		m.SetInt(ping.Timestamp, 1519862400000000000+int64(i))
		d.add(&m, body)
		require.NoError(t, w.Append(&m, body))
	}
	if n := d.rows(); n == 0 || n > 10 {
		t.Errorf("%d rows wait", n)
	}
	require.NoError(t, d.publish(ctx, "1"))
	if _, err := w.Close(ctx, "load0000000000000001"); err != nil {
		t.Fatal(err)
	}
	require.NoError(t, d.archived(ctx, "load0000000000000001"))
	lt, err := s.Table("telemetry_new_profile_parquet")
	require.NoError(t, err)
	m, err := lt.Partition(ctx, sitetest.Day)
	if err != nil || m.Rows != pings || d.rows() != 0 {
		t.Errorf("%v: %d rows of %d, %d wait, %v", job.Unit{Table: lt.Schema.Name, Day: sitetest.Day}, m.Rows, pings, d.rows(), err)
	}
}
