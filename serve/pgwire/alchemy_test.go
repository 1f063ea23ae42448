package pgwire

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/serve/bi/bitest"
	"github.com/pingmill/pingmill/tools/clienttest"
)

// TestSQLAlchemy: the inspector of its dialect for PostgreSQL, and parameters, which psycopg2 writes into the text.
func TestSQLAlchemy(t *testing.T) {
	port, o := served(t, nil)
	for _, version := range []string{"2.0.58", "1.4.54"} {
		python := clienttest.Python(t, "sqlalchemy=="+version, "psycopg2-binary==2.9.13")
		var got struct {
			Version, Comment                                              string
			Schemas, Tables, Views, Key, Foreign, Unique, Checks, Indexes []any
			Columns                                                       [][3]string
			Has                                                           []bool
			Bound, Default, Public                                        [][]any
		}
		require.NoError(t, json.Unmarshal(output(t, python, "testdata/alchemy.py", port, o.Tokens["common"]), &got))
		assert.Equal(t, version, got.Version)
		assert.Equal(t, []any{"default", "information_schema"}, got.Schemas)
		assert.Contains(t, got.Tables, "addons")
		assert.NotContains(t, got.Tables, bitest.Restricted())
		assert.Contains(t, got.Columns, [3]string{"scope", "INTEGER", "Where it is installed (a bit mask)"})
		assert.Equal(t, "One row for each active add-on of each main ping with a client id.", got.Comment)
		for _, none := range [][]any{got.Views, got.Key, got.Foreign, got.Unique, got.Checks, got.Indexes} {
			assert.Empty(t, none)
		}
		assert.Equal(t, []bool{true, false, false}, got.Has)
		assert.Equal(t, [][]any{{"it's é", 7.0}}, got.Bound)
		assert.Equal(t, [][]any{{true}}, got.Default)
		assert.Equal(t, [][]any{{true}}, got.Public)
	}
}
