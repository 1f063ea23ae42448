package archive

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/archive/rowfile"
	"github.com/pingmill/pingmill/internal/retry"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// listing is the files under a prefix that belong to finished loads and were not
// replaced, and what is damaged there.
type listing struct {
	files  []LoadFile // whole, as far as sizes show; sorted by name
	damage []*DamageError
}

// Refresher is a bucket that caches listings. Damage is confirmed in the fresh bucket, since listed files may
// have been replaced meanwhile.
type Refresher interface{ Fresh() store.Bucket }

// listFiles lists the files under a prefix as they are at one moment, so that a
// load that replaces files meanwhile is seen as a whole or not at all. The prefix
// is the folder of a kind, a day or a partition, with a slash at the end.
func listFiles(ctx context.Context, b store.Bucket, prefix string) (*listing, error) {
	l, err := listMoment(ctx, b, prefix)
	if r, ok := b.(Refresher); ok && (err != nil || len(l.damage) > 0) && ctx.Err() == nil {
		return listMoment(ctx, r.Fresh(), prefix)
	}
	return l, err
}

// errOldListing means that a listing has a load that counts no more: it may also lack the one in its place.
var errOldListing = errors.New("the server's listing is an old one")

// errReplacing means that other loads replaced files during a listing.
var errReplacing = errors.New("its files are being replaced")

func listMoment(ctx context.Context, b store.Bucket, prefix string) (*listing, error) {
	before, err := replacing(ctx, b, prefix)
	if err != nil {
		return nil, err
	}
	again := retry.Loop{Policy: retry.Policy{First: 10 * time.Millisecond, Max: time.Second, Tries: 10}, What: "list the files of " + prefix}
	for {
		l := &lister{bucket: b, prefix: prefix}
		if err := l.replacements(ctx, before); err != nil {
			return nil, err
		}
		listErr := l.run(ctx)
		after, err := replacing(ctx, b, prefix)
		if err != nil {
			return nil, err
		}
		cause := errReplacing
		switch {
		case errors.Is(listErr, errOldListing):
			cause = listErr
		case slices.Equal(before, after):
			return &l.listing, listErr
		}
		if err := again.Again(ctx, cause); err != nil {
			return nil, err
		}
		before = after
	}
}

// lister finds out which files there must be under a prefix, by the index and by
// the names in the folder, and which are there.
type lister struct {
	listing

	bucket   store.Bucket
	prefix   string
	replaced map[string]bool
	sizes    map[string]int64           // of the objects there
	loads    map[string]partition       // by name, with a partition in which they have files
	indexed  map[string]bool            // those of loads that are in the index
	expired  map[Kind]map[ping.Day]bool // once asked
}

// replacements reads which files were replaced. What a damaged record says nobody
// knows, so all that it may concern is damaged.
func (l *lister) replacements(ctx context.Context, records []string) error {
	l.replaced = map[string]bool{}
	for _, name := range records {
		r, err := readLoad(ctx, l.bucket, name)
		var bad *recordError
		if errors.As(err, &bad) {
			load := naming.LoadOfRecord(name)
			l.damage = append(l.damage, damagedRecord(load, partitionOf(scopeOf(load)), bad.reason))
			continue
		}
		if err != nil {
			return err
		}
		for _, f := range r.Replaces {
			l.replaced[f] = true
		}
	}
	return nil
}

func (l *lister) run(ctx context.Context) (err error) {
	l.sizes, l.loads = map[string]int64{}, map[string]partition{}
	if l.indexed, err = loadsBelow(ctx, l.bucket, l.prefix); err != nil {
		return err
	}
	for load := range l.indexed {
		l.loads[load] = partitionOf(l.prefix)
	}
	for e, err := range l.bucket.List(ctx, l.prefix) {
		if err != nil {
			return err
		}
		if load, ok := naming.LoadOf(e.Name); ok && naming.CheckLoad(load) == nil {
			l.sizes[e.Name], l.loads[load] = e.Size, partitionOf(e.Name)
		}
	}
	for _, load := range slices.Sorted(maps.Keys(l.loads)) {
		if err := l.load(ctx, load); err != nil {
			return err
		}
	}
	slices.SortFunc(l.files, func(x, y LoadFile) int { return strings.Compare(x.Name, y.Name) })
	return nil
}

