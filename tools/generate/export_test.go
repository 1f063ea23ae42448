package generate

import (
	"cmp"
	"maps"
	"net/netip"
	"slices"

	"github.com/pingmill/pingmill/ping"
)

// Place is a location of clients, with its address ranges. Unknown members are
// empty.
type Place struct {
	Country, City, Subdivision1, Subdivision2 string
	Networks                                  []netip.Prefix
}

// Places lists all places that clients come from, except the one that no geo
// database knows.
func Places() []Place {
	var all []Place
	for n := range places {
		p := &places[n].value
		if p.country == "" {
			continue
		}
		all = append(all, Place{
			Country: p.country, City: p.city, Subdivision1: p.subdivision1, Subdivision2: p.subdivision2,
			Networks: []netip.Prefix{
				netip.PrefixFrom(netip.AddrFrom4(v4(n)), 28),
				netip.PrefixFrom(netip.AddrFrom16(v6(n)), 48),
			},
		})
	}
	return all
}

// Accepted returns the number of accepted pings of a type that arrive on a day, of all days when day is empty, of all
// types when docType is.
func (s *Summary) Accepted(day ping.Day, docType ping.DocType) int64 {
	var n int64
	for g, c := range s.Groups {
		if (day == "" || g.Day == day) && (docType == "" || g.DocType == docType) {
			n += c
		}
	}
	return n
}

// Sorted returns the groups by day, type, application and version.
func (s *Summary) Sorted() []Group {
	return slices.SortedFunc(maps.Keys(s.Groups), func(a, b Group) int {
		return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(a.DocType, b.DocType),
			cmp.Compare(a.AppName, b.AppName), cmp.Compare(a.SourceVersion, b.SourceVersion))
	})
}
