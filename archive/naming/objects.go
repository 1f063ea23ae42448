package naming

import "strings"

// The folders of the archive. Names below Staging belong to writers that have not finished; they are never read.
const (
	Pings    = "pings/v1"
	Errors   = "errors/v1" // rejected submissions
	Loads    = "loads/v1"  // records of finished loads
	Index    = "index/v1"  // which loads have files of a day
	Expired  = "expired/v1"
	Staging  = "_staging"
	Changes  = "_changes.json" // the feed of changes, see store/changes
	Seen     = "seen/v1"       // memories of duplicates, one for each load
	Progress = "progress/v1"   // how far each edge is decoded
	Spools   = "spools/v1"     // which spool each edge has
	Trouble  = "trouble/v1"    // what decoding cannot do at present
	Claims   = "claims/v1"     // spools that several processes may decode in turn
	Commits  = "commits/v1"    // the order in which several servers commit loads
	Prepared = "prepared/v1"   // prepared rows of files of pings
	Forget   = "forget"        // the bucket of deletion requests
)

// CompactionState is the object with the state of compaction.
const CompactionState = "compaction/v1/state.json"

// DayKey and TypeKey begin the folders of a day and of a document type. NoDay is the value of an absent day in the Hive
// layout.
const (
	DayKey  = "submission_date_obj="
	TypeKey = "doc_type="
	NoDay   = "__HIVE_DEFAULT_PARTITION__"
)

// Prefixes of the names of loads. Only loads that replace files begin with Replacing, so readers find their records without
// reading all.
const (
	FromSpool = "spool." // made by decoding segments; the name of the edge follows
	Replacing = "re-"
	Undoing   = Replacing + "undo." // the name of the load that is undone follows
)

// ExpireMark is the part of the name of a load that removes an expired day, behind kind and day and before the time, which has the
// format ExpireTime.
const (
	ExpireMark = ".expired."
	ExpireTime = "20060102T150405Z"
)

// EdgeLoads returns the prefix of the names of an edge's loads.
func EdgeLoads(edge string) string { return FromSpool + edge + "." }

// EdgeOf returns the edge whose submissions a load has, or "" if the load has none.
func EdgeOf(load string) string {
	name, is := strings.CutPrefix(load, FromSpool)
	if i := strings.LastIndexByte(name, '.'); is && i >= 0 {
		return name[:i]
	}
	return ""
}

// Record returns the name of a load's record.
func Record(load string) string { return Loads + "/" + load + ".json" }

// LoadOfRecord returns the load of a record.
func LoadOfRecord(name string) string {
	return strings.TrimSuffix(strings.TrimPrefix(name, Loads+"/"), ".json")
}

// SeenBy returns the name of a load's memory of duplicates.
func SeenBy(load string) string { return Seen + "/" + load + seenEnd }

// LoadOfSeen returns the load of a memory of duplicates.
func LoadOfSeen(name string) string {
	return strings.TrimSuffix(name[strings.LastIndexByte(name, '/')+1:], seenEnd)
}

const seenEnd = ".seen"

// NoDayScope stands for the day in the names of loads and index entries of rejected submissions of no known day.
const NoDayScope = "none"

// ExpiredDay returns the name of the record that a day of a kind was removed.
func ExpiredDay(kind, day string) string { return Expired + "/" + kind + "/" + day + ".json" }

// Source names the archive's pings of a document type as an input of a table.
func Source(docType string) string { return source + docType }

// DocTypeOf returns the document type of an input of a table, if it is the archive's pings.
func DocTypeOf(input string) (docType string, ok bool) { return strings.CutPrefix(input, source) }

const source = "archive "

// PreparedOf returns the name of the prepared rows of a file of pings; ok is false for other files.
func PreparedOf(file string) (name string, ok bool) {
	path, ok := strings.CutPrefix(file, Pings+"/")
	return Prepared + "/" + strings.TrimSuffix(path, dataEnd) + preparedEnd, ok
}

// FileOfPrepared returns the file of pings to which prepared rows belong.
func FileOfPrepared(name string) string {
	return Pings + "/" + strings.TrimSuffix(strings.TrimPrefix(name, Prepared+"/"), preparedEnd) + dataEnd
}

const (
	dataEnd     = ".parquet"
	preparedEnd = ".rows"
)
