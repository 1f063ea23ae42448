package site

import (
	"context"
	"path"
	"slices"

	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/schema"
)

// Unknown returns the folders of the roots with partitions of tables that the installation does not know, such as
// lake/org_example_app/baseline/v1: the definitions that they were made with are missing.
func (d *Data) Unknown(ctx context.Context) (folders []string, err error) {
	for _, root := range []schema.Root{schema.StorageRoot, schema.PipelineRoot, schema.RestrictedRoot} {
		known := slices.DeleteFunc(slices.Clone(d.Tables), func(t *schema.Table) bool { return t.Root != root })
		found, err := lake.Unknown(ctx, d.Roots[root], known)
		if err != nil {
			return nil, err
		}
		for _, name := range found {
			folders = append(folders, path.Join(root.Folder(), name))
		}
	}
	return folders, nil
}
