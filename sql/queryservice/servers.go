package queryservice

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/internal/retry"
	"github.com/pingmill/pingmill/store/database"
)

// Times of servers that share a history.
const (
	beatInterval = 5 * time.Second  // between reports of a server that it runs
	lostTime     = 30 * time.Second // without a report, after which a server is lost
	pollInterval = 300 * time.Millisecond
)

// nameOf returns the name of this server among those that share a history, "" if there is only one. It stays when the
// process is started again, which ends what an earlier process left unfinished.
func nameOf(p database.Place) (string, error) {
	if !p.Shared() {
		return "", nil
	}
	host, err := os.Hostname()
	if err != nil {
		return "", err
	}
	dir, err := filepath.Abs(p.Dir)
	return host + ":" + dir, err
}

// now is the time of PostgreSQL in milliseconds: the clocks of servers may differ.
const now = "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)"

// beat reports that this server runs, until ctx ends, and marks queries of servers that are lost as failed.
func beat(ctx context.Context, d *Service) {
	tick := time.NewTicker(beatInterval)
	defer tick.Stop()
	last, since := error(nil), d.Now()
	for {
		err := report(ctx, d)
		// After a failure the others are late, too.
		if err != nil {
			since = d.Now()
		} else if d.Now().Sub(since) > lostTime {
			err = interruptLost(ctx, d)
		}
		if err != nil && ctx.Err() == nil && last == nil && d.Log != nil {
			d.Log.Warn("the database of queries fails: it is tried again", "error", err)
		}
		last = err
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// interruptLost marks the unfinished queries of lost servers as failed.
func interruptLost(ctx context.Context, d *Service) error {
	return interrupt(ctx, d, "the server that ran the query has failed",
		"server <> ? AND server NOT IN (SELECT name FROM servers WHERE seen > "+now+" - ?)", d.server, lostTime.Milliseconds())
}

// report stores that this server runs.
func report(ctx context.Context, d *Service) error {
	if d.server == "" {
		return nil
	}
	_, err := d.db.ExecContext(ctx, "INSERT INTO servers VALUES (?, "+now+") ON CONFLICT (name) DO UPDATE SET seen = excluded.seen", d.server)
	return err
}

// storeAgain are the pauses between attempts to store the end of a query.
var storeAgain = retry.Policy{First: time.Second, Max: 30 * time.Second}

// tryStore stores the end of a query. While PostgreSQL is away it tries again, until the service is closed: others would wait for
// the query for ever.
func tryStore(d *Service, id string, store func() error) {
	again := retry.Loop{Policy: storeAgain, What: "store the end of query " + id, Log: d.Log}
	for {
		err := store()
		if err == nil {
			return
		}
		if !d.Place.Shared() {
			if d.Log != nil {
				d.Log.Warn("the state of a query is not stored", "query", id, "error", err)
			}
			return
		}
		if again.Again(d.starting, err) != nil {
			return
		}
	}
}

// elsewhere returns a query that another server runs when it has ended, or its present state after the time most.
func elsewhere(ctx context.Context, d *Service, p *access.Person, id string, most time.Duration) (q Query, err error) {
	for end := time.Now().Add(most); ; {
		if q, err = d.Get(ctx, p, id); err != nil || q.State.Ended() || !d.Place.Shared() || !time.Now().Before(end) {
			return q, err
		}
		select {
		case <-ctx.Done():
			return q, nil
		case <-time.After(pollInterval):
		}
	}
}

// cancelElsewhere has the server of a query cancel it, and waits some time for the end.
func cancelElsewhere(ctx context.Context, d *Service, p *access.Person, id string) error {
	if _, err := d.db.ExecContext(ctx, "UPDATE queries SET cancelled = 1 WHERE id = ?", id); err != nil {
		return err
	}
	_, err := elsewhere(ctx, d, p, id, 5*rightsInterval)
	return err
}

// cancelled reports whether a request to another server cancelled a query.
func cancelled(ctx context.Context, d *Service, id string) (is bool) {
	if !d.Place.Shared() {
		return false
	}
	err := d.db.QueryRowContext(ctx, "SELECT cancelled FROM queries WHERE id = ?", id).Scan(&is)
	return err == nil && is // while the database fails the query goes on
}

// ErrElsewhere means that this server does not have the result, which another one made. It is an ErrResultRemoved.
var ErrElsewhere error = elsewhereError{}

type elsewhereError struct{}

func (elsewhereError) Error() string {
	return "the result is on another server, or was removed: run the query again"
}

func (elsewhereError) Is(target error) bool { return target == ErrResultRemoved }

// missing returns the error for a result that has no file here.
func missing(d *Service, s *stored, err error) error {
	if errors.Is(err, ErrResultRemoved) && s.server != d.server {
		return ErrElsewhere
	}
	return err
}
