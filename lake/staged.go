package lake

import "path"

// Path returns the name, in the table's bucket, of a file of the unpublished generation.
func (g *Generation) Path(file string) string { return path.Join(g.dir, file) }

// Dir returns the folder, in the table's bucket, of the unpublished generation.
func (g *Generation) Dir() string { return g.dir }
