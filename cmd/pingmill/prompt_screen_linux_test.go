package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/tools/clienttest"
)

// TestPromptScreen looks at what the prompt shows on screens of several sizes and kinds.
func TestPromptScreen(t *testing.T) {
	t.Parallel()
	at := promptAt(t)
	t.Run("what there is", func(t *testing.T) {
		s := at.start(t, 100, 30)
		s.types("\\d\r")
		s.shows(`^clients_daily +20180301 +20180301 +\d+`)
		s.types("\\d crash_summary.*build*\r")
		s.shows(`^build_id +string +Build id$`)
		s.types("\\d crash_summary.build_id\r")
		s.shows(`^build_id$`)
		s.shows(`^  type string$`)
		s.ready()
		s.types("\\dp clients_daily\r")
		s.shows(`^submission_date_obj=20180301 +\d+ +\d+`)
		s.types("\\df map_agg\r")
		s.shows(`^map_agg\(K, V\)`)
		s.types("\\d nothere\r")
		s.shows(`^no table nothere`)
		s.types("\\nothere\r")
		s.shows(`^no command \\nothere`)
		s.types("SELECT 1 AS\r\\timing\r") // a command below a statement leaves it
		s.shows(`^timing is off$`)
		s.shows(`^pingmill> SELECT 1 AS$`)
		s.types("kept;\r")
		s.shows(`^ kept$`)
	})
	t.Run("pager", func(t *testing.T) {
		clienttest.NeedProgram(t, "less")
		s := at.start(t, 80, 24)
		s.types("SELECT n FROM UNNEST(sequence(1, 15)) t(n);\r") // fits
		s.shows(`^\(15 rows\)$`)
		s.ready()
		s.types("SELECT n FROM UNNEST(sequence(1, 500)) t(n);\r")
		s.shows(`^:\z`)
		s.types("G")
		s.shows(`^\(500 rows\)$`)
		s.types("q")
		s.shows(`^500 rows, `)
		s.ready()
		s.types("\\x off\r")
		s.types("SELECT * FROM clients_daily LIMIT 1;\r") // wide: to be scrolled sideways
		s.shows(`>$`)
		s.types("q")
		s.ready()
	})
	t.Run("expanded", func(t *testing.T) {
		s := at.start(t, 60, 24)
		s.types("SELECT * FROM (SELECT os, channel, city, country FROM clients_daily) LIMIT 1;\r")
		s.shows(`^ os +\| channel`)
		s.types("\\x\r")
		s.types("SELECT 'a' AS os, ARRAY['one one one one one one', 'two two two two two two two two'] AS list;\r")
		s.shows(`^-\[ row 1 \]-+$`)
		s.shows(`^os   \| a$`)
		s.shows(`^     \|   "two two two two two two two two"$`)
	})
	t.Run("wide and narrow", func(t *testing.T) {
		sql := "SELECT '日本語' AS a, 'x' AS b, '" + strings.Repeat("long ", 30) + "' AS c;\r"
		s := at.start(t, 60, 24)
		s.types(sql)
		s.shows(`^ 日本語 \| x \| .{40,}…$`)
		s.ready()
		s.resize(200, 24)
		s.types("SELECT 'after', '" + strings.Repeat("long ", 30) + "' AS c;\r")
		s.shows(`^ after +\| (long ){29}long$`)
		s.ready()
	})
	t.Run("dumb terminal", func(t *testing.T) {
		s := onTerminal(t, 80, 24, at.home, []string{"TERM=dumb"}, "query", "--data", at.data)
		s.ready()
		s.types("SELECT 1 AS one,\n 2 AS two;\n")
		s.shows(` one \| two$`)
		s.types("\\q\n")
		s.ends()
		if strings.Contains(s.output(), "\x1b") {
			t.Errorf("a dumb terminal gets escapes: %q", s.output())
		}
	})
	t.Run("paste and typed ahead", func(t *testing.T) {
		s := at.start(t, 80, 24)
		s.types("\x1b[200~SELECT 1 AS one;\nSELECT\t2 AS two;\x1b[201~")
		s.shows(`^ +-> SELECT +2 AS two;\z`) // nothing runs before Enter
		s.types("\rSELECT 3 AS three;\r")
		s.shows(`(?s)^ one$.*^ two$.*^ three$`)
		s.ready()
	})
	t.Run("files", func(t *testing.T) {
		s := at.start(t, 160, 24) // a line that is too long for the screen is cut, and temporary folders may have long names
		dir := t.TempDir()
		file := filepath.Join(dir, "a.sql")
		require.NoError(t, os.WriteFile(file, []byte("SELECT 11 AS a;\n-- next\nSELECT 22 AS b;"), 0o600))
		s.types("\\i " + filepath.Join(dir, "a") + "\t\r")
		s.shows(`(?s)^ +a$.*^ 11$.*^ +b$.*^ 22$`)
		s.types("\\format csv\r\\o " + filepath.Join(dir, "raw.csv") + "\rSELECT chr(27) AS raw;\r")
		s.shows(`^1 row in .*raw\.csv`)
		b, err := os.ReadFile(filepath.Join(dir, "raw.csv"))
		require.NoError(t, err)
		if string(b) != "raw\n\x1b\n" { // a file gets the partial result
			t.Errorf("written: %q", b)
		}
		s.types("\\o\r\\format parquet\rSELECT 1;\r")
		s.shows(`^parquet is for files`)
		s.types("\\export " + filepath.Join(dir, "out.csv") + " SELECT 7 AS seven\r")
		s.shows(`out\.csv is written: 1 row in`)
		b, err = os.ReadFile(filepath.Join(dir, "out.csv"))
		require.NoError(t, err)
		if string(b) != "seven\n7\n" {
			t.Errorf("exported: %q", b)
		}
		s.types("\\q\r")
		s.ends()
	})
	t.Run("edit", func(t *testing.T) {
		editor := filepath.Join(t.TempDir(), "editor")
		require.NoError(t, os.WriteFile(editor, []byte("#!/bin/sh\nsed -i 's/1/6 * 7/' $1\n"), 0o700))
		s := at.start(t, 80, 24, "EDITOR="+editor)
		s.types("SELECT 1 AS edited;\r")
		s.shows(`^ +1$`)
		s.types("\\e\r")
		s.shows(`^ +42$`)
		s.ready()
	})
}
