package sparktest

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/tools/clienttest"
)

// pyspark is Spark's release. It has all of Spark, and needs Java 17.
const pyspark = "pyspark==3.5.9"

// cluster is a standalone cluster: a master, and two workers with a core each.
type cluster struct {
	python, bin string
	job         string // the program of the driver
	master      string
	workers     []*exec.Cmd
	dir         string
}

func startCluster(t *testing.T) *cluster {
	t.Helper()
	if _, err := exec.LookPath("java"); err != nil {
		t.Fatal("java is missing: install a JDK 17")
	}
	c := &cluster{python: clienttest.Python(t, pyspark), dir: t.TempDir()}
	var err error
	c.job, err = filepath.Abs("../../../packaging/spark/pingmill_day.py")
	require.NoError(t, err)
	c.bin = filepath.Join(filepath.Dir(c.python), "spark-submit")
	class := filepath.Join(filepath.Dir(c.python), "spark-class")
	address := clienttest.FreeAddress(t)
	_, port, err := net.SplitHostPort(address)
	require.NoError(t, err)
	c.master = "spark://" + address
	c.start(t, "127.0.0.1", class, "org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", port, "--webui-port", "0")
	waitFor(t, "master", func() bool { return dials(address) })
	for i := range 2 {
		host := fmt.Sprint("127.0.0.", i+1) // Spark speculates on another host only
		c.workers = append(c.workers, c.start(t, host, class, "org.apache.spark.deploy.worker.Worker", "--host", host, "--cores", "1", "--memory",
			"1g",
			"--webui-port", "0", "--work-dir", filepath.Join(c.dir, fmt.Sprint("worker", i)), c.master))
	}
	return c
}

func (c *cluster) env() []string {
	return append(os.Environ(), "SPARK_LOCAL_IP=127.0.0.1", "PYSPARK_PYTHON="+c.python, "SPARK_DAEMON_MEMORY=256m",
		"SPARK_LOCAL_DIRS="+filepath.Join(c.dir, "local"),
		"SPARK_CONF_DIR="+c.dir, "SPARK_NO_DAEMONIZE=1")
}

// start starts a process of the cluster, which ends, with its executors, when the test does.
func (c *cluster) start(t *testing.T, host, name string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = append(c.env(), "SPARK_LOCAL_IP="+host)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	log, err := os.Create(filepath.Join(c.dir, fmt.Sprintf("%s-%d.log", filepath.Base(args[0]), len(c.workers))))
	require.NoError(t, err)
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		for _, pid := range executors(cmd) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
	})
	return cmd
}

// executors returns the processes that a worker has started.
func executors(worker *exec.Cmd) (pids []int) {
	out, _ := exec.Command("pgrep", "-P", strconv.Itoa(worker.Process.Pid)).Output() // none: status 1
	for _, f := range strings.Fields(string(out)) {
		if pid, err := strconv.Atoi(f); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// submit runs the job with a program in the place of pingmill.
func (c *cluster) submit(ctx context.Context, t *testing.T, program, storage string, conf ...string) *exec.Cmd {
	t.Helper()
	args := []string{"--master", c.master, "--driver-memory", "512m", "--executor-memory", "512m", "--files", program}
	for _, s := range append([]string{"spark.driver.host=127.0.0.1", "spark.ui.enabled=false", "spark.task.maxFailures=8",
		"spark.deploy.maxExecutorRetries=100"}, conf...) {
		args = append(args, "--conf", s)
	}
	cmd := exec.CommandContext(ctx, c.bin, append(args, c.job, "--date", day, "--storage", storage)...)
	cmd.Dir, cmd.Env = t.TempDir(), c.env()
	return cmd
}

func dials(address string) bool {
	c, err := net.Dial("tcp", address)
	if err == nil {
		c.Close()
	}
	return err == nil
}

func waitFor(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); !is(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("no %s within two minutes", what)
		}
	}
}
