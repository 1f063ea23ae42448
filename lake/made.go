package lake

import (
	"errors"
	"fmt"
	"slices"

	"github.com/pingmill/pingmill/schema"
)

// Made describes the program that made the parts of a partition. It is nil if a version made them that did not record it, or
// if the rows are there as they arrived. Parts that were made before by an older version count as made by this one.
type Made struct {
	Transforms int    `json:"transforms"` // version, see schema.Table.Transforms
	Recipe     string `json:"recipe"`     // what the work of the parts consists of beside the inputs
	// Clients lists the columns by which rows of clients are found.
	Clients []string `json:"clients,omitempty"`
}

// ErrNewer means that a newer version of the program made a partition, or wrote a file in a format of its own.
var ErrNewer = errors.New("a newer version of pingmill made it")

// ByNewer reports whether a newer version of the program made a partition from the archive, checked and for good. What grows
// while pings arrive is provisional: any version goes on with it.
func (m *Manifest) ByNewer(t *schema.Table) bool {
	return m != nil && m.Made != nil && m.Made.Transforms > t.Transforms() && m.Live == nil && !m.Unchecked
}

// Newer explains why a partition that a newer version made stays as it is.
func (m *Manifest) Newer(t *schema.Table) error {
	return fmt.Errorf("%w: with version %d of the transforms, this program has %d", ErrNewer, m.Made.Transforms, t.Transforms())
}

// UnknownClients returns the columns of a partition that name clients and are not known as such to this program.
func (m *Manifest) UnknownClients(t *schema.Table) (columns []string) {
	if m.Made == nil {
		return nil
	}
	known := t.NamesClients()
	for _, name := range m.Made.Clients {
		if !slices.Contains(known, name) {
			columns = append(columns, name)
		}
	}
	return columns
}
