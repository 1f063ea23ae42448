package listening

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestLimitBodies: a body that is too large is an error, and the deadline of one that has arrived does not end what the handler does then.
func TestLimitBodies(t *testing.T) {
	const limit, short = 1000, 100 * time.Millisecond
	s := httptest.NewServer(LimitBodies(limit, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(short)) // as huma does
		_, err := io.Copy(io.Discard, r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
			return
		}
		select {
		case <-time.After(3 * short):
		case <-r.Context().Done():
			http.Error(w, "the context has ended", http.StatusServiceUnavailable)
		}
	})))
	defer s.Close()
	for size, want := range map[int]int{0: 200, 1: 200, limit: 200, limit + 1: 413} {
		for _, body := range []io.Reader{bytes.NewReader(make([]byte, size)), io.MultiReader(strings.NewReader(strings.Repeat("x", size)))} {
			r, err := http.Post(s.URL, "", body)
			require.NoError(t, err)
			_ = r.Body.Close()
			require.Equal(t, want, r.StatusCode, size)
		}
	}
}
