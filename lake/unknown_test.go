package lake

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
)

func TestUnknown(t *testing.T) {
	local, err := store.OpenLocal(t.TempDir())
	require.NoError(t, err)
	for _, b := range []store.Bucket{local, store.NewMemory()} {
		for _, name := range []string{
			"app/baseline/v1/submission_date=2026-11-21/_manifest.json",
			"app/events/v1/submission_date=2026-11-21/_manifest.json",
			"app/events/v2/submission_date=2026-11-20/_manifest.json",
			"app/health/v1/submission_date=2026-11-21/part.parquet", // not of this program
			"_generations/app/crash/v1/submission_date=2026-11-21/part.parquet",
			"_staging/app/other/v1/submission_date=2026-11-21/x/_manifest.json",
			"snapshots/v20180304/_manifest.json",
			"plain/v3/day=20180301/_manifest.json", "plain/v3/day=20180302/_manifest.json",
			"mine/notes.txt", "mine/a/b/c/d/e=1/_manifest.json", "_root.json",
		} {
			require.NoError(t, store.WriteFile(t.Context(), b, name, []byte("{}")))
		}
		known := []*schema.Table{{Name: "app_baseline", Dir: "app/baseline", Version: "v1"}, {Name: "plain", Dir: "plain", Version: "v4"}}
		got, err := Unknown(t.Context(), b, known)
		require.NoError(t, err)
		require.Equal(t, []string{"app/crash/v1", "app/events/v1", "app/events/v2", "snapshots"}, got)
		got, err = Unknown(t.Context(), b,
			append(known, &schema.Table{Dir: "app/events"}, &schema.Table{Dir: "app/crash"}, &schema.Table{Dir: "snapshots"}))
		require.NoError(t, err)
		require.Empty(t, got)
	}
}
