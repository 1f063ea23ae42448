package ingest

import (
	"cmp"
	"fmt"
	"time"
)

// Config says how to decode. Paths that are empty name nothing.
type Config struct {
	Geo     string // MaxMind city database; without one every place is unknown
	Cities  string // list of cities that may be named: geonames ids or English names, one a line; without one all may
	Schemas string // folder of JSON Schemas that replaces the embedded ones

	// DuplicateWindow is how long a submission's URI is remembered; 0: not at all.
	DuplicateWindow time.Duration
	// MaxURIs bounds how many URIs are remembered; 0: DefaultMaxURIs.
	MaxURIs int
	// MaxBody bounds an unpacked body, in bytes; 0: DefaultMaxBody.
	MaxBody int
	// MaxRatio bounds how many times the size of what came an unpacked body may
	// have once it is larger than 1 MiB; 0: DefaultMaxRatio.
	MaxRatio int
}

// The defaults of a Config.
const (
	DefaultDuplicateWindow = 24 * time.Hour
	// DefaultMaxBody is some hundred times what a large ping takes.
	DefaultMaxBody = 32 << 20
	// DefaultMaxRatio is about what deflate can reach, 1032. So by gzip each
	// document that MaxBody allows can be sent, however repetitive it is, where
	// pings are 4 to 5 times their packed size, and some 60 times when all is
	// repeated often; and zstd, brotli and gzip in gzip, which reach 10,000 to a
	// million, can make no more of a small body than gzip.
	DefaultMaxRatio = 1000
)

// DefaultConfig has the embedded schemas, no geo database and the default window
// and bound.
func DefaultConfig() Config {
	return Config{DuplicateWindow: DefaultDuplicateWindow, MaxBody: DefaultMaxBody}
}

// Decoder decodes submissions. It is safe for concurrent use; which of two
// submissions with the same URI is the duplicate is then the callers' order.
type Decoder struct {
	geo        geo
	schemas    schemaSet
	duplicates *Duplicates // nil: none are recognised
	unpacker   unpacker
}

// Check says which of the files that a configuration names cannot be used.
func (c Config) Check() error {
	c.DuplicateWindow = 0
	_, err := New(c)
	return err
}

// New makes a decoder; all that it needs is in memory afterwards. A database, list
// or schema that cannot be used is an error.
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
	d := &Decoder{unpacker: c.unpacker()}
	if c.DuplicateWindow > 0 {
		d.duplicates = NewDuplicates(c.DuplicateWindow, c.MaxURIs)
	}
	var err error
	if d.schemas, err = loadSchemas(c.Schemas); err != nil {
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
