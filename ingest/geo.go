package ingest

import (
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/oschwald/maxminddb-golang/v2"
	"github.com/pingmill/pingmill/ping"
)

// unknownPlace is written for a country or city that is not known.
const unknownPlace = "??"

// geo finds the place of an address in a MaxMind city database. It holds the database and the list in memory,
// so a truncated or overwritten file cannot disturb lookups.
type geo struct {
	current atomic.Pointer[geoData]

	mu       sync.Mutex // one reload at a time
	database watched
	list     watched
}

// geoData is the immutable data of lookups.
type geoData struct {
	db     *maxminddb.Reader // nil: every place is unknown
	cities cityList
	places *placeCache // of this database and list
}

func (g *geo) open(database, cities string) error {
	g.database.path, g.list.path = database, cities
	p := &geoData{places: new(placeCache)}
	if cities != "" {
		text, err := g.list.open()
		if err != nil {
			return fmt.Errorf("read city list: %w", err)
		}
		if p.cities, err = parseCityList(text); err != nil {
			return fmt.Errorf("read city list %s: %w", cities, err)
		}
	}
	if database != "" {
		data, err := g.database.open()
		if err == nil {
			p.db, err = maxminddb.OpenBytes(data)
		}
		if err != nil {
			return fmt.Errorf("open geo database %s: %w", database, err)
		}
	}
	g.current.Store(p)
	return nil
}

// GeoBuilt returns the time at which a database of places was built.
func GeoBuilt(path string) (time.Time, error) {
	db, err := maxminddb.Open(path)
	if err != nil {
		return time.Time{}, fmt.Errorf("open geo database %s: %w", path, err)
	}
	built := time.Unix(int64(db.Metadata.BuildEpoch), 0).UTC()
	return built, db.Close()
}

// verified opens a database and reads all of it: the search tree and each record that it leads to. That takes
// some 40 ms per megabyte.
func verified(data []byte) (*maxminddb.Reader, error) {
	db, err := maxminddb.OpenBytes(data)
	if err != nil {
		return nil, err
	}
	// Verify requires a name and a description, which decoding does not need.
	check := *db
	check.Metadata.Description = map[string]string{"en": "-"}
	if check.Metadata.DatabaseType == "" {
		check.Metadata.DatabaseType = "-"
	}
	if err := check.Verify(); err != nil {
		return nil, err
	}
	for _, addr := range []string{"1.1.1.1", "81.2.69.142", "2001:db8::1"} {
		a := netip.MustParseAddr(addr)
		if a.Is6() && db.Metadata.IPVersion == 4 {
			continue
		}
		if err := db.Lookup(a).Err(); err != nil {
			return nil, err
		}
	}
	return db, nil
}

// locate sets the geo members for an address. The place is unknown if the address is invalid or has no record,
// or if the record cannot be read.
func (g *geo) locate(addr netip.Addr, m *ping.Meta) {
	p := &noPlace
	if now := g.current.Load(); now.db != nil && addr.IsValid() {
		p = now.place(now.db.Lookup(addr))
	}
	p.set(m)
}

// GeoInfo describes the geo database in use.
type GeoInfo struct {
	Path  string // empty: there is none, and every place is unknown
	Type  string // the type in its metadata, such as GeoLite2-City
	Built time.Time
}

// String returns a description for a log: "none", or path, type and time.
func (i GeoInfo) String() string {
	if i.Path == "" {
		return "none"
	}
	return fmt.Sprintf("%s (%s, built %s)", i.Path, i.Type, i.Built.Format(time.RFC3339))
}

// GeoInfo returns a description of the geo database in use.
func (d *Decoder) GeoInfo() GeoInfo {
	db := d.geo.current.Load().db
	if db == nil {
		return GeoInfo{}
	}
	return GeoInfo{Path: d.geo.database.path, Type: db.Metadata.DatabaseType, Built: db.Metadata.BuildTime().UTC()}
}

// ReloadGeo reads the geo database and the list of cities again if their files were replaced, or changed their
// size or modification time. Decoding continues with the old ones until the new ones are completely read and
// verified. changed reports whether new ones are in use.
//
// If a file is missing or invalid, the old one remains in use. The error is returned once; further calls return
// none while the file remains as it is. A file that changes while it is read is left to the next call.
func (d *Decoder) ReloadGeo() (changed bool, err error) {
	g := &d.geo
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.current.Load()
	next := *now
	next.places = new(placeCache)
	newDB, dbErr := g.database.reload(func(data []byte) (err error) {
		db, err := verified(data)
		if err == nil {
			next.db = db
		}
		return err
	})
	if dbErr != nil {
		dbErr = fmt.Errorf("reload geo database %s: %w; the one built %s stays in use",
			g.database.path, dbErr, now.db.Metadata.BuildTime().UTC().Format(time.RFC3339))
	}
	newList, listErr := g.list.reload(func(text []byte) (err error) {
		c, err := parseCityList(text)
		if err == nil {
			next.cities = c
		}
		return err
	})
	if listErr != nil {
		listErr = fmt.Errorf("reload city list %s: %w; the old one stays in use", g.list.path, listErr)
	}
	if newDB || newList {
		g.current.Store(&next)
	}
	if dbErr != nil && listErr != nil {
		return newDB || newList, fmt.Errorf("%w; %w", dbErr, listErr)
	}
	return newDB || newList, errors.Join(dbErr, listErr)
}
