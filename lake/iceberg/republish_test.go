package iceberg

import (
	"bufio"
	"encoding/json"
	"hash/crc32"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/etltest"
	"github.com/pingmill/pingmill/lake/iceberg/catalog"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/tools/clienttest"
)

// What the engines are, each at one version.
const (
	pyiceberg = "pyiceberg[sql-sqlite]==0.12.0"
	pyspark   = "pyspark==3.5.9"
)

const sparkJar = "org.apache.iceberg:iceberg-spark-runtime-3.5_2.12:1.9.2"

// answer is the result of a reader: rows, and the sum of the checksums of their document ids.
type answer struct {
	Rows  int    `json:"rows"`
	Sum   int64  `json:"sum"`
	Error string `json:"error"`
}

// reading has an engine read a table again and again, until stop, which gives what it found.
func reading(t *testing.T, cmd *exec.Cmd) (stop func(folder string) []answer) {
	t.Helper()
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	cmd.Stderr = t.Output()
	require.NoError(t, cmd.Start())
	lines := bufio.NewScanner(out)
	require.True(t, lines.Scan())
	require.Equal(t, "ready", lines.Text())
	var all []answer
	var wait sync.WaitGroup
	wait.Go(func() {
		for lines.Scan() {
			var a answer
			if strings.HasPrefix(lines.Text(), "{") && json.Unmarshal(lines.Bytes(), &a) == nil {
				all = append(all, a)
			}
		}
	})
	return func(folder string) []answer {
		require.NoError(t, os.WriteFile(filepath.Join(folder, "stop"), nil, 0o644))
		wait.Wait()
		require.NoError(t, cmd.Wait())
		return all
	}
}

// published returns the published content of main_summary.
func published(t *testing.T, s *site.Site, days ...string) (a answer) {
	t.Helper()
	for _, day := range days {
		for _, row := range sitetest.RowsOf(t, s, "main_summary", day) {
			a.Rows++
			a.Sum += int64(crc32.ChecksumIEEE([]byte(row["document_id"].(string))))
		}
	}
	return a
}

// TestRepublish publishes a day 100 times with other content while engines read the table: no reading fails, and each
// finds what was published at some time, whole. Files and snapshots that are over are removed meanwhile.
func TestRepublish(t *testing.T) {
	forEngines(t)
	script, err := filepath.Abs("testdata/engines.py")
	require.NoError(t, err)
	s := sitetest.Local(t)
	s.Grace.For, s.Grace.Now = time.Second, time.Now
	at, _ := clienttest.RESTCatalog(t, 0)
	f, err := Open(t.Context(), s, Config{
		Catalog: catalog.Config{Kind: catalog.REST, URI: at}, Namespace: "pingmill", Restricted: "pingmill_restricted", Keep: 20 * time.Second,
	}, time.Now, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	days := []string{"20180301", "20180302"}
	publish := func(i int) {
		sitetest.DayPings(t, s.Archive, uint64(i), 25, days[i%2])
		etltest.Run(t, s, etl.RunOptions{Tables: []string{"main_summary"}, Days: days})
	}
	publish(0)
	publish(1)
	follow(t, f, Options{Tables: []string{"main_summary"}})
	states := []answer{published(t, s, days...)}

	readers := map[string]*exec.Cmd{}
	folder := t.TempDir()
	readers["pyiceberg"] = exec.Command(clienttest.Python(t, pyiceberg, "pyarrow==21.0.0"), script, "pyiceberg", at, "loop",
		"pingmill.main_summary", folder)
	spark := exec.Command(clienttest.Python(t, pyspark), script, "spark", at, "loop", "pingmill.main_summary", folder)
	spark.Env = append(os.Environ(), "ICEBERG_JARS="+clienttest.Jars(t, sparkJar)[0])
	readers["spark"] = spark
	trino := exec.Command(clienttest.Python(t, clienttest.TrinoPython), script, "trino", at, "loop", "pingmill.main_summary", folder)
	trino.Env = append(os.Environ(), "TRINO="+clienttest.Trino(t))
	readers["trino"] = trino
	stops := map[string]func(string) []answer{}
	for name, cmd := range readers {
		stops[name] = reading(t, cmd)
	}
	expired := 0
	for i := range 100 {
		publish(i + 2)
		states = append(states, published(t, s, days...)) // readers may find it as soon as it is committed
		for _, r := range follow(t, f, Options{Tables: []string{"main_summary"}}) {
			require.Len(t, r.Days, 1)
			expired += r.Expired
		}
		require.NoError(t, etl.Sweep(t.Context(), s))
	}
	require.NotZero(t, expired)
	for name, stop := range stops {
		all := stop(folder)
		failed, mixed := 0, 0
		for _, a := range all {
			switch {
			case a.Error != "":
				failed++
				t.Errorf("%s: %s", name, a.Error)
			case !slices.Contains(states, a):
				mixed++
				t.Errorf("%s: it finds %+v, which was never published", name, a)
			}
		}
		distinct := map[answer]bool{}
		for _, a := range all {
			distinct[a] = true
		}
		t.Logf("%s: %d readings during 100 publications, of %d states; %d failed, %d mixed; %d snapshots expired", name, len(all), len(distinct),
			failed, mixed, expired)
		require.NotEmpty(t, all, name)
	}
}
