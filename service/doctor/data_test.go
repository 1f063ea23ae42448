package doctor

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
)

// set returns the tables of test installations.
func set(p *schema.Probes) *schema.Set { return &schema.Set{Probes: p, Tables: sitetest.Tables(p)} }

func TestVersion(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	p := patient(t, data)
	has(t, found(t, p, "version"), OK, "there is no installation yet")
	s, err := sitetest.Open(data)
	require.NoError(t, err)
	defer s.Close()
	has(t, found(t, patient(t, data), "version"), OK, "knows everything")

	lt, err := s.Table("crash_summary")
	require.NoError(t, err)
	manifest := lt.Path("20180301", "_manifest.json")
	require.NoError(t, store.WriteFile(t.Context(), lt.Bucket(), manifest, []byte(`{"format":99}`)))
	has(t, found(t, patient(t, data), "version"), Warn, "a newer version made partitions of crash_summary")
	require.NoError(t, lt.Bucket().Delete(t.Context(), manifest))

	write := func(text string) {
		require.NoError(t, store.WriteFile(t.Context(), s.Archive, "_format.json", []byte(text)))
	}
	write(`{"reads":1,"writes":2,"program":"1.7.0"}`)
	has(t, found(t, patient(t, data), "version"), Fail, "writing it needs version 2")
	write(`{"reads":2,"writes":2,"program":"1.7.0"}`)
	has(t, found(t, patient(t, data), "version"), Fail, "install pingmill 1.7.0")
	write(`nonsense`)
	has(t, found(t, patient(t, data), "version"), Fail, "cannot be opened")
}

// TestStatus: what pingmill status finds is a failure.
func TestStatus(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	s, err := sitetest.Open(data)
	require.NoError(t, err)
	defer s.Close()
	has(t, found(t, patient(t, data), "status"), OK, "as they should be")
	sitetest.DayPings(t, s.Archive, 1, 5, "20180301")
	has(t, found(t, patient(t, data), "status"), Fail, "are missing, stale, failed or damaged")
}

// TestBackup: a copy has what arrived until the same time as the archive, or is old.
func TestBackup(t *testing.T) {
	data, backup := filepath.Join(t.TempDir(), "data"), t.TempDir()
	p := patient(t, data)
	has(t, found(t, p, "backup"), OK, "not examined")
	p.Backup = backup
	has(t, found(t, p, "backup"), Fail, "is no copy of a data folder")

	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	report := func(dir string, at time.Time) {
		b, err := store.OpenLocal(filepath.Join(dir, "archive"))
		require.NoError(t, err)
		require.NoError(t, edgestate.SetProgress(t.Context(), b, "e", at.UnixNano(), at))
	}
	report(data, at)
	report(backup, at.Add(-50*time.Minute))
	has(t, found(t, p, "backup"), OK, "has what arrived until 2025-12-31 23:10:00, the archive until 2026-01-01 00:00:00")
	report(data, at.Add(time.Hour))
	has(t, found(t, p, "backup"), Fail, "more than --backup-age (1h0m0s)")
	p.Backup = filepath.Join(backup, "none")
	has(t, found(t, p, "backup"), Fail, "none")
}
