package loader

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// Acknowledged is the set of document ids that an edge has acknowledged, numbered from 0.
type Acknowledged interface {
	Len() int
	Find(id []byte) (n int, ok bool)
	ID(n int) string
}

// Account reports where acknowledged document ids are in the archive. Each id counts in one of InPings,
// InErrors, OnlyDuplicates, Missing and Repeated, which add up to Acked.
type Account struct {
	Acked    int64
	InPings  int64 // once among the pings, and not among the errors
	InErrors int64 // once among the errors, duplicates aside, and not among the pings
	// OnlyDuplicates counts ids whose copies have class duplicate but whose originals are missing.
	OnlyDuplicates int64
	Missing        int64 // nowhere
	Repeated       int64 // more than once among pings and errors, duplicates aside

	// Examples of each kind that should not be, up to ten.
	OnlyDuplicateIDs, MissingIDs, RepeatedIDs []string

	ByClass    map[string]int64 // rejected submissions of acknowledged ids, duplicates aside
	Duplicates int64            // submissions of acknowledged ids with the class duplicate
	// Others counts pings and rejected submissions with ids that were not acknowledged, or without an id: a
	// client may have missed the response.
	Others int64
}

// Faultless reports whether every acknowledged id is in the archive exactly once, apart from recognised copies.
func (a *Account) Faultless() bool { return a.OnlyDuplicates+a.Missing+a.Repeated == 0 }

// Err returns an error that names the archive's place if Faultless is false.
func (a *Account) Err(place string) error {
	if a.Faultless() {
		return nil
	}
	return fmt.Errorf("account for acknowledged ids in %s: %d missing, %d with only duplicates, %d more than once",
		place, a.Missing, a.OnlyDuplicates, a.Repeated)
}

// maxExamples is the largest number of ids of each kind that an account names.
const maxExamples = 10

// The places where an id was seen.
const (
	seenPing uint8 = 1 << iota
	seenError
	seenDuplicate
	seenAgain // as a ping or an error, and not for the first time
)

// account is an account that is being made.
type account struct {
	Account
	ids  Acknowledged
	seen []uint8 // by number of the id
}

// AccountFor looks for acknowledged ids in the whole archive, on any day. It reads no bodies and uses a byte of
// memory for each id. The archive may be written meanwhile: a submission that a replay moves from the errors to
// the pings during the account may seem missing, never repeated.
func AccountFor(ctx context.Context, b store.Bucket, ids Acknowledged) (Account, error) {
	a := account{ids: ids, seen: make([]uint8, ids.Len())}
	a.ByClass = map[string]int64{}
	// Pings first: a replay removes errors after it has added pings.
	if err := a.readPings(ctx, b); err != nil {
		return Account{}, fmt.Errorf("account for acknowledged submissions: %w", err)
	}
	if err := a.readErrors(ctx, b); err != nil {
		return Account{}, fmt.Errorf("account for acknowledged submissions: %w", err)
	}
	a.sum()
	return a.Account, nil
}

func (a *account) readPings(ctx context.Context, b store.Bucket) error {
	days, err := archive.Days(ctx, b)
	if err != nil {
		return err
	}
	for _, d := range days {
		day, err := archive.OpenDay(ctx, b, d.Day, d.DocType)
		if errors.Is(err, fs.ErrNotExist) {
			continue // taken away since
		}
		if err != nil {
			return err
		}
		for m, err := range day.Metas(ctx) {
			if err != nil {
				return err
			}
			a.see(m.Text(ping.DocumentID), seenPing)
		}
	}
	return nil
}

func (a *account) readErrors(ctx context.Context, b store.Bucket) error {
	days, err := archive.ErrorDays(ctx, b)
	if err != nil {
		return err
	}
	for _, d := range days {
		day, err := archive.OpenErrors(ctx, b, d.Day)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		for r, err := range day.Heads(ctx) {
			if err != nil {
				return err
			}
			a.seeRejected(r)
		}
	}
	return nil
}

// seeRejected counts a rejected submission. Where ingestion did not find its id,
// the path may have it.
func (a *account) seeRejected(r *archive.Rejected) {
	id := r.Meta.Text(ping.DocumentID)
	if id == nil {
		if u, err := ingest.ParseURI([]byte(r.Path)); err == nil {
			id = u.DocumentID
		}
	}
	where := seenError
	if r.Class == classDuplicate {
		where = seenDuplicate
	}
	switch {
	case !a.see(id, where):
	case where == seenDuplicate:
		a.Duplicates++
	default:
		a.ByClass[r.Class]++
	}
}

// see records where an id is, and reports whether it was acknowledged.
func (a *account) see(id []byte, where uint8) bool {
	n, ok := 0, false
	if id != nil {
		n, ok = a.ids.Find(id)
	}
	if !ok {
		a.Others++
		return false
	}
	if where != seenDuplicate && a.seen[n]&(seenPing|seenError) != 0 {
		where |= seenAgain
	}
	a.seen[n] |= where
	return true
}

// sum sorts the ids by where they were seen.
func (a *account) sum() {
	a.Acked = int64(len(a.seen))
	for n, seen := range a.seen {
		switch {
		case seen&seenAgain != 0:
			a.fault(&a.Repeated, &a.RepeatedIDs, n)
		case seen&seenPing != 0:
			a.InPings++
		case seen&seenError != 0:
			a.InErrors++
		case seen&seenDuplicate != 0:
			a.fault(&a.OnlyDuplicates, &a.OnlyDuplicateIDs, n)
		default:
			a.fault(&a.Missing, &a.MissingIDs, n)
		}
	}
}

func (a *account) fault(count *int64, examples *[]string, n int) {
	if *count++; len(*examples) < maxExamples {
		*examples = append(*examples, a.ids.ID(n))
	}
}
