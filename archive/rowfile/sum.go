package rowfile

import (
	"context"
	"crypto/sha256"
	"fmt"
	"hash"

	"github.com/pingmill/pingmill/store"
)

// Sum is a hash of rows in their order, by metadata and documents.
type Sum struct{ hash hash.Hash }

// NewSum returns the sum of no rows.
func NewSum() *Sum { return &Sum{sha256.New()} }

// Add adds a ping, unpacked.
func (s *Sum) Add(r *Record) {
	meta := r.Meta.AppendJSON(nil)
	fmt.Fprintf(s.hash, "%d %d\n", len(meta), len(r.Body))
	s.hash.Write(meta)
	s.hash.Write(r.Body)
}

// String returns the sum in hexadecimal.
func (s *Sum) String() string { return fmt.Sprintf("%x", s.hash.Sum(nil)) }

// SumRows returns the sum of all rows of files of pings, in the order of Merge.
func SumRows(ctx context.Context, b store.Bucket, files []*File) (*Sum, error) {
	s := NewSum()
	for r, err := range Merge(ctx, b, files, NewPool(PackedPings, AllColumns), 0, NoSample) {
		if err != nil {
			return nil, err
		}
		s.Add(r)
	}
	return s, nil
}
