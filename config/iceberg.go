package config

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/pingmill/pingmill/lake/iceberg"
	"github.com/pingmill/pingmill/lake/iceberg/catalog"
)

// Iceberg holds the values of the flags for Iceberg tables.
type Iceberg struct{ iceberg.Config }

// Add adds the flags.
func (i *Iceberg) Add(fs *pflag.FlagSet) {
	Flag(fs, "iceberg.catalog", &i.Catalog.Kind)
	Flag(fs, "iceberg.uri", &i.Catalog.URI)
	Flag(fs, "iceberg.warehouse", &i.Catalog.Warehouse)
	Flag(fs, "iceberg.namespace", &i.Namespace)
	Flag(fs, "iceberg.restricted-namespace", &i.Restricted)
	Flag(fs, "iceberg.keep-snapshots", &i.Keep)
	Flag(fs, "iceberg.token", &i.Catalog.Token)
	Flag(fs, "iceberg.credential", &i.Catalog.Credential)
}

var icebergKeys = []string{
	"iceberg.catalog", "iceberg.uri", "iceberg.namespace", "iceberg.restricted-namespace", "iceberg.keep-snapshots",
	"iceberg.token", "iceberg.credential",
}

// checkIceberg finds settings of a catalog that do not go together.
func checkIceberg(v *Values) error {
	keep, err := time.ParseDuration(v.text("iceberg.keep-snapshots"))
	if err != nil {
		return err
	}
	c := iceberg.Config{
		Catalog: catalog.Config{
			Kind: v.text("iceberg.catalog"), URI: v.text("iceberg.uri"), Token: v.text("iceberg.token"), Credential: v.text("iceberg.credential"),
		},
		Namespace: v.text("iceberg.namespace"), Restricted: v.text("iceberg.restricted-namespace"), Keep: keep,
	}
	return c.Check()
}

// catalogKind is a kind of catalog.
func catalogKind(text string) error {
	if !slices.Contains(catalog.Kinds(), text) {
		return fmt.Errorf("want one of %s", strings.Join(catalog.Kinds(), ", "))
	}
	return nil
}
