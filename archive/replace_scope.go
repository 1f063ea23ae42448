package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/archive/rowfile"
	"github.com/pingmill/pingmill/ping"
)

// A replacing load may have a name that confines it to one day of pings, or of
// rejected submissions: re-pings.YYYYMMDD.REST, re-errors.YYYYMMDD.REST or
// re-errors.none.REST. Readers of other days need not read its record, so there
// can be many of them.

// RewriteName returns a name for the load that rewrites pings of a day and document type. occasion consists of
// 1 to 60 letters, digits, dots, dashes and underscores. RewriteOptions.Load should be such a name: each load
// with another name makes every reader slower.
func RewriteName(day ping.Day, docType ping.DocType, occasion string) string {
	h := sha256.Sum256([]byte(docType))
	return fmt.Sprintf("%s%s.%s.%s.%s", naming.Replacing, rowfile.Pings.Name(), day, hex.EncodeToString(h[:4]), occasion)
}

// RewriteErrorsName works like RewriteName, for the rejected submissions of a day.
func RewriteErrorsName(day ping.Day, occasion string) string {
	if day == "" {
		day = naming.NoDayScope
	}
	return fmt.Sprintf("%s%s.%s.%s", naming.Replacing, rowfile.Rejected.Name(), day, occasion)
}

// scopeOf returns the folder to whose files the name of a replacing load confines it, with a slash at the end; "" if it
// may replace any.
func scopeOf(load string) string {
	parts := strings.SplitN(strings.TrimPrefix(load, naming.Replacing), ".", 3)
	if len(parts) < 3 {
		return ""
	}
	day := parts[1]
	switch {
	case parts[0] == rowfile.Rejected.Name() && day == naming.NoDayScope:
		return naming.Errors + "/" + naming.DayKey + naming.NoDay + "/"
	case !naming.ValidDay([]byte(day)):
		return ""
	case parts[0] == rowfile.Pings.Name():
		return naming.Pings + "/" + naming.DayKey + day + "/"
	case parts[0] == rowfile.Rejected.Name():
		return naming.Errors + "/" + naming.DayKey + day + "/"
	}
	return ""
}

// concerns reports whether the load of a record may replace files below one of
// the folders, which end with a slash.
func concerns(record string, dirs []string) bool {
	scope := scopeOf(naming.LoadOfRecord(record))
	return slices.ContainsFunc(dirs, func(dir string) bool {
		return strings.HasPrefix(dir, scope) || strings.HasPrefix(scope, dir)
	})
}

// foldersOf returns the folders of files.
func foldersOf(names []string) []string {
	var dirs []string
	for _, name := range names {
		dirs = append(dirs, path.Dir(name)+"/")
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}
