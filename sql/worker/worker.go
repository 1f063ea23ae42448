package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strconv"

	"github.com/pingmill/pingmill/privacy/forget"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/worker/sandbox"
)

// ownMemory is the memory in bytes that a worker gets beyond DuckDB's limit: for Go's heap, thread stacks and
// allocations that DuckDB does not count.
const ownMemory = 256 << 20

// session is the worker's side of one query.
type session struct {
	from   *frameReader
	to     *frameWriter
	db     *query.DB
	q      wireRequest
	hides  []forget.Hash
	usage  *usage
	memory int64 // the limit
	began  int64 // usage.read before the query

	lacking []sandbox.Protection
	planned bool
	allowed chan struct{}
}

// firstUnknown is the first file descriptor that a worker does not use: 0 to 2 are the standard streams, 3 has the
// frames.
const firstUnknown = 4

// work runs the worker from start to exit and returns the exit status.
func work() int {
	if sandbox.Disinherit(firstUnknown) != nil {
		return 1
	}
	os.Clearenv()
	debug.SetMemoryLimit(ownMemory / 2)
	debug.SetGCPercent(-1) // collect only at the memory limit
	signal.Ignore(os.Interrupt)
	s := &session{
		from: &frameReader{r: os.Stdin}, to: &frameWriter{w: os.NewFile(3, "frames")},
		usage: openUsage(), allowed: make(chan struct{}),
	}
	err := s.run()
	if errors.Is(err, io.EOF) { // the caller closed the pipe
		return 0
	}
	if err != nil && s.to.send(kindError, s.described(err)) != nil {
		return 1
	}
	return 0
}

func (s *session) run() error {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	var set setup
	if err := s.expect(kindSetup, &set); err != nil {
		return err
	}
	options := query.Options{Threads: set.Threads, TempDir: "."}
	if set.Memory > 0 {
		options.MemoryLimit = strconv.FormatInt(set.Memory, 10) + "B"
	}
	s.memory = set.Memory
	var err error
	if s.db, err = query.Start(ctx, options); err != nil {
		return err
	}
	if err := s.receive(); err != nil {
		return err
	}
	if err := s.restrict(ctx); err != nil {
		return err
	}
	go s.listen(cancel)
	notifyCPU(func() { cancel(errCPU) })
	return s.answer(ctx)
}

// expect reads a frame of the wanted kind and decodes its JSON into v.
func (s *session) expect(want kind, v any) error {
	k, body, err := s.from.next()
	if err != nil {
		return err
	}
	if k != want {
		return violation("a frame of kind %d where %d is due", k, want)
	}
	return json.Unmarshal(body, v)
}

// receive reads the request.
func (s *session) receive() error {
	if err := s.expect(kindRequest, &s.q); err != nil {
		return err
	}
	for n := 0; ; {
		k, body, err := s.from.next()
		switch {
		case err != nil:
			return err
		case k == kindFiles && n < len(s.q.Views):
			if s.q.Views[n].Files = splitPaths(body); s.q.Views[n].Narrow > len(s.q.Views[n].Files) {
				return violation("%d narrow files of %d", s.q.Views[n].Narrow, len(s.q.Views[n].Files))
			}
			n++
		case k == kindHidden && len(body)%len(forget.Hash{}) == 0:
			s.hides = hashesOf(bytes.Clone(body))
		case k == kindComplete && n == len(s.q.Views):
			return nil
		default:
			return violation("a frame of kind %d with %d bytes after the files of %d views of %d", k, len(body), n, len(s.q.Views))
		}
	}
}

// restrict closes the sandbox: the process can then read only the views' files and write only its own folder.
// Everything after it is untrusted.
func (s *session) restrict(ctx context.Context) error {
	if err := os.Chdir(s.q.Temp); err != nil {
		return err
	}
	options := query.Options{Verify: s.verify, DoubleLiterals: s.q.DoubleLiterals}
	if len(s.hides) > 0 {
		options.Hidden = forget.Finder(s.hides)
	}
	if err := s.db.Grant(ctx, s.q.Views, options); err != nil {
		return err
	}
	var folders []string
	if sandbox.Landlock() > 0 {
		for _, v := range s.q.Views {
			if len(v.Files) > 0 {
				folders = append(folders, commonFolder(v.Files, v.PartitionKeys))
			}
		}
	}
	if s.memory == 0 {
		var err error
		if s.memory, err = s.db.MemoryLimit(ctx); err != nil {
			return err
		}
	}
	more := reserveOf(&s.q.Request, s.q.Limits.Threads, s.memory)
	if more != (reserve{}) {
		if err := s.db.Limit(ctx, more.threads, s.memory+more.counted); err != nil {
			return err
		}
	}
	if err := s.db.Lock(ctx, s.q.Temp, s.q.Limits.Spill, folders...); err != nil {
		return err
	}
	rules := sandbox.Rules{Write: []string{s.q.Temp}, Memory: s.memory + ownMemory + more.process, CPU: s.q.Limits.CPU, File: s.q.Limits.Spill}
	for _, v := range s.q.Views {
		rules.Read = append(rules.Read, readable(v)...)
	}
	var err error
	s.lacking, err = sandbox.Restrict(rules)
	return err
}

