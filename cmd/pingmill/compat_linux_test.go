package main

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/tools/clienttest"
)

// compatQueries repeats the queries of packaging/compat-data.sh. The program that made the data has answered them.
var compatQueries = map[string]string{
	"main_summary": "SELECT document_id, client_id, sample_id, channel, os, country FROM main_summary " +
		"WHERE submission_date_obj < '20190101' ORDER BY document_id",
	"clients_daily": "SELECT client_id, count(*) AS n FROM clients_daily WHERE submission_date_obj < '20190101' " +
		"GROUP BY client_id ORDER BY client_id",
	"search_clients_daily": "SELECT client_id, sap FROM search_clients_daily WHERE submission_date_obj < '20190101' ORDER BY 1, 2",
	"addons":               "SELECT count(*) AS n, count(DISTINCT client_id) AS c FROM addons WHERE submission_date_obj < '20190101'",
	"crash_summary": "SELECT client_id, count(*) AS n FROM crash_summary WHERE submission_date < '2019-01-01' " +
		"GROUP BY client_id ORDER BY client_id",
}

// TestCompat opens what earlier releases and revisions have written: its tables answer as before, what waits in the spool is
// decoded, partitions are made again with the same answers, a client is removed, and accounts are there.
func TestCompat(t *testing.T) {
	t.Parallel()
	all, err := filepath.Glob("testdata/compat/*.tar.zst")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(all), 3)
	for _, name := range all {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".tar.zst"), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			unpackCompat(t, name, dir)
			openCompat(t, dir)
		})
	}
}

func openCompat(t *testing.T, dir string) {
	data := filepath.Join(dir, "data")
	days := []string{"--from", "20180301", "--to", "20180302", "--data", data}
	_, out, errs := call(nil, append([]string{"status"}, days...)...)
	require.Contains(t, out, "main_summary", errs)
	require.NotContains(t, out, "damaged")
	sameAnswers(t, dir)

	if _, err := os.Stat(filepath.Join(data, "web")); err == nil {
		require.Contains(t, mustCall(t, "user", "list", "--data", data), "ann@example.org")
		require.Contains(t, mustCall(t, "token", "list", "notebook", "--data", data), "jupyter")
	}

	server := program(t, "serve", "--only", "edge,decode", "--data", data, "--listen", clienttest.FreeAddress(t),
		"--private", clienttest.FreeAddress(t), "--archive-every", "1s", "--segment-age", "1s", "--min-free", "0B")
	var log bytes.Buffer
	server.Stderr = &log
	require.NoError(t, server.Start())
	mustCall(t, "generate", "--acked", filepath.Join(dir, "expected", "acked.txt"), "--verify", data, "--wait", "1m")
	require.NoError(t, server.Process.Signal(syscall.SIGTERM))
	require.NoError(t, server.Wait(), log.String())
	require.NotContains(t, log.String(), `"level":"ERROR"`)

	mustCall(t, append([]string{"run", "all"}, days...)...)
	require.Contains(t, mustCall(t, append([]string{"run", "all"}, days...)...), "nothing to do")
	sameAnswers(t, dir)

	lines := strings.Split(expectedAnswer(t, dir, "clients_daily"), "\n")
	client, _, _ := strings.Cut(lines[1], ",")
	require.Len(t, client, 36)
	mustCall(t, "delete", "--client-id", client, "--now", "--data", data)
	for table, query := range compatQueries {
		want := strings.Split(expectedAnswer(t, dir, table), "\n")
		left := want[:0:0]
		for _, line := range want {
			if !strings.Contains(line, client) {
				left = append(left, line)
			}
		}
		if table != "addons" { // which counts
			require.Equal(t, strings.Join(left, "\n"), mustCall(t, "query", "--format", "csv", "--data", data, query), table)
		}
	}
	require.Contains(t, mustCall(t, append([]string{"run", "all"}, days...)...), "nothing to do")
}

func expectedAnswer(t *testing.T, dir, table string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "expected", table+".csv"))
	require.NoError(t, err)
	return strings.ReplaceAll(string(b), "\r\n", "\n") // of early versions
}

func sameAnswers(t *testing.T, dir string) {
	t.Helper()
	for table, query := range compatQueries {
		require.Equal(t, expectedAnswer(t, dir, table),
			mustCall(t, "query", "--format", "csv", "--data", filepath.Join(dir, "data"), query), table)
	}
}

// unpackCompat unpacks an archive of folders, files and hard links.
func unpackCompat(t *testing.T, name, dir string) {
	t.Helper()
	f, err := os.Open(name)
	require.NoError(t, err)
	defer f.Close()
	z, err := zstd.NewReader(f)
	require.NoError(t, err)
	defer z.Close()
	for in := tar.NewReader(z); ; {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err)
		to := filepath.Join(dir, filepath.FromSlash(h.Name))
		mode := os.FileMode(h.Mode) & os.ModePerm
		if h.Typeflag == tar.TypeDir {
			require.NoError(t, os.MkdirAll(to, mode))
			continue
		}
		if h.Typeflag == tar.TypeLink { // of a replaced file and the published one
			require.NoError(t, os.Link(filepath.Join(dir, filepath.FromSlash(h.Linkname)), to))
			continue
		}
		require.Equal(t, byte(tar.TypeReg), h.Typeflag, h.Name)
		b, err := io.ReadAll(in)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(to, b, mode))
		require.NoError(t, os.Chtimes(to, time.Time{}, h.ModTime))
	}
}
