package archive

import (
	"fmt"
	"strings"
	"time"

	"github.com/pingmill/pingmill/archive/rowfile"
	"github.com/pingmill/pingmill/ping"
)

// The directories of the archive. Names under stagingDir belong to writers
// that have not finished; they are never read.
const (
	pingsDir   = "pings/v1"
	errorsDir  = "errors/v1"
	loadsDir   = "loads/v1"
	stagingDir = "_staging"

	dayKey  = "submission_date_obj="
	typeKey = "doc_type="

	// hiveNull is the value of an absent partition key in the Hive layout.
	hiveNull = "__HIVE_DEFAULT_PARTITION__"
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

// dir is the partition's directory.
func (p partition) dir() string {
	day := string(p.day)
	if day == "" {
		day = hiveNull
	}
	if p.kind == rowfile.Rejected {
		return errorsDir + "/" + dayKey + day
	}
	return pingsDir + "/" + dayKey + day + "/" + typeKey + escapeKey(string(p.docType))
}

// dayDir is the folder of the partition's day, with a slash at the end.
func (p partition) dayDir() string { return dayFolder(p.dir() + "/") }

// validDay reports whether b is a day of the calendar written YYYYMMDD.
func validDay(b []byte) bool {
	if len(b) != 8 {
		return false
	}
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	_, err := time.Parse("20060102", string(b))
	return err == nil
}

// escapeKey writes a partition value as Hive does: bytes that could end a path
// segment or begin a hidden one become %XX.
func escapeKey(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		plain := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
			c == '-' || c == '_' || c == '.' && i > 0
		if plain {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// fileName is the name of a load's n-th file in a partition.
func fileName(p partition, load string, n int) string {
	return fmt.Sprintf("%s/%s-%06d.parquet", p.dir(), load, n)
}

// loadOf finds the load in the base name of a data file.
func loadOf(name string) (load string, ok bool) {
	base := name[strings.LastIndexByte(name, '/')+1:]
	base, ok = strings.CutSuffix(base, ".parquet")
	i := strings.LastIndexByte(base, '-')
	if !ok || i <= 0 || base[0] == '_' || len(base)-i <= 6 || strings.Trim(base[i+1:], "0123456789") != "" {
		return "", false
	}
	return base[:i], true
}

// checkLoad refuses load names that cannot be part of an object name.
func checkLoad(load string) error {
	if load == "" || len(load) > 100 {
		return fmt.Errorf("bad load name %.40q: it needs 1 to 100 bytes", load)
	}
	for i, c := range []byte(load) {
		ok := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
			i > 0 && (c == '-' || c == '_' || c == '.')
		if !ok {
			return fmt.Errorf("bad load name %q: letters, digits, dots, dashes and underscores only", load)
		}
	}
	return nil
}
