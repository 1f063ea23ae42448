package worker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pingmill/pingmill/internal/lazy"
	"github.com/pingmill/pingmill/privacy/forget"
	"github.com/pingmill/pingmill/sql/presto"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/worker/sandbox"
)

// setup has the limits that a worker needs before it receives a request.
type setup struct {
	Threads int
	Memory  int64
}

// wireRequest is a Request for the worker. Files and hashes follow in their own frames.
type wireRequest struct {
	Request
	Temp    string // folder of the worker
	Ungated bool
}

// sendRequest writes a request: wireRequest, the files of each view, the hashes, and the end mark.
func sendRequest(f *frameWriter, q *Request, temp string) error {
	if err := f.send(kindRequest, wireRequest{*q, temp, q.ungated}); err != nil {
		return err
	}
	for _, v := range q.Views {
		if err := f.write(kindFiles, joinPaths(v.Files)); err != nil {
			return err
		}
	}
	hidden := make([]byte, 0, len(q.Hidden)*len(forget.Hash{}))
	for _, h := range q.Hidden {
		hidden = append(hidden, h[:]...)
	}
	if err := f.write(kindHidden, hidden); err != nil {
		return err
	}
	return f.write(kindComplete, nil)
}

func joinPaths(paths []string) []byte {
	n := 0
	for _, p := range paths {
		n += len(p) + 1
	}
	all := make([]byte, 0, n)
	for _, p := range paths {
		all = append(append(all, p...), 0)
	}
	return all
}

func splitPaths(all []byte) []string {
	paths := make([]string, 0, bytes.Count(all, []byte{0}))
	for line := range bytes.SplitAfterSeq(all, []byte{0}) {
		if len(line) > 0 {
			paths = append(paths, string(line[:len(line)-1]))
		}
	}
	return paths
}

// hashesOf decodes the body of kindHidden.
func hashesOf(body []byte) []forget.Hash {
	var hashes []forget.Hash
	for h := range slices.Chunk(body, len(forget.Hash{})) {
		hashes = append(hashes, forget.Hash(h))
	}
	return hashes
}

// wirePlan lists scans by file indexes in their view, so that the worker, which is not trusted, can name no other file.
type wirePlan struct {
	Scans   []wireScan
	Lacking []sandbox.Protection
	Memory  int64 // the limit
}

type wireScan struct {
	View    string
	Files   []int // pairs: first index and length of each run
	Columns []string
	All     bool // all columns are read
	Sampled bool
	Late    []string
}

// wireScanOf converts a scan of a view. The indexes are sorted: narrow files are at the end of the view's list, but a
// scan may have them between other files.
func wireScanOf(v *query.View, s query.Scan) (wireScan, error) {
	place := make(map[string]int, len(v.Files))
	for i, f := range v.Files {
		place[f] = i
	}
	places := make([]int, len(s.Files))
	for i, f := range s.Files {
		at, ok := place[f]
		if !ok {
			return wireScan{}, fmt.Errorf("a scan of %s reads a file that is not in the view", v.Name)
		}
		places[i] = at
	}
	slices.Sort(places)
	w := wireScan{View: v.Name, Columns: s.Columns, All: s.Columns == nil, Sampled: s.Sampled, Late: s.Late}
	for _, i := range slices.Compact(places) {
		last := len(w.Files) - 2
		if last >= 0 && w.Files[last]+w.Files[last+1] == i {
			w.Files[last+1]++
		} else {
			w.Files = append(w.Files, i, 1)
		}
	}
	return w, nil
}

// plan converts the worker's plan. It returns errProtocol if the plan names an unknown view or file.
func (w wirePlan) plan(views []query.View) (p Plan, err error) {
	folders := map[string]bool{}
	for _, s := range w.Scans {
		i := slices.IndexFunc(views, func(v query.View) bool { return v.Name == s.View })
		if i < 0 || len(s.Files)%2 != 0 {
			return p, violation("a scan of view %d of %d, with %d numbers", i, len(views), len(s.Files))
		}
		scan, err := s.scan(&views[i])
		if err != nil {
			return p, err
		}
		for _, f := range scan.Files {
			folders[folder(f)] = true
		}
		p.Files += len(scan.Files)
		p.Bytes += scan.Bytes
		p.Scans = append(p.Scans, scan)
	}
	p.Partitions = len(folders)
	return p, nil
}

