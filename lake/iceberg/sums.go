package iceberg

import (
	"strconv"

	"github.com/pingmill/pingmill/lake/iceberg/format"
)

// sums holds the totals in the summary of a snapshot.
type sums struct {
	added, removed [3]int64 // files, rows, bytes
	bytes          int64    // of the snapshot before
	known          bool     // they are
}

func newSums(before *format.Snapshot) *sums {
	s := &sums{known: before == nil}
	if before != nil {
		var err error
		s.bytes, err = strconv.ParseInt(before.Summary["total-files-size"], 10, 64)
		s.known = err == nil
	}
	return s
}

func (s *sums) add(entries []format.Entry) {
	for i := range entries {
		e := &entries[i]
		to := &s.added
		switch e.Status {
		case format.Existing:
			continue
		case format.Deleted:
			to = &s.removed
		}
		to[0]++
		to[1] += e.File.Rows
		to[2] += e.File.Bytes
	}
}

// maxNamed limits the generations that a summary names.
const maxNamed = 50

// summary returns the summary of a snapshot with manifests.
func (s *sums) summary(all []format.ManifestFile, changes []change) map[string]string {
	m := map[string]string{"operation": s.operation()}
	set := func(name string, n int64) { m[name] = strconv.FormatInt(n, 10) }
	for i, name := range []string{"data-files", "records", "files-size"} {
		added, removed := "added-"+name, "deleted-"+name
		if name == "files-size" {
			removed = "removed-files-size"
		}
		if s.added[i] > 0 {
			set(added, s.added[i])
		}
		if s.removed[i] > 0 {
			set(removed, s.removed[i])
		}
	}
	var files, rows int64
	for i := range all {
		files, rows = files+int64(all[i].Live()), rows+all[i].Rows()
	}
	set("total-data-files", files)
	set("total-records", rows)
	set("total-delete-files", 0)
	set("total-position-deletes", 0)
	set("total-equality-deletes", 0)
	if s.known {
		set("total-files-size", s.bytes+s.added[2]-s.removed[2])
	}
	set("changed-partition-count", int64(len(changes)))
	for i := range min(len(changes), maxNamed) {
		m["pingmill.generation."+changes[i].day] = changes[i].content.generation
	}
	return m
}

func (s *sums) operation() string {
	switch {
	case s.removed[0] == 0:
		return "append"
	case s.added[0] == 0:
		return "delete"
	}
	return "overwrite"
}
