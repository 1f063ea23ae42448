package sitetest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/schema/glean"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
)

// GleanApp is the application of installations with Glean tables, GleanTables begins the names of its tables.
const (
	GleanApp    = "app-test"
	GleanTables = "app_test_"
)

// gleanDefinitions are the definitions of the application, by file.
var gleanDefinitions = map[string]string{
	"pings.yaml": `
$schema: moz://mozilla.org/schemas/glean/pings/2-0-0
crash: {description: A crash., include_client_id: true, bugs: [], data_reviews: [], notification_emails: []}
usage-reporting: {description: Use., include_client_id: false, metadata: {include_info_sections: false}, bugs: [], data_reviews: [], notification_emails: []}
`,
	"metrics.yaml": `
$schema: moz://mozilla.org/schemas/glean/metrics/2-0-0
browser.engagement:
  uri_count: {type: counter, description: Pages., send_in_pings: [baseline, usage-reporting]}
  active_ticks: {type: counter, description: Ticks., send_in_pings: [baseline, usage-reporting]}
usage:
  profile_id: {type: uuid, description: Profile., send_in_pings: [usage-reporting]}
legacy.telemetry:
  client_id: {type: uuid, description: Older id., send_in_pings: [baseline, crash]}
crash:
  time: {type: datetime, description: Time., send_in_pings: [crash]}
  minidump_sha256_hash: {type: string, description: Hash., send_in_pings: [crash]}
page:
  click: {type: event, description: A click., extra_keys: {button: {description: Which., type: string}}}
`,
}

// Glean returns an installation in a folder with the tables of a Glean application, and no others.
func Glean(t testing.TB) *site.Site {
	t.Helper()
	s, err := Open(GleanDir(t, filepath.Join(t.TempDir(), "site")))
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

// GleanDir puts the definitions into the folder of an installation, and returns the folder. Open then gives it the tables.
func GleanDir(t testing.TB, dir string) string {
	t.Helper()
	app := filepath.Join(dir, definitionsDir, GleanApp)
	require.NoError(t, os.MkdirAll(app, 0o755))
	for name, text := range gleanDefinitions {
		require.NoError(t, os.WriteFile(filepath.Join(app, name), []byte(text), 0o644))
	}
	return dir
}

const definitionsDir = "definitions"

// gleanTables returns the tables of the definitions in the folder of an installation, nil without any.
func gleanTables(dir string) ([]*schema.Table, error) {
	from := filepath.Join(dir, definitionsDir)
	if _, err := os.Stat(from); err != nil {
		return nil, nil
	}
	defs, err := glean.ReadAll([]string{from}, nil)
	if err != nil {
		return nil, err
	}
	return defs[GleanApp].Tables(), nil
}

// GleanPing is a ping of the application.
type GleanPing struct {
	Day, Type, ID string
	Client        string
	Minute        int    // of the day
	Metrics       string // JSON
	Events        string // JSON
	NoInfo        bool
}

// GleanPings puts pings into an archive as one load.
func GleanPings(t testing.TB, b store.Bucket, load string, pings []GleanPing) {
	t.Helper()
	w, err := archive.NewWriter(context.Background(), b, archive.Options{})
	require.NoError(t, err)
	for _, p := range pings {
		start, err := job.ParseDay(p.Day)
		require.NoError(t, err)
		at := start.Add(time.Duration(p.Minute) * time.Minute)
		var m ping.Meta
		m.SetString(ping.DocumentID, p.ID)
		m.SetString(ping.SourceVersion, "1")
		m.SetString(ping.SubmissionDate, p.Day)
		m.SetString(ping.SourceName, GleanApp)
		m.SetString(ping.DocTypeField, p.Type)
		m.SetInt(ping.Timestamp, at.UnixNano())
		if p.Client != "" {
			m.SetString(ping.ClientID, p.Client)
			m.SetInt(ping.SampleID, ping.SampleOf([]byte(p.Client)))
		}
		require.NoError(t, w.Append(&m, []byte(p.body(at))))
	}
	if _, err := w.Close(context.Background(), load); err != nil {
		t.Fatal(err)
	}
}

func (p *GleanPing) body(at time.Time) string {
	text := "{"
	if !p.NoInfo {
		stamp := at.Format("2006-01-02T15:04:05.000-07:00")
		text += fmt.Sprintf(`"ping_info":{"seq":0,"start_time":%q,"end_time":%q},"client_info":{"client_id":%q,"app_build":"1",`+
			`"app_display_version":"1.2.3","architecture":"x","first_run_date":"2018-03-01+00:00","os":"Linux","os_version":"1",`+
			`"telemetry_sdk_build":"1"},`,
			stamp, stamp, p.Client)
	}
	metrics := p.Metrics
	if metrics == "" {
		metrics = "{}"
	}
	text += `"metrics":` + metrics
	if p.Events != "" {
		text += `,"events":` + p.Events
	}
	return text + "}"
}
