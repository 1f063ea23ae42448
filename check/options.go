package check

import "github.com/pingmill/pingmill/schema"

// Options configure the checks before publication. The zero value runs the checks of the tables.
type Options struct {
	More    []Check  // made beside those of the tables
	Skip    []string // names of checks that are left out; manifests list them
	Workers int      // ranges of samples that are looked at at a time; 0: one for each core
}

// All returns the checks of the tables, and More.
func (o *Options) All(tables []*schema.Table) []Check { return append(All(tables), o.More...) }
