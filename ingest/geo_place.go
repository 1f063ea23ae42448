package ingest

import (
	"sync/atomic"

	"github.com/oschwald/maxminddb-golang/v2"

	"github.com/pingmill/pingmill/ping"
)

// place holds the texts of a place. They are shared and read-only.
type place struct {
	record                     uintptr // offset in the database
	country, city              []byte
	subdivision1, subdivision2 []byte // nil: there is none
}

// noPlace is the place of addresses without a record.
var noPlace = place{country: []byte(unknownPlace), city: []byte(unknownPlace)}

// set sets the geo members.
func (p *place) set(m *ping.Meta) {
	m.SetText(ping.GeoCountry, p.country)
	m.SetText(ping.GeoCity, p.city)
	if p.subdivision1 != nil {
		m.SetText(ping.GeoSubdivision1, p.subdivision1)
	}
	if p.subdivision2 != nil {
		m.SetText(ping.GeoSubdivision2, p.subdivision2)
	}
}

// placeSlots is the number of places that a database has in memory: some 2 MB. Networks of a city share a record.
const placeSlots = 1 << 13

// placeCache holds places by their records. A place replaces another one with the same slot.
type placeCache [placeSlots]atomic.Pointer[place]

func (c *placeCache) slot(record uintptr) *atomic.Pointer[place] {
	return &c[uint32(record)*0x9E3779B1>>19]
}

// placeRecord holds the members of a database record that are read.
type placeRecord struct {
	Country struct {
		Code string `maxminddb:"iso_code"`
	} `maxminddb:"country"`
	City struct {
		ID    uint `maxminddb:"geoname_id"`
		Names struct {
			English string `maxminddb:"en"`
		} `maxminddb:"names"`
	} `maxminddb:"city"`
	Subdivisions []struct {
		Code string `maxminddb:"iso_code"`
	} `maxminddb:"subdivisions"`
}

// place returns the place of a database record.
func (g *geoData) place(found maxminddb.Result) *place {
	if !found.Found() {
		return &noPlace
	}
	slot := g.places.slot(found.Offset())
	if p := slot.Load(); p != nil && p.record == found.Offset() {
		return p
	}
	var r placeRecord
	if found.Decode(&r) != nil {
		r = placeRecord{}
	}
	p := g.placeOf(&r)
	p.record = found.Offset()
	slot.Store(p)
	return p
}

func (g *geoData) placeOf(r *placeRecord) *place {
	city := orUnknown(r.City.Names.English)
	if !g.cities.allows(r.City.ID, city) {
		city = unknownPlace
	}
	p := &place{country: []byte(orUnknown(r.Country.Code)), city: []byte(city)}
	for i, to := range []*[]byte{&p.subdivision1, &p.subdivision2} {
		if i < len(r.Subdivisions) && r.Subdivisions[i].Code != "" {
			*to = []byte(r.Subdivisions[i].Code)
		}
	}
	return p
}

func orUnknown(s string) string {
	if s == "" {
		return unknownPlace
	}
	return s
}
