package etl

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/schema"
)

// work returns a hash of everything that determines the content of a partition's files, except the probe definitions.
func (s *steps) work(t *schema.Table, inputs []job.Input) string {
	return workOf(s.recipeOf(t), inputs)
}

// recipeOf returns the recipe of this program for a table.
func (s *steps) recipeOf(t *schema.Table) string {
	columns := t.Fixed()
	if t.Snapshots != nil { // a snapshot has the columns of its day
		columns = t.Columns
	}
	return s.recipe(t, t.Transforms(), lake.Fingerprint(columns))
}

// workWith returns the work for a version of the transforms and a fingerprint of columns.
func (s *steps) workWith(t *schema.Table, version int, columns string, inputs []job.Input) string {
	return workOf(s.recipe(t, version, columns), inputs)
}

// recipe describes everything that determines the content of a partition's files beside its inputs.
func (s *steps) recipe(t *schema.Table, version int, columns string) string {
	var b strings.Builder
	fmt.Fprintln(&b, t.Name, t.Version, version, columns, s.options)
	if t.Apps != nil {
		fmt.Fprintln(&b, t.Apps)
	}
	if t.Snapshots != nil {
		fmt.Fprintln(&b, definitionOf(s.data.Tables, t))
	}
	return b.String()
}

// workOf hashes a recipe with the inputs. A manifest has the recipe, so that a program that cannot follow it can still name
// the work on other inputs.
func workOf(recipe string, inputs []job.Input) string {
	h := sha256.New()
	fmt.Fprint(h, recipe)
	for _, i := range inputs {
		fmt.Fprintln(h, i.Name, i.Generation)
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// definitionOf describes what decides on the rows of a table of snapshots and of the table that it is made from, beside their
// columns.
func definitionOf(tables []*schema.Table, t *schema.Table) string {
	text := t.Definition()
	for _, other := range tables {
		if t.Internal() && slices.Contains(other.Needs, t.Name) {
			text += lake.Fingerprint(other.Columns)
		}
	}
	return text
}
