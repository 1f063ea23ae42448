package chaos

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/tools/clienttest"
)

// newerSources are the changes that make the newer program of TestMixed: version 4 of the transforms reads os from another
// place, in main_summary and in clients_daily.
var newerSources = map[string][][2]string{
	"schema/transforms.go": {
		{"const transformVersion = 3", "const transformVersion = 4"},
		{"	3: {\"odd dates", "	4: {\"another os\", true},\n	3: {\"odd dates"},
	},
	"schema/main_summary.go":         {{"\"counts beyond 64 bits\"}", "\"counts beyond 64 bits\"}, 4: {\"os\"}"}},
	"schema/clients_daily.go":        {{"\"profile_age_in_days\"}", "\"profile_age_in_days\"}, 4: {\"os\"}"}},
	"schema/main_summary_columns.go": {{"\"environment/system/os/name\"", "\"environment/system/os/version\""}},
}

// newerTables are made again by the newer program itself, others only because of their inputs.
var newerTables = []string{"main_summary", "clients_daily"}

// buildNewer builds the present sources with the changes.
func buildNewer(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	dir, replace := t.TempDir(), map[string]string{}
	for name, changes := range newerSources {
		b, err := os.ReadFile(filepath.Join(root, name))
		require.NoError(t, err)
		text := string(b)
		for _, c := range changes {
			require.Equal(t, 1, strings.Count(text, c[0]), "%s: %s", name, c[0])
			text = strings.Replace(text, c[0], c[1], 1)
		}
		replace[filepath.Join(root, name)] = filepath.Join(dir, filepath.Base(name))
		require.NoError(t, os.WriteFile(filepath.Join(dir, filepath.Base(name)), []byte(text), 0o600))
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o600))
	newer := filepath.Join(dir, "pingmill")
	out, err := exec.Command("go", "build", "-overlay", filepath.Join(dir, "overlay.json"), "-ldflags", "-s -w", "-o", newer,
		"../../cmd/pingmill").CombinedOutput()
	require.NoError(t, err, string(out))
	return newer
}

// mixed is an installation of three servers, each of which runs one of two versions.
type mixed struct {
	t       *testing.T
	dir     string
	newer   string
	random  *rand.Rand
	servers [3]*mixedServer
	kills   int

	mu   sync.Mutex
	seen map[string][]publication // by table and day, in order
}

type mixedServer struct {
	name, address, data string
	cmd                 *exec.Cmd
	log                 bytes.Buffer // of the present process
}

// publication holds the version and the inputs of a partition that was made from the archive, as its manifest names them.
type publication struct {
	Table      string            `json:"table"`
	Day        string            `json:"day"`
	Generation string            `json:"generation"`
	Inputs     []json.RawMessage `json:"inputs"`
	Parts      []json.RawMessage `json:"parts"`
	Unchecked  bool              `json:"unchecked"`
	Made       struct {
		Transforms int `json:"transforms"`
	} `json:"made"`
}

func (p *publication) inputs() string {
	b, _ := json.Marshal(p.Inputs) // from JSON
	return string(b)
}

// acked names the file of the documents that a server has acknowledged.
func (m *mixed) acked(s *mixedServer) string { return filepath.Join(m.dir, "acked-"+s.name) }

func (m *mixed) args(more ...string) []string {
	return append(more, "--storage", filepath.Join(m.dir, "shared"))
}

func (m *mixed) start(s *mixedServer, program string) {
	s.log.Reset()
	s.cmd = exec.Command(program, m.args("serve", "--data", s.data, "--listen", s.address, "--private", clienttest.FreeAddress(m.t),
		"--shared-as", s.name, "--edge", s.name, "--min-free", "0B", "--segment-age", "200ms", "--archive-every", "1s",
		"--publish-every", "1s")...)
	s.cmd.Stdout, s.cmd.Stderr = &s.log, &s.log
	require.NoError(m.t, s.cmd.Start())
	require.Eventually(m.t, func() bool {
		r, err := http.Get("http://" + s.address + "/__lbheartbeat__")
		if err == nil {
			r.Body.Close()
		}
		return err == nil
	}, stuck, 20*time.Millisecond, "the service does not answer")
}

// replace replaces the program of a server, which is killed more often than stopped.
func (m *mixed) replace(s *mixedServer, program string) {
	if m.random.IntN(3) > 0 {
		require.NoError(m.t, s.cmd.Process.Kill())
		m.kills++
	} else {
		require.NoError(m.t, s.cmd.Process.Signal(os.Interrupt))
	}
	_ = s.cmd.Wait() // it was killed
	m.start(s, program)
	time.Sleep(time.Duration(m.random.IntN(3000)) * time.Millisecond)
}

