package chaos

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// trial is one copy of the installation and what happens to it.
type trial struct {
	t      *testing.T
	base   *installation
	data   string
	story  []string // what was done and how it ended
	file   string   // that was damaged
	day    string   // in its path, YYYYMMDD; ""
	counts map[string]int
}

func (tr *trial) fail(format string, args ...any) {
	tr.t.Helper()
	tr.t.Errorf("%s\nbefore:\n%s", fmt.Sprintf(format, args...), strings.Join(tr.story, "\n"))
}

// do runs a command, which has to end soundly.
func (tr *trial) do(args ...string) result {
	tr.t.Helper()
	r := pingmill(append(args[:len(args):len(args)], "--data", tr.data)...)
	tr.note(r)
	return r
}

func (tr *trial) note(r result) {
	tr.t.Helper()
	command, _, _ := strings.Cut(r.command, " SELECT ")
	output := strings.ReplaceAll(lastLines(r.errs), tr.data, "DATA")
	tr.story = append(tr.story, fmt.Sprintf("pingmill %s: exit %d: %s", strings.ReplaceAll(command, tr.data, "DATA"), r.code, shorten(output)))
	if err := r.sound(); err != nil {
		tr.fail("%v", err)
	}
}

func lastLines(s string) string {
	lines := slices.DeleteFunc(strings.Split(strings.TrimSpace(s), "\n"),
		func(line string) bool { return strings.Contains(line, `"level":"INFO"`) })
	return strings.Join(lines[max(0, len(lines)-6):], "\n    ")
}

// named reports whether a failure names the damaged object: by the file, its folder, or its day.
func (tr *trial) named(r result) bool {
	output := r.output()
	return strings.Contains(output, filepath.Base(tr.file)) || tr.day != "" && (strings.Contains(output, tr.day) ||
		strings.Contains(output, tr.day[:4]+"-"+tr.day[4:6]+"-"+tr.day[6:]))
}

// compare fails where rows that were given without a word are wrong.
func (tr *trial) compare(got, want rows) {
	tr.t.Helper()
	if d := got.differences(want); len(d) > 0 {
		tr.fail("wrong rows and not a word:\n%s", strings.Join(d, "\n"))
	}
}

// look asks for all rows: they are right, or only damaged parts fail, with the reason. It reports whether all could be
// read.
func (tr *trial) look(want rows) (whole bool) {
	tr.t.Helper()
	got, r := contents(tr.data, "", "")
	tr.note(r)
	if r.ok() {
		tr.compare(got, want)
		return true
	}
	if !tr.named(r) {
		tr.fail("the failure does not say which file or day: %v", r)
	}
	for _, t := range tables {
		tr.lookAt(want, t.name)
	}
	return false
}

func (tr *trial) lookAt(want rows, table string) {
	tr.t.Helper()
	got, r := contents(tr.data, "", "", table)
	tr.note(r)
	if r.ok() {
		tr.compare(got, want.only(table, ""))
		return
	}
	for _, day := range []string{firstDay, "20180302", lastDay} {
		got, r := contents(tr.data, "", day, table)
		tr.note(r)
		switch {
		case r.ok():
			tr.compare(got, want.only(table, day))
		case tr.day != "" && day != tr.day:
			tr.fail("a query of another day than the damaged one fails: %v", r)
		}
	}
}

var dayIn = regexp.MustCompile(`=(\d{4})-?(\d{2})-?(\d{2})/`)

// TestDamage damages one file of an installation, somehow, and goes on working
// with it.
func TestDamage(t *testing.T) {
	t.Parallel()
	base := newInstallation(t)
	counts := map[string]int{}
	for n := range trials(t, len(kinds), *budget) {
		r := rand.New(rand.NewPCG(*seed, n))
		// Each kind of file and of damage has its turn.
		kind := kinds[(*seed+n)%uint64(len(kinds))]
		damage := damages[r.IntN(len(damages))]
		files := filesIn(t, base.data, kind.in, kind.ends)
		if len(files) == 0 {
			continue
		}
		name := fmt.Sprintf("seed %d trial %d: %s: %s", *seed, n, kind.name, damage.name)
		t.Run(name, func(t *testing.T) {
			tr := &trial{t: t, base: base, data: filepath.Join(t.TempDir(), "data"), counts: counts}
			copyTree(t, base.data, tr.data)
			files := filesIn(t, tr.data, kind.in, kind.ends)
			tr.file = pick(r, files)
			if m := dayIn.FindStringSubmatch(tr.file); m != nil {
				tr.day = m[1] + m[2] + m[3]
			}
			tr.story = []string{fmt.Sprintf("%s: %s", tr.file, damage.name)}
			require.NoError(t, damage.do(r, tr.file, files))
			tr.live(r)
		})
		counts["trials"]++
	}
	t.Logf("seed %d: %v", *seed, counts)
}

// live goes through what an operator would do.
func (tr *trial) live(r *rand.Rand) {
	published := !strings.HasPrefix(tr.file, filepath.Join(tr.data, "archive"))
	whole := tr.look(tr.base.truth)
	if whole {
		tr.counts["rows right at once"]++
	} else {
		tr.counts["a query failed loudly"]++
		if s := tr.do("status"); s.ok() {
			tr.fail("status says that all is well")
		}
	}
	files := tr.do("check", "all", "--files")
	if !whole && files.ok() {
		tr.fail("check --files says that all is well")
	}
	if !files.ok() {
		tr.counts["check --files told"]++
	}
	run := tr.do(runAllHere()...)
	if tr.look(tr.base.truth) {
		tr.counts["rows right after a run"]++
	} else if run.ok() && published {
		tr.fail("a run succeeds and mends nothing: %v", run)
	}
	switch r.IntN(3) {
	case 0:
		tr.force()
	case 1:
		tr.forget()
	}
}

func runAllHere(args ...string) []string {
	return append([]string{"run", "all", "--from", firstDay, "--to", lastDay}, args...)
}

// force makes all again.
func (tr *trial) force() {
	r := tr.do(runAllHere("--force")...)
	if !r.ok() {
		tr.counts["a forced run failed loudly"]++
		if !tr.named(r) {
			tr.fail("the failure does not say which file or day: %v", r)
		}
		if s := tr.do("status"); s.ok() {
			tr.fail("status says that all is well after a run that failed")
		}
	}
	tr.look(tr.base.truth)
}

// forget removes a client: its rows are removed, or the removal fails. Others' rows stay.
func (tr *trial) forget() {
	r := tr.do("delete", "--client-id", tr.base.client, "--now")
	if !r.ok() {
		tr.counts["a removal failed loudly"]++
		if status := tr.do("delete", "--status", "--client-id", tr.base.client); strings.Contains(status.out, "never asked for") {
			return // not even recorded
		}
	}
	tr.look(tr.base.rest)
	if !r.ok() {
		return
	}
	for _, dir := range []string{"lake", "pipeline", "restricted", "archive"} {
		for _, path := range filesIn(tr.t, tr.data, dir, "") {
			b, err := os.ReadFile(path)
			if err == nil && strings.Contains(string(b), tr.base.client) {
				tr.fail("%s has the client's id after a removal that succeeded", path)
			}
		}
	}
}
