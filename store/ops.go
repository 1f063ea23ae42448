package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"
)

// dirs returns b as a Bucket in a file system, nil if it is none.
func dirs(b Bucket) Dirs {
	if d, ok := b.(Dirs); ok {
		if _, ok := d.LocalDir(); ok {
			return d
		}
	}
	return nil
}

// HasDirs reports whether b is in a file system and so can rename directories.
func HasDirs(b Bucket) bool { return dirs(b) != nil }

// LocalDir returns the directory in which b stores object "a/b" as the plain file a/b, for engines that read
// files themselves.
func LocalDir(b Bucket) (dir string, ok bool) {
	if d := dirs(b); d != nil {
		return d.LocalDir()
	}
	return "", false
}

// Rename atomically renames the object or directory from to to: readers see the old or the new state. An object
// replaces an object; if from is a directory, to must be absent. The error matches errors.ErrUnsupported if b
// cannot rename.
func Rename(ctx context.Context, b Bucket, from, to string) error {
	if d := dirs(b); d != nil {
		return d.Rename(ctx, from, to)
	}
	return fmt.Errorf("rename %s to %s: %w", from, to, errors.ErrUnsupported)
}

// Exchange exchanges two existing directories in one step. The error matches
// errors.ErrUnsupported if the bucket, the system or its file system cannot.
func Exchange(ctx context.Context, b Bucket, one, other string) error {
	if d := dirs(b); d != nil {
		return d.Exchange(ctx, one, other)
	}
	return fmt.Errorf("exchange %s and %s: %w", one, other, errors.ErrUnsupported)
}

// MakeDir makes a directory for CreateIn, where b has directories.
func MakeDir(ctx context.Context, b Bucket, dir string) error {
	if d := dirs(b); d != nil {
		return d.MakeDir(ctx, dir)
	}
	return nil
}

// CreateIn starts writing an object, named from the directory dir, as
// Bucket.Create does; but where b has directories it never makes that one: if
// somebody has removed it, the error matches fs.ErrNotExist.
func CreateIn(ctx context.Context, b Bucket, dir, name string) (Writer, error) {
	if d := dirs(b); d != nil {
		return d.CreateIn(ctx, dir, name)
	}
	return b.Create(ctx, dir+"/"+name)
}

// LinkAll links the named objects of the directory from into the directory to, replacing objects of those
// names. The directory must exist, and only the caller may change it meanwhile. After an error some links may
// exist. It never copies: the error matches errors.ErrUnsupported if b has no hard links.
func LinkAll(ctx context.Context, b Bucket, from, to string, names []string) error {
	if d := dirs(b); d != nil {
		return d.LinkAll(ctx, from, to, names)
	}
	return fmt.Errorf("link %s to %s: %w", from, to, errors.ErrUnsupported)
}

// CopyIn copies an object to name in the directory dir, which it does not make.
func CopyIn(ctx context.Context, b Bucket, from, dir, name string) error {
	if c, ok := b.(Copier); ok && !HasDirs(b) {
		return c.Copy(ctx, from, dir+"/"+name)
	}
	r, err := b.Open(ctx, from)
	if err != nil {
		return err
	}
	defer r.Close()
	w, err := CreateIn(ctx, b, dir, name)
	if err != nil {
		return err
	}
	return fill(w, name, r)
}

// WriteFileIn works like WriteFile, through CreateIn.
func WriteFileIn(ctx context.Context, b Bucket, dir, name string, data []byte) error {
	w, err := CreateIn(ctx, b, dir, name)
	if err != nil {
		return err
	}
	return fill(w, name, bytes.NewReader(data))
}

// Copier is a Bucket that copies objects itself, without their bytes passing through this process.
type Copier interface {
	// Copy copies an object, replacing one of the same name. The error for a missing one matches fs.ErrNotExist.
	Copy(ctx context.Context, from, to string) error
}

// Copy copies an object, replacing one of the same name.
func Copy(ctx context.Context, b Bucket, from, to string) error {
	if c, ok := b.(Copier); ok {
		return c.Copy(ctx, from, to)
	}
	r, err := b.Open(ctx, from)
	if err != nil {
		return err
	}
	defer r.Close()
	return write(ctx, b, to, r)
}

// DeleteTree deletes every object under the directory dir, and the remains of interrupted writes there. Readers
// may see a part of the objects missing. A missing directory is not an error.
func DeleteTree(ctx context.Context, b Bucket, dir string) error {
	if d := dirs(b); d != nil {
		return d.DeleteTree(ctx, dir)
	}
	var names []string
	for e, err := range b.List(ctx, dir+"/") {
		if err != nil {
			return err
		}
		names = append(names, e.Name)
	}
	for _, name := range names {
		if err := b.Delete(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// Children yields the entries of the directory dir ("" is the bucket's top): objects, and directories with a
// trailing slash, sorted by name. A missing directory is empty. A listed directory may hold no object, only the
// remains of an interrupted write.
func Children(ctx context.Context, b Bucket, dir string) iter.Seq2[Entry, error] {
	if d := dirs(b); d != nil {
		return d.Children(ctx, dir)
	}
	if l, ok := b.(Lister); ok {
		return l.Children(ctx, dir)
	}
	return childrenByList(ctx, b, dir)
}

// Lister is a Bucket without directories that lists by delimiter, as fast as a bucket with directories.
type Lister interface {
	Children(ctx context.Context, dir string) iter.Seq2[Entry, error]
}

func childrenByList(ctx context.Context, b Bucket, dir string) iter.Seq2[Entry, error] {
	prefix := ""
	if dir != "" {
		prefix = dir + "/"
	}
	return func(yield func(Entry, error) bool) {
		last := ""
		for e, err := range b.List(ctx, prefix) {
			if err != nil {
				yield(Entry{}, err)
				return
			}
			if i := strings.IndexByte(e.Name[len(prefix):], '/'); i >= 0 {
				e = Entry{Name: e.Name[:len(prefix)+i+1]}
			}
			if e.Name == last {
				continue
			}
			last = e.Name
			if !yield(e, nil) {
				return
			}
		}
	}
}

// Tidy removes the remains of interrupted writes under dir ("" is everything) that were last written before the
// given time. The zero time means all of them; then no process may write to the directory.
func Tidy(ctx context.Context, b Bucket, dir string, before time.Time) error {
	if d := dirs(b); d != nil {
		return d.Tidy(ctx, dir, before)
	}
	if t, ok := b.(Tidier); ok {
		return t.Tidy(ctx, dir, before)
	}
	return nil
}

// Tidier is a Bucket without directories in which interrupted writes leave invisible data that costs storage.
type Tidier interface {
	Tidy(ctx context.Context, dir string, before time.Time) error
}

// ReadFile returns the content of an object.
func ReadFile(ctx context.Context, b Bucket, name string) ([]byte, error) {
	r, err := b.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data := make([]byte, r.Size())
	if _, err := io.ReadFull(r, data); err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return data, nil
}

// WriteFile creates or replaces an object.
func WriteFile(ctx context.Context, b Bucket, name string, data []byte) error {
	return write(ctx, b, name, bytes.NewReader(data))
}

func write(ctx context.Context, b Bucket, name string, r io.Reader) error {
	w, err := b.Create(ctx, name)
	if err != nil {
		return err
	}
	return fill(w, name, r)
}

// fill writes an object whole.
func fill(w Writer, name string, r io.Reader) error {
	defer w.Abort()
	if _, err := io.Copy(w, r); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return w.Commit()
}
