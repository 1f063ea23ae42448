package store

import "path/filepath"

// Place returns the place of an object for people and other programs: its path on the local disk, or its URL.
// In memory it is its name.
func Place(b Bucket, name string) string {
	for {
		if dir, ok := LocalDir(b); ok {
			return filepath.Join(dir, filepath.FromSlash(name))
		}
		if at, ok := b.(interface{ URL() string }); ok {
			return at.URL() + "/" + name
		}
		inner, ok := b.(interface{ Unwrap() Bucket })
		if !ok {
			return name
		}
		b = inner.Unwrap()
	}
}
