package prompt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"

	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/terminal/engine"
)

// exports holds the exports that run in the background.
type exports struct {
	mu      sync.Mutex
	running map[string]context.CancelCauseFunc // by file
	ended   []string                           // notes that were not shown yet
	wait    sync.WaitGroup
}

// export writes the complete result of a statement to a file in the background. The file's extension selects the
// format.
func (s *Session) export(ctx context.Context, arg string) error {
	file, sql, _ := strings.Cut(arg, " ")
	if file == "" {
		return errors.New(`\export FILE [SQL]`)
	}
	if sql = strings.TrimSuffix(strings.TrimSpace(sql), ";"); sql == "" {
		sql = s.last
	}
	if sql == "" {
		return errors.New("there is no last statement")
	}
	file = s.path(file)
	format, err := formatOf(file)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	if err := s.exports.begin(file, cancel); err != nil {
		cancel(nil)
		return err
	}
	s.print("writing %s in the background", file)
	q := engine.Query{SQL: sql, Dialect: s.Dialect, Format: format}
	go func() {
		start := s.Now()
		var a engine.Answer
		err := cli.WriteFile(ctx, file, func(w io.Writer) (err error) {
			a, err = s.Engine.Run(ctx, q, w, func(engine.Progress) {})
			return err
		})
		note := fmt.Sprintf("%s is written: %s in %s", file, engine.RowCount(a.Rows), seconds(s.Now().Sub(start)))
		if err != nil {
			note = fmt.Sprintf("%s is not written: %v", file, err)
		}
		s.exports.end(file, note)
		s.editor.Notice(note)
	}()
	return nil
}

// formatOf returns the format for a file's extension.
func formatOf(file string) (query.Format, error) {
	f, err := query.ParseFormat(strings.TrimPrefix(filepath.Ext(file), "."))
	if err != nil || f == query.FormatTable {
		return "", fmt.Errorf("%s: its ending says no format: .csv, .json, .ndjson, .parquet or .arrow", file)
	}
	return f, nil
}

func (e *exports) begin(file string, cancel context.CancelCauseFunc) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.running[file] != nil {
		return fmt.Errorf("%s is being written", file)
	}
	if e.running == nil {
		e.running = map[string]context.CancelCauseFunc{}
	}
	e.running[file] = cancel
	e.wait.Add(1)
	return nil
}

func (e *exports) end(file, note string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.running[file](nil)
	delete(e.running, file)
	e.ended = append(e.ended, note)
	e.wait.Done()
}

// notes prints the exports that have ended.
func (e *exports) notes(s *Session) {
	e.mu.Lock()
	ended := e.ended
	e.ended = nil
	e.mu.Unlock()
	for _, note := range ended {
		s.print("%s", note)
	}
}

// stop waits for running exports; Ctrl-C cancels them.
func (e *exports) stop(ctx context.Context, s *Session) {
	e.mu.Lock()
	for file := range e.running {
		s.print("waiting until %s is written; Ctrl-C gives it up", file)
	}
	e.mu.Unlock()
	done := make(chan struct{})
	go func() { e.wait.Wait(); close(done) }()
	_ = s.interruptible(ctx, func(ctx context.Context) error {
		select {
		case <-done:
		case <-ctx.Done():
		}
		return nil
	})
	e.mu.Lock()
	for _, cancel := range e.running {
		cancel(errCancelled)
	}
	e.mu.Unlock()
	<-done
	e.notes(s)
}