// maxRules is the largest number of files of a view that the sandbox gets one by one: each rule takes some
// microseconds.
const maxRules = 2000

// readable returns the paths of a view for the sandbox: its files, or the table's folder above maxRules. In that case
// only DuckDB's own settings restrict the query to the files.
func readable(v query.View) []string {
	if len(v.Files) > maxRules {
		return []string{commonFolder(v.Files, v.PartitionKeys)}
	}
	return v.Files
}

// listen waits for the caller's permission to read, and then cancels the query when the caller closes the pipe.
func (s *session) listen(cancel context.CancelCauseFunc) {
	k, _, err := s.from.next()
	if err == nil && k == kindGo {
		close(s.allowed)
		k, _, err = s.from.next()
	}
	if err == nil {
		err = violation("a frame of kind %d while the query runs", k)
	}
	cancel(err)
}

// verify sends the plan and waits for the caller's permission. DuckDB calls it before it reads the first file; only the
// first call does anything.
func (s *session) verify(ctx context.Context, scans []query.Scan) error {
	if s.planned {
		return nil
	}
	s.planned = true
	plan := wirePlan{Lacking: s.lacking, Memory: s.memory}
	for _, scan := range scans {
		for i := range s.q.Views {
			if s.q.Views[i].Name != scan.View {
				continue
			}
			w, err := wireScanOf(&s.q.Views[i], scan)
			if err != nil {
				return err
			}
			plan.Scans = append(plan.Scans, w)
		}
	}
	if err := s.to.send(kindPlan, plan); err != nil {
		return err
	}
	select {
	case <-s.allowed:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// answer runs the query and sends its columns, result and summary.
func (s *session) answer(ctx context.Context) error {
	s.began = s.usage.read()
	rows, err := s.rows(ctx)
	if err != nil {
		return err
	}
	if err := s.verify(ctx, nil); err != nil { // for a query that reads no file
		return err
	}
	rows.Cap(query.Cap{Rows: s.q.Limits.Rows, Bytes: s.q.Limits.Bytes})
	if err := s.to.send(kindColumns, Columns{rows.Columns, rows.Rounded}); err != nil {
		return err
	}
	done := make(chan struct{})
	go s.progress(rows, done)
	if s.q.First {
		s.q.Write.First = s.first
	}
	n, err := rows.Write(result{s.to}, s.q.Format, s.q.Write)
	close(done)
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			return fmt.Errorf("%w: %w", cause, err)
		}
		return err
	}
	return s.to.send(kindDone, wireSummary{Rows: n, Cut: rows.Cut(), Read: s.usage.read() - s.began, Memory: s.usage.memory()})
}

// first reports that the first rows of the result were sent.
func (s *session) first() error { return s.to.write(kindFirst, nil) }

// rows starts the query. Untrusted text is always checked by the gate, except in tests.
func (s *session) rows(ctx context.Context) (*query.Rows, error) {
	switch {
	case s.q.Ungated:
		return s.db.QueryIn(ctx, s.q.Dialect, s.q.SQL)
	case s.q.Setup != "":
		if err := s.setUp(ctx); err != nil {
			return nil, err
		}
		return s.db.QueryGranted(ctx, s.q.SQL, s.q.Grants)
	}
	return s.db.QueryJudged(ctx, s.q.Dialect, s.q.SQL)
}

// setUp runs the trusted statements of the request.
func (s *session) setUp(ctx context.Context) error {
	if len(s.q.Views) > 0 {
		return violation("statements to set up beside %d views", len(s.q.Views))
	}
	rows, err := s.db.Query(ctx, s.q.Setup)
	if err != nil {
		return err
	}
	if _, err := rows.Next(); err != nil && !errors.Is(err, io.EOF) {
		return errors.Join(err, rows.Close())
	}
	return rows.Close()
}
