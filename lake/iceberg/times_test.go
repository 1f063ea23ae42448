package iceberg

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/lake/iceberg/catalog"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/tools/clienttest"
)

// TestTimes: dates are Iceberg's date, timestamps its timestamptz, also within other types; with -engines pyiceberg
// reads their values: nulls, before 1970, and with microseconds.
func TestTimes(t *testing.T) {
	s, c := sitetest.Local(t), &testClock{sitetest.At(9)}
	sitetest.WithTimes(t, s)
	uri := filepath.Join(t.TempDir(), "catalog.db")
	f := follower(t, s, c, catalog.Config{Kind: catalog.SQL, URI: "sqlite://" + uri})
	follow(t, f, Options{})
	same(t, s, f)
	columns := load(t, f, "times").Metadata.Schema()
	require.Equal(t, "date", columns.Find("day").Type.Name)
	require.Equal(t, "timestamptz", columns.Find("at").Type.Name)
	inside := columns.Find("inside").Type.Nested.Fields
	require.Equal(t, "date timestamptz", inside[0].Type.Name+" "+inside[1].Type.Name)
	if !*engines {
		return
	}
	out, err := exec.Command(clienttest.Python(t, pyiceberg, "pyarrow==21.0.0"), "-c", `
import json, sys
from pyiceberg.catalog.sql import SqlCatalog
rows = SqlCatalog("pingmill", uri="sqlite:///" + sys.argv[1]).load_table("pingmill.times").scan().to_arrow().to_pylist()
json.dump(sorted([[r["n"], str(r["day"]), str(r["at"]), str(r["inside"] and r["inside"]["at"]), str(dict(r["named"] or []).get("z"))] for r in rows]), sys.stdout)`,
		uri).CombinedOutput()
	require.NoError(t, err, "%s", out)
	var rows [][]any
	require.NoError(t, json.Unmarshal(out[strings.IndexByte(string(out), '['):], &rows))
	require.Equal(t, [][]any{
		{1.0, "2018-03-01", "2018-03-01 04:05:06.789012+00:00", "2018-03-01 04:05:06.000001+00:00", "None"},
		{2.0, "1969-12-31", "1969-12-31 23:59:59.999999+00:00", "1582-10-15 00:00:00.000001+00:00", "None"},
		{3.0, "0001-01-01", "0001-01-01 00:00:00+00:00", "None", "9999-12-31 23:59:59.999999+00:00"},
		{4.0, "None", "None", "None", "None"},
	}, rows)
}
