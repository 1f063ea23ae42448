package lake

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"path"
	"strings"

	"github.com/pingmill/pingmill/store"
)

// Generation is a version of a partition that is being made. Its files go to a
// place that depends only on the generation's name and the server. So after a kill
// a run finds the files that it has finished. Its methods may be called concurrently,
// except Publish.
type Generation struct {
	table *Table
	day   string
	name  string
	dir   string // where its files are until it is published
	was   []byte // in a bucket without folders: the manifest that it takes the place of, as Begin found it; nil: none
	begun bool   // by Begin, not Join
}

// Begin starts or resumes the generation of a day; its name is hexadecimal
// digits, letters or the like. A publication that was cut short is finished
// first, and unpublished files of other generations of that day are
// removed: only one generation may be unfinished. What Join has others make of it becomes part of it. In a
// bucket without folders other generations stay until the day is published or tidied, and what is published now is all that Publish will replace.
func (t *Table) Begin(ctx context.Context, day, name string) (*Generation, error) {
	g := &Generation{table: t, day: day, name: name, dir: t.attempt(day, name), begun: true}
	if err := t.begin(ctx, g); err != nil {
		return nil, fmt.Errorf("begin %s %s: %w", t.Schema.Name, day, err)
	}
	return g, nil
}

// attempt is the folder in which this server makes a generation. In a bucket without
// folders it is that of all servers: they write the same bytes under the same names.
func (t *Table) attempt(day, name string) string {
	if t.Token != "" && t.rename {
		name += "." + t.Token
	}
	return path.Join(t.stagingDir(day), name)
}

// attempted is the name that a folder was made for by attempt, or by trash.
func attempted(dir string) (name string, gone bool) {
	name, gone = strings.CutSuffix(path.Base(dir), goneSuffix)
	name, _, _ = strings.Cut(name, ".")
	return name, gone
}

func (t *Table) begin(ctx context.Context, g *Generation) (err error) {
	if err := checkGeneration(g.name); err != nil {
		return err
	}
	if err := t.confirm(ctx, g.day); err != nil {
		return err
	}
	if !t.rename {
		g.was, err = t.manifestBytes(ctx, g.day)
		return err
	}
	if err := t.recover(ctx, g.day); err != nil {
		return err
	}
	joined := path.Join(t.stagingDir(g.day), g.name)
	all, err := t.staged(ctx, t.stagingDir(g.day))
	if err != nil {
		return err
	}
	if err := t.adopt(ctx, joined, g.dir, all); err != nil {
		return fmt.Errorf("take over what tasks have made: %w", err)
	}
	for _, dir := range all {
		if dir == g.dir || dir == joined {
			continue
		}
		if err := t.trash(ctx, dir); err != nil {
			return fmt.Errorf("remove leftovers: %w", err)
		}
	}
	return store.MakeDir(ctx, t.bucket, g.dir)
}

// staged lists the folders in a day's staging folder.
func (t *Table) staged(ctx context.Context, staging string) (dirs []string, err error) {
	for e, err := range store.Children(ctx, t.bucket, staging) {
		if err != nil {
			return nil, err
		}
		dirs = append(dirs, strings.TrimSuffix(e.Name, "/"))
	}
	return dirs, nil
}

// errTaken says that a generation's folder is gone. No write may make it again,
// because it would lack the files from before.
var errTaken = errors.New("what was in the making is gone: another server has taken the day over")

// taken explains the error of a write into a generation's folder.
func taken(err error) error {
	if missing(err) {
		return fmt.Errorf("%w: %w", errTaken, err)
	}
	return err
}

// tag is the part of a generation's name that is in the names of its files.
func tag(generation string) string { return generation[:min(8, len(generation))] }

// FileName makes the name of a file of this generation: files of different
// generations never share one, so that on a bucket without folders old and new
// can lie beside each other. sub is the folder below the partition, or "".
func (g *Generation) FileName(sub string, lo, n int) string {
	return path.Join(sub, fmt.Sprintf("part-%03d-%03d-%s.parquet", lo, n, tag(g.name)))
}

// livePrefix begins the names of files with rows of a day that is not over: like compact ones they are
// for pingmill's readers only.
const livePrefix = "_live-"

// LiveName makes the name of a file of this generation with rows of any samples of a day that is not over.
func (g *Generation) LiveName(n int) string {
	return fmt.Sprintf("%s%03d-%s", livePrefix, n, tag(g.name))
}

// IsLive says whether it is such a file.
func (f *File) IsLive() bool { return strings.HasPrefix(f.Name, livePrefix) }

// checkpointName is where a task's checkpoint is kept; the underscore hides it from readers.
func (g *Generation) checkpointName(task string) string {
	return "_task-" + task + "-" + tag(g.name)
}

// SaveCheckpoint keeps the checkpoint of a finished task until the generation is published.
func (g *Generation) SaveCheckpoint(ctx context.Context, task string, text []byte) error {
	if err := store.WriteFileIn(ctx, g.table.bucket, g.dir, g.checkpointName(task), text); err != nil {
		return fmt.Errorf("note task %s of %s %s: %w", task, g.table.Schema.Name, g.day, taken(err))
	}
	return nil
}

// Checkpoint returns that of a task, if a run of this generation has made one.
func (g *Generation) Checkpoint(ctx context.Context, task string) ([]byte, bool) {
	b, err := store.ReadFile(ctx, g.table.bucket, path.Join(g.dir, g.checkpointName(task)))
	return b, err == nil
}

// FileSink takes the bytes of one file. Commit makes the file durable and
// returns its size and hash.
type FileSink struct {
	store.Writer
	name  string
	bytes int64
	hash  hash.Hash
}

// Create starts a file of the generation, replacing one of the same name.
func (g *Generation) Create(ctx context.Context, name string) (*FileSink, error) {
	w, err := store.CreateIn(ctx, g.table.bucket, g.dir, name)
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", g.table.Path(g.day, name), taken(err))
	}
	return &FileSink{Writer: w, name: name, hash: sha256.New()}, nil
}

// Write adds bytes to the file.
func (s *FileSink) Write(p []byte) (int, error) {
	n, err := s.Writer.Write(p)
	s.hash.Write(p[:n])
	s.bytes += int64(n)
	return n, err
}

// Finish commits the file.
func (s *FileSink) Finish() (File, error) {
	if err := s.Commit(); err != nil {
		return File{}, fmt.Errorf("commit %s: %w", s.name, taken(err))
	}
	return File{Name: s.name, Bytes: s.bytes, SHA256: hex.EncodeToString(s.hash.Sum(nil))}, nil
}
