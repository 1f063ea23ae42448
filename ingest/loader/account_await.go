package loader

import (
	"context"
	"fmt"
	"time"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/store"
)

// AwaitOptions define how long an account waits for the archive.
type AwaitOptions struct {
	Wait        time.Duration // how long at most
	Every       time.Duration // between two looks, a second unless set
	clock.Clock               // required
	// Waiting, if not nil, is called with the number of rows at each check.
	Waiting func(rows int64)
}

// AwaitAccount returns the account as soon as it is faultless, or at the end of the wait. In between it reads
// the archive again only if rows were added.
func AwaitAccount(ctx context.Context, b store.Bucket, ids Acknowledged, o AwaitOptions) (Account, error) {
	if o.Every <= 0 {
		o.Every = time.Second
	}
	end := o.Now().Add(o.Wait)
	last := int64(-1) // rows at the last look inside
	for {
		over := !o.Now().Before(end)
		rows, err := archived(ctx, b)
		// Each id has a row, so fewer need no look.
		if o.Waiting != nil {
			o.Waiting(rows)
		}
		if over || err == nil && rows >= int64(ids.Len()) && rows != last {
			var a Account
			if a, err = AccountFor(ctx, b, ids); over || err == nil && a.Faultless() {
				return a, err
			}
			if last = rows; err != nil {
				last = -1
			}
		}
		// An error may come of files that were replaced while they were read. At
		// the end it counts.
		if err := o.Clock.Wait(ctx, min(o.Every, max(end.Sub(o.Now()), time.Millisecond))); err != nil {
			return Account{}, fmt.Errorf("wait for acknowledged submissions: %w", err)
		}
	}
}

// archived returns the number of pings and rejected submissions.
func archived(ctx context.Context, b store.Bucket) (rows int64, err error) {
	pings, err := archive.Days(ctx, b)
	if err != nil {
		return 0, err
	}
	rejected, err := archive.ErrorDays(ctx, b)
	for _, d := range append(pings, rejected...) {
		rows += d.Rows
	}
	return rows, err
}
