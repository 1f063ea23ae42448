package clienttest

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// brokersVersion is the version of Apache Kafka in tests.
const brokersVersion = "3.9.1"

const brokersPom = `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>test</groupId><artifactId>brokers</artifactId><version>1</version><dependencies>
<dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>` + brokersVersion + `</version></dependency>
<dependency><groupId>org.slf4j</groupId><artifactId>slf4j-simple</artifactId><version>1.7.36</version></dependency>
</dependencies></project>`

// Kafka is a cluster of real brokers on this machine, which ends with the test.
type Kafka struct {
	t       *testing.T
	java    string
	classes string
	dir     string
	clients []string // addresses
	own     []string // of the controllers
	cmds    []*exec.Cmd
}

// NewKafka starts brokers, each with 384 MB of heap. It needs java and mvn.
func NewKafka(t *testing.T, brokers int) *Kafka {
	t.Helper()
	java, classes := brokerClasses(t)
	k := &Kafka{t: t, java: java, classes: classes, dir: t.TempDir(), cmds: make([]*exec.Cmd, brokers)}
	for range brokers {
		k.clients, k.own = append(k.clients, FreeAddress(t)), append(k.own, FreeAddress(t))
	}
	for i := range brokers {
		k.configure(i)
		k.run("kafka.tools.StorageTool", "format", "-t", "4L6g3nShT-eMCtK--X86sw", "-c", k.file(i))
	}
	t.Cleanup(func() {
		for i := range k.cmds {
			k.Kill(i)
		}
	})
	for i := range brokers {
		k.begin(i)
	}
	for i := range brokers {
		k.await(i)
	}
	return k
}

// brokerClasses returns java and the path of the brokers' classes.
func brokerClasses(t *testing.T) (java, classes string) {
	t.Helper()
	java, err := exec.LookPath("java")
	if err != nil {
		t.Skip("java is missing: install a JDK, 17 or later")
	}
	mvn, err := exec.LookPath("mvn")
	if err != nil {
		t.Skip("mvn is missing: install Maven")
	}
	dir, unlock := cached(t, "kafka-"+brokersVersion)
	defer unlock()
	done := filepath.Join(dir, "complete")
	if _, err := os.Stat(done); err == nil {
		return java, filepath.Join(dir, "libs", "*")
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "pom.xml"), []byte(brokersPom), 0o644))
	cmd := exec.Command(mvn, "--batch-mode", "--quiet", "dependency:copy-dependencies", "-DoutputDirectory=libs")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("Maven Central does not give Kafka %s: %v\n%s", brokersVersion, err, out)
	}
	require.NoError(t, os.WriteFile(done, nil, 0o644))
	return java, filepath.Join(dir, "libs", "*")
}

func (k *Kafka) file(i int) string {
	return filepath.Join(k.dir, fmt.Sprintf("broker%d.properties", i))
}

// configure writes the configuration of a broker.
func (k *Kafka) configure(i int) {
	k.t.Helper()
	var voters []string
	for n, a := range k.own {
		voters = append(voters, fmt.Sprintf("%d@%s", n, a))
	}
	few := min(3, len(k.clients))
	text := fmt.Sprintf(`process.roles=broker,controller
node.id=%d
controller.quorum.voters=%s
listeners=PLAINTEXT://%s,CONTROLLER://%s
advertised.listeners=PLAINTEXT://%s
controller.listener.names=CONTROLLER
log.dirs=%s
offsets.topic.replication.factor=%d
offsets.topic.num.partitions=3
group.initial.rebalance.delay.ms=0
auto.create.topics.enable=false
`, i, strings.Join(voters, ","), k.clients[i], k.own[i], k.clients[i], filepath.Join(k.dir, fmt.Sprint("log", i)), few)
	require.NoError(k.t, os.WriteFile(k.file(i), []byte(text), 0o644))
}

func (k *Kafka) command(class string, args ...string) *exec.Cmd {
	return exec.Command(k.java, append(
		[]string{"-Xmx384m", "-Xms128m", "-XX:+UseSerialGC", "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn", "-cp", k.classes, class},
		args...)...)
}

func (k *Kafka) run(class string, args ...string) {
	k.t.Helper()
	out, err := k.command(class, args...).CombinedOutput()
	require.NoError(k.t, err, "%s %v: %s", class, args, out)
}

// Brokers returns the addresses for clients.
func (k *Kafka) Brokers() []string { return k.clients }

// Topic makes a topic with settings, each name=value, once all brokers are there.
func (k *Kafka) Topic(name string, partitions, replicas int, settings ...string) {
	k.t.Helper()
	cl, err := kgo.NewClient(kgo.SeedBrokers(k.clients...))
	require.NoError(k.t, err)
	defer cl.Close()
	values := map[string]*string{}
	for _, s := range settings {
		name, value, _ := strings.Cut(s, "=")
		values[name] = &value
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Second) {
		_, err = kadm.NewClient(cl).CreateTopic(k.t.Context(), int32(partitions), int16(replicas), values, name)
		if err == nil || time.Now().After(deadline) {
			break
		}
	}
	require.NoError(k.t, err)
}

// Kill ends a broker at once.
func (k *Kafka) Kill(i int) {
	if cmd := k.cmds[i]; cmd != nil {
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()
		k.cmds[i] = nil
	}
}

// Start starts a broker that was killed, and waits until it takes connections.
func (k *Kafka) Start(i int) {
	k.t.Helper()
	k.begin(i)
	k.await(i)
}

func (k *Kafka) begin(i int) {
	k.t.Helper()
	log, err := os.OpenFile(filepath.Join(k.dir, fmt.Sprintf("broker%d.log", i)), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	require.NoError(k.t, err)
	defer log.Close()
	cmd := k.command("kafka.Kafka", k.file(i))
	cmd.Stdout, cmd.Stderr = log, log
	require.NoError(k.t, cmd.Start())
	k.cmds[i] = cmd
}

func (k *Kafka) await(i int) {
	k.t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if c, err := net.Dial("tcp", k.clients[i]); err == nil {
			c.Close()
			return
		}
	}
	log, _ := os.ReadFile(filepath.Join(k.dir, fmt.Sprintf("broker%d.log", i)))
	k.t.Fatalf("broker %d does not start: %s", i, log)
}

// Seconds returns the processor time of all brokers that run.
func (k *Kafka) Seconds() (sum float64) {
	for _, cmd := range k.cmds {
		if cmd != nil {
			sum += processSeconds(cmd.Process.Pid)
		}
	}
	return sum
}

// processSeconds reads the processor time of a process from /proc; 0 where there is none.
func processSeconds(pid int) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	var user, system float64
	if _, err := fmt.Sscan(fields[11], &user); err != nil {
		return 0
	}
	if _, err := fmt.Sscan(fields[12], &system); err != nil {
		return 0
	}
	return (user + system) / 100
}
