package lake

import (
	"path"
	"strings"

	"github.com/pingmill/pingmill/schema"
)

// stagingRoot holds unfinished generations. It is outside the tables' folders, because DuckDB's globs, among
// others, do not skip names that begin with an underscore.
const stagingRoot = "_staging"

// layout names the objects of a table in its bucket.
type layout struct {
	Schema *schema.Table
	// Token, letters and digits, separates this server's unfinished generations from those of other servers; "" if no
	// other server writes to the bucket. It must not change after a crash, so that finished files are found again.
	Token string

	rename bool // the bucket can rename folders
}

// dir returns the folder of a day's partition.
func (t *layout) dir(day string) string {
	return path.Join(t.Schema.Prefix(), t.Schema.PartitionDir(day))
}

// staging returns the folder of all days' unfinished generations.
func (t *layout) staging() string { return path.Join(stagingRoot, t.Schema.Prefix()) }

// stagingDir returns the folder of a day's unfinished generations.
func (t *layout) stagingDir(day string) string { return path.Join(stagingRoot, t.dir(day)) }

// Path returns the name of a partition's file in the bucket.
func (t *layout) Path(day, file string) string { return path.Join(t.dir(day), file) }

// attempt returns the folder in which this server writes a generation. In a bucket without folders all
// servers share it: they write equal bytes under equal names.
func (t *layout) attempt(day, name string) string {
	if t.Token != "" && t.rename {
		name += "." + t.Token
	}
	return path.Join(t.stagingDir(day), name)
}

// attempted returns the generation name of a folder named by attempt or trash; trashed reports whether trash renamed
// it.
func attempted(dir string) (name string, trashed bool) {
	name, trashed = strings.CutSuffix(path.Base(dir), trashSuffix)
	name, _, _ = strings.Cut(name, ".")
	return name, trashed
}

// retainedRoot is the folder of the files that readers may be reading, if the bucket has links. Each day has a folder
// with the files of the published generation and of recently replaced ones; no two generations of a day share a file
// name. A published partition has links to some of these files.
const retainedRoot = "_generations"

// retainedDir returns the folder of a day's retained files.
func (t *layout) retainedDir(day string) string { return path.Join(retainedRoot, t.dir(day)) }

// damagedRoot is the folder of the damage records, outside of the tables' folders.
const damagedRoot = "_damaged"

func (t *layout) recordsName(day string) string { return path.Join(damagedRoot, t.dir(day)+".json") }

// Names of folders in a day's staging folder that are not unfinished generations.
const (
	oldName     = "old"   // the partition that is being replaced, if folders cannot be exchanged
	trashName   = "gone"  // an expired partition that is being deleted
	trashSuffix = ".gone" // ends the name of any other folder that is being deleted
)

// dayOf returns the day of a partition's folder, YYYYMMDD.
func dayOf(dir string) string {
	name := path.Base(dir)
	if _, value, found := strings.Cut(name, "="); found {
		return strings.ReplaceAll(value, "-", "")
	}
	return strings.TrimPrefix(name, "v") // of a snapshot
}
