package retain

import (
	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/lake"
)

// Item is one thing whose time is over.
type Item struct {
	What    string // archive, errors, or the name of a table
	Version string // of a table, when it is not the present one
	Day     string // YYYYMMDD
	Files   int
	Rows    int64
	Bytes   int64
	Waits   string // why it stays for now; "" when it goes

	day       archive.OldDay
	table     *lake.Table
	partition lake.OldPartition
}

// Name returns the name of the table or kind, with the version of an older table.
func (i *Item) Name() string {
	if i.Version != "" {
		return i.What + "/" + i.Version
	}
	return i.What
}

// What of an item that is not of a table.
const (
	whatPings  = "archive"
	whatErrors = "errors"
)
