package command

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/store/blob/blobtest"
)

// check runs the command for a bucket.
func check(t *testing.T, url string) (out string, err error) {
	t.Helper()
	var text bytes.Buffer
	cmd := Commands(time.Now)[0]
	cmd.SetArgs([]string{"check", url})
	cmd.SetOut(&text)
	cmd.SetErr(&text)
	cmd.SilenceUsage = true
	err = cmd.ExecuteContext(t.Context())
	return text.String(), err
}

// TestCheck: servers of each provider's protocol pass, and nothing of the check stays.
func TestCheck(t *testing.T) {
	for name, start := range map[string]func(testing.TB) string{"S3": blobtest.S3, "Google": blobtest.GCS, "Azure": blobtest.Azure} {
		t.Run(name, func(t *testing.T) {
			out, err := check(t, start(t))
			require.NoError(t, err, out)
			require.Equal(t, len(checks), strings.Count(out, "\nok "), out)
			require.Regexp(t, `requests: .*[1-9]\d* PUT`, out)
		})
	}
}

// TestCheckFinds: what a bucket lacks is named, and ends the command with an error.
func TestCheckFinds(t *testing.T) {
	for want, f := range map[string]blobtest.Faults{
		"FAILED listings show each write":     {Stale: 300 * time.Millisecond},
		"FAILED each write is another versio": {NoVersion: "/version"},
		"FAILED a replaced object":            {NoVersion: "/replaced"},
	} {
		out, err := check(t, blobtest.Faulty(t, blobtest.S3(t), f))
		require.ErrorContains(t, err, fmt.Sprintf("of %d checks failed", len(checks)), out)
		require.Contains(t, out, want)
	}
	_, err := check(t, "data/lake")
	require.ErrorContains(t, err, "is no URL")
}
