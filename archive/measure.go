package archive

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/pingmill/pingmill/archive/rowfile"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// Whole reads the file and reports whether it is as its load has written it.
func (f *LoadFile) Whole(ctx context.Context, b store.Bucket) (bool, error) {
	r, err := b.Open(ctx, f.Name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer r.Close()
	if r.Size() != f.Bytes {
		return false, nil
	}
	if f.SHA256 != "" {
		h := sha256.New()
		if _, err := io.Copy(h, r); err != nil {
			return false, fmt.Errorf("read %s: %w", f.Name, err)
		}
		return hex.EncodeToString(h.Sum(nil)) == f.SHA256, nil
	}
	p := f.partition()
	d := &Day{bucket: b, files: []*dayFile{newDayFile(*f)}}
	for _, err := range d.records(ctx, p.kind, 0, rowfile.NoSample, rowfile.AllColumns) {
		if IsDamage(err) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}

// ParseFile reads a data file and its number from the name of an object. Measure fills in the rest.
func ParseFile(e store.Entry) (f LoadFile, number int, err error) {
	p := partitionOf(e.Name)
	docType, err := url.PathUnescape(string(p.docType))
	if err != nil || p.kind == rowfile.Pings && (p.day == "" || docType == "") {
		return f, 0, fmt.Errorf("%s is no name of a data file", e.Name)
	}
	base := strings.TrimSuffix(path.Base(e.Name), ".parquet")
	n, err := strconv.Atoi(base[strings.LastIndexByte(base, '-')+1:])
	return LoadFile{Name: e.Name, Bytes: e.Size, Kind: p.kind.Name(), Day: string(p.day), DocType: docType}, n, err
}

// Measure reads the file and fills in what the record of its load says about it.
func (f *LoadFile) Measure(ctx context.Context, b store.Bucket) error {
	p := f.partition()
	p.day, p.docType = ping.Day(f.Day), ping.DocType(f.DocType)
	d := &Day{bucket: b, files: []*dayFile{newDayFile(*f)}}
	for r, err := range d.records(ctx, p.kind, 0, rowfile.NoSample, rowfile.AllColumns) {
		if err != nil {
			return err
		}
		f.Rows++
		f.Raw += int64(len(r.Body))
	}
	f.Packed, f.Headers = d.files[0].rows.Packed(), d.files[0].rows.Headers()
	var err error
	f.SHA256, f.Footer, err = rowfile.Measure(ctx, b, f.Name)
	return err
}
