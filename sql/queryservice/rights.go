package queryservice

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/pingmill/pingmill/access"
)

// Persons finds people with the rights that they have now. The error of who is disabled or removed is access.ErrNotFound.
type Accounts interface {
	Person(ctx context.Context, id string) (*access.Person, error)
}

// errRights means that a person may not read any more what a query uses.
var errRights = errors.New("the rights of the person have changed")

// rightsEvery is how often the rights of the person of a query that waits or runs are checked.
const rightsInterval = time.Second

// may is nil while a person may read what was used, by the rights of this moment, and else errRights.
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

// watchRights cancels a query once its person may not read what it uses.
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
	}
}
