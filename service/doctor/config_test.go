package doctor

import (
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/maxmind/mmdbwriter"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/config"
)

func TestConfiguration(t *testing.T) {
	p := patient(t, t.TempDir())
	p.Service.Decode.Decode.Geo = filepath.Join(p.Service.Data, "none.mmdb")
	p.Service.Parts = append(p.Service.Parts, "decode")
	has(t, found(t, p, "configuration"), Fail, "decode.geo (--geo): ")
	has(t, found(t, p, "geo"), Fail, "none.mmdb")

	p = patient(t, t.TempDir())
	p.File = filepath.Join(t.TempDir(), "pingmill.yaml")
	require.NoError(t, os.WriteFile(p.File, []byte("mail: {server: 'a:25', from: a@example.org, password: x}\n"), 0o644))
	var err error
	p.Values, err = config.All.Load(config.Sources{File: p.File})
	require.NoError(t, err)
	has(t, found(t, p, "configuration"), Fail, "has a secret, and everybody on this machine can read it")
	require.NoError(t, os.Chmod(p.File, 0o640))
	require.Len(t, found(t, p, "configuration"), 1)
	p.Values, err = config.All.Load(config.Sources{File: p.File, Environ: []string{"PINGMILL_MAIL_PASSWORD=x"}})
	require.NoError(t, err)
	require.NoError(t, os.Chmod(p.File, 0o644)) // the secret is elsewhere
	require.Len(t, found(t, p, "configuration"), 1)
}

func TestListeners(t *testing.T) {
	p := patient(t, t.TempDir())
	p.Service.Web.Listen = "127.0.0.1:8090"
	has(t, found(t, p, "listeners"), OK, "at one address")
	p.Service.Web.Listen = ":8090"
	has(t, found(t, p, "listeners"), Warn, "web.listen")
}

func TestGeo(t *testing.T) {
	p := patient(t, t.TempDir())
	has(t, found(t, p, "geo"), OK, "every place is ??")
	name := filepath.Join(t.TempDir(), "city.mmdb")
	built := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	tree, err := mmdbwriter.New(mmdbwriter.Options{DatabaseType: "GeoLite2-City", BuildEpoch: built.Unix()})
	require.NoError(t, err)
	f, err := os.Create(name)
	require.NoError(t, err)
	_, err = tree.WriteTo(f)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	p.Service.Decode.Decode.Geo = name
	p.Now = func() time.Time { return built.AddDate(0, 0, 10) }
	has(t, found(t, p, "geo"), OK, "of 2026-01-01")
	p.Now = func() time.Time { return built.AddDate(0, 0, 100) }
	has(t, found(t, p, "geo"), Warn, "is 100 days old")
}

func TestRunning(t *testing.T) {
	p := patient(t, t.TempDir())
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close())
	p.Service.Private = l.Addr().String()
	has(t, found(t, p, "service"), Warn, "no service listens")

	for want, answer := range map[string]string{
		"runs, and its own checks pass":  "200 {\"disk\":\"ok\"}",
		"is no service of pingmill":      "200 hello",
		"the service says of disk: full": "503 {\"disk\":\"full\",\"ledger\":\"ok\"}",
	} {
		p.Service.Private = serve(t, answer)
		state := Fail
		if answer == "200 {\"disk\":\"ok\"}" {
			state = OK
		}
		has(t, found(t, p, "service"), state, want)
	}
}

func TestUnit(t *testing.T) {
	const loaded = "LoadState=loaded\nResult=exit-code\nExecMainStatus=64\n"
	for _, c := range []struct {
		state State
		text  string
		shown string
	}{
		{OK, "no unit u", "LoadState=not-found\nActiveState=inactive\nNRestarts=0\n"},
		{OK, "never restarted", loaded + "ActiveState=active\nNRestarts=0\n"},
		{Warn, "has restarted u 3 times", loaded + "ActiveState=active\nNRestarts=3\n"},
		{Warn, "u is inactive", loaded + "ActiveState=inactive\nNRestarts=0\n"},
		{Fail, "u has failed: exit-code, exit status 64", loaded + "ActiveState=failed\nNRestarts=5\n"},
	} {
		has(t, unitFindings("u", c.shown), c.state, c.text)
	}
}
