package archive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/archive/rowfile"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// Rebuilt is a rebuilt record of a load.
type Rebuilt struct {
	*Load

	// Gaps holds the numbers of missing files. Files missing after the last existing one cannot be detected.
	Gaps []int
}

// Rebuild rebuilds a lost or damaged record of a load from its data files. It reads each file as a whole and
// returns an error if one is unreadable. It refuses a load that has replaced files, because only its record
// named them.
func Rebuild(ctx context.Context, b store.Bucket, load string) (r Rebuilt, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("rebuild the record of load %.100q: %w", load, err)
		}
	}()
	if strings.HasPrefix(load, naming.Replacing) {
		return r, errors.New("it has replaced files, which only its record names: restore that from a backup")
	}
	_, ok, err := Loaded(ctx, b, load)
	var bad *recordError
	switch {
	case err == nil && ok:
		return r, errors.New("it is whole")
	case err != nil && !errors.As(err, &bad):
		return r, err
	}
	files, err := filesOf(ctx, b, load)
	if err != nil {
		return r, err
	}
	if len(files) == 0 {
		return r, errors.New("the archive has no file of it")
	}
	r.Load = &Load{ID: load, Rebuilt: true}
	next := 1
	for _, f := range files {
		for ; next < f.number; next++ {
			r.Gaps = append(r.Gaps, next)
		}
		next++
		if err := f.measure(ctx, b); err != nil {
			return r, err
		}
		r.Files = append(r.Files, f.LoadFile)
	}
	r.Format = formatOf(r.Load)
	if err := writeLoad(ctx, b, naming.Record(load), r.Load); err != nil {
		return r, err
	}
	return r, addToIndex(ctx, b, r.Load, nil)
}

// foundFile is a data file known only by its name.
type foundFile struct {
	LoadFile

	number int
}

// filesOf lists the data files of a load by their numbers.
func filesOf(ctx context.Context, b store.Bucket, load string) (all []*foundFile, err error) {
	for _, dir := range []string{naming.Pings, naming.Errors} {
		for e, err := range b.List(ctx, dir+"/") {
			if err != nil {
				return nil, err
			}
			if of, ok := naming.LoadOf(e.Name); !ok || of != load {
				continue
			}
			f, err := nameFile(e)
			if err != nil {
				return nil, err
			}
			all = append(all, f)
		}
	}
	slices.SortFunc(all, func(x, y *foundFile) int { return cmp.Compare(x.number, y.number) })
	return all, nil
}

func nameFile(e store.Entry) (*foundFile, error) {
	p := partitionOf(e.Name)
	docType, err := url.PathUnescape(string(p.docType))
	if err != nil || p.kind == rowfile.Pings && (p.day == "" || docType == "") {
		return nil, fmt.Errorf("%s is no name of a data file", e.Name)
	}
	base := strings.TrimSuffix(path.Base(e.Name), ".parquet")
	n, err := strconv.Atoi(base[strings.LastIndexByte(base, '-')+1:])
	return &foundFile{LoadFile{Name: e.Name, Bytes: e.Size, Kind: p.kind.Name(), Day: string(p.day), DocType: docType}, n}, err
}

// measure fills in what a record says of a file.
func (f *foundFile) measure(ctx context.Context, b store.Bucket) error {
	p := f.partition()
	p.day, p.docType = ping.Day(f.Day), ping.DocType(f.DocType)
	d := &Day{bucket: b, files: []*dayFile{newDayFile(f.LoadFile)}}
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
