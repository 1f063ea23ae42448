package sparktest

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var dayData = flag.String("day.data", "",
	"a folder with the archive of a large day: it is made by one machine and by Spark, and the times are compared")

// TestDay makes a large day by one process with two workers, and by Spark with two executors of a core each, of which two are killed
// on the way. The roots are folders of this machine for both.
func TestDay(t *testing.T) {
	if *program == "" || *dayData == "" {
		t.Skip("wants -program and -day.data")
	}
	real, err := filepath.Abs(*program)
	require.NoError(t, err)
	dir, err := os.MkdirTemp(filepath.Dir(*dayData), "day")
	require.NoError(t, err)
	defer os.RemoveAll(dir)
	alone, spark, fake := filepath.Join(dir, "alone"), filepath.Join(dir, "spark"), filepath.Join(dir, "pingmill")
	for _, storage := range []string{alone, spark} {
		require.NoError(t, os.Mkdir(storage, 0o755))
		out, err := exec.Command("cp", "-al", filepath.Join(*dayData, "archive"), storage).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	began := time.Now()
	cmd := exec.Command(real, "run", "all", "--data", filepath.Join(dir, "ledger"), "--storage", alone, "--date", day, "--workers", "2")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	one := time.Since(began)
	t.Logf("one machine: %v, %v of processor time", one, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())

	c := startCluster(t)
	for _, kills := range []int{0, 2} {
		script := fmt.Sprintf("#!/bin/sh\n[ \"$1\" != task ] || touch %s/running\nexec %s \"$@\"\n", dir, real)
		require.NoError(t, os.WriteFile(fake, []byte(script), 0o755))
		began = time.Now()
		job := c.submit(t.Context(), t, fake, spark)
		var output strings.Builder
		job.Stdout, job.Stderr = &output, &output
		require.NoError(t, job.Start())
		if kills > 0 {
			killExecutors(t, c, dir)
		}
		require.NoError(t, job.Wait(), "%s", &output)
		took := time.Since(began)
		t.Logf("Spark, %d executors killed: %v, %.0f %% more", kills, took, 100*(took.Seconds()/one.Seconds()-1))
		for _, line := range phases(output.String()) {
			t.Log(line)
		}
		for _, root := range []string{"lake", "pipeline", "restricted"} {
			out, err := exec.Command("diff", "-rq", "-x", "_generations", "-x", "_leases", filepath.Join(alone, root),
				filepath.Join(spark, root)).CombinedOutput()
			require.NoError(t, err, "%s", out)
			require.NoError(t, os.RemoveAll(filepath.Join(spark, root)))
		}
	}
}

// phases returns the lines of Spark's log that say when its parts began and ended.
func phases(log string) (lines []string) {
	for line := range strings.Lines(log) {
		for _, text := range []string{"Running Spark version", "Starting job", "Job 0 finished", "Job 1 finished", "Shutdown hook called",
			"units:"} {
			if strings.Contains(line, text) {
				lines = append(lines, strings.TrimSpace(line))
			}
		}
	}
	return lines
}
