package quality

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/store"
)

// folder contains the profiles, in the bucket of their table. So exactly the readers of a table's files can
// read its profiles. Globs that match tables do not match it.
const folder = "_quality"

const suffix = ".ndjson"

// maxBytes is the largest profile that is read: enough for thousands of columns.
const maxBytes = 64 << 20

func dir(lt *lake.Table) string { return path.Join(folder, lt.Schema.Prefix()) }

func name(lt *lake.Table, day string) string { return path.Join(dir(lt), day+suffix) }

// Write replaces the stored profile of a partition.
func Write(ctx context.Context, lt *lake.Table, p *Profile) error {
	b, err := p.Encode()
	if err == nil {
		err = store.WriteFile(ctx, lt.Bucket(), name(lt, p.Day), b)
	}
	if err != nil {
		return fmt.Errorf("write profile %s %s: %w", p.Table, p.Day, err)
	}
	return nil
}

// Read reads the profile of a day. A missing one matches fs.ErrNotExist; one that is damaged, of another table or in another
// form is an error, and a new one takes its place.
func Read(ctx context.Context, lt *lake.Table, day string) (*Profile, error) {
	b, err := slurp(ctx, lt, day, maxBytes+1)
	if err != nil {
		return nil, err
	}
	if len(b) > maxBytes {
		return nil, fmt.Errorf("profile %s: it is larger than %d bytes", name(lt, day), maxBytes)
	}
	p, err := Decode(b)
	if err == nil {
		err = p.belongs(lt, day)
	}
	if err != nil {
		return nil, fmt.Errorf("profile %s: %w", name(lt, day), err)
	}
	return p, nil
}

// headBytes are more than heads have, even with many checks.
const headBytes = 16 << 10

// ReadHead is Read of the head alone.
func ReadHead(ctx context.Context, lt *lake.Table, day string) (Head, error) {
	var h Head
	b, err := slurp(ctx, lt, day, headBytes)
	if err != nil {
		return h, err
	}
	h, _, err = decodeHead(b)
	if errors.Is(err, errCut) && len(b) == headBytes {
		p, err := Read(ctx, lt, day)
		if err != nil {
			return h, err
		}
		return p.Head, nil
	}
	if err == nil {
		err = h.belongs(lt, day)
	}
	if err != nil {
		return h, fmt.Errorf("profile %s: %w", name(lt, day), err)
	}
	return h, nil
}

func slurp(ctx context.Context, lt *lake.Table, day string, most int64) (b []byte, err error) {
	if strings.ContainsAny(day, "/.") {
		return nil, fmt.Errorf("profile of day %q: %w", day, fs.ErrNotExist)
	}
	r, err := lt.Bucket().Open(ctx, name(lt, day))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	return io.ReadAll(io.LimitReader(r, most))
}

func (h *Head) belongs(lt *lake.Table, day string) error {
	if h.Table != lt.Schema.Name || h.Version != lt.Schema.Version || h.Day != day {
		return fmt.Errorf("it is of %s %s, day %s", h.Table, h.Version, h.Day)
	}
	return nil
}

// Days lists the days that have a profile, oldest first.
func Days(ctx context.Context, lt *lake.Table) (days []string, err error) {
	for e, err := range lt.Bucket().List(ctx, dir(lt)+"/") {
		if err != nil {
			return nil, fmt.Errorf("list profiles of %s: %w", lt.Schema.Name, err)
		}
		if day, is := strings.CutSuffix(path.Base(e.Name), suffix); is {
			days = append(days, day)
		}
	}
	slices.Sort(days)
	return days, nil
}

// Delete removes the profile of a day, if there is one.
func Delete(ctx context.Context, lt *lake.Table, day string) error {
	return lt.Bucket().Delete(ctx, name(lt, day))
}
