package queries

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/sql/queryservice"
)

// TestIdempotencyKey: of 20 pairs of requests that overlap, both of each pair get the same query.
func TestIdempotencyKey(t *testing.T) {
	a := served(t, func(c *queryservice.Config) { c.Queue.Waiting = 100 })
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.Adapter().ServeHTTP(w, r.WithContext(access.With(r.Context(), bob)))
	}))
	defer server.Close()
	post := func(key string) (q queryservice.Query) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/api/v1/queries", strings.NewReader(`{"sql": "SELECT 1"}`))
		assert.NoError(t, err)
		r.Header.Set("Idempotency-Key", key)
		r.Header.Set("Content-Type", "application/json")
		w, err := server.Client().Do(r)
		if assert.NoError(t, err) {
			defer w.Body.Close()
			assert.Equal(t, http.StatusCreated, w.StatusCode)
			assert.NoError(t, json.NewDecoder(w.Body).Decode(&q))
		}
		return q
	}
	for pair := range 20 {
		var ids [2]string
		var both sync.WaitGroup
		for i := range ids {
			both.Go(func() { ids[i] = post(strconv.Itoa(pair)).ID })
		}
		both.Wait()
		require.NotEmpty(t, ids[0])
		require.Equal(t, ids[0], ids[1])
	}
}
