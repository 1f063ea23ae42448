package table

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// FuzzClients makes longitudinal's row of a client with a usual ping and a ping of any body.
func FuzzClients(f *testing.F) {
	addPings(f)
	set := schema.NewSet(defaultProbes(f))
	t, err := set.Find("longitudinal")
	require.NoError(f, err)
	transform, keys, batch := NewClients(t), NewKeys(), column.NewBatch(t.Columns)
	var metas [2]ping.Meta
	for i := range metas {
		meta := fmt.Sprintf(`{"documentId":"d%d","clientId":"c","sampleId":42,"submissionDate":"20180301","timestamp":1519862400000000000}`, i)
		require.NoError(f, metas[i].ParseJSON([]byte(meta)))
	}
	usual := []byte(`{"payload":{"info":{"subsessionStartDate":"2018-03-01T00:00:00.0+00:00","profileSubsessionCounter":1,"reason":"daily"}}}`)
	f.Fuzz(func(t *testing.T, body []byte) {
		first, ok, err := keys.Find(&metas[0], usual)
		require.True(t, ok && err == nil)
		pings := []ClientPing{first}
		if p, ok, err := keys.Find(&metas[1], body); err == nil && ok {
			pings = append(pings, p)
		}
		batch.Reset()
		if err := transform.Append(batch, Newest(pings, 1000)); err != nil {
			return // the body is not valid JSON
		}
		checkLevels(t, batch)
		row := column.NewRowWriter(batch).AppendRow(nil)
		require.NoError(t, ping.Validate(row), "%s", row)
		require.Contains(t, string(row), `"daily"`)
	})
}
