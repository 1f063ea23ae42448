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

// Generation is a version of a partition that is being written. Its folder depends only on the generation's
// name and the server, so that after a crash a run finds its finished files. Its methods are safe for
// concurrent use, except Publish.
type Generation struct {
	table *Table
	day   string
	name  string
	dir   string // the folder of its files until it is published
	was   []byte // without folders: the manifest that Begin found and Publish will replace; nil: none
	begun bool   // by Begin, not Join
}

// Begin starts or resumes the generation of a day. Its name consists of hexadecimal digits, letters or the like. Begin
// first finishes an interrupted publication and removes unpublished files of the day's other generations: only one
// generation may be unfinished. Files that other processes wrote through Join become part of it.
//
// In a bucket without folders, other generations remain until the day is published or tidied, and Publish
// replaces only the manifest that is published now.
func (t *Table) Begin(ctx context.Context, day, name string) (*Generation, error) {
	g := &Generation{table: t, day: day, name: name, dir: t.attempt(day, name), begun: true}
	if err := t.begin(ctx, g); err != nil {
		return nil, fmt.Errorf("begin %s %s: %w", t.Schema.Name, day, err)
	}
	return g, nil
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
	if err := t.exchange().recover(ctx, g.day); err != nil {
		return err
	}
	joined := path.Join(t.stagingDir(g.day), g.name)
	all, err := t.staged(ctx, t.stagingDir(g.day))
	if err != nil {
		return err
	}
	if err := t.exchange().adopt(ctx, joined, g.dir, all); err != nil {
		return fmt.Errorf("take over what tasks have made: %w", err)
	}
	for _, dir := range all {
		if dir == g.dir || dir == joined {
			continue
		}
		if err := t.exchange().trash(ctx, dir); err != nil {
			return fmt.Errorf("remove leftovers: %w", err)
		}
	}
	return store.MakeDir(ctx, t.bucket, g.dir)
}

// staged lists the folders in a day's staging folder.
func (t *manifests) staged(ctx context.Context, staging string) (dirs []string, err error) {
	for e, err := range store.Children(ctx, t.bucket, staging) {
		if err != nil {
			return nil, err
		}
		dirs = append(dirs, strings.TrimSuffix(e.Name, "/"))
	}
	return dirs, nil
}

// errTaken means that another process removed a generation's folder. No write may create it again, because it would
// lack the earlier files.
var errTaken = errors.New("what was in the making is gone: another server has taken the day over")

// taken adds errTaken to the error of a write into a missing generation folder.
func taken(err error) error {
	if missing(err) {
		return fmt.Errorf("%w: %w", errTaken, err)
	}
	return err
}

// tag returns the part of a generation's name that its file names contain.
func tag(generation string) string { return generation[:min(8, len(generation))] }

// FileName returns the name of a file of this generation. Different generations never share a name, so that old and
// new files can be in one folder of a bucket without folders. sub is the folder below the partition, or "".
func (g *Generation) FileName(sub string, lo, n int) string {
	return path.Join(sub, fmt.Sprintf("part-%03d-%03d-%s.parquet", lo, n, tag(g.name)))
}

// livePrefix begins the names of files with rows of an incomplete day. Like compact files, only pingmill's
// readers use them.
const livePrefix = "_live-"

// LiveName returns the name of a file of this generation with rows of any samples of an incomplete day.
func (g *Generation) LiveName(n int) string {
	return fmt.Sprintf("%s%03d-%s", livePrefix, n, tag(g.name))
}

// IsLive reports whether f contains rows of an incomplete day.
func (f *File) IsLive() bool { return strings.HasPrefix(f.Name, livePrefix) }

// checkpointName returns the name of a task's checkpoint. The underscore hides it from readers.
func (g *Generation) checkpointName(task string) string {
	return "_task-" + task + "-" + tag(g.name)
}

// SaveCheckpoint writes the checkpoint of a finished task. It exists until the generation is published.
func (g *Generation) SaveCheckpoint(ctx context.Context, task string, text []byte) error {
	if err := store.WriteFileIn(ctx, g.table.bucket, g.dir, g.checkpointName(task), text); err != nil {
		return fmt.Errorf("note task %s of %s %s: %w", task, g.table.Schema.Name, g.day, taken(err))
	}
	return nil
}

// Checkpoint returns the checkpoint of a task, if a run of this generation has written one.
func (g *Generation) Checkpoint(ctx context.Context, task string) ([]byte, bool) {
	b, err := store.ReadFile(ctx, g.table.bucket, path.Join(g.dir, g.checkpointName(task)))
	return b, err == nil
}

// FileSink writes one file of a generation and computes its size and hash. Finish commits it.
type FileSink struct {
	store.Writer
	name  string
	bytes int64
	hash  hash.Hash
}

// Create starts a file of the generation. It replaces a file of the same name.
func (g *Generation) Create(ctx context.Context, name string) (*FileSink, error) {
	return g.CreateGrouped(ctx, nil, name)
}

// CreateGrouped is Create of a file that only group makes durable.
func (g *Generation) CreateGrouped(ctx context.Context, group *store.Group, name string) (*FileSink, error) {
	w, err := group.CreateIn(ctx, g.table.bucket, g.dir, name)
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", g.table.Path(g.day, name), taken(err))
	}
	return &FileSink{Writer: w, name: name, hash: sha256.New()}, nil
}

// Write appends bytes to the file.
func (s *FileSink) Write(p []byte) (int, error) {
	n, err := s.Writer.Write(p)
	s.hash.Write(p[:n])
	s.bytes += int64(n)
	return n, err
}

// Finish makes the file durable, unless its group does, and returns its name, size and hash.
func (s *FileSink) Finish() (File, error) {
	if err := s.Commit(); err != nil {
		return File{}, fmt.Errorf("commit %s: %w", s.name, taken(err))
	}
	return File{Name: s.name, Bytes: s.bytes, SHA256: hex.EncodeToString(s.hash.Sum(nil))}, nil
}
