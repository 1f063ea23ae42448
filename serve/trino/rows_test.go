package trino

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	selections "github.com/pingmill/pingmill/schema/rows"
)

// TestRowGrants: who was granted some rows of a table reads no others, whatever the statement.
func TestRowGrants(t *testing.T) {
	address, o := served(t, nil)
	counts := as(t, address, o.Tokens["common"]).run("SELECT sample_id, count(*) FROM addons GROUP BY 1 ORDER BY 1")
	require.Greater(t, len(counts.Data), 1)
	var first []any
	require.NoError(t, json.Unmarshal(counts.Data[0], &first))
	sample := first[0].(string)
	only := selections.Selection{Column: "sample_id", Values: []string{sample}}
	a := as(t, address, o.Hire(t, "some", access.Grant{Table: "addons", Rows: []selections.Selection{only}}))
	assert.Equal(t, string(counts.Data[0]), a.outcome("SELECT sample_id, count(*) FROM addons GROUP BY 1"))
	assert.Equal(t, `["`+sample+`"]`,
		a.outcome("EXECUTE IMMEDIATE 'SELECT DISTINCT sample_id FROM addons WHERE 1 = ? OR sample_id <> ?' USING 1, ''"))
	assert.Equal(t, `["addons"]`, a.outcome("SHOW TABLES"))
}
