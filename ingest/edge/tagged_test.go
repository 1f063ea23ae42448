package edge

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTagged: the edge remembers the newest submissions with a debug tag, by either way of reading a request.
func TestTagged(t *testing.T) {
	e := start(t, nil)
	for i := range 3 {
		r, err := http.NewRequest(http.MethodPost, "http://"+e.addr+fmt.Sprintf("/submit/telemetry/doc-%d/main/Firefox/60.0/release/2018", i),
			strings.NewReader("{}"))
		require.NoError(t, err)
		if i > 0 {
			r.Header.Set("X-Debug-ID", "mine")
		}
		got, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, got.Body.Close())
		require.Equal(t, http.StatusOK, got.StatusCode)
	}
	all := e.Tagged("mine")
	require.Len(t, all, 2)
	require.Equal(t, "/submit/telemetry/doc-1/main/Firefox/60.0/release/2018", all[0].URI)
	require.Positive(t, all[0].Timestamp)
	require.Empty(t, e.Tagged("other"))
}
