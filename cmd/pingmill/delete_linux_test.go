package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/privacy/forget"
	"github.com/pingmill/pingmill/site/sitetest"
)

// mentions finds which of the ids, in any case, stand somewhere in a folder: in
// the bytes of its files, in the values of parquet files as another maker's
// reader gives them, and in bodies that were packed by the client.
func mentions(t *testing.T, dir string, ids []string) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	look := func(file string, data []byte) {
		data = bytes.ToLower(data)
		for _, id := range ids {
			if bytes.Contains(data, []byte(strings.ToLower(id))) && !slices.Contains(found[id], file) {
				found[id] = append(found[id], file)
			}
		}
	}
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		look(file, data)
		if strings.HasSuffix(file, ".parquet") {
			eachValue(t, data, func(v []byte) {
				if len(v) < len(ids[0]) {
					return
				}
				look(file, v)
				plain, _ := ingest.Config{}.Unpack(v, nil) // as far as it can be read
				look(file, plain)
			})
		}
		return nil
	})
	require.NoError(t, err)
	return found
}

// eachValue gives every text of a parquet file.
func eachValue(t *testing.T, data []byte, do func([]byte)) {
	t.Helper()
	f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	values := make([]parquet.Value, 100)
	for _, g := range f.RowGroups() {
		for _, c := range g.ColumnChunks() {
			if c.Type().Kind() != parquet.ByteArray {
				continue
			}
			pages := c.Pages()
			for {
				p, err := pages.ReadPage()
				if errors.Is(err, io.EOF) {
					break
				}
				require.NoError(t, err)
				for r := p.Values(); ; {
					n, err := r.ReadValues(values)
					for _, v := range values[:n] {
						do(v.ByteArray())
					}
					if errors.Is(err, io.EOF) {
						break
					}
					require.NoError(t, err)
				}
			}
			pages.Close()
		}
	}
}

var clientTables = []string{
	"main_summary", "addons", "clients_daily", "search_clients_daily", "crash_summary",
	"telemetry_new_profile_parquet", "telemetry_update_parquet",
}

// othersRows returns hashes of the rows of all tables until a day that are not of the clients.
func othersRows(t *testing.T, data, ids, until string) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, table := range clientTables {
		key := partitionKeyOf(t, data, table)
		out := mustCall(t, "query", "--dialect", "duckdb", "--data", data, "--format", "csv", fmt.Sprintf(
			"SELECT md5(CAST(%[1]s AS VARCHAR)) FROM %[1]s WHERE (client_id IS NULL OR client_id NOT IN (%[2]s)) AND replace(CAST(%[3]s AS "+
				"VARCHAR), '-', '') <= '%[4]s'",
			table, ids, key, until))
		rows := strings.Split(strings.TrimSpace(out), "\n")
		slices.Sort(rows)
		all[table] = rows
	}
	return all
}

func partitionKeyOf(t *testing.T, data, table string) string {
	t.Helper()
	out := mustCall(t, "query", "--data", data, "--format", "csv", "SHOW PARTITIONS "+table)
	head, _, _ := strings.Cut(out, "\n")
	key, _, _ := strings.Cut(strings.TrimSpace(head), ",")
	return strings.Trim(key, `"`)
}

func sameOthers(t *testing.T, what string, got, want map[string][]string) {
	t.Helper()
	for table := range want {
		if !slices.Equal(got[table], want[table]) {
			t.Errorf("%s: %s has %d rows of others, want %d and the same", what, table, len(got[table]), len(want[table]))
		}
	}
}

// askToBeForgotten sends the ping of a client that does.
func askToBeForgotten(t *testing.T, address, client string) {
	t.Helper()
	body := fmt.Sprintf(`{"type":"deletion-request","version":4,"id":"11111111-2222-4333-8444-555566667777",
"creationDate":"2018-03-04T00:00:00.000Z","clientId":%q,"application":{"name":"Firefox"},"payload":{}}`, client)
	r, err := http.Post("http://"+address+
		"/submit/telemetry/11111111-2222-4333-8444-555566667777/deletion-request/Firefox/60.0/release/20180301000000",
		"application/json", strings.NewReader(body))
	require.NoError(t, err)
	defer r.Body.Close()
	if r.StatusCode != http.StatusOK {
		t.Fatalf("a deletion request is answered %s", r.Status)
	}
}

func deletions(t *testing.T, data string, args ...string) (st forget.Status) {
	t.Helper()
	out := mustCall(t, append([]string{"delete", "--data", data, "--status", "--format", "json"}, args...)...)
	require.NoError(t, json.Unmarshal([]byte(out), &st))
	return st
}

