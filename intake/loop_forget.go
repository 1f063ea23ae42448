package intake

import (
	"context"
)

// hearForgotten sees to it that nothing more of clients is kept that have asked
// to be forgotten since the load was begun: what was taken before is committed,
// and found in the archive when their rows are removed.
func (d *decodeLoop) hearForgotten(ctx context.Context) error {
	set, err := d.site.Forgotten.Set(ctx)
	if err != nil || set.Requests() == d.open.forgets.set.Requests() {
		return err
	}
	return d.commit(ctx)
}

// renew begins the load again that has nothing yet, if there are new requests.
func (d *decodeLoop) renew(ctx context.Context) error {
	set, err := d.site.Forgotten.Set(ctx)
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
