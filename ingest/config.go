package ingest

import (
	"cmp"
	"fmt"
	"time"

	"github.com/pingmill/pingmill/privacy/forget"
)

// Config configures decoding. An empty path means there is no such file.
type Config struct {
	Geo     string // MaxMind city database; without one every place is unknown
	Cities  string // list of cities that may be named: geonames ids or English names, one per line; without one all may
	Schemas string // folder of JSON Schemas that replaces the embedded ones

	// DuplicateWindow is the time for which a submission's URI is remembered; 0: not at all.
	DuplicateWindow time.Duration
	// MaxURIs bounds the number of remembered URIs; 0: DefaultMaxURIs.
	MaxURIs int
	// MaxBody bounds an unpacked body, in bytes; 0: DefaultMaxBody.
	MaxBody int
	// Glean configures the pings of Glean applications.
	Glean Glean
	// Requests adds deletion requests of Glean.
	Requests forget.Rules
	// MaxRatio bounds the size of an unpacked body over 1 MiB relative to its size as sent; 0: DefaultMaxRatio.
	MaxRatio int
}

// The defaults of a Config.
const (
	DefaultDuplicateWindow = 24 * time.Hour
	// DefaultMaxBody is some hundred times the size of a large ping.
	DefaultMaxBody = 32 << 20
	// DefaultMaxRatio is about the maximum of deflate, 1032. So a client can send every document that MaxBody
	// allows by gzip, however repetitive it is. The usual ratio of pings is 4 to 5, and some 60 for very
	// repetitive ones. zstd, brotli and gzip in gzip reach 10,000 to a million; the bound limits small bodies
	// in them to what gzip can reach.
	DefaultMaxRatio = 1000
)

// DefaultConfig returns a configuration with the embedded schemas, no geo database and the default window and
// bound.
func DefaultConfig() Config {
	return Config{DuplicateWindow: DefaultDuplicateWindow, MaxBody: DefaultMaxBody, Glean: Glean{Applications: FirefoxApplications()}}
}

// Decoder decodes submissions. It is safe for concurrent use. Of two submissions with the same URI the one
// decoded later is the duplicate.
type Decoder struct {
	geo        geo
	schemas    schemaSet
	glean      gleanRules
	requests   forget.Rules
	duplicates *Duplicates // nil: none are recognised
	unpacker   unpacker
}

// Check returns an error for a file of the configuration that cannot be used.
func (c Config) Check() error {
	c.DuplicateWindow = 0
	_, err := New(c)
	return err
}

// New creates a decoder and reads everything that it needs into memory. It returns an error for a database,
// list or schema that cannot be used.
func New(c Config) (*Decoder, error) {
	if c.DuplicateWindow < 0 {
		return nil, fmt.Errorf("make decoder: the duplicate window %s is negative", c.DuplicateWindow)
	}
	if c.MaxBody < 0 {
		return nil, fmt.Errorf("make decoder: the bound of a body, %d bytes, is negative", c.MaxBody)
	}
	if c.MaxRatio < 0 {
		return nil, fmt.Errorf("make decoder: the bound of a body, %d times what came, is negative", c.MaxRatio)
	}
	if c.MaxURIs < 0 {
		return nil, fmt.Errorf("make decoder: the bound of URIs, %d, is negative", c.MaxURIs)
	}
	d := &Decoder{unpacker: c.unpacker(), requests: c.Requests}
	if c.DuplicateWindow > 0 {
		d.duplicates = NewDuplicates(c.DuplicateWindow, c.MaxURIs)
	}
	var err error
	if d.schemas, err = loadSchemas(c.Schemas); err != nil {
		return nil, err
	}
	if d.glean, err = newGleanRules(c.Glean); err != nil {
		return nil, err
	}
	if err = d.geo.open(c.Geo, c.Cities); err != nil {
		return nil, err
	}
	return d, nil
}

func (c Config) unpacker() unpacker {
	return unpacker{max: cmp.Or(c.MaxBody, DefaultMaxBody), ratio: cmp.Or(c.MaxRatio, DefaultMaxRatio)}
}
