package lake

import "path"

// Path is the name, in the table's bucket, of a file of the generation before
// it is published.
func (g *Generation) Path(file string) string { return path.Join(g.dir, file) }

// Dir is the folder, in the table's bucket, that holds the generation before it
// is published.
func (g *Generation) Dir() string { return g.dir }
