package queryservice

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/pingmill/pingmill/access"
)

// Accounts returns people with their present rights. The error is access.ErrNotFound if the account is disabled or
// removed.
type Accounts interface {
	Person(ctx context.Context, id string) (*access.Person, error)
}

// errRights means the person may no longer read a table or column that the query uses.
var errRights = errors.New("the rights of the person have changed")

// rightsInterval separates two checks of the rights of waiting and running queries.
const rightsInterval = time.Second

// authorize returns errRights if the person's present rights do not cover what the query used.
func (d *Service) authorize(ctx context.Context, p *access.Person, used []Use) error {
	if d.People == nil {
		return nil
	}
	now, err := d.People.Person(ctx, p.ID)
	if errors.Is(err, access.ErrNotFound) || err == nil && !d.visible(now, used) {
		return errRights
	}
	return err
}

// watchRights cancels a query if its person loses the right to read what the query uses, or cancels it at another server.
// It returns when ctx ends.
func (d *Service) watchRights(ctx context.Context, l *activeQuery) {
	tick := time.NewTicker(rightsInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		l.mu.Lock()
		used := slices.Clone(l.uses)
		l.mu.Unlock()
		if errors.Is(d.authorize(ctx, l.person, used), errRights) {
			l.cancel(errRights)
			return
		}
		if cancelled(ctx, d, l.get().ID) {
			l.cancel(errCancelled)
			return
		}
	}
}
