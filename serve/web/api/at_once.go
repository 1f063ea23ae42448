package api

import (
	"context"
	"net/http"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pingmill/pingmill/access"
)

// AtOnce limits the requests of each person that are served at once, until their responses are written: a client that
// reads slowly keeps its response in memory. It is safe for concurrent use.
type AtOnce struct {
	Max int

	mu    sync.Mutex
	count map[string]int // requests by person
}

// Enter counts a request of a person. It returns false if the person has the maximum; otherwise the caller calls leave.
func (l *AtOnce) Enter(person string) (leave func(), ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.count[person] >= l.Max {
		return nil, false
	}
	if l.count == nil {
		l.count = map[string]int{}
	}
	l.count[person]++
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.count[person]--; l.count[person] == 0 {
			delete(l.count, person)
		}
	}, true
}

// TooMany is the text for a person with the maximum of requests.
const TooMany = "too many requests at once: try again in a moment"

// Limited returns an option that counts the requests of an operation, which needs an account. The response is 429 above
// the limit.
func (l *AtOnce) Limited(a huma.API) func(*huma.Operation) {
	return func(op *huma.Operation) {
		op.Middlewares = append(op.Middlewares, func(c huma.Context, next func(huma.Context)) {
			leave, ok := l.Enter(personOf(c.Context()))
			if !ok {
				c.SetHeader("Retry-After", "1")
				_ = huma.WriteErr(a, c, http.StatusTooManyRequests, TooMany)
				return
			}
			defer leave()
			next(c)
		})
	}
}

func personOf(ctx context.Context) string {
	if p := access.From(ctx); p != nil {
		return p.ID
	}
	return ""
}
