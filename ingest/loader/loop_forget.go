package loader

import (
	"context"

	"github.com/pingmill/pingmill/store"
)

// commitForRequests commits the open load if clients have asked to be forgotten
// since it was begun: nothing more of them is kept, and a removal finds their rows
// of before in the archive. Requests of other servers are known here a minute later; a load that was committed meanwhile
// says so, and the removal looks at it again.
func (d *decodeLoop) commitForRequests(ctx context.Context) error {
	set, err := d.registry.Set(store.Polling(ctx))
	if err != nil || set.Requests() == d.open.forgets.set.Requests() {
		return err
	}
	return d.commit(ctx)
}

// renew begins the load again that has nothing yet, if there are new requests.
func (d *decodeLoop) renew(ctx context.Context) error {
	set, err := d.registry.Set(ctx)
	if err != nil || set.Requests() == d.open.forgets.set.Requests() {
		return err
	}
	if err := d.open.writer.Abort(); err != nil {
		return err
	}
	buffer := d.open.buffer
	if err := d.begin(ctx); err != nil {
		return err
	}
	d.open.buffer = buffer
	return nil
}
