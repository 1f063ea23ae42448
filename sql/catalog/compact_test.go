package catalog

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/store"
)

// TestDamagedCompactFiles: a query gets over damaged compact files of several days, and each is on record then.
func TestDamagedCompactFiles(t *testing.T) {
	s, lt := publishingSite(t)
	days := []string{"20180301", "20180302", "20180303"}
	root, _ := store.LocalDir(lt.Bucket())
	for i, day := range days {
		require.NoError(t, (&publishing{lt, day}).publish(t.Context(), 3))
		m, err := lt.Partition(t.Context(), day)
		require.NoError(t, err)
		if i == 1 {
			continue
		}
		name := filepath.Join(root, lt.Path(day, m.Compact[0].Name))
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		data[len(data)/8] ^= 1
		require.NoError(t, os.WriteFile(name, data, 0o600))
	}
	rows, err := CountClients(t.Context(), s, t.TempDir(), []string{"3"})
	if err != nil || rows.Clients["3"] != 18 {
		t.Errorf("%+v, %v", rows, err)
	}
	checkFound(t, lt, days[0], days[2])
}

// checkFound checks which days have damage.
func checkFound(t *testing.T, lt *lake.Table, days ...string) {
	t.Helper()
	got, err := lt.DamagedDays(t.Context())
	if err != nil || strings.Join(got, " ") != strings.Join(days, " ") {
		t.Errorf("damaged days %v, %v", got, err)
	}
}
