package presto

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTableInSchema: a table with a name in a schema of its own is described and listed by that name, too.
func TestTableInSchema(t *testing.T) {
	for sql, want := range map[string]string{
		"DESCRIBE app.baseline":                       "DESCRIBE app_baseline",
		"SHOW COLUMNS FROM hive.app.baseline":         "SHOW COLUMNS FROM app_baseline",
		"SHOW PARTITIONS FROM app.baseline":           "SHOW PARTITIONS FROM app_baseline",
		`SELECT * FROM app."baseline$PARTITIONS"`:     `SELECT * FROM "app_baseline$partitions"`,
		"SELECT seq FROM APP.Baseline WHERE seq > 0 ": "SELECT seq FROM app_baseline WHERE seq > 0",
	} {
		got, err := Translate(sql, tables(t))
		require.NoError(t, err, sql)
		plain, err := Translate(want, tables(t))
		require.NoError(t, err, want)
		require.Equal(t, plain.SQL, got.SQL, sql)
		require.Equal(t, plain.Tables, got.Tables, sql)
	}
	got, err := Translate("SHOW TABLES FROM app LIKE 'b%'", tables(t))
	require.NoError(t, err)
	require.Contains(t, got.SQL, "('baseline')")
	got, err = Translate("SHOW TABLES LIKE 'app_b%'", tables(t))
	require.NoError(t, err)
	require.Contains(t, got.SQL, "('app_baseline')")
}
