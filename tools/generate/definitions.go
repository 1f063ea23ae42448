package generate

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
)

//go:embed definitions
var definitions embed.FS

// WriteDefinitions writes the definitions of the Glean pings of generated clients to a folder, in the form of the setting
// glean.definitions.
func WriteDefinitions(dir string) error {
	all, err := fs.Sub(definitions, "definitions")
	if err == nil {
		err = os.CopyFS(dir, all)
	}
	if err != nil {
		return fmt.Errorf("write Glean definitions: %w", err)
	}
	return nil
}
