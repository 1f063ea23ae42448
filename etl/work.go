package etl

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/schema"
)

// work returns a hash of everything that determines the content of a partition's files, except the probe definitions.
func (s *steps) work(t *schema.Table, inputs []job.Input) string {
	columns := t.Fixed()
	if t.Snapshots != nil { // a snapshot has the columns of its day
		columns = t.Columns
	}
	return s.workWith(t, transformVersion, lake.Fingerprint(columns), inputs)
}

// workWith returns the work for a version of the transforms and a fingerprint of columns.
func (s *steps) workWith(t *schema.Table, version int, columns string, inputs []job.Input) string {
	h := sha256.New()
	fmt.Fprintln(h, t.Name, t.Version, version, columns, s.options)
	if t.Apps != nil {
		fmt.Fprintln(h, t.Apps)
	}
	if t.Snapshots != nil {
		fmt.Fprintln(h, s.definition(t))
	}
	for _, i := range inputs {
		fmt.Fprintln(h, i.Name, i.Generation)
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// definition describes what decides on the rows of a table of snapshots and of the table that it is made from, beside their
// columns.
func (s *steps) definition(t *schema.Table) string { return definitionOf(s.data.Tables, t) }

func definitionOf(tables []*schema.Table, t *schema.Table) string {
	text := t.Definition()
	for _, other := range tables {
		if t.Internal() && slices.Contains(other.Needs, t.Name) {
			text += lake.Fingerprint(other.Columns)
		}
	}
	return text
}
