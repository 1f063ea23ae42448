package generate

import (
	"fmt"
	"runtime"
	"time"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
)

// Config describes a population. The zero value of each member but Seed and
// Gzip means its default; a share below zero is none.
type Config struct {
	Seed    uint64
	Clients int      // number of clients; 300
	Start   ping.Day // first day of arrival, UTC; 20180301
	Days    int      // number of days; 3

	// Shares of all submissions, below 1.
	Damaged    float64 // that are damaged or odd; 0.01
	Duplicates float64 // that arrive a second time; 0.01
	// NullClients is the share of clients whose pings name no client; 0.005.
	NullClients float64

	// MeanBytes is the mean size of main pings; 80 KB. Sizes spread from a
	// quarter of it to five times as much. What every ping has takes some
	// 15 KB, so small means are not reached.
	MeanBytes int

	// Glean adds what the clients send by Glean: baseline, events, metrics, usage-reporting and crash pings of two
	// applications, and deletion requests of profiles that send nothing else. All other submissions stay as they are.
	Glean bool

	// Visitors makes all clients new ones that come on one or two days, as in lakes of many clients: each sends a
	// new-profile ping, and one in visitorPings of its other pings. Their browsers have no add-ons.
	Visitors bool

	Gzip    bool           // bodies are gzipped
	Workers int            // goroutines that write documents; one for each core
	Probes  *schema.Probes // definitions of scalars and histograms; the embedded ones
}

// The defaults of a Config.
const (
	DefaultClients     = 300
	DefaultStart       = ping.Day("20180301")
	DefaultDays        = 3
	DefaultDamaged     = 0.01
	DefaultDuplicates  = 0.01
	DefaultNullClients = 0.005
	DefaultMeanBytes   = 80_000
)

const (
	maxClients   = 1 << 24
	maxDays      = 3660
	minMeanBytes = 16_000
	maxMeanBytes = 400_000
)

// withDefaults fills in what is not set and checks the rest.
func (c Config) withDefaults() (Config, error) {
	orDefault(&c.Clients, DefaultClients)
	orDefault(&c.Days, DefaultDays)
	orDefault(&c.MeanBytes, DefaultMeanBytes)
	orDefault(&c.Start, DefaultStart)
	orDefault(&c.Workers, runtime.GOMAXPROCS(0))
	for _, n := range []struct {
		name           string
		value, lo, top int
	}{
		{"clients", c.Clients, 1, maxClients},
		{"days", c.Days, 1, maxDays},
		{"mean bytes", c.MeanBytes, minMeanBytes, maxMeanBytes},
		{"workers", c.Workers, 1, 1024},
	} {
		if n.value < n.lo || n.value > n.top {
			return c, fmt.Errorf("configure generator: %s is %d, not from %d to %d", n.name, n.value, n.lo, n.top)
		}
	}
	for _, s := range []struct {
		name  string
		share *float64
		def   float64
	}{
		{"damaged", &c.Damaged, DefaultDamaged},
		{"duplicates", &c.Duplicates, DefaultDuplicates},
		{"null clients", &c.NullClients, DefaultNullClients},
	} {
		orDefault(s.share, s.def)
		*s.share = max(*s.share, 0)
		if !(*s.share < 1) {
			return c, fmt.Errorf("configure generator: the share of %s is %g, not below 1", s.name, *s.share)
		}
	}
	if c.Probes == nil {
		p, err := schema.LoadProbes("")
		if err != nil {
			return c, fmt.Errorf("configure generator: %w", err)
		}
		c.Probes = p
	}
	return c, nil
}

func orDefault[T comparable](v *T, def T) {
	var zero T
	if *v == zero {
		*v = def
	}
}

const (
	second = int64(time.Second)
	minute = 60      // in seconds
	hour   = 60 * 60 // in seconds
	daySec = 24 * 3600
)

// dayNumber returns the number of days from 1970-01-01 to a day.
func dayNumber(d ping.Day) (int, error) {
	t, err := time.Parse("20060102", string(d))
	if err != nil || t.Year() < 1971 || t.Year() > 2200 {
		return 0, fmt.Errorf("configure generator: start %q is not a day written YYYYMMDD", d)
	}
	return int(t.Unix() / daySec), nil
}

// mustDay returns the number of a day written YYYY-MM-DD, for the package's tables.
func mustDay(s string) int {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return int(t.Unix() / daySec)
}
