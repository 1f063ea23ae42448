// Package store keeps named, immutable-once-committed objects: the archive's
// and the lake's files. A Bucket is a flat set of objects with slash-separated
// names. Two are here: a directory of the local file system and memory.
// Package storetest holds the acceptance test that every implementation passes.
//
// What every Bucket guarantees:
//   - an object becomes visible at Commit, whole, or never;
//   - after Commit has returned nil it survives a power failure (memory: as
//     long as the process lives);
//   - replacing or deleting an object leaves open readers undisturbed;
//   - all methods, and ReadAt of one Reader, may be called concurrently.
//
// What only some can do, such as renaming a directory, is in optional
// interfaces. The functions of the same names (Rename, Exchange, Link,
// DeleteTree, Children, Tidy) call them where they exist; elsewhere they find
// another way or return an error that matches errors.ErrUnsupported.
package store

import (
	"context"
	"io"
	"iter"
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
}

// Entry is one object in a listing.
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

// Renamer is a Bucket that can rename atomically. See Rename.
type Renamer interface {
	Rename(ctx context.Context, from, to string) error
}

// Exchanger is a Bucket that can swap two directories. See Exchange.
type Exchanger interface {
	Exchange(ctx context.Context, a, b string) error
}

// Linker is a Bucket that can give an object a second name without copying
// its bytes. See Link.
type Linker interface {
	Link(ctx context.Context, from, to string) error
}

// AllLinker is a Bucket with hard links. See LinkAll.
type AllLinker interface {
	LinkAll(ctx context.Context, from, to string, names []string) error
}

// DirCreator is a Bucket with directories that do not come with the objects in
// them. See MakeDir and CreateIn.
type DirCreator interface {
	MakeDir(ctx context.Context, dir string) error
	CreateIn(ctx context.Context, dir, name string) (Writer, error)
}

// TreeDeleter is a Bucket that can delete a directory at once. See DeleteTree.
type TreeDeleter interface {
	DeleteTree(ctx context.Context, dir string) error
}

// ChildLister is a Bucket that can list one directory level. See Children.
type ChildLister interface {
	Children(ctx context.Context, dir string) iter.Seq2[Entry, error]
}
