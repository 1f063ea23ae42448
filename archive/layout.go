package archive

import (
	"fmt"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/archive/rowfile"
	"github.com/pingmill/pingmill/ping"
)

// maxDocType is the longest document type, in bytes, that can name a
// directory: every byte may need three in its escaped form.
const maxDocType = 80

// partition names one directory of data files.
type partition struct {
	day     ping.Day     // "" for rejected submissions of no known day
	docType ping.DocType // "" for rejected submissions
	kind    *rowfile.Kind
}

// dir returns the partition's directory.
func (p partition) dir() string {
	day := string(p.day)
	if day == "" {
		day = naming.NoDay
	}
	if p.kind == rowfile.Rejected {
		return naming.Errors + "/" + naming.DayKey + day
	}
	return naming.Pings + "/" + naming.DayKey + day + "/" + naming.TypeKey + naming.EscapeKey(string(p.docType))
}

// dayDir returns the folder of the partition's day, with a slash at the end.
func (p partition) dayDir() string { return dayFolder(p.dir() + "/") }

// fileName returns the name of a load's n-th file in a partition.
func fileName(p partition, load string, n int) string {
	return fmt.Sprintf("%s/%s-%06d.parquet", p.dir(), load, n)
}