// watch notes what is published until the end.
func (m *mixed) watch(end <-chan struct{}) {
	for {
		names, _ := filepath.Glob(filepath.Join(m.dir, "shared", "*", "*", "v*", "*", "_manifest.json")) // a constant pattern
		for _, name := range names {
			b, err := os.ReadFile(name)
			var p publication
			if err != nil || json.Unmarshal(b, &p) != nil || len(p.Parts) == 0 || p.Unchecked {
				continue
			}
			m.mu.Lock()
			at := p.Table + " " + p.Day
			if all := m.seen[at]; len(all) == 0 || all[len(all)-1].Generation != p.Generation {
				m.seen[at] = append(all, p)
			}
			m.mu.Unlock()
		}
		select {
		case <-end:
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// add loads the pings of another day.
func (m *mixed) add(day string) {
	pings := filepath.Join(m.dir, day+".ndjson")
	must(m.t, "generate", "--clients", "12", "--days", "1", "--start", day, "--mean-bytes", "16000", "--output", pings)
	must(m.t, m.args("load", pings, "--data", filepath.Join(m.dir, "loader"), "--shared-as", "loader")...)
}

// settle waits until nothing is left to do for a version.
func (m *mixed) settle(program string) {
	var last result
	require.Eventually(m.t, func() bool {
		args := m.args("status", "--data", filepath.Join(m.dir, "reader"), "--days", "28")
		last = runCommand(exec.Command(program, args...), nil, args)
		return last.ok()
	}, 6*time.Minute, time.Second, "not settled")
	m.t.Logf("settled: %s", strings.Join(strings.FieldsFunc(last.out, func(r rune) bool { return r == '\n' })[:3], "; "))
}

// check looks at all publications.
func (m *mixed) check() (made map[int]int) {
	made = map[int]int{}
	for at, all := range m.seen {
		best := map[string]int{} // version by inputs
		for _, p := range all {
			in := p.inputs()
			require.Greater(m.t, p.Made.Transforms, best[in], "%s was made again from the same by the same or a lower version: %+v", at, all)
			best[in] = p.Made.Transforms
			made[p.Made.Transforms]++
		}
		if slices.Contains(newerTables, all[0].Table) {
			require.Equal(m.t, 4, all[len(all)-1].Made.Transforms, at)
		}
	}
	return made
}

// TestMixed upgrades three servers of one lake one after the other and takes them back, under load and with kills: each
// version makes a partition once, the older one makes none again that the newer one has made, and what was acknowledged is
// archived once.
func TestMixed(t *testing.T) {
	if *inMixed == 0 {
		t.Skip("make mixed does this")
	}
	m := &mixed{t: t, dir: t.TempDir(), newer: buildNewer(t), random: rand.New(rand.NewPCG(*seed, 0)), seen: map[string][]publication{}}
	first := time.Now().UTC().AddDate(0, 0, -3)
	for n := range 3 {
		m.add(first.AddDate(0, 0, -n).Format("20060102"))
	}
	for i := range m.servers {
		name := fmt.Sprintf("s%d", i+1)
		m.servers[i] = &mixedServer{name: name, address: clienttest.FreeAddress(t), data: filepath.Join(m.dir, name)}
		m.start(m.servers[i], binary)
	}
	end := make(chan struct{})
	var watching, sending sync.WaitGroup
	watching.Go(func() { m.watch(end) })
	m.settle(binary)
	var senders []*exec.Cmd
	for i, s := range m.servers {
		send := exec.Command(binary, "generate", "--clients", "8000", "--days", "1", "--seed", fmt.Sprint(i+2), "--mean-bytes", "16000",
			"--damaged", "-1", "--duplicates", "-1", "--rate", "4", "--retries", "-1", "--to", "http://"+s.address, "--acked", m.acked(s))
		require.NoError(t, send.Start())
		require.Eventually(t, func() bool {
			info, err := os.Stat(m.acked(s))
			return err == nil && info.Size() > 0
		}, stuck, 100*time.Millisecond, "nothing is acknowledged")
		senders = append(senders, send)
		sending.Go(func() { _ = send.Wait() }) // it is ended
	}
	for round := range *inMixed {
		var loading sync.WaitGroup
		loading.Go(func() { m.add(first.AddDate(0, 0, -3-round).Format("20060102")) })
		for _, n := range m.random.Perm(len(m.servers)) {
			m.replace(m.servers[n], m.newer)
		}
		loading.Wait()
		m.settle(m.newer)
		for _, n := range m.random.Perm(len(m.servers)) {
			m.replace(m.servers[n], binary)
		}
		m.settle(binary)
		t.Logf("round %d: %d kills", round+1, m.kills)
	}
	for _, s := range senders {
		require.NoError(t, s.Process.Signal(os.Interrupt))
	}
	sending.Wait()
	acked := 0
	for _, s := range m.servers {
		name := m.acked(s)
		b, err := os.ReadFile(name)
		require.NoError(t, err)
		acked += bytes.Count(b, []byte("\n"))
		must(t, m.args("generate", "--acked", name, "--verify", filepath.Join(m.dir, "reader"), "--wait", "2m")...)
	}
	for _, s := range m.servers {
		require.NoError(t, s.cmd.Process.Signal(os.Interrupt))
		require.NoError(t, s.cmd.Wait(), s.log.String())
	}
	close(end)
	watching.Wait()
	made := m.check()
	require.NotZero(t, acked)
	t.Logf("seed %d: %d rounds, %d kills, %d partitions, publications by version of the transforms: %v; %d acknowledged submissions", *seed,
		*inMixed, m.kills, len(m.seen), made, acked)
}
