package ingest

import (
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
	// MaxBody bounds an unpacked body, in bytes; 0: DefaultMaxBody.
	MaxBody int
}

// The defaults of a Config.
const (
	DefaultDuplicateWindow = 24 * time.Hour
	// DefaultMaxBody is some hundred times what a large ping takes.
	DefaultMaxBody = 32 << 20
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
	maxBody    int
}

// New makes a decoder. A database, list or schema that cannot be used is an
// error; then nothing has to be closed.
func New(c Config) (*Decoder, error) {
	if c.DuplicateWindow < 0 {
		return nil, fmt.Errorf("make decoder: the duplicate window %s is negative", c.DuplicateWindow)
	}
	if c.MaxBody < 0 {
		return nil, fmt.Errorf("make decoder: the bound of a body, %d bytes, is negative", c.MaxBody)
	}
	d := &Decoder{maxBody: c.MaxBody}
	if d.maxBody == 0 {
		d.maxBody = DefaultMaxBody
	}
	if c.DuplicateWindow > 0 {
		d.duplicates = NewDuplicates(c.DuplicateWindow)
	}
	var err error
	if d.schemas, err = loadSchemas(c.Schemas); err != nil {
		return nil, err
	}
	if d.geo, err = openGeo(c.Geo, c.Cities); err != nil {
		return nil, err
	}
	return d, nil
}

// Close closes the geo database.
func (d *Decoder) Close() error {
	return d.geo.close()
}
