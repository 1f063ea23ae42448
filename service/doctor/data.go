package doctor

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/etl/status"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/terminal/report"
)

// quiet drops what clients log: the finding says it.
var quiet = slog.New(slog.DiscardHandler)

const newerProgram = "install that version or a later one"

// version compares the program with the formats of the installation and with who made its partitions.
func (p *Patient) version(ctx context.Context) []Finding {
	s, err := p.site(ctx)
	switch {
	case errors.Is(err, site.ErrFormat):
		return []Finding{fail(newerProgram, "this is %s: %v", p.Program, err)}
	case err != nil:
		return []Finding{fail("mend what is named; pingmill status shows more", "the installation cannot be opened: %v", err)}
	case s == nil:
		return []Finding{good("%s; there is no installation yet", p.Program)}
	}
	newer, table := 0, ""
	for _, t := range s.Tables {
		lt, err := s.Table(t.Name)
		if err != nil {
			return []Finding{fail("pingmill status", "%v", err)}
		}
		all, err := lt.Partitions(ctx)
		if errors.Is(err, lake.ErrNewer) {
			newer, table = newer+1, t.Name
		}
		for _, m := range all {
			if m.ByNewer(t) {
				newer, table = newer+1, t.Name
			}
		}
	}
	if err := s.MayWrite(ctx); err != nil {
		return []Finding{fail(newerProgram, "this is %s: %v", p.Program, err)}
	}
	if newer > 0 {
		return []Finding{warn(newerProgram, "this is %s, and a newer version made partitions of %s (%d at least): they stay as they are",
			p.Program, table, newer)}
	}
	return []Finding{good("%s knows everything in the installation", p.Program)}
}

// status reports the state of the last days, as pingmill status does.
func (p *Patient) status(ctx context.Context) []Finding {
	s, err := p.site(ctx)
	if err != nil || s == nil {
		return nil // see version
	}
	st, err := p.Status(ctx, s)
	if err == nil {
		err = report.StatusError(st)
	}
	if err != nil {
		return []Finding{fail("pingmill status names each with the command that mends it", "%v", err)}
	}
	return []Finding{good("the partitions of the last %s are as they should be", days(status.Days*24*time.Hour))}
}

// Status reads the state of the last days that have pings.
func (p *Patient) Status(ctx context.Context, s *site.Site) (*status.Status, error) {
	now := p.Now()
	_, last, err := status.Span(ctx, s)
	if err != nil {
		return nil, err
	}
	end, err := time.Parse("20060102", last)
	if err != nil || end.After(now) {
		end = now
	}
	days, err := job.DayRange(job.FormatDay(end.AddDate(0, 0, 1-status.Days)), job.FormatDay(end))
	if err != nil {
		return nil, err
	}
	return status.Read(ctx, s, status.Options{Days: days, Now: now, Spool: filepath.Join(p.Service.Data, "spool"), Audit: true,
		StalledAfter: p.Service.StalledAfter})
}

// backup compares the copy of the archive with the archive: how far each is decoded.
func (p *Patient) backup(ctx context.Context) []Finding {
	if p.Backup == "" {
		return []Finding{good("not examined: --backup DIR names the folder of the newest copy")}
	}
	const copyNow = "make a copy: docs/operations.md, \"Back up\""
	copied, err := progress(ctx, filepath.Join(p.Backup, "archive"))
	if err != nil {
		return []Finding{fail(copyNow, "%s: %v", p.Backup, err)}
	}
	if copied.IsZero() {
		return []Finding{fail(copyNow, "%s is no copy of a data folder: archive/progress has nothing", p.Backup)}
	}
	have, err := progress(ctx, p.Roots.Archive)
	if err != nil {
		return []Finding{fail("see the other checks", "the archive: %v", err)}
	}
	age := have.Sub(copied)
	text := fmt.Sprintf("%s has what arrived until %s, the archive until %s", p.Backup, copied.UTC().Format(time.DateTime),
		have.UTC().Format(time.DateTime))
	if age > p.BackupAge {
		return []Finding{fail(copyNow, "%s: more than --backup-age (%v) between them", text, p.BackupAge)}
	}
	return []Finding{good("%s", text)}
}

// progress returns how far the newest edge of an archive is decoded; zero if none is.
func progress(ctx context.Context, archive string) (newest time.Time, err error) {
	b, err := site.OpenRoot(ctx, archive)
	if err != nil {
		return newest, err
	}
	all, err := edgestate.ReadProgress(ctx, b)
	for _, e := range all {
		if at := time.Unix(0, e.Watermark); e.Damaged == nil && at.After(newest) {
			newest = at
		}
	}
	return newest, err
}
