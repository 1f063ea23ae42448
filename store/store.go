// Package store stores named objects that do not change after their commit: the archive's and the lake's files.
// A Bucket is a flat set of objects with slash-separated names. The package has two implementations: a
// directory of the local file system and memory. Package storetest holds the acceptance test that every
// implementation passes.
//
// Every Bucket guarantees:
//   - an object becomes visible at Commit, whole, or never;
//   - after Commit has returned nil it survives a power failure (memory: as
//     long as the process lives);
//   - replacing or deleting an object leaves open readers undisturbed;
//   - all methods, and ReadAt of one Reader, may be called concurrently.
//
// A Bucket in a file system can do more, such as renaming a directory: see Dirs.
// The functions of the same names call its methods; for other buckets they find
// another way or return an error that matches errors.ErrUnsupported.
package store

import (
	"context"
	"errors"
	"io"
	"iter"
	"time"
)

// Bucket is a set of named objects. Names follow the rules of CheckName.
type Bucket interface {
	// Create starts writing the object name. Nothing is visible before
	// Writer.Commit, which replaces an object of the same name. Of several
	// writers of one name the last to commit wins.
	Create(ctx context.Context, name string) (Writer, error)

	// Open opens an object for reading. The error for a missing one matches
	// fs.ErrNotExist.
	Open(ctx context.Context, name string) (Reader, error)

	// List yields every object whose name begins with prefix, sorted by the
	// bytes of the name. The prefix is a plain string: "a/b" also finds
	// "a/bc/d"; end it with a slash to list a directory. An error ends the
	// sequence. Objects created or deleted meanwhile may or may not be seen.
	List(ctx context.Context, prefix string) iter.Seq2[Entry, error]

	// Delete removes an object. A missing object is not an error.
	Delete(ctx context.Context, name string) error

	// CompareAndSwap atomically replaces the content of a small object if it is old; nil stands for an absent
	// object, both in old and new. Otherwise the error matches ErrChanged. All writers of such an object, in
	// all processes, must use CompareAndSwap.
	CompareAndSwap(ctx context.Context, name string, old, new []byte) error

	// Identify returns the identity of an object without reading it. The error
	// matches errors.ErrUnsupported if the bucket knows none, fs.ErrNotExist if
	// there is no object.
	Identify(ctx context.Context, name string) (Identity, error)
}

// ErrChanged means an object did not have the bytes that the caller of CompareAndSwap expected.
var ErrChanged = errors.New("the object has changed meanwhile")

// Identity distinguishes a file from another one in its place, and from its own state before a write.
type Identity struct {
	Size    int64
	Content string    // of the file: another one, or one that was written to, has another
	State   string    // the same, and also changes with the file's names and rights
	Changed time.Time // when State became what it is
}

// Entry is an object in a listing.
type Entry struct {
	Name string // full name; with a trailing slash for a directory in Children
	Size int64  // bytes; 0 for a directory
}

// Writer writes one object. Exactly one goroutine may use it.
type Writer interface {
	io.Writer

	// Commit makes the object durable and visible. It fails if any Write
	// failed or the context of Create has ended; then nothing becomes visible.
	// (A directory that cannot be synced fails too, with the object visible
	// already: to the caller it is not committed.)
	Commit() error

	// Abort drops what was written. After Commit it does nothing, so that it
	// can be deferred.
	Abort() error
}

// Reader reads one object as it was when it was opened.
type Reader interface {
	io.ReaderAt
	io.ReadSeeker
	io.Closer
	Size() int64
}

// Dirs is a Bucket in a file system. It does atomically what other buckets do object by object or not at all.
// The functions of the same names document the methods.
type Dirs interface {
	Bucket

	// LocalDir returns the directory that has object "a/b" as the plain file a/b. It returns false for a
	// wrapper around a Bucket without directories; then the other methods must not be called.
	LocalDir() (dir string, ok bool)

	Children(ctx context.Context, dir string) iter.Seq2[Entry, error]
	MakeDir(ctx context.Context, dir string) error
	CreateIn(ctx context.Context, dir, name string) (Writer, error)
	Rename(ctx context.Context, from, to string) error
	Exchange(ctx context.Context, one, other string) error
	LinkAll(ctx context.Context, from, to string, names []string) error
	DeleteTree(ctx context.Context, dir string) error
	Tidy(ctx context.Context, dir string, before time.Time) error
}
