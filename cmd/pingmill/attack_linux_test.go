package main

import (
	"bytes"
	"flag"
	"fmt"
	"iter"
	"net/http"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var attackEach = flag.Bool("attack.each", false, "TestAttack: also each submission alone, with the processor time that it takes")

// attackMemory is the memory limit of each process for the whole corpus, in bytes, with
// the number of cores that attackCores sets. serve has the open load and live rows, too.
const attackMemory, attackServe = 512 << 20, 768 << 20

var attackCores = []string{"GOMAXPROCS=2"}

// used holds the peak memory and the processor time of processes.
type used struct {
	cpu    time.Duration
	memory int64 // of the largest one, in bytes
}

func (u *used) add(cmd *exec.Cmd) {
	r := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	u.cpu += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	u.memory = max(u.memory, r.Maxrss<<10)
}

func (u used) String() string { return fmt.Sprintf("%6.2f s %4d MB", u.cpu.Seconds(), u.memory>>20) }

// attacked is an installation that submissions of the corpus are sent to.
type attacked struct {
	*server
	days []string // of the flags of run: from the first ping to the last
}

// send posts submissions to a server, which is then told to end: it decodes all
// of them before.
func (a *attacked) send(submissions iter.Seq[*attackSubmission]) (u used) {
	a.t.Helper()
	from := time.Now().UTC()
	a.env = attackCores
	a.spare()
	a.start()
	for s := range submissions {
		if status := a.post(s); status != http.StatusOK {
			a.t.Errorf("%s: status %d", s.Name, status)
		}
	}
	process := a.cmd
	a.stop()
	u.add(process)
	a.days = []string{"--from", from.Format("20060102"), "--to", time.Now().UTC().Format("20060102")}
	return u
}

func (a *attacked) post(s *attackSubmission) int {
	r, err := http.NewRequest(http.MethodPost, "http://"+a.address+s.Path, bytes.NewReader(s.Body))
	require.NoError(a.t, err)
	r.Header.Set("Content-Encoding", "gzip")
	if s.Date != "" {
		r.Header.Set("Date", s.Date)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		a.t.Fatalf("%s: %v", s.Name, err)
	}
	response.Body.Close()
	return response.StatusCode
}

// spare gives the memory of this process back: what it has counts as that of a
// child, which begins as its copy.
func (a *attacked) spare() { debug.FreeOSMemory() }

// do runs a command on the installation.
func (a *attacked) do(u *used, args ...string) string {
	a.t.Helper()
	cmd := exec.Command(a.bin, append(args, "--data", a.data)...)
	cmd.Env = append(os.Environ(), attackCores...)
	a.spare()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		a.t.Errorf("%s: %v\n%s%s", strings.Join(args, " "), err, out.String(), errs.String())
	}
	u.add(cmd)
	return out.String() + errs.String()
}

// tables makes all tables.
func (a *attacked) tables() (u used) {
	out := a.do(&u, append([]string{"run", "all"}, a.days...)...)
	if strings.Contains(out, "outcome=failed") {
		a.t.Errorf("run: %s", out)
	}
	return u
}

// rows returns the number of rows of a table, of a client unless that is "".
func (a *attacked) rows(table, client string) string {
	sql := "SELECT count(*) AS n FROM " + table
	if client != "" {
		sql += " WHERE client_id = '" + client + "'"
	}
	out := a.do(&used{}, "query", "--format", "csv", sql)
	_, n, _ := strings.Cut(strings.TrimSpace(out), "\n")
	return strings.TrimSpace(n)
}

// The corpus goes the whole way: from HTTP into all tables, and its client with
// the most of everything out again.
func TestAttack(t *testing.T) {
	want, sent := map[string]int{}, 0
	client := "" // of the last one, which sent several
	a := &attacked{server: serverOf(t, built(t), t.TempDir())}
	a.took("serve", attackServe, a.send(func(yield func(*attackSubmission) bool) {
		for s := range attackSubmissions() {
			if !yield(s) {
				return
			}
			want[s.DocType]++
			client = s.Client
			sent++
		}
	}))
	if sent < 30 {
		t.Errorf("%d submissions", sent)
	}
	a.took("run", attackMemory, a.tables())
	for docType, table := range map[string]string{
		"main": "main_summary", "crash": "crash_summary", "new-profile": "telemetry_new_profile_parquet", "update": "telemetry_update_parquet",
	} {
		if got := a.rows(table, ""); got != fmt.Sprint(want[docType]) {
			t.Errorf("%s has %s rows of %d pings", table, got, want[docType])
		}
	}
	if a.rows("search_clients_daily", client) == "0" || a.rows("clients_daily", client) != "1" {
		t.Errorf("the client has %s rows in clients_daily, %s in search_clients_daily", a.rows("clients_daily", client),
			a.rows("search_clients_daily", client))
	}
	var u used
	a.do(&u, "delete", "--now", "--client-id", client)
	a.took("delete", attackMemory, u)
	for _, table := range []string{"main_summary", "clients_daily", "search_clients_daily"} {
		if got := a.rows(table, client); got != "0" {
			t.Errorf("after the deletion %s has %s rows of the client", table, got)
		}
	}
	if *attackEach {
		attackOneByOne(t, a.bin)
	}
}

// took notes what a step has taken, of at most this number of bytes of memory.
func (a *attacked) took(step string, most int64, u used) {
	a.t.Helper()
	a.t.Logf("%s: %v", step, u)
	if u.memory > most {
		a.t.Errorf("%s takes %d MB", step, u.memory>>20)
	}
}

// attackOneByOne prints what each submission takes alone.
func attackOneByOne(t *testing.T, bin string) {
	for s := range attackSubmissions() {
		a := &attacked{server: serverOf(t, bin, t.TempDir())}
		served, ran := a.send(slices.Values([]*attackSubmission{s})), a.tables()
		var deleted used
		a.do(&deleted, "delete", "--now", "--client-id", s.Client)
		total := served.cpu + ran.cpu + deleted.cpu
		fmt.Printf("%6.2f s  serve %v  run %v  delete %v  %s\n", total.Seconds(), served, ran, deleted, s.Name)
	}
}
