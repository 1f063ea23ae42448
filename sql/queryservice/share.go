package queryservice

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/sql/params"
)

// Shared is the state of a request that everybody with the same rights shares.
type Shared struct {
	Run    Query  // the newest run; its ID is "" if the queue was full
	Result *Query // the newest run whose result can be read; nil if there is none
}

// AnyAge as the age of a shared result means that it may be of any age.
const AnyAge time.Duration = -1

// failedTime is the time in which a failed run is not repeated.
const failedTime = time.Minute

// sharing has locks so that a request does not start twice at once.
type sharing [64]sync.Mutex

// Share returns the newest run of a saved query with the request's values, of anybody whose rights are the same. It starts
// one if none is waiting or running and the newest result is older than age. The error is a *Failure if the request is invalid.
func Share(ctx context.Context, d *Service, p *access.Person, request Request, age time.Duration) (s Shared, err error) {
	text, err := d.expand(ctx, p, &request)
	if err != nil {
		return s, err
	}
	key, err := shareKey(d, p, &request, text)
	if err != nil {
		return s, err
	}
	lock := &d.sharing[crc32.ChecksumIEEE([]byte(key))%uint32(len(d.sharing))]
	lock.Lock()
	defer lock.Unlock()
	newest, err := shared(ctx, d, p, key, &s)
	if err != nil {
		return s, err
	}
	now := d.Now()
	switch {
	case newest == nil:
	case !newest.State.Ended(),
		newest.State == Failed && now.Sub(newest.Ended) < failedTime,
		newest.State == Done && s.Result != nil && newest.ID == s.Result.ID && (age < 0 || now.Sub(newest.Ended) <= age):
		s.Run = *newest
		return s, nil
	}
	s.Run, err = d.Submit(context.WithoutCancel(ctx), p, request) // others wait for it
	if errors.Is(err, ErrFull) {
		s.Run, err = Query{State: Queued}, nil
	}
	return s, err
}

// shared returns the newest run with a key, or nil, and sets the newest result that can be read. It ignores runs that ended
// for a reason that is only their person's.
func shared(ctx context.Context, d *Service, p *access.Person, key string, s *Shared) (newest *Query, err error) {
	const most = 20 // runs in which a result is looked for
	list, _, err := d.all(ctx, "share = ?", most, 0, key)
	if err != nil {
		return nil, err
	}
	for _, stored := range list {
		q := d.newest(stored.q)
		if q.State == Cancelled || q.State == Failed && (q.Error == nil || slices.Contains(ownFailures, q.Error.Kind)) ||
			!d.visible(p, stored.uses) {
			continue
		}
		if newest == nil {
			newest = &q
		}
		if q.State == Done && readable(d, &q) {
			s.Result = &q
			break
		}
	}
	return newest, nil
}

// ownFailures are the kinds of failures that do not concern others who share the request.
var ownFailures = []string{"Not allowed", "Interrupted"}

// readable reports whether the result of a query is still stored.
func readable(d *Service, q *Query) bool {
	if d.Keep > 0 && d.Now().Sub(q.Ended) > d.Keep {
		return false
	}
	_, err := os.Stat(d.results.path(q.ID))
	return err == nil
}

// shareKey returns the key of a saved query's request: a hash of the saved query, the SQL with its values, and all that the
// result depends on of the person: what their grants say of each table that the SQL can read, and their limits.
func shareKey(d *Service, p *access.Person, request *Request, text *params.Expanded) (string, error) {
	limits := p.Limits
	limits.Concurrent = 0
	rights := d.named(p, text.SQL)
	for i, u := range rights {
		if u.Columns != nil {
			rights[i].Columns = slices.Compact(slices.Sorted(slices.Values(u.Columns)))
		}
	}
	doc, err := json.Marshal([]any{request.Saved, request.Dialect, text.SQL, request.Rows, request.Whole, limits, rights})
	if err != nil {
		return "", fmt.Errorf("share query: %w", err)
	}
	sum := sha256.Sum256(doc)
	return hex.EncodeToString(sum[:]), nil
}
