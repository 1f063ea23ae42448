package chaos

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pingmill/pingmill/tools/clienttest"
	"github.com/stretchr/testify/require"
)

// service is a pingmill process that serves.
type service struct {
	cmd     *exec.Cmd
	log     bytes.Buffer
	address string
}

// serve starts the program as a service and waits until it answers.
func serve(t *testing.T, data string, args ...string) *service {
	t.Helper()
	s := &service{address: clienttest.FreeAddress(t)}
	s.cmd = exec.Command(binary, append([]string{"serve", "--data", data, "--listen", s.address, "--private", clienttest.FreeAddress(t),
		"--min-free", "0B", "--max-request", "256KiB", "--segment-bytes", "512KiB", "--segment-age", "200ms"}, args...)...)
	s.cmd.Stdout, s.cmd.Stderr = &s.log, &s.log
	require.NoError(t, s.cmd.Start())
	for deadline := time.Now().Add(stuck); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if r, err := http.Get("http://" + s.address + "/__lbheartbeat__"); err == nil {
			r.Body.Close()
			return s
		}
	}
	s.stop(t)
	t.Fatalf("the service does not answer: %s", s.log.String())
	return nil
}

// stop ends the service as an operator does.
func (s *service) stop(t *testing.T) {
	t.Helper()
	_ = s.cmd.Process.Signal(syscall.SIGTERM) // it may have ended
	kill := time.AfterFunc(stuck, func() { _ = s.cmd.Process.Signal(syscall.SIGQUIT) })
	err := s.cmd.Wait()
	if !kill.Stop() || err != nil {
		t.Errorf("the service ended with %v: %s", err, shorten(s.log.String()))
	}
}

// segments returns the sealed segments of an installation's spool.
func segments(t *testing.T, data string) []string { return filesIn(t, data, "spool", ".seg") }

// TestSpoolDamage damages a segment of acknowledged submissions before it is
// decoded: nothing is missing, or it is said aloud and the rest is there.
func TestSpoolDamage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data, acked := filepath.Join(dir, "data"), filepath.Join(dir, "acked")
	s := serve(t, data, "--only", "edge")
	must(t, "generate", "--clients", "60", "--rate", "150", "--damaged", "-1", "--to", "http://"+s.address, "--acked", acked)
	s.stop(t)
	if n := len(segments(t, data)); n < 3 {
		t.Fatalf("the spool has %d segments, too few for what is tried", n)
	}
	counts := map[string]int{}
	for n := range trials(t, len(damages), *budget) {
		r := rand.New(rand.NewPCG(*seed, n))
		damage := pick(r, damages)
		t.Run(fmt.Sprintf("seed %d trial %d: %s", *seed, n, damage.name), func(t *testing.T) {
			tr := &trial{t: t, data: filepath.Join(t.TempDir(), "data"), counts: counts}
			copyTree(t, data, tr.data)
			all := segments(t, tr.data)
			tr.file = pick(r, all)
			tr.story = []string{fmt.Sprintf("%s: %s", tr.file, damage.name)}
			require.NoError(t, damage.do(r, tr.file, all))
			tr.drain(acked)
		})
		counts["trials"]++
	}
	t.Logf("seed %d: %v", *seed, counts)
}

// drain lets the service decode the spool and looks for what was acknowledged.
func (tr *trial) drain(acked string) {
	s := serve(tr.t, tr.data, "--archive-every", "500ms")
	for deadline := time.Now().Add(20 * time.Second); len(segments(tr.t, tr.data)) > 0; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			tr.fail("decoding is stuck: %s", shorten(s.log.String()))
			break
		}
	}
	s.stop(tr.t)
	log := s.log.String()
	tr.story = append(tr.story, shorten(log))
	verify := pingmill("generate", "--verify", tr.data, "--acked", acked, "--wait", "1s")
	tr.note(verify)
	status := tr.do("status")
	loud := strings.Contains(log, "ERR") && !status.ok() && strings.Contains(status.output(), "damage")
	switch {
	case verify.ok():
		tr.counts["nothing missing"]++
	case loud:
		tr.counts["loss told"]++
	default:
		tr.fail("submissions are missing, and it is not told: %v\n%v", verify, status)
	}
	if loud {
		tr.counts["damage told"]++
	}
	if _, err := os.Stat(filepath.Join(tr.data, "spool")); err != nil {
		tr.fail("%v", err)
	}
}
