package etl

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/lake/fetch"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
)

// PublishedFiles is a snapshot of the published files of tables, for queries.
type PublishedFiles struct {
	// Avoid names partitions whose compact files must not be read, see CompactError.
	Avoid map[string]bool

	verifier *lake.Verifier
	cache    *fetch.Cache             // of files in buckets
	files    map[string]publishedFile // by path
}

// publishedFile is a file of a partition, or a placeholder for the files of a partition with a damaged manifest.
type publishedFile struct {
	*publishedDay
	file   lake.File
	damage *lake.DamageError
	fetch  fetch.File // its entry in the cache, if it is in a bucket
}

// publishedDay is a partition. Its manifest may be a head, see lake.Table.Heads.
type publishedDay struct {
	table    *lake.Table
	manifest *lake.Manifest
	place    func(file string) string
	records  bool // the day has damage records
	cached   bool // its files are in a bucket and are read through the cache
}

// verifiedDir is the folder, below the temporary files, of the Verifier's memory.
const verifiedDir = "verified"

// NewPublished returns an empty list.
func NewPublished(s *site.Site, now func() time.Time) *PublishedFiles {
	return &PublishedFiles{verifier: lake.NewVerifier(filepath.Join(s.Temp, verifiedDir), now), cache: s.CacheOf(now),
		files: map[string]publishedFile{}}
}

// Files adds the published files of a table for the wanted days and returns their paths: for each partition its
// compact file, if it has a usable one, otherwise all other files. The last narrow paths are the narrow compact files.
// For a partition without a usable manifest it returns paths that do not exist, one for each possible folder.
func (p *PublishedFiles) Files(ctx context.Context, lt *lake.Table, wanted func(day string) bool) (paths []string, narrow int, err error) {
	dir, local := store.LocalDir(lt.Bucket())
	if !local {
		dir = p.cache.Dir()
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, 0, fmt.Errorf("query %s: %w", lt.Schema.Name, err)
	}
	manifests, damaged, err := lt.Heads(ctx, wanted)
	if err != nil {
		return nil, 0, err
	}
	recorded, err := lt.DamagedDays(ctx)
	if err != nil {
		return nil, 0, err
	}
	add := func(name string, f publishedFile) string {
		name = filepath.Join(dir, name)
		p.files[name] = f
		return name
	}
	part := lake.Fingerprint(lt.Schema.NarrowColumns())
	var narrows []string
	for _, m := range manifests {
		day := &publishedDay{table: lt, manifest: m, place: lt.Paths(ctx, m), records: slices.Contains(recorded, m.Day), cached: !local}
		all, err := p.read(ctx, day)
		if errors.Is(err, fs.ErrNotExist) {
			continue // the day was removed in the meantime
		}
		if err != nil {
			return nil, 0, err
		}
		for _, f := range all {
			pf, place := publishedFile{publishedDay: day, file: f}, day.place(f.Name)
			if day.cached {
				pf.fetch = cachedFile(lt, day.manifest, f)
				if place = pf.fetch.Place; f.Columns == "" || f.Columns == part {
					if _, err := p.cache.Reserve(pf.fetch); err != nil {
						return nil, 0, fmt.Errorf("query %s: %w", lt.Schema.Name, err)
					}
				}
			}
			name := add(place, pf)
			switch f.Columns {
			case "":
				paths = append(paths, name)
			case part:
				narrows = append(narrows, name)
			}
		}
	}
	for _, d := range damaged {
		for _, sub := range subfolders(lt.Schema) {
			paths = append(paths, add(lt.Path(d.Day, path.Join(sub, "lost")), publishedFile{damage: d}))
		}
	}
	return append(paths, narrows...), len(narrows), nil
}

// read returns the files to read of a day, including narrow ones.
func (p *PublishedFiles) read(ctx context.Context, d *publishedDay) ([]lake.File, error) {
	if len(d.manifest.Compact) == 0 {
		return d.manifest.Files, nil
	}
	if compact := d.table.UsableCompact(ctx, d.manifest, d.place, d.records); compact != nil && !p.Avoid[d.table.Path(d.manifest.Day, "")] {
		return compact, nil
	}
	m, err := d.table.Partition(ctx, d.manifest.Day) // the head may lack the list of files
	if err != nil {
		return nil, err
	}
	d.manifest, d.place = m, d.table.Paths(ctx, m)
	return m.Files, nil
}

