package filecheck

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/internal/panics"
	"github.com/pingmill/pingmill/internal/retry"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
)

// RotateOptions configure Rotate.
type RotateOptions struct {
	clock.Clock
	Log *slog.Logger
	// Checked, if not nil, is called for the files that were read.
	Checked func(files int, bytes int64)
}

const (
	// leastRate is the minimum speed of checks, in bytes per second.
	leastRate = 16 << 20
	// paceLeast is the shortest wait between reads.
	paceLeast = 100 * time.Millisecond
	// rotateIdle is the pause if there are no files.
	rotateIdle = time.Hour
	// unitWeight is added to the bytes of each unit when the progress of a round is computed.
	unitWeight = 64 << 10
)

// rotatePauses are the pauses after failures in a row.
var rotatePauses = retry.Policy{First: time.Minute, Max: time.Hour}

// Rotate checks all files of the installation, as Check does, in rounds until the context ends, so that each file is
// read at least once in every period. After a restart it continues the last round. It logs its findings.
func Rotate(ctx context.Context, s *site.Site, every time.Duration, o RotateOptions) error {
	f := filesOf(s)
	for failures := 0; ctx.Err() == nil; {
		err := panics.Try(func() error { return f.rotate(ctx, every, o) })
		if err == nil || ctx.Err() != nil {
			failures = 0
			continue
		}
		failures++
		pause := rotatePauses.Pause(failures)
		o.Log.Error("checking files: it goes on after a pause", "error", panics.Report(err), "pause", pause)
		_ = o.Wait(ctx, pause)
	}
	return nil
}

// rotate goes over all files once, from where the last round was left. A round
// takes half of the time: what is published behind its back is read in the next.
func (f *files) rotate(ctx context.Context, every time.Duration, o RotateOptions) error {
	units, err := f.units(ctx, Options{Tables: schema.Names(f.data.Tables), Archive: true})
	if err != nil {
		return err
	}
	if len(units) == 0 {
		return o.Wait(ctx, rotateIdle)
	}
	weight, done := int64(0), int64(0)
	for _, u := range units {
		weight += u.bytes + unitWeight
	}
	round := f.round()
	if round.Began.IsZero() {
		round.Began = o.Now()
	}
	span := every / 2
	rate := max(leastRate, 4*float64(weight)/span.Seconds())
	owed := time.Duration(0)
	pace := func(n int) error {
		if owed += time.Duration(float64(n) / rate * float64(time.Second)); owed < paceLeast {
			return nil
		}
		d := owed
		owed = 0
		return o.Wait(ctx, d)
	}
	for _, u := range units {
		done += u.bytes + unitWeight
		if u.key <= round.After {
			continue
		}
		err := u.check(ctx, pace, func(err error) { o.Log.Error("a file is damaged", "error", err) })
		if err != nil {
			return err
		}
		if o.Checked != nil {
			o.Checked(u.files, u.bytes)
		}
		round.After, round.Archive = u.key, nil
		if err := f.writeRound(round); err != nil {
			return err
		}
		due := round.Began.Add(time.Duration(float64(span) * float64(done) / float64(weight)))
		if wait := due.Sub(o.Now()); wait > 0 {
			if err := o.Wait(ctx, wait); err != nil {
				return err
			}
		}
	}
	if err := f.forgetMended(ctx); err != nil {
		return err
	}
	return f.writeRound(fileRound{})
}

// fileRound is the progress of a round, with its findings in the archive.
type fileRound struct {
	Began   time.Time       `json:"began"`
	After   string          `json:"after"` // key of the last unit that was checked; "": none
	Archive []archiveDamage `json:"archive,omitempty"`
}

// archiveDamage is a file of the archive that was read and is damaged.
type archiveDamage struct {
	Name    string `json:"name"`
	Day     string `json:"day"`
	Content string `json:"content"` // identity of the file that was read
	Finding string `json:"finding"`
}

// round reads how far the round is; one that cannot be read begins again.
func (f *files) round() (r fileRound) {
	b, err := os.ReadFile(f.rounds)
	if err != nil || json.Unmarshal(b, &r) != nil {
		return fileRound{}
	}
	return r
}

// writeRound writes how far the round is, with the earlier damage records of the archive unless r has new ones.
func (f *files) writeRound(r fileRound) error {
	if now := f.round(); r.Archive == nil {
		r.Archive = now.Archive
	}
	b, err := json.Marshal(r)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(f.rounds), 0o755)
	}
	temp := fmt.Sprintf("%s.%d", f.rounds, os.Getpid())
	if err == nil {
		err = os.WriteFile(temp, b, 0o644)
	}
	if err == nil {
		err = os.Rename(temp, f.rounds)
	}
	if err != nil {
		return fmt.Errorf("remember which files were checked: %w", err)
	}
	return nil
}

// recordDamage records a damaged file of the archive until another file replaces it.
func (f *files) recordDamage(ctx context.Context, d *archive.DamageError) error {
	id, err := f.data.Archive.Identify(ctx, d.Name)
	if err != nil {
		return nil // the check of names reports a removed file
	}
	r := f.round()
	r.Archive = slices.DeleteFunc(r.Archive, func(n archiveDamage) bool { return n.Name == d.Name })
	r.Archive = append(r.Archive, archiveDamage{d.Name, string(d.Day), id.Content, d.Error()})
	return f.writeRound(r)
}

// Damage is a damaged file that a check found and that was not repaired since.
type Damage struct {
	Subject string // its table, or archive
	Day     string
	Err     string // with what to do
}

// Found lists the findings of checks of files, and of queries.
func Found(ctx context.Context, s *site.Site) (all []Damage, err error) {
	for _, t := range s.Tables {
		lt := s.TableOf(t)
		days, err := lt.DamagedDays(ctx)
		if err != nil {
			return nil, err
		}
		for _, day := range days {
			_, damage, err := lt.Look(ctx, day)
			if err != nil && len(damage) == 0 {
				continue // it was removed
			}
			for _, d := range damage {
				all = append(all, Damage{t.Name, day, d.Error()})
			}
		}
	}
	for _, n := range filesOf(s).round().Archive {
		if id, err := s.Archive.Identify(ctx, n.Name); err == nil && id.Content == n.Content {
			all = append(all, Damage{"archive", n.Day, n.Finding})
		}
	}
	return all, nil
}

// forgetMended deletes the damage records of repaired files.
func (f *files) forgetMended(ctx context.Context) error {
	r := f.round()
	r.Archive = slices.DeleteFunc(append([]archiveDamage{}, r.Archive...), func(n archiveDamage) bool {
		id, err := f.data.Archive.Identify(ctx, n.Name)
		return err != nil || id.Content != n.Content
	})
	if err := f.writeRound(r); err != nil {
		return err
	}
	for _, t := range f.data.Tables {
		lt := f.data.TableOf(t)
		days, err := lt.DamagedDays(ctx)
		if err != nil {
			return err
		}
		for _, day := range days {
			if _, damage, _ := lt.Look(ctx, day); len(damage) == 0 {
				if err := lt.DeleteDamage(ctx, day); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
