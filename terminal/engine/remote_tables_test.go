package engine

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/schema/glean"
	"github.com/pingmill/pingmill/serve/web/client"
)

// TestRemoteTable: the columns that a server describes have the types of its tables.
func TestRemoteTable(t *testing.T) {
	defs, err := glean.Firefox()
	require.NoError(t, err)
	probes, err := schema.LoadProbes("")
	require.NoError(t, err)
	columns := 0
	for _, table := range schema.NewSet(probes, defs.Tables()...).Tables {
		described := client.Table{Name: table.Name, Doc: table.Doc}
		for _, c := range table.Columns {
			typ, err := schema.TypeIn("duckdb", c.Type)
			require.NoError(t, err)
			described.Columns = append(described.Columns, client.Column{Name: c.Name, Type: typ, Doc: c.Doc})
		}
		got := remoteTable(described)
		require.Equal(t, table.Name, got.Name)
		require.Len(t, got.Columns, len(table.Columns))
		for i, c := range table.Columns {
			want := strings.ReplaceAll(c.Type.String(), " not null", "")
			own := got.Columns[i]
			require.Equal(t, []string{c.Name, want, c.Doc}, []string{own.Name, own.Type.String(), own.Doc}, table.Name)
			columns++
		}
	}
	require.Greater(t, columns, 2000)
}

// FuzzRemoteType: a type that can be read is the same after it is written again.
func FuzzRemoteType(f *testing.F) {
	for _, text := range []string{
		"BIGINT", "DECIMAL(37,6)", "VARCHAR[][]", `MAP(VARCHAR, STRUCT("a" BIGINT, "b" MAP(INTEGER, DATE)[]))`, `STRUCT(a BIGINT)`,
		`STRUCT("b""c" DATE)`,
		"HUGEINT", "STRUCT(", `STRUCT("a" `, "MAP(", strings.Repeat("MAP(VARCHAR, ", 100), "BIGINT rest",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		typ, err := remoteType(text)
		if err != nil || strings.Contains(text, `""`) {
			return
		}
		written, err := schema.TypeIn("duckdb", typ)
		require.NoError(t, err)
		same, err := remoteType(written)
		require.NoError(t, err)
		require.Equal(t, typ.String(), same.String())
	})
}

// TestRemoteTypes: a type of a later server is a column, too.
func TestRemoteTypes(t *testing.T) {
	for text, want := range map[string]string{
		"BIGINT": "long", "DECIMAL(37,6)": "decimal(37,6)", `STRUCT("b""c" DATE, d VARCHAR[])`: `struct<b"c:date,d:array<string>>`,
		"HUGEINT": "binary", "BIGINT rest": "binary", "STRUCT(": "binary", strings.Repeat("MAP(VARCHAR, ", 100): "binary",
	} {
		require.Equal(t, want, remoteTable(client.Table{Columns: []client.Column{{Name: "c", Type: text}}}).Columns[0].Type.String(), text)
	}
}
