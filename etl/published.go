package etl

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"strconv"
	"time"

	"github.com/pingmill/pingmill/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
)

// PublishedFiles are the published files of tables at a moment: the files that queries
// read.
type PublishedFiles struct {
	verifier *lake.Verifier
	files    map[string]publishedFile // by path
}

// publishedFile is a file of a partition, or represents the files of one whose
// manifest is damaged.
type publishedFile struct {
	table    *lake.Table
	manifest *lake.Manifest
	file     lake.File
	damage   *lake.DamageError
}

// verifiedDir is the folder, in that of temporary files, of what is known of files
// that were compared with their checksums.
const verifiedDir = "verified"

// NewPublished begins a list with no table.
func NewPublished(s *site.Site, now func() time.Time) *PublishedFiles {
	return &PublishedFiles{verifier: lake.NewVerifier(filepath.Join(s.Temp, verifiedDir), now), files: map[string]publishedFile{}}
}

// Files adds the published files of a table and returns the paths. For a partition
// without a usable manifest there are paths of files that do not exist,
// one for each of the folders that it may have.
func (p *PublishedFiles) Files(ctx context.Context, lt *lake.Table) (paths []string, err error) {
	dir, ok := store.LocalDir(lt.Bucket())
	if !ok {
		return nil, fmt.Errorf("query %s: its files are not on the local disk", lt.Schema.Name)
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, fmt.Errorf("query %s: %w", lt.Schema.Name, err)
	}
	manifests, damaged, err := lt.Published(ctx)
	if err != nil {
		return nil, err
	}
	add := func(name string, f publishedFile) {
		name = filepath.Join(dir, name)
		p.files[name], paths = f, append(paths, name)
	}
	for _, m := range manifests {
		place := lt.Paths(ctx, m)
		for _, f := range m.Files {
			add(place(f.Name), publishedFile{table: lt, manifest: m, file: f})
		}
	}
	for _, d := range damaged {
		for _, sub := range subfolders(lt.Schema) {
			add(lt.Path(d.Day, path.Join(sub, "lost")), publishedFile{table: lt, damage: d})
		}
	}
	return paths, nil
}

// Size is how many bytes a published file has, 0 if it is none.
func (p *PublishedFiles) Size(name string) int64 { return p.files[name].file.Bytes }

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

// Verify compares files, given by their paths, with their checksums, or those of
// some columns. The first damaged file gets a damage record, so that status shows
// it and a run mends it, and is the error: a lake.DamageError.
func (p *PublishedFiles) Verify(ctx context.Context, paths, columns []string) error {
	days := map[*lake.Manifest][]lake.File{}
	tables := map[*lake.Manifest]*lake.Table{}
	var order []*lake.Manifest
	for _, name := range paths {
		f, ok := p.files[name]
		switch {
		case !ok:
			return fmt.Errorf("verify %s: it is not published", name)
		case f.damage != nil:
			return f.damage
		}
		if tables[f.manifest] == nil {
			tables[f.manifest], order = f.table, append(order, f.manifest)
		}
		days[f.manifest] = append(days[f.manifest], f.file)
	}
	for _, m := range order {
		if err := p.verifier.Verify(ctx, tables[m], m, days[m], columns); err != nil {
			return recordDamage(ctx, tables[m], m, err)
		}
	}
	return nil
}

// recordDamage writes a damage record for an error. Where it cannot, as for a user
// who may only read, the error says that a run has to be forced.
func recordDamage(ctx context.Context, lt *lake.Table, m *lake.Manifest, err error) error {
	if d, is := lake.Damage(err); is && lt.RecordDamage(ctx, m, d) != nil {
		d.Force = true
	}
	return err
}
