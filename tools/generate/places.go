package generate

import (
	"net/netip"
	"time"
)

// place is the location of clients; unknown members are empty.
type place struct {
	country, city         string
	subdivision1          string
	subdivision2          string
	offset                int // of local time from UTC, in minutes
	locale, second, third string
}

// places are at most 48: each has 16 of the 768 IPv4 addresses that are kept for
// documentation.
var places = []weighted[place]{
	{80, place{"US", "New York", "NY", "", -300, "en-US", "en-US", "es-MX"}},
	{70, place{"US", "Chicago", "IL", "", -360, "en-US", "en-US", "en-US"}},
	{60, place{"US", "San Jose", "CA", "", -480, "en-US", "en-US", "zh-TW"}},
	{30, place{"US", "Dallas", "TX", "", -360, "en-US", "en-US", "es-MX"}},
	{20, place{"US", "", "", "", -420, "en-US", "en-US", "en-US"}},
	{60, place{"DE", "Berlin", "BE", "", 60, "de", "de", "en-US"}},
	{50, place{"DE", "Munich", "BY", "", 60, "de", "de", "en-GB"}},
	{30, place{"DE", "", "NW", "", 60, "de", "de", "tr"}},
	{50, place{"FR", "Paris", "IDF", "75", 60, "fr", "fr", "en-US"}},
	{25, place{"FR", "Lyon", "ARA", "69", 60, "fr", "fr", "fr"}},
	{40, place{"GB", "London", "ENG", "LND", 0, "en-GB", "en-US", "pl"}},
	{15, place{"GB", "Glasgow", "SCT", "GLG", 0, "en-GB", "en-GB", "en-US"}},
	{55, place{"IN", "Mumbai", "MH", "", 330, "en-US", "en-GB", "hi-IN"}},
	{30, place{"IN", "", "", "", 330, "en-US", "en-US", "ta"}},
	{50, place{"RU", "Moscow", "MOW", "", 180, "ru", "ru", "en-US"}},
	{25, place{"RU", "Novosibirsk", "NVS", "", 420, "ru", "ru", "ru"}},
	{45, place{"BR", "São Paulo", "SP", "", -180, "pt-BR", "pt-BR", "en-US"}},
	{15, place{"BR", "Santo Ângelo", "RS", "", -180, "pt-BR", "pt-BR", "pt-BR"}},
	{40, place{"CN", "Beijing", "BJ", "", 480, "zh-CN", "zh-CN", "en-US"}},
	{40, place{"ID", "Jakarta", "JK", "", 420, "en-US", "id", "id"}},
	{35, place{"PL", "Warsaw", "MZ", "", 60, "pl", "pl", "en-US"}},
	{30, place{"IT", "Milan", "LO", "MI", 60, "it", "it", "en-US"}},
	{30, place{"ES", "Madrid", "MD", "M", 60, "es-ES", "es-ES", "ca"}},
	{25, place{"JP", "Tokyo", "13", "", 540, "ja", "ja", "en-US"}},
	{20, place{"CA", "Montreal", "QC", "", -300, "fr", "en-CA", "en-US"}},
	{20, place{"MX", "Mexico City", "CMX", "", -360, "es-MX", "es-MX", "en-US"}},
	{15, place{"AU", "Brisbane", "QLD", "", 600, "en-US", "en-GB", "en-US"}},
	{15, place{"TR", "Istanbul", "34", "", 180, "tr", "tr", "en-US"}},
	{15, place{"VN", "Hanoi", "HN", "", 420, "vi", "en-US", "vi"}},
	{12, place{"NL", "Amsterdam", "NH", "", 60, "nl", "nl", "en-US"}},
	{12, place{"AR", "Buenos Aires", "C", "", -180, "es-AR", "es-AR", "es-ES"}},
	{10, place{"IR", "Tehran", "23", "", 210, "fa", "en-US", "fa"}},
	{8, place{"KE", "Nairobi", "30", "", 180, "en-US", "en-US", "en-GB"}},
	{6, place{"NP", "Kathmandu", "", "", 345, "en-US", "en-US", "ne-NP"}},
	{5, place{"CH", "Zürich", "ZH", "", 60, "de", "fr", "en-US"}},
	{3, place{"AQ", "", "", "", 720, "en-US", "en-US", "en-US"}},
	{12, place{"", "", "", "", 0, "en-US", "en-US", "de"}}, // in no database
}

var documentationNets = [3][4]byte{{192, 0, 2, 0}, {198, 51, 100, 0}, {203, 0, 113, 0}}

// v4 returns the first of the 16 IPv4 addresses of the n-th place.
func v4(n int) [4]byte {
	a := documentationNets[n/16]
	a[3] = byte(n%16) * 16
	return a
}

// v6 returns the network of the n-th place in the documentation range 2001:db8::/32.
func v6(n int) [16]byte { return [16]byte{0x20, 0x01, 0x0d, 0xb8, 0, byte(n)} }

// address returns the host-th address of a place.
func address(n int, host uint16, six bool) netip.Addr {
	if six {
		a := v6(n)
		a[14], a[15] = byte(host>>8), byte(host)
		return netip.AddrFrom16(a)
	}
	a := v4(n)
	a[3] += byte(host % 16)
	return netip.AddrFrom4(a)
}

// zones are the local times of all places, by index.
var zones = func() []*time.Location {
	all := make([]*time.Location, len(places))
	for i := range places {
		all[i] = time.FixedZone("", places[i].value.offset*minute)
	}
	return all
}()
