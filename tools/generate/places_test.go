package generate_test

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/tools/generate"
)

// lookUp returns the country and city of an address, ?? where it is not known.
func lookUp(t *testing.T, address string) (country, city string) {
	t.Helper()
	a, err := netip.ParseAddr(address)
	require.NoError(t, err)
	country, city = "??", "??"
	for _, p := range generate.Places() {
		for _, n := range p.Networks {
			if n.Contains(a) {
				country = p.Country
				if p.City != "" {
					city = p.City
				}
			}
		}
	}
	return country, city
}

func TestPlacesHaveNetworksOfTheirOwn(t *testing.T) {
	documentation := []netip.Prefix{
		netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("198.51.100.0/24"),
		netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("2001:db8::/32"),
	}
	var seen []netip.Prefix
	for _, p := range generate.Places() {
		for _, n := range p.Networks {
			if n != n.Masked() {
				t.Errorf("%s of %s, %s is not a network", n, p.City, p.Country)
			}
			inside := false
			for _, d := range documentation {
				inside = inside || d.Overlaps(n) && d.Bits() <= n.Bits()
			}
			if !inside {
				t.Errorf("%s is not for documentation", n)
			}
			for _, s := range seen {
				if s.Overlaps(n) {
					t.Errorf("%s overlaps %s", n, s)
				}
			}
			seen = append(seen, n)
		}
	}
}
