package loader

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// Documents remembers the document ids of the days that are loaded, those of the archive and those of the load
// itself, so that no document is archived twice. A document id belongs to a day and a document type; pings
// without one are never duplicates.
//
// It reads the ids of a day at the day's first ping; a day without pings costs nothing. It takes some 30 bytes
// of memory for each document of these days. It can be reused for one load after the other.
type Documents struct {
	parts map[dayOfType]*partDocuments
	count int
}

// maxDocuments is the largest number of documents that stay in memory between loads.
const maxDocuments = 8_000_000

type dayOfType struct {
	day     ping.Day
	docType ping.DocType
}

// partDocuments are the documents of one partition of the archive.
type partDocuments struct {
	stale    bool            // files may have been added or removed
	files    map[string]bool // of which they were read
	archived map[key]struct{}
	loaded   map[key]struct{} // by the load that is under way
}

// errMeanwhile means that documents of a load came into the archive while it was at work.
var errMeanwhile = errors.New("documents of it came into the archive meanwhile: load it again")

func documentKey(id []byte) (k key) {
	sum := sha256.Sum256(id)
	copy(k[:], sum[:])
	return k
}

// begin forgets what the last load was about to bring, and keeps what the archive
// has.
func (d *Documents) begin() {
	if d.parts == nil || d.count > maxDocuments {
		d.parts, d.count = map[dayOfType]*partDocuments{}, 0
	}
	for _, p := range d.parts {
		p.loaded, p.stale = map[key]struct{}{}, true
	}
}

// seen reports whether the archive or, if not, this load has a document, and remembers it.
func (d *Documents) seen(ctx context.Context, b store.Bucket, at dayOfType, id []byte) (archived, loaded bool, err error) {
	p := d.parts[at]
	if p == nil {
		p = &partDocuments{stale: true, archived: map[key]struct{}{}, loaded: map[key]struct{}{}}
		d.parts[at] = p
	}
	if p.stale {
		if _, err := d.refresh(ctx, b, at, p); err != nil {
			return false, false, err
		}
		p.stale = false
	}
	k := documentKey(id)
	if _, archived = p.archived[k]; archived {
		return true, false, nil
	}
	if _, loaded = p.loaded[k]; !loaded {
		p.loaded[k] = struct{}{}
		d.count++
	}
	return false, loaded, nil
}

// refresh reads the files of a partition that were not read yet, and reports whether they have documents of the load
// that is under way.
func (d *Documents) refresh(ctx context.Context, b store.Bucket, at dayOfType, p *partDocuments) (meanwhile bool, err error) {
	day, err := archive.OpenDay(ctx, b, at.day, at.docType)
	var names []string
	switch {
	case err == nil:
		names = day.Names()
	case errors.Is(err, fs.ErrNotExist):
		day = &archive.Day{}
	default:
		return false, fmt.Errorf("look for duplicates: %w", err)
	}
	for name := range p.files {
		if p.stale && !slices.Contains(names, name) { // including removed documents
			p.files, p.archived = nil, map[key]struct{}{}
			break
		}
	}
	for id, err := range day.Documents(ctx, func(file string) bool { return !p.files[file] }) {
		if err != nil {
			return false, fmt.Errorf("look for duplicates: %w", err)
		}
		k := documentKey(id)
		if _, is := p.archived[k]; !is {
			p.archived[k] = struct{}{}
			d.count++
		}
		_, is := p.loaded[k]
		meanwhile = meanwhile || is
	}
	if p.files == nil {
		p.files = map[string]bool{}
	}
	for _, name := range names {
		p.files[name] = true
	}
	return meanwhile, nil
}

// confirm makes sure that no document of the load came into the archive by another
// way while it was at work.
func (d *Documents) confirm(ctx context.Context, b store.Bucket) error {
	for at, p := range d.parts {
		if len(p.loaded) == 0 {
			continue
		}
		meanwhile, err := d.refresh(ctx, b, at, p)
		if err == nil && meanwhile {
			err = errMeanwhile
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// known makes a loader keep documents apart that are there already.
func (d *Documents) known(ctx context.Context, b store.Bucket, loaded *Loaded) func(*outcome) error {
	return func(o *outcome) error {
		day, docType, id, ok := archive.Place(&o.meta)
		if o.class != "" || !ok || len(id) == 0 {
			return nil
		}
		archived, again, err := d.seen(ctx, b, dayOfType{day, docType}, id)
		switch {
		case archived:
			loaded.Known++
			o.message = fmt.Sprintf("the document is among the pings of %s", day)
		case again:
			o.message = "the same document came before in the load"
		default:
			return err
		}
		loaded.Duplicates++
		o.class = classDuplicate
		return nil
	}
}