// load takes the files that a load names.
func (l *lister) load(ctx context.Context, load string) error {
	r, ok, err := Loaded(ctx, l.bucket, load)
	if err == nil && !ok {
		return l.unrecorded(ctx, load)
	}
	var bad *recordError
	if errors.As(err, &bad) {
		if !strings.HasPrefix(load, naming.Replacing) { // else it is in the list already
			l.damage = append(l.damage, damagedRecord(load, l.loads[load], bad.reason))
		}
		return nil
	}
	if err != nil {
		return err
	}
	named := false
	folder := dayFolder(l.prefix)
	for i := range r.Files {
		f := &r.Files[i]
		named = named || strings.HasPrefix(f.Name, folder)
		if !strings.HasPrefix(f.Name, l.prefix) || l.replaced[f.Name] {
			continue
		}
		if err := l.file(ctx, f, load); err != nil {
			return err
		}
	}
	if l.indexed[load] && !named {
		l.damage = append(l.damage, damagedRecord(load, l.loads[load], "names no file of "+folder))
	}
	return nil
}

// unrecorded takes a load without a record: one in the making, or what is left of
// one that never ended; or, if the index has it, one whose record was lost.
func (l *lister) unrecorded(ctx context.Context, load string) error {
	if !l.indexed[load] {
		return nil
	}
	indexed, err := loadsBelow(ctx, l.bucket, l.prefix) // the record goes after it is out of the index
	if err != nil || !indexed[load] {
		return err
	}
	is := true
	if strings.Contains(l.prefix, naming.DayKey) { // a listing may be an old one
		is, err = isNamed(ctx, l.bucket, indexFolder(l.prefix)+load)
	}
	if err == nil && is {
		l.damage = append(l.damage, damagedRecord(load, l.loads[load], "is missing"))
	}
	return err
}

// file takes a file that must be there.
func (l *lister) file(ctx context.Context, f *LoadFile, load string) error {
	size, there := l.sizes[f.Name]
	if !there { // placed after the listing, or removed
		var err error
		size, err = sizeOf(ctx, l.bucket, f.Name)
		if errors.Is(err, fs.ErrNotExist) {
			expired, err := l.isExpired(ctx, f)
			if err != nil || expired {
				return err
			}
			counts, err := l.counts(ctx, f, load)
			switch {
			case err == nil && !counts:
				return fmt.Errorf("%w: it has load %s", errOldListing, load)
			case err == nil:
				l.damage = append(l.damage, damagedFile(f, load, "is missing"))
			}
			return err
		}
		if err != nil {
			return err
		}
	}
	if size != f.Bytes {
		l.damage = append(l.damage, damagedFile(f, load, fmt.Sprintf("has %d bytes instead of %d", size, f.Bytes)))
		return nil
	}
	l.files = append(l.files, *f)
	return nil
}

// counts reports whether a missing file of a load is to be there: the load is taken out of the index when all its files of the
// day were replaced, which an old listing does not show.
func (l *lister) counts(ctx context.Context, f *LoadFile, load string) (bool, error) {
	all, err := isIndexed(ctx, l.bucket)
	if err != nil || !all || !l.indexed[load] {
		return true, err // from before there was an index
	}
	return isNamed(ctx, l.bucket, f.indexed().dir()+"/"+load)
}

// isNamed reports whether there is an object of a name, whatever listings show.
func isNamed(ctx context.Context, b store.Bucket, name string) (bool, error) {
	r, err := b.Open(ctx, name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, r.Close()
}

// isExpired reports whether a file may be missing because its day has expired: the record of that removal goes, too,
// after some time.
func (l *lister) isExpired(ctx context.Context, f *LoadFile) (bool, error) {
	k := Kind(f.Kind)
	if l.expired == nil {
		l.expired = map[Kind]map[ping.Day]bool{}
	}
	if l.expired[k] == nil {
		days, err := ExpiredDays(ctx, l.bucket, k)
		if err != nil {
			return false, err
		}
		l.expired[k] = days
	}
	return l.expired[k][ping.Day(f.Day)], nil
}

func sizeOf(ctx context.Context, b store.Bucket, name string) (int64, error) {
	r, err := b.Open(ctx, name)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	return r.Size(), nil
}

// dayFolder returns the folder of a prefix's day, or the prefix itself if it is of all days.
func dayFolder(prefix string) string {
	at := strings.Index(prefix, naming.DayKey)
	if at < 0 {
		return prefix
	}
	return prefix[:at+strings.IndexByte(prefix[at:], '/')+1]
}

// partitionOf reads what is known of a partition from the name of a file or of a
// folder. The document type stays escaped.
func partitionOf(name string) partition {
	p := partition{kind: rowfile.Pings}
	if strings.HasPrefix(name, naming.Errors) {
		p.kind = rowfile.Rejected
	}
	for _, part := range strings.Split(name, "/") {
		if day, ok := strings.CutPrefix(part, naming.DayKey); ok && day != naming.NoDay {
			p.day = ping.Day(day)
		}
		if docType, ok := strings.CutPrefix(part, naming.TypeKey); ok {
			p.docType = ping.DocType(docType)
		}
	}
	return p
}
