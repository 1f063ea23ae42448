package job

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf8"
)

// Line is a log line of a run.
type Line struct {
	Time  time.Time
	Level string // DEBUG, INFO, WARN, ERROR
	Unit         // that it is about; its zero value: the run
	Text  string
	// Attrs are the attributes of the line, by name.
	Attrs map[string]string
}

const (
	// MaxLines is the largest number of lines that the ledger stores of a run; the last one states that there
	// were more.
	MaxLines = 5000
	// longestText is the stored length, in bytes, of a line's text and of each of its attributes.
	longestText = 4000
)

// AddLine stores a line of an active run.
func (l *Ledger) AddLine(run int64, line Line) error {
	for name, value := range line.Attrs {
		line.Attrs[name] = shortened(value)
	}
	attrs, err := json.Marshal(line.Attrs)
	if err != nil {
		return fmt.Errorf("keep a line of run %d: %w", run, err)
	}
	_, err = l.exec(`INSERT INTO lines (run, time, level, table_name, day, text, attrs) VALUES (?, ?, ?, ?, ?, ?, ?)`,
		run, line.Time.UnixNano(), line.Level, line.Table, line.Day, shortened(line.Text), string(attrs))
	if err != nil {
		return fmt.Errorf("keep a line of run %d: %w", run, err)
	}
	return nil
}

// shortened returns a text of limited length, cut between characters.
func shortened(s string) string {
	if len(s) <= longestText {
		return s
	}
	end := longestText
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}

// Lines returns the log lines of a run, in order.
func (l *Ledger) Lines(ctx context.Context, run int64) (all []Line, err error) {
	err = l.query(ctx, `SELECT time, level, table_name, day, text, attrs FROM lines WHERE run = ? ORDER BY id`, []any{run},
		func(rows *sql.Rows) error {
			var line Line
			var at int64
			var attrs string
			if err := rows.Scan(&at, &line.Level, &line.Table, &line.Day, &line.Text, &attrs); err != nil {
				return err
			}
			line.Time = ledgerTime(at)
			all = append(all, line)
			return json.Unmarshal([]byte(attrs), &all[len(all)-1].Attrs)
		})
	return all, err
}
