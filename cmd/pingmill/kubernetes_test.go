package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// cronJob has the fields of a CronJob that the tests read.
type cronJob struct {
	Metadata struct{ Name string }
	Spec     struct {
		JobTemplate struct {
			Spec struct {
				Completions int
				Template    struct {
					Spec struct{ Containers []struct{ Args []string } }
				}
			}
		} `yaml:"jobTemplate"`
	}
}

// TestKubernetesTasks runs what the Jobs run, a process for each pod: two of the pods are killed and started again, as Kubernetes does.
// The tables equal the tables of one machine.
func TestKubernetesTasks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pings, alone, storage := filepath.Join(dir, "pings.ndjson"), filepath.Join(dir, "alone"), filepath.Join(dir, "storage")
	mustCall(t, "generate", "--clients", "30", "--days", "1", "--output", pings)
	mustCall(t, "load", "--data", alone, pings)
	mustCall(t, "run", "all", "--data", alone, "--date", "20180301")
	mustCall(t, "load", "--data", filepath.Join(dir, "loads"), "--storage", storage, pings)
	var pods []*exec.Cmd
	outs := map[*exec.Cmd]*bytes.Buffer{}
	for _, job := range cronJobs(t, "tasks.yaml") {
		spec := job.Spec.JobTemplate.Spec
		for i := range max(1, spec.Completions) {
			args := podArgs(spec.Template.Spec.Containers[0].Args, map[string]string{
				"$(JOB_COMPLETION_INDEX)": strconv.Itoa(i), "yesterday": "20180301", "s3://bucket/prefix": storage, "6h": "2m",
				"/tmp/data": filepath.Join(dir, job.Metadata.Name+strconv.Itoa(i)),
			})
			if job.Metadata.Name == "pingmill-commit" { // a folder that is shared has one ledger
				args[len(args)-1] = filepath.Join(dir, "loads")
			}
			if i < 2 && spec.Completions > 0 {
				killed := program(t, args...)
				require.NoError(t, killed.Start())
				require.NoError(t, killed.Process.Kill())
				require.Error(t, killed.Wait())
			}
			pod := program(t, args...)
			outs[pod] = &bytes.Buffer{}
			pod.Stdout, pod.Stderr = outs[pod], outs[pod]
			require.NoError(t, pod.Start())
			pods = append(pods, pod)
		}
	}
	require.Len(t, pods, 9)
	for _, pod := range pods {
		require.NoError(t, pod.Wait(), "%s: %s", pod.Args, outs[pod])
	}
	for _, root := range []string{"lake", "pipeline", "restricted"} {
		require.NoError(t, os.RemoveAll(filepath.Join(alone, root, "_staging")))
		out, err := exec.Command("diff", "-r", "-x", "_generations", filepath.Join(alone, root), filepath.Join(storage, root)).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
}

// cronJobs reads a file of packaging.
func cronJobs(t *testing.T, name string) (jobs []cronJob) {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "packaging", "kubernetes", name))
	require.NoError(t, err)
	defer f.Close()
	for d := yaml.NewDecoder(f); ; {
		var job cronJob
		if err := d.Decode(&job); errors.Is(err, io.EOF) {
			return jobs
		} else {
			require.NoError(t, err)
		}
		jobs = append(jobs, job)
	}
}

// podArgs returns arguments of a container with other values.
func podArgs(args []string, values map[string]string) (all []string) {
	for _, a := range args {
		for old, value := range values {
			a = strings.ReplaceAll(a, old, value)
		}
		all = append(all, a)
	}
	return all
}
