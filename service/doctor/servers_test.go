package doctor

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kfake"

	"github.com/pingmill/pingmill/store/blob/blobtest"
	"github.com/pingmill/pingmill/store/database/databasetest"
)

// serve returns the address of a server that answers every request alike: status and body.
func serve(t *testing.T, answer string) string {
	t.Helper()
	code, body, _ := strings.Cut(answer, " ")
	status, err := strconv.Atoi(code)
	require.NoError(t, err)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(s.Close)
	return s.Listener.Addr().String()
}

// TestBucket: a bucket is listed; what it lacks is found with Write; the clock of its server is compared.
func TestBucket(t *testing.T) {
	p := patient(t, t.TempDir())
	has(t, found(t, p, "bucket"), OK, "none")
	away, root := blobtest.S3Away(t)
	p.Roots.Archive, p.Roots.Lake = root, root
	has(t, found(t, p, "bucket"), Fail, "connection refused")
	require.Empty(t, p.clocks)
	away.Start()
	has(t, found(t, p, "bucket"), OK, "--write tries writing, too")
	has(t, found(t, p, "clock"), clockState(), "")
	require.Len(t, p.clocks, 1)
	require.Less(t, p.clocks[0].ahead.Abs(), maxSkew)

	p.Write = true
	p.Roots.Archive = blobtest.Faulty(t, root, blobtest.Faults{NoVersion: "/version"})
	p.Roots.Lake = p.Roots.Archive
	has(t, found(t, p, "bucket"), Fail, "FAILED each write is another version")
}

// clockState is the state of a clock that no server contradicts: it depends on the machine.
func clockState() State {
	if is, known := synchronized(); known && !is {
		return Warn
	}
	return OK
}

func TestBrokers(t *testing.T) {
	p := patient(t, t.TempDir())
	has(t, found(t, p, "brokers"), OK, "none")
	c, err := kfake.NewCluster(kfake.NumBrokers(3))
	require.NoError(t, err)
	defer c.Close()
	settings := map[string]string{"message.timestamp.type": "LogAppendTime", "max.message.bytes": "2097152",
		"min.insync.replicas": "2", "retention.ms": "-1"}
	require.NoError(t, c.CreateTopic("pings", 2, settings))
	require.NoError(t, c.CreateTopic("other", 2, nil))
	p.Service.Edge.MaxBody = 1 << 20
	url := "kafka://" + strings.Join(c.ListenAddrs(), ",") + "/"
	p.Service.Topic.URL = url + "pings"
	has(t, found(t, p, "brokers"), OK, "has 2 partitions on 3 brokers")
	p.Service.Topic.URL = url + "other"
	has(t, found(t, p, "brokers"), Fail, "want LogAppendTime")
	c.Close()
	has(t, found(t, p, "brokers"), Fail, "other: ")
}

func TestPostgreSQL(t *testing.T) {
	p := patient(t, t.TempDir())
	has(t, found(t, p, "postgresql"), OK, "none")
	p.Service.Web.Database = "postgres://ann:secret@127.0.0.1:1/pings"
	all := found(t, p, "postgresql")
	has(t, all, Fail, "connection refused")
	require.NotContains(t, fmt.Sprint(all), "secret")
	p.Service.Web.Database = databasetest.Need(t).Database(t)
	has(t, found(t, p, "postgresql"), OK, "responds in")
	require.Less(t, p.clocks[0].ahead.Abs(), maxSkew)
}

// TestProvider: a provider describes itself under its own name, and its clock is compared with this machine's.
func TestProvider(t *testing.T) {
	p := patient(t, t.TempDir())
	has(t, found(t, p, "oidc"), OK, "none")
	p.Service.Web.OIDC.Issuer = "http://" + serve(t, "404 ")
	has(t, found(t, p, "oidc"), Fail, "404")

	at, issuer := time.Now(), ""
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Date", at.UTC().Format(http.TimeFormat))
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"issuer":%q,"authorization_endpoint":"a","token_endpoint":"b","jwks_uri":"c"}`, issuer)
	}))
	defer s.Close()
	p.Service.Web.OIDC.Issuer, issuer = s.URL, "http://another.example"
	has(t, found(t, p, "oidc"), Fail, "did not match")
	issuer, p.clocks = s.URL, nil
	has(t, found(t, p, "oidc"), OK, "describes itself")
	has(t, found(t, p, "clock"), clockState(), "")
	at = at.Add(-2 * time.Hour)
	has(t, found(t, p, "oidc"), OK, "describes itself")
	has(t, found(t, p, "clock"), Fail, "differs by 2h0m")
}
