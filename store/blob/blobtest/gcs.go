package blobtest

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	fakeGCS        = "github.com/fsouza/fake-gcs-server"
	fakeGCSVersion = "v1.56.1"
)

var gcs struct {
	sync.Mutex
	*server
	buckets int
}

// GCS returns the URL of a fresh bucket of fake-gcs-server, which keeps objects in memory.
func GCS(t testing.TB) (root string) {
	t.Helper()
	gcs.Lock()
	defer gcs.Unlock()
	if gcs.server == nil {
		program := goInstall(t, fakeGCS, fakeGCSVersion)
		gcs.server = start(t, nil, func(addr, _ string) []string {
			host, port, _ := net.SplitHostPort(addr)
			return []string{program, "-scheme", "http", "-host", host, "-port", port, "-backend", "memory",
				"-external-url", "http://" + addr, "-public-host", addr, "-log-level", "error"}
		})
	}
	gcs.buckets++
	name := fmt.Sprintf("bucket-%d", gcs.buckets)
	resp, err := http.Post("http://"+gcs.addr+"/storage/v1/b?project=test", "application/json",
		strings.NewReader(fmt.Sprintf(`{"name":%q}`, name)))
	require.NoError(t, err)
	defer resp.Body.Close()
	require.Equal(t, 200, resp.StatusCode)
	return fmt.Sprintf("gs://%s?endpoint=http://%s&anonymous=true", name, gcs.addr)
}
