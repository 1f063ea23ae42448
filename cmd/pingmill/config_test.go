package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/service"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/terminal/cli/flags"
)

func configFile(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "pingmill.yaml")
	require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	return name
}

// TestDefaultsAreThoseOfThePackages compares the list of keys with what the
// packages say.
func TestDefaultsAreThoseOfThePackages(t *testing.T) {
	var decode ingest.Config
	var site flags.Site
	cmd := &cobra.Command{}
	flags.Decode(cmd, &decode)
	site.AddApps(cmd)
	want := ingest.DefaultConfig()
	want.MaxURIs, want.MaxRatio = ingest.DefaultMaxURIs, ingest.DefaultMaxRatio
	require.Empty(t, decode.Requests.Metrics)
	decode.Requests.Metrics = nil // the same
	require.Equal(t, want, decode)
	if !slices.Equal(site.Apps, schema.DesktopApps) {
		t.Errorf("applications are %q, want %q", site.Apps, schema.DesktopApps)
	}
}

// TestKeysNameTheirCommands compares the commands that the keys name with the
// flags that the commands have.
func TestKeysNameTheirCommands(t *testing.T) {
	for _, cmd := range newRoot().Commands() {
		if cmd.Name() == "config" || cmd.Name() == "doctor" {
			continue // have all
		}
		for i := range config.All {
			k := &config.All[i]
			f := cmd.Flags().Lookup(k.Flag)
			has, named := f != nil && f.Usage == k.Doc, slices.Contains(k.Commands, cmd.Name())
			if has != named && len(k.Commands) > 0 {
				t.Errorf("command %s has --%s of the key: %t; the key %s names the command: %t", cmd.Name(), k.Flag, has, k.Name, named)
			}
		}
	}
}

// TestServeFromAFile runs the service as a unit file does, and asks it as a
// container does.
func TestServeFromAFile(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	file := configFile(t, "data: "+data+"\nedge: {listen: '127.0.0.1:0', namespaces: [other]}\nspool: {min-free: 0}\nprivate.listen: "+
		"'127.0.0.1:0'\nschedule.enabled: false\n")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	logs, w := io.Pipe()
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, []string{"serve", "--config", file}, strings.NewReader(""), io.Discard, w)
		w.Close()
	}()
	address := ""
	lines := bufio.NewScanner(logs)
	for address == "" && lines.Scan() {
		var line struct{ Address string }
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatalf("%v: %s", err, lines.Text())
		}
		address = line.Address
	}
	go io.Copy(io.Discard, logs)
	mustCall(t, "health", "--listen", address)
	mustCall(t, "health", "http://"+address+"/__heartbeat__")
	res, err := http.Post("http://"+address+"/submit/other/main/4/5d8ab2c1-7a55-4a0c-9d8e-6a6a2a9f2f11", "", strings.NewReader("{}"))
	require.NoError(t, err)
	res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Errorf("a submission of the file's namespace: %s", res.Status)
	}
	cancel()
	if c := <-code; c != 0 {
		t.Errorf("serve ended with %d", c)
	}
	if !exists(t, data) {
		t.Errorf("there is no installation in %s", data)
	}
	if c, _, errs := call(nil, "health", "--listen", address); c != cli.ExitFailed || !strings.Contains(errs, "ask the service") {
		t.Errorf("health of a service that ended: %d %s", c, errs)
	}
}

func TestHealth(t *testing.T) {
	status := http.StatusOK
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != service.LBHeartbeat {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		w.WriteHeader(status)
	})
	plain, secure := httptest.NewServer(handler), httptest.NewTLSServer(handler)
	defer plain.Close()
	defer secure.Close()
	mustCall(t, "health", plain.URL)
	mustCall(t, "health", "--listen", secure.Listener.Addr().String(), "--tls-cert", "c", "--tls-key", "k")
	status = http.StatusServiceUnavailable
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{cli.ExitFailed, "503", []string{plain.URL}},
		{cli.ExitFailed, "404", []string{plain.URL + "/other"}},
		{cli.ExitFailed, "certificate", []string{secure.URL}},
		{cli.ExitUsage, "is no URL", []string{"localhost:8080"}},
		{cli.ExitUsage, "is no URL", []string{"http://%"}},
		{cli.ExitUsage, "accepts at most 1 arg", []string{"a", "b"}},
	} {
		code, _, errs := call(nil, append([]string{"health", "--timeout", time.Minute.String()}, c.args...)...)
		if code != c.code || !strings.Contains(errs, c.says) {
			t.Errorf("health %v: exit %d, says %q", c.args, code, errs)
		}
	}
}

func exists(t *testing.T, data string) bool {
	t.Helper()
	is, err := site.Exists(data)
	assert.NoError(t, err)
	return is
}
