package erase

import (
	"context"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/lake/iceberg"
	"github.com/pingmill/pingmill/lake/iceberg/catalog"
	"github.com/pingmill/pingmill/privacy/forget"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
)

// following is an installation whose Iceberg catalog can go away.
type following struct {
	*site.Site
	t       *testing.T
	catalog string // its folder
	now     time.Time
	options Options
	clients []string
	files   map[string][]string // some that had rows of a client when it asked
}

func newFollowing(t *testing.T) *following {
	f := &following{Site: sitetest.Local(t), t: t, catalog: filepath.Join(t.TempDir(), "catalog"), now: time.Now(), options: forgetOptions(),
		files: map[string][]string{}}
	f.Grace = lake.Grace{For: time.Hour, Now: func() time.Time { return f.now }}
	f.options.Now = f.Grace.Now
	f.options.Log = slog.New(slog.NewTextHandler(t.Output(), nil))
	f.options.Timing = Timing{Every: 24 * time.Hour, Deadline: forget.Deadline(240 * time.Hour)}
	require.NoError(t, os.Mkdir(f.catalog, 0o755))
	sitetest.Pings(t, f.Archive, 5, 200)
	_, err := etl.Run(t.Context(), f.Site, etl.RunOptions{Tables: reportTables, Days: []string{sitetest.Day}, Now: time.Now})
	require.NoError(t, err)
	f.follow()
	for _, row := range sitetest.RowsOf(t, f.Site, "clients_daily", sitetest.Day) {
		if id, _ := row["client_id"].(string); len(id) == len("client-10") {
			f.clients = append(f.clients, id)
		}
	}
	require.Greater(t, len(f.clients), 3)
	return f
}

// open has the installation followed by a process that begins now.
func (f *following) open() *iceberg.Follower {
	follower, err := iceberg.Open(f.t.Context(), f.Site, iceberg.Config{
		Catalog:   catalog.Config{Kind: catalog.SQL, URI: "sqlite://" + filepath.Join(f.catalog, "catalog.db")},
		Namespace: "pingmill", Restricted: "pingmill_restricted", Keep: time.Hour,
	}, f.Grace.Now, f.options.Log)
	require.NoError(f.t, err)
	f.t.Cleanup(func() { _ = follower.Close() })
	return follower
}

func (f *following) follow() {
	_, err := f.open().Sync(f.t.Context(), iceberg.Options{})
	require.NoError(f.t, err)
}

func (f *following) away() {
	require.NoError(f.t, os.Rename(f.catalog, f.catalog+".away"))
	f.open()
}

func (f *following) back() {
	require.NoError(f.t, os.Rename(f.catalog+".away", f.catalog))
	f.open()
}

// all lists the files with all rows of a partition, which Iceberg's snapshots name.
func (f *following) all() (names []string) {
	for e, err := range f.Roots[schema.StorageRoot].List(f.t.Context(), "") {
		require.NoError(f.t, err)
		if strings.HasPrefix(path.Base(e.Name), "_compact-all-") {
			names = append(names, path.Base(e.Name))
		}
	}
	return names
}

// request records a request of the n-th client.
func (f *following) request(n int) string {
	f.t.Helper()
	sitetest.AskToForget(f.t, f.Site, f.clients[n], f.now, f.clients[n])
	f.files[f.clients[n]] = f.all()
	return f.clients[n]
}

func (f *following) remove() Result {
	f.t.Helper()
	r, err := Run(f.t.Context(), f.Site, f.options)
	require.NoError(f.t, err)
	return r
}

// state returns what the report says of a client, after comparing it with the bytes of all tables.
func (f *following) state(client string) string {
	f.t.Helper()
	c, _ := reportOf(f.t, f.Site, client)
	files := 0
	for _, name := range f.all() {
		if slices.Contains(f.files[client], name) {
			files++
		}
	}
	require.Equal(f.t, c.State == "removed", files == 0, "%s is %s, %d files have it", client, c.State, files)
	return c.State
}