func (s wireScan) scan(v *query.View) (query.Scan, error) {
	scan := query.Scan{View: v.Name, Columns: s.Columns, Sampled: s.Sampled}
	for _, key := range s.Late {
		if !slices.Contains(v.PartitionKeys, key) {
			return scan, violation("a late condition on what is no partition key of %s", v.Name)
		}
		scan.Late = append(scan.Late, key)
	}
	if !s.All && scan.Columns == nil {
		scan.Columns = []string{}
	}
	end := 0
	for run := range slices.Chunk(s.Files, 2) {
		from, n := run[0], run[1]
		if from < end || n < 0 || n > len(v.Files)-from {
			return scan, violation("a scan of %d files of %s from place %d on, after place %d of %d", n, v.Name, from, end, len(v.Files))
		}
		end = from + n
		scan.Files = append(scan.Files, v.Files[from:end]...)
		if len(v.Sizes) == len(v.Files) {
			for _, size := range v.Sizes[from:end] {
				scan.Bytes += size
			}
		}
	}
	return scan, nil
}

func folder(path string) string {
	if i := bytes.LastIndexByte([]byte(path), '/'); i >= 0 {
		return path[:i]
	}
	return ""
}

// wireSummary is the part of a Summary that only the worker knows.
type wireSummary struct {
	Rows   int64
	Cut    string
	Read   int64
	Memory int64
}

// literalForm matches a decimal literal.
var literalForm = lazy.Regexp(`^[0-9_.]{1,50}$`)

// trusted leaves out what the worker, which is not trusted, could not have found in a query.
func (c Columns) trusted() Columns {
	c.Rounded = slices.DeleteFunc(c.Rounded, func(r presto.Rounded) bool {
		return !literalForm().MatchString(r.Literal) || r.Double != r.Literal+"e0"
	})
	return c
}

// wireError is an error of a query as JSON.
type wireError struct {
	Cause  string // one of the causes below, or ""
	Memory int64  // the limit
	Error  *query.Error
	Text   string // of any other error
}

// Causes that do not depend on the query's text.
const (
	causeMemory = "memory"
	causeDisk   = "disk"
	causeCPU    = "cpu"
)

func wireErrorOf(err error) wireError {
	w := wireError{Text: err.Error()}
	if errors.As(err, &w.Error) {
		copied := *w.Error
		w.Error = &copied
		switch {
		case copied.Kind != "Out of Memory Error":
		case strings.Contains(copied.Message, "max_temp_directory_size"):
			w.Cause = causeDisk
		default:
			w.Cause = causeMemory
		}
	}
	if errors.Is(err, errCPU) {
		w.Cause = causeCPU
	}
	return w
}

var errCPU = errors.New("the limit of processor time")

// LimitError means that a limit ended the query.
type LimitError struct{ Text string }

func (e *LimitError) Error() string { return e.Text }

// error returns the error for the caller, with the limit that was exceeded.
func (w wireError) error(l Limits) error {
	switch {
	case w.Cause == causeMemory:
		return outOfMemory(w.Memory)
	case w.Cause == causeDisk && l.Spill > 0:
		return outOfDisk(l.Spill)
	case w.Cause == causeCPU:
		return outOfCPU(l)
	case w.Error != nil:
		return w.Error
	}
	return errors.New(w.Text)
}

func outOfCPU(l Limits) error {
	return &LimitError{fmt.Sprintf("the query took more than %s of processor time, its limit", l.CPU)}
}

func outOfTime(l Limits) error {
	return &LimitError{fmt.Sprintf("the query took more than %s, its limit of time", l.Time.Round(time.Millisecond))}
}

// ended returns why the context of a query ended: the *LimitError of a limit, or the caller's cause.
func ended(limited context.Context) error {
	cause := context.Cause(limited)
	if limit := (*LimitError)(nil); errors.As(cause, &limit) {
		return limit
	}
	return fmt.Errorf("run query: %w", cause)
}
