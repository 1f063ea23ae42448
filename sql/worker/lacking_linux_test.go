package worker

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"

	"github.com/elastic/go-seccomp-bpf"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/sql/worker/sandbox"
)

// oldVariable makes TestWithoutLandlock one in a process for which there is no Landlock.
const oldVariable = "PINGMILL_TEST_OLD_KERNEL"

// TestWithoutLandlock: on an old kernel a query names the missing protection, and the others hold.
func TestWithoutLandlock(t *testing.T) {
	if os.Getenv(oldVariable) == "" {
		for _, errno := range []syscall.Errno{syscall.ENOSYS, syscall.EOPNOTSUPP} { // not built in, not switched on
			cmd := exec.Command(os.Args[0], "-test.run=^TestWithoutLandlock$")
			cmd.Env = append(os.Environ(), fmt.Sprint(oldVariable, "=", int(errno)))
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s", out)
		}
		return
	}
	errno, err := strconv.Atoi(os.Getenv(oldVariable))
	require.NoError(t, err)
	g := newTarget(t)
	require.NoError(t, seccomp.LoadFilter(seccomp.Filter{NoNewPrivs: true, Flag: seccomp.FilterFlagTSync, Policy: seccomp.Policy{
		DefaultAction: seccomp.ActionAllow, Syscalls: []seccomp.SyscallGroup{{
			Names:  []string{"landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self"},
			Action: seccomp.ActionErrno | seccomp.Action(errno),
		}},
	}}))
	var events []Event
	var out bytes.Buffer
	s, err := g.runner.Run(t.Context(), g.request("SELECT count(*) AS n FROM t"), &out, func(e Event) { events = append(events, e) })
	require.NoError(t, err)
	require.Equal(t, "n\n4\n", out.String())
	require.Equal(t, []sandbox.Protection{sandbox.Files}, s.Lacking)
	require.Contains(t, events, Event(Lacking(sandbox.Files)))
	for _, sql := range []string{"SELECT content FROM read_text('{secret}')", "COPY (SELECT 1) TO '{dir}/written.csv'",
		"SELECT * FROM '{other}'", "SELECT * FROM '{url}/x.csv'"} {
		for _, ungated := range []bool{false, true} {
			q := g.request(sql)
			q.ungated = ungated
			if _, _, err := g.run(t, q, !ungated); err == nil {
				t.Errorf("%s: no error", sql)
			}
		}
	}
	g.unharmed(t)
}
