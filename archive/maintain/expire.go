package maintain

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/store"
)

// ExpireOptions configures Expire.
type ExpireOptions struct {
	RetentionDays int // retention in days, for the record
	Now           time.Time
	// Owner names the series of removals that this one belongs to, "expire" unless set. Only one removal of an
	// owner may run at a time.
	Owner string
}

func (o *ExpireOptions) owner() string {
	if o.Owner == "" {
		return "expire"
	}
	return o.Owner
}

// Expire removes the files that DaysBefore found for a day; later files remain. Readers see all of them or
// none: the removal is a load without files that replaces them. FinishExpiry or the next removal deletes what a
// crash leaves. A reader that has the day open finds files missing, as after a replay.
func Expire(ctx context.Context, b store.Bucket, d archive.OldDay, o ExpireOptions) error {
	if err := expire(ctx, b, d, o); err != nil {
		return fmt.Errorf("expire %s of %s: %w", d.Kind, d.Day, err)
	}
	return nil
}

func expire(ctx context.Context, b store.Bucket, d archive.OldDay, o ExpireOptions) error {
	record, err := json.Marshal(archive.Expired{
		Format: 1, Kind: d.Kind, Day: string(d.Day), RetentionDays: o.RetentionDays, Time: o.Now.UTC().Format(time.RFC3339),
	})
	if err != nil {
		return err
	}
	// First the record: without it an expired day would look like one that never had pings.
	if err := store.WriteFile(ctx, b, naming.ExpiredDay(string(d.Kind), string(d.Day)), append(record, '\n')); err != nil {
		return err
	}
	w, err := archive.NewWriter(ctx, b, archive.Options{Owner: o.owner()})
	if err != nil {
		return err
	}
	name := sha256.New()
	for _, n := range d.Names {
		fmt.Fprintln(name, n)
		w.Replace(n)
	}
	load := fmt.Sprintf("%s%s.%s%s%s.%s", naming.Replacing, d.Kind, d.Day, naming.ExpireMark, o.Now.UTC().Format(naming.ExpireTime),
		hex.EncodeToString(name.Sum(nil))[:8])
	_, err = w.Close(ctx, load)
	return errors.Join(err, w.Abort())
}

// FinishExpiry completes a removal that was killed.
func FinishExpiry(ctx context.Context, b store.Bucket, o ExpireOptions) error {
	if err := archive.FinishStages(ctx, b, o.owner()); err != nil {
		return fmt.Errorf("finish a removal from the archive: %w", err)
	}
	return nil
}
