package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/config"
)

// badSettings are, by the key, values that serve cannot work with. Each is the rest of a file that has other ports than the defaults.
var badSettings = map[string]string{
	"probes":                      "probes: /nowhere",
	"edge.listen":                 "edge: {listen: '127.0.0.1:99999'}",
	"private.listen":              "private: {listen: 'localhost:nosuchport'}",
	"private":                     "private: {listen: '192.0.2.1:8081'}", // not of this machine
	"flight.listen":               "flight: {listen: '300.1.1.1:8091'}",
	"postgres.listen":             "postgres: {listen: '127.0.0.1:70000'}",
	"edge.tls.cert":               "edge: {tls: {cert: /nowhere.pem, key: /nowhere.key}}",
	"web.tls.key":                 "web: {tls: {cert: /nowhere.pem, key: /nowhere.key}}",
	"web.default-grants":          "web: {default-grants: [no_such_table]}",
	"web.oidc.client-secret-file": "web: {oidc: {issuer: 'https://id.example.org', client-id: x, client-secret-file: /nowhere}}",
	"web.oidc.groups":             "web: {oidc: {issuer: 'https://id.example.org', client-id: x, groups: [a=no_such_table]}}",
	"spool.second":                "spool: {url: 'kafka://127.0.0.1:1/pings', second: /elsewhere}",
	"spool.kafka":                 "spool: {url: 'kafka://127.0.0.1:1/pings', kafka: {tls: true, ca: /nowhere.pem}}",
	"decode.geo":                  "decode: {geo: /nowhere.mmdb}",
	"decode.cities":               "decode: {cities: /nowhere.txt}",
	"decode.schemas":              "decode: {schemas: /nowhere}",
	"decode.workers":              "decode: {workers: 100000}",
	"checks.dir":                  "checks: {dir: /nowhere}",
	"checks.skip":                 "checks: {skip: [no_such_check]}",
	"storage.url":                 "storage: {url: 'ftp://nowhere'}",
	"query.table-days":            "query: {table-days: [no_such_table=3]}",
	"retention.table":             "retention: {table: [no_such_table=3]}",
	"tables.live":                 "tables: {live: [clients_daily]}",
	"tables.prepared":             "tables: {prepared: [clients_daily]}",
	"tables":                      "tables: {live: [no_such_table]}",
	"mail.server":                 "mail: {server: mail.example}",
}

// TestConfigRefusesWhatServeRefuses gives config and serve each bad value: both end with 64, name the key, say the same, and make nothing.
func TestConfigRefusesWhatServeRefuses(t *testing.T) {
	t.Parallel()
	for key, text := range badSettings {
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			data := filepath.Join(t.TempDir(), "data")
			file := configFile(t, fmt.Sprintf("data: %s\n%s\n", data, text))
			for _, command := range []string{"config", "serve"} {
				ctx, stop := context.WithTimeout(t.Context(), time.Minute)
				defer stop()
				var out, errs strings.Builder
				code := run(ctx, []string{command, "--config", file}, strings.NewReader(""), &out, &errs)
				output := strings.Join(strings.Fields(errs.String()), " ")
				assert.Equal(t, 64, code, "%s: %s", command, output)
				assert.True(t, strings.Contains(output, key) || strings.Contains(output, "--"+flagOf(key)), "%s does not name %s: %s", command, key,
					output)
				assert.NotContains(t, output, "usage:")
			}
			_, err := os.Stat(data)
			assert.ErrorIs(t, err, os.ErrNotExist, "something was made")
		})
	}
}

func flagOf(key string) string {
	for _, k := range config.All {
		if k.Name == key {
			return k.Flag
		}
	}
	return key
}

// TestConfigFindsSharedPorts: two listeners of one port are refused, also where one listens at all addresses, and a taken port is none
// of config's business, which an operator calls beside the running service.
func TestConfigFindsSharedPorts(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	at := taken.Addr().String()
	_, port, err := net.SplitHostPort(at)
	require.NoError(t, err)
	mustCall(t, "config", "--listen", at)
	for _, args := range [][]string{{"--listen", at, "--private", at}, {"--listen", ":" + port, "--web", at},
		{"--web", at, "--postgres", "localhost:" + port}} {
		code, _, errs := call(nil, append([]string{"config"}, args...)...)
		assert.Equal(t, 64, code, "%q", args)
		assert.Contains(t, errs, "both listen at port "+port)
	}
	mustCall(t, "config", "--only", "edge", "--listen", at, "--web", at) // the query tool is elsewhere
}
