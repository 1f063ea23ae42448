// Package builtin has the dashboards that come with the program, as files of examples.
package builtin

import (
	"embed"
	"fmt"
	"io/fs"

	"github.com/pingmill/pingmill/sql/dashboard"
	"github.com/pingmill/pingmill/sql/dashboard/files"
	"github.com/pingmill/pingmill/sql/saved/document"
)

//go:embed *.yaml
var boards embed.FS

// All returns the dashboards.
func All() ([]dashboard.Dashboard, error) {
	names, err := fs.Glob(boards, "*.yaml")
	if err != nil {
		return nil, err
	}
	var all []dashboard.Dashboard
	for _, name := range names {
		text, err := boards.ReadFile(name)
		if err != nil {
			return nil, err
		}
		d, err := files.ReadDashboard(string(text))
		if err != nil {
			return nil, fmt.Errorf("built-in dashboard %s: %w", name, err)
		}
		id, _, _ := files.ID(name)
		all = append(all, dashboard.Dashboard{Head: document.Head{ID: id}, Doc: d.Doc})
	}
	return all, nil
}
