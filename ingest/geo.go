package ingest

import (
	"fmt"
	"net/netip"

	"github.com/oschwald/maxminddb-golang/v2"
	"github.com/pingmill/pingmill/ping"
)

// unknownPlace stands for a country or city that is not known.
const unknownPlace = "??"

// geo finds the place of an address in a MaxMind city database.
type geo struct {
	db     *maxminddb.Reader // nil: every place is unknown
	cities cityList
}

// place is what is read of a record of the database.
type place struct {
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

func openGeo(database, cities string) (g geo, err error) {
	if g.cities, err = readCityList(cities); err != nil {
		return g, err
	}
	if database == "" {
		return g, nil
	}
	if g.db, err = maxminddb.Open(database); err != nil {
		return g, fmt.Errorf("open geo database %s: %w", database, err)
	}
	return g, nil
}

func (g *geo) close() error {
	if g.db == nil {
		return nil
	}
	return g.db.Close()
}

// locate sets the geo members for an address. An address without a record, or
// that is none, and a record that cannot be read, is an unknown place.
func (g *geo) locate(addr netip.Addr, m *ping.Meta) {
	var p place
	if g.db != nil && addr.IsValid() {
		if err := g.db.Lookup(addr).Decode(&p); err != nil {
			p = place{}
		}
	}
	m.SetString(ping.GeoCountry, orUnknown(p.Country.Code))
	city := orUnknown(p.City.Names.English)
	if !g.cities.allows(p.City.ID, city) {
		city = unknownPlace
	}
	m.SetString(ping.GeoCity, city)
	for i, f := range []ping.MetaField{ping.GeoSubdivision1, ping.GeoSubdivision2} {
		if i < len(p.Subdivisions) && p.Subdivisions[i].Code != "" {
			m.SetString(f, p.Subdivisions[i].Code)
		}
	}
}

func orUnknown(s string) string {
	if s == "" {
		return unknownPlace
	}
	return s
}

// address is the address of the client: what X-Forwarded-For says it is, else
// the peer. The zero address: neither is one.
func address(s *Submission) netip.Addr {
	if fwd, ok := ForwardedAddress(s.Headers.Get(ForwardedFor)); ok {
		return parseAddress(fwd)
	}
	return parseAddress(s.RemoteAddr)
}

// parseAddress reads an IP address with or without a port.
func parseAddress(b []byte) netip.Addr {
	text := string(b)
	if a, err := netip.ParseAddr(text); err == nil {
		return a.WithZone("").Unmap()
	}
	if a, err := netip.ParseAddrPort(text); err == nil {
		return a.Addr().WithZone("").Unmap()
	}
	return netip.Addr{}
}
