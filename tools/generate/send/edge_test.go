package send

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/tools/generate"
)

func population(t *testing.T, c generate.Config) *generate.Generator {
	t.Helper()
	g, err := generate.New(c)
	require.NoError(t, err)
	return g
}

// small returns a population of a few hundred submissions of all kinds.
func small(t *testing.T) *generate.Generator {
	return population(t, generate.Config{
		Seed: 4, Clients: 160, Days: 2, Damaged: 0.3, Duplicates: 0.1, MeanBytes: 16_000, Gzip: true,
	})
}

// arrival is a submission as a server got it.
type arrival struct {
	header http.Header
	body   []byte
}

// edge is a server that stores what it acknowledges.
type edge struct {
	*httptest.Server
	mu     sync.Mutex
	stored map[string][]arrival // by path
	tries  map[string]int
}

// newEdge starts an edge. answer decides about the n-th try, from 0, of a path
// that has a document id; without an answer of its own the submission is stored
// and acknowledged.
func newEdge(t *testing.T, answer func(e *edge, w http.ResponseWriter, r *http.Request, n int) (done bool)) *edge {
	t.Helper()
	e := &edge{stored: map[string][]arrival{}, tries: map[string]int{}}
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || r.ContentLength < 0 {
			t.Errorf("%s %s of length %d", r.Method, r.RequestURI, r.ContentLength)
		}
		if DocumentID([]byte(r.RequestURI)) == nil {
			e.keep(r)
			http.Error(w, "no such path", http.StatusBadRequest)
			return
		}
		e.mu.Lock()
		n := e.tries[r.RequestURI]
		e.tries[r.RequestURI]++
		e.mu.Unlock()
		if answer != nil && answer(e, w, r, n) {
			return
		}
		e.keep(r)
		io.WriteString(w, "OK")
	}))
	t.Cleanup(e.Close)
	return e
}

// keep stores a submission.
func (e *edge) keep(r *http.Request) {
	b, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.stored[r.RequestURI] = append(e.stored[r.RequestURI], arrival{r.Header.Clone(), b})
}

// drop closes the connection without an answer.
func drop(w http.ResponseWriter) {
	c, _, err := w.(http.Hijacker).Hijack()
	if err == nil {
		c.Close()
	}
}

func (e *edge) options(t *testing.T) Options {
	t.Helper()
	u, err := url.Parse(e.URL)
	require.NoError(t, err)
	return Options{To: u, Clock: clock.Clock{Now: time.Now, Wait: atOnce}, Retries: DefaultRetries, IDs: &IDs{}, Concurrency: 8}
}

// atOnce is a pause that takes no time.
func atOnce(ctx context.Context, _ time.Duration) error { return ctx.Err() }

// expected returns the submissions of a population that an edge acknowledges, and their document ids.
func expected(g *generate.Generator) (acknowledged, refused int64, ids map[string]int) {
	ids = map[string]int{}
	for s := range g.Submissions() {
		if id := DocumentID(s.URI); id != nil {
			acknowledged++
			ids[string(id)]++
		} else {
			refused++
		}
	}
	return acknowledged, refused, ids
}

func checkIDs(t *testing.T, got *IDs, want map[string]int) {
	t.Helper()
	if got.Len() != len(want) {
		t.Errorf("%d ids, want %d", got.Len(), len(want))
	}
	for id, count := range want {
		n, ok := got.Find([]byte(id))
		if !ok || got.ID(n) != id || got.Count(n) != count {
			t.Fatalf("id %s: found %v, counted %d times instead of %d", id, ok, got.Count(n), count)
		}
	}
}