// TestForgottenEverywhere asks to forget some clients, one of them by
// a ping, kills the removal again and again, and finds no byte of theirs.
func TestForgottenEverywhere(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pings, data := filepath.Join(dir, "pings.ndjson"), filepath.Join(dir, "data")
	mustCall(t, "generate", "--clients", "300", "--days", "2", "--damaged", "0.1", "--mean-bytes", "16000", "--output", pings)
	mustCall(t, "load", "--data", data, pings)
	mustCall(t, "run", "all", "--data", data, "--from", "20180301", "--to", "20180302")
	clients := someClients(t, data)
	quoted := "'" + strings.Join(clients, "','") + "'"
	for id, files := range mentions(t, data, clients) {
		if len(files) < 5 {
			t.Fatalf("client %s is in too few files to prove anything: %v", id, files)
		}
	}
	before := othersRows(t, data, quoted, "20180302")
	s := newServer(t, data)
	s.args = []string{"--archive-every", "1s", "--publish-every", "1s", "--schedule=false", "--delete-every", "0"}
	s.start()
	mustCall(t, "generate", "--clients", "300", "--days", "1", "--mean-bytes", "16000", "--to", "http://"+s.address)
	askToBeForgotten(t, s.address, clients[0])
	sitetest.WaitFor(t, "request of the ping", func() bool { return deletions(t, data).Pending.Clients == 1 })

	list := filepath.Join(dir, "clients.txt")
	require.NoError(t, os.WriteFile(list, []byte(strings.Join(clients[1:], "\n")+"\n"), 0o600))
	mustCall(t, "delete", "--data", data, "--file", list)
	for _, table := range clientTables {
		out := mustCall(t, "query", "--data", data, "--format", "csv", "SELECT count(*) AS n FROM "+table+" WHERE client_id IN ("+quoted+")")
		if !strings.HasSuffix(strings.TrimSpace(out), "\n0") {
			t.Errorf("right after the request a query of %s gives %s", table, out)
		}
	}

	kills := 0
	for {
		cmd := exec.Command(s.bin, "delete", "--data", data, "--now")
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		require.NoError(t, cmd.Start())
		killed := kills < 6
		timer := time.AfterFunc(time.Duration(kills+1)*150*time.Millisecond, func() {
			if killed {
				_ = cmd.Process.Kill() // it may have ended
			}
		})
		err := cmd.Wait()
		timer.Stop()
		switch {
		case err != nil && cmd.ProcessState.ExitCode() == -1:
			kills++
		case err != nil:
			t.Fatalf("delete --now: %v: %s", err, out.String())
		}
		if err == nil && deletions(t, data).Pending.Requests == 0 {
			break
		}
	}
	if kills == 0 {
		t.Error("no removal was killed")
	}
	s.stop()
	if found := mentions(t, data, clients); len(found) > 0 {
		t.Errorf("after the removal: %v", found)
	}
	sameOthers(t, "after the removal", othersRows(t, data, quoted, "20180302"), before)
	if out := mustCall(t, "run", "all", "--data", data, "--from", "20180301", "--to", "20180302"); !strings.Contains(out, "nothing to do") {
		t.Errorf("a run after the removal: %s", out)
	}
	checkForgottenRecord(t, data, clients)

	// Neither the backfill nor the pings in another file bring them back.
	mustCall(t, "run", "all", "--data", data, "--from", "20180301", "--to", "20180302", "--force")
	sameOthers(t, "after a backfill", othersRows(t, data, quoted, "20180302"), before)
	f, err := os.OpenFile(pings, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString("\n")
		err = errors.Join(err, f.Close())
	}
	require.NoError(t, err)
	mustCall(t, "load", "--data", data, pings)
	mustCall(t, "run", "all", "--data", data, "--from", "20180301", "--to", "20180302")
	if found := mentions(t, data, clients); len(found) > 0 {
		t.Errorf("after they came again: %v", found)
	}
}

// someClients returns a few of those that sent main pings.
func someClients(t *testing.T, data string) (some []string) {
	t.Helper()
	out := mustCall(t, "query", "--data", data, "--format", "csv",
		"SELECT DISTINCT client_id FROM main_summary WHERE client_id IS NOT NULL ORDER BY 1")
	all := strings.Fields(out)[1:]
	for i := 5; i < len(all); i += 60 {
		some = append(some, strings.Trim(all[i], `"`))
	}
	if len(some) < 3 {
		t.Fatalf("only %d clients", len(all))
	}
	return some
}

// checkForgottenRecord looks at what the installation says about it afterwards.
func checkForgottenRecord(t *testing.T, data string, clients []string) {
	t.Helper()
	st := deletions(t, data, "--client-id", clients[0], "--client-id", "0a1b2c3d-1111-4222-8333-444455556666")
	if st.Clients != len(clients) || st.Pending.Clients != 0 || st.Running != nil || len(st.Cycles) == 0 {
		t.Errorf("the status afterwards is %+v", st)
	}
	if c := st.Searched; len(c) != 2 || c[0].State != "removed" || c[0].Removed.Before(c[0].Requested) || c[1].State != "unknown" {
		t.Errorf("of two clients it says %+v", c)
	}
	rows := int64(0)
	for _, c := range st.Cycles {
		rows += c.Rows()
	}
	if rows == 0 {
		t.Error("the record says that no row was removed")
	}
}