// Size returns the size of a published file in bytes, 0 for an unknown path.
func (p *PublishedFiles) Size(name string) int64 { return p.files[name].file.Bytes }

// Samples returns the samples of a compact file as named by a partition's folders, separated by commas; ""
// for any other file.
func (p *PublishedFiles) Samples(name string) string {
	f := p.files[name]
	if f.file.Samples == "" {
		return ""
	}
	none := strconv.Itoa(job.NoClient)
	samples, last := strings.TrimSuffix(f.file.Samples, none), ""
	if samples != f.file.Samples {
		_, last, _ = strings.Cut(sampleDir(job.NoClient), "=")
	}
	return samples + last
}

// subfolders returns the possible folders of a partition.
func subfolders(t *schema.Table) []string {
	if len(t.PartitionKeys) < 2 {
		return []string{""}
	}
	all := []string{sampleDir(job.NoClient)}
	for i := range job.NoClient {
		all = append(all, t.PartitionKeys[1]+"="+strconv.Itoa(i))
	}
	return all
}

// Replaced reports whether a file is missing because its generation is no longer published. Verify detects this for
// files in buckets.
func (p *PublishedFiles) Replaced(ctx context.Context) bool {
	for _, f := range p.files {
		if f.damage != nil || f.cached || f.table.Lost(ctx, f.manifest, f.file) == nil {
			continue
		}
		if current, err := f.table.IsCurrent(ctx, f.manifest); err == nil && !current {
			return true
		}
	}
	return false
}

// Verify compares files, given by their paths, with their checksums; columns restricts this to some columns.
// For the first damaged file it writes a damage record, so that status shows it and a run repairs it, and
// returns a lake.DamageError.
func (p *PublishedFiles) Verify(ctx context.Context, paths, columns []string) error {
	days := map[*publishedDay][]lake.File{}
	var order []*publishedDay
	for _, name := range paths {
		f, ok := p.files[name]
		switch {
		case !ok:
			return fmt.Errorf("verify %s: it is not published", name)
		case f.damage != nil:
			return f.damage
		}
		if days[f.publishedDay] == nil {
			order = append(order, f.publishedDay)
		}
		days[f.publishedDay] = append(days[f.publishedDay], f.file)
	}
	if err := p.bring(ctx, order, days, columns); err != nil {
		return err
	}
	for _, d := range order {
		var err error
		if d.cached {
			err = p.verifyCached(ctx, d, days[d], columns)
		} else if d.records {
			err = p.verifier.Verify(ctx, d.table, d.manifest, days[d], columns)
		} else {
			err = p.verifier.VerifyAt(ctx, d.table, d.manifest, d.place, days[d], columns)
		}
		if err != nil {
			return p.recordDamage(ctx, d, err)
		}
	}
	return nil
}

// recordDamage records damage. After damage of a compact file, the next listing uses the other files. A
// generation that is no longer published is not damaged, since its files may have been removed.
func (p *PublishedFiles) recordDamage(ctx context.Context, d *publishedDay, err error) error {
	if _, is := lake.Damage(err); is {
		if current, e := d.table.IsCurrent(ctx, d.manifest); e == nil && !current {
			return fmt.Errorf("%w: %w", ErrReplaced, err)
		}
	}
	err = recordDamage(ctx, d.table, d.manifest, err)
	if damage, is := lake.Damage(err); is && slices.ContainsFunc(d.manifest.Compact, func(f lake.File) bool { return f.Name == damage.File }) {
		return &CompactError{d.table.Path(d.manifest.Day, ""), damage}
	}
	return err
}

// CompactError reports damage of a compact file; other files have the same rows.
type CompactError struct {
	Partition string // add to Avoid
	Damage    *lake.DamageError
}

func (e *CompactError) Error() string { return e.Damage.Error() }

func (e *CompactError) Unwrap() error { return e.Damage }

// recordDamage writes a damage record for an error. If it cannot write, for example because the user may only
// read, the error advises a forced run.
func recordDamage(ctx context.Context, lt *lake.Table, m *lake.Manifest, err error) error {
	if d, is := lake.Damage(err); is && lt.RecordDamage(ctx, m, d) != nil {
		d.Force = true
	}
	return err
}