// A removal is not called done while replaced files with rows of the clients are left for Iceberg's snapshots.
func TestRemovalAwaitsReaders(t *testing.T) {
	f := newFollowing(t)
	client := f.request(0)
	require.Equal(t, "pending", f.state(client))
	f.away()
	for range 2 {
		r := f.remove()
		require.True(t, r.Ended.IsZero())
		require.NotEmpty(t, r.Waiting)
		require.Equal(t, "pending", f.state(client))
		due, err := Due(t.Context(), f.Site, f.options.Timing, f.now)
		require.NoError(t, err)
		require.True(t, due)
		st, err := f.Forgotten.Status(t.Context(), nil, f.options.Timing.Deadline)
		require.NoError(t, err)
		require.Equal(t, r.Waiting, st.Running.Held)
	}
	f.back()
	f.now = f.now.Add(time.Hour)
	r := f.remove()
	require.Empty(t, r.Waiting)
	require.WithinDuration(t, f.now, r.Ended, time.Minute)
	require.Equal(t, "removed", f.state(client))
	f.follow()
}

// Where the catalog answers, one removal does it all.
func TestRemovalReleasesFiles(t *testing.T) {
	f := newFollowing(t)
	client := f.request(0)
	require.Empty(t, f.remove().Waiting)
	require.Equal(t, "removed", f.state(client))
}

// The deadline counts more than readers of old snapshots.
func TestDeadlineEndsReaders(t *testing.T) {
	f := newFollowing(t)
	client := f.request(0)
	f.away()
	require.NotEmpty(t, f.remove().Waiting)
	f.now = f.now.Add(179 * time.Hour)
	require.NotEmpty(t, f.remove().Waiting)
	f.now = f.now.Add(time.Hour)
	require.Empty(t, f.remove().Waiting)
	require.Equal(t, "removed", f.state(client))
	f.back()
	f.follow()
}

// Requests that arrive while a removal waits are in another one after the usual time, together with those that wait.
func TestWaitingRemovalOvertaken(t *testing.T) {
	f := newFollowing(t)
	first := f.request(0)
	f.away()
	require.NotEmpty(t, f.remove().Waiting)
	f.now = f.now.Add(time.Hour)
	second := f.request(1)
	rows := func() int64 { return rowsOfClient(t, f.Site, second)["clients_daily"] }
	require.NotZero(t, rows())
	require.NotEmpty(t, f.remove().Waiting)
	require.NotZero(t, rows())
	f.now = f.now.Add(24 * time.Hour)
	require.NotEmpty(t, f.remove().Waiting)
	require.Zero(t, rows())
	require.Equal(t, []string{"pending", "pending"}, []string{f.state(first), f.state(second)})
	f.back()
	require.Empty(t, f.remove().Waiting)
	require.Equal(t, []string{"removed", "removed"}, []string{f.state(first), f.state(second)})
	c, found := reportOf(t, f.Site, first)
	require.NotZero(t, found["archive"])
	require.NotZero(t, found["clients_daily"])
	require.WithinDuration(t, f.now, c.Removals[0].Removed, time.Minute)
}

// The service tries again with longer and longer pauses.
func TestRepeatAwaitsReaders(t *testing.T) {
	f := newFollowing(t)
	client := f.request(0)
	f.away()
	ctx, cancel := context.WithCancel(t.Context())
	var pauses []time.Duration
	f.options.Wait = func(ctx context.Context, d time.Duration) error {
		if pauses = append(pauses, d); len(pauses) == 3 {
			require.Equal(t, "pending", f.state(client))
			f.back()
		} else if len(pauses) == 4 {
			cancel()
		}
		return ctx.Err()
	}
	require.NoError(t, Repeat(ctx, f.Site, f.options.Timing, f.options))
	require.Equal(t, []time.Duration{time.Minute, 2 * time.Minute, 4 * time.Minute, time.Minute}, pauses)
	require.Equal(t, "removed", f.state(client))
}
