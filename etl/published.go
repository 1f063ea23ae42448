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

// PublishedFiles are the published files of tables at a moment: the files that queries
// read.
type PublishedFiles struct {
	// Avoid are partitions whose compact files are not to be read, see CompactError.
	Avoid map[string]bool

	verifier *lake.Verifier
	cache    *fetch.Cache             // of files in buckets
	files    map[string]publishedFile // by path
}

// publishedFile is a file of a partition, or represents the files of one whose
// manifest is damaged.
type publishedFile struct {
	*publishedDay
	file   lake.File
	damage *lake.DamageError
	fetch  fetch.File // where it is in the cache, if it is in a bucket
}

// publishedDay is a partition, of which the manifest may be a head.
type publishedDay struct {
	table    *lake.Table
	manifest *lake.Manifest
	place    func(file string) string
	records  bool // there are damage records of the day
	cached   bool // its files are in a bucket, and what is read of them in the cache
}

// verifiedDir is the folder, in that of temporary files, of what is known of files
// that were compared with their checksums.
const verifiedDir = "verified"

// NewPublished begins a list with no table.
func NewPublished(s *site.Site, now func() time.Time) *PublishedFiles {
	return &PublishedFiles{verifier: lake.NewVerifier(filepath.Join(s.Temp, verifiedDir), now), cache: s.CacheOf(now), files: map[string]publishedFile{}}
}

// Files adds the published files of a table, of the days that are wanted, and returns the paths: for each partition its compact file, if it has one
// and nothing is known against it, or else the others. The last of them, narrow in number, are the narrow compact files. For a partition
// without a usable manifest there are paths of files that do not exist, one for each of the folders that it may have.
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
			continue // the day was removed meanwhile
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

// read are the files to read of a day, narrow ones among them.
func (p *PublishedFiles) read(ctx context.Context, d *publishedDay) ([]lake.File, error) {
	if len(d.manifest.Compact) == 0 {
		return d.manifest.Files, nil
	}
	if compact := d.table.UsableCompact(ctx, d.manifest, d.place, d.records); compact != nil && !p.Avoid[d.table.Path(d.manifest.Day, "")] {
		return compact, nil
	}
	m, err := d.table.Partition(ctx, d.manifest.Day) // the head may be without its files
	if err != nil {
		return nil, err
	}
	d.manifest, d.place = m, d.table.Paths(ctx, m)
	return m.Files, nil
}

// Size is how many bytes a published file has, 0 if it is none.
func (p *PublishedFiles) Size(name string) int64 { return p.files[name].file.Bytes }

// Samples are the samples of a compact file as the folders of a partition name them, with commas between; "" of any other.
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

// subfolders are those that a partition of a table may have.
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

// Gone says whether a file is not there any more because its generation is not published any more. Of files in buckets Verify knows.
func (p *PublishedFiles) Gone(ctx context.Context) bool {
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

// Verify compares files, given by their paths, with their checksums, or those of
// some columns. The first damaged file gets a damage record, so that status shows
// it and a run mends it, and is the error: a lake.DamageError.
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

// recordDamage records damage. Of a compact file it is known from then on: what lists files the next time reads the others. A
// generation that is not published any more is not damaged: its files may have been removed.
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

// CompactError is damage of a compact file: other files have the same rows.
type CompactError struct {
	Partition string // to be avoided
	Damage    *lake.DamageError
}

func (e *CompactError) Error() string { return e.Damage.Error() }

func (e *CompactError) Unwrap() error { return e.Damage }

// recordDamage writes a damage record for an error. Where it cannot, as for a user
// who may only read, the error says that a run has to be forced.
func recordDamage(ctx context.Context, lt *lake.Table, m *lake.Manifest, err error) error {
	if d, is := lake.Damage(err); is && lt.RecordDamage(ctx, m, d) != nil {
		d.Force = true
	}
	return err
}
