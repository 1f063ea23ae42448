package lake

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/store"
)

// damageRecord describes a file that was read and found damaged.
type damageRecord struct {
	File    string `json:"file"`
	SHA256  string `json:"sha256"`  // expected
	Content string `json:"content"` // identity of the damaged file
	What    string `json:"what"`
}

// RecordDamage writes a damage record, which Look returns, after a file of a partition was read and found damaged. The
// record counts until another file replaces the damaged one. m is nil if the manifest itself is damaged.
func (t *inspector) RecordDamage(ctx context.Context, m *Manifest, d *DamageError) error {
	if err := t.recordDamage(ctx, m, d); err != nil {
		return fmt.Errorf("note that %s: %w", d.Finding(), err)
	}
	return nil
}

func (t *inspector) recordDamage(ctx context.Context, m *Manifest, d *DamageError) error {
	n := damageRecord{File: d.File, What: d.What}
	if m != nil {
		all := m.All()
		at := slices.IndexFunc(all, func(f File) bool { return f.Name == d.File })
		if at < 0 {
			return nil
		}
		id, err := t.bucket.Identify(ctx, t.Paths(ctx, m)(d.File)) // a missing file has no identity
		if err != nil && !errors.Is(err, errors.ErrUnsupported) && !missing(err) {
			return err
		}
		n.SHA256, n.Content = all[at].SHA256, id.Content
	}
	records := slices.DeleteFunc(t.damageRecords(ctx, d.Day), func(n damageRecord) bool { return n.File == d.File })
	records = append(records, n)
	b, err := json.MarshalIndent(records, "", " ")
	if err != nil {
		return err
	}
	return store.WriteFile(ctx, t.bucket, t.recordsName(d.Day), append(b, '\n'))
}

// damageRecords returns the damage records of a day. Unreadable records are ignored, since the next reader
// finds the damage again.
func (t *inspector) damageRecords(ctx context.Context, day string) (records []damageRecord) {
	b, err := store.ReadFile(ctx, t.bucket, t.recordsName(day))
	if err != nil || json.Unmarshal(b, &records) != nil {
		return nil
	}
	return records
}

// addRecorded appends the damage records of the files that the manifest lists.
func (t *inspector) addRecorded(ctx context.Context, m *Manifest, found []*DamageError) ([]*DamageError, error) {
	records := t.damageRecords(ctx, m.Day)
	if len(records) == 0 {
		return found, nil
	}
	name := t.Paths(ctx, m)
	for _, n := range records {
		listed := slices.ContainsFunc(m.All(), func(f File) bool { return f.Name == n.File && f.SHA256 == n.SHA256 })
		known := slices.ContainsFunc(found, func(d *DamageError) bool { return d.File == n.File })
		if !listed || known {
			continue
		}
		id, err := t.bucket.Identify(ctx, name(n.File))
		if err != nil && !errors.Is(err, errors.ErrUnsupported) && !missing(err) {
			return nil, err
		}
		if id.Content == n.Content {
			found = append(found, t.damage(m.Day, n.File, "%s", n.What))
		}
	}
	return found, nil
}

// DamagedDays lists the days with damage records. Look reports whether a damaged file is still in place.
func (t *inspector) DamagedDays(ctx context.Context) (days []string, err error) {
	dir := path.Join(damagedRoot, t.Schema.Prefix())
	for e, err := range store.Children(ctx, t.bucket, dir) {
		if err != nil {
			return nil, fmt.Errorf("list damaged days of %s: %w", t.Schema.Name, err)
		}
		dir, ok := strings.CutSuffix(path.Base(e.Name), ".json")
		if ok && strings.HasPrefix(dir, t.Schema.PartitionStart()) {
			days = append(days, dayOf(dir))
		}
	}
	return days, nil
}

// DeleteDamage deletes the damage records of a day. It is called after the day was made again.
func (t *inspector) DeleteDamage(ctx context.Context, day string) error {
	return t.bucket.Delete(ctx, t.recordsName(day))
}
