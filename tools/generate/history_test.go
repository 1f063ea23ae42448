package generate

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// mainDocument has the subsession fields of a main ping.
type mainDocument struct {
	ClientID string
	Payload  struct {
		Info struct {
			Reason                                                           string
			SessionID, SubsessionID, PreviousSessionID, PreviousSubsessionID string
			SubsessionCounter, ProfileSubsessionCounter                      int
			SubsessionLength                                                 int
			SessionStartDate, SubsessionStartDate, PreviousBuildID, Revision string
			TimezoneOffset                                                   int
		}
	}
	Application struct{ BuildID string }
	made        int64 // when it was made, ns
}

// histories returns the main pings of all clients in the order in which they were made.
func histories(t *testing.T, g *Generator) map[string][]mainDocument {
	t.Helper()
	all := map[string][]mainDocument{}
	w := writer{g: g}
	g.plan(func(e *entry) bool {
		if e.kind != mainPing || e.again {
			return true
		}
		w.write(e)
		var d mainDocument
		require.NoError(t, json.Unmarshal(w.sub.Document, &d))
		d.made = e.made
		all[d.ClientID] = append(all[d.ClientID], d)
		return true
	})
	for _, list := range all {
		slices.SortStableFunc(list, func(a, b mainDocument) int {
			return a.Payload.Info.ProfileSubsessionCounter - b.Payload.Info.ProfileSubsessionCounter
		})
	}
	return all
}

// TestSubsessionsFollowEachOther checks identifiers and counters from one main
// ping of a client to the next.
func TestSubsessionsFollowEachOther(t *testing.T) {
	g := mustNew(t, Config{Seed: 6, Clients: 120, Days: 4, Damaged: -1, NullClients: -1, MeanBytes: 16_000})
	reasons, next, pairs := map[string]int{}, 0, 0
	for client, list := range histories(t, g) {
		for i := range list {
			b := &list[i].Payload.Info
			reasons[b.Reason]++
			if b.SubsessionLength < 0 || b.SubsessionCounter < 1 || b.SubsessionCounter > b.ProfileSubsessionCounter {
				t.Fatalf("client %s: %+v", client, b)
			}
			if i == 0 {
				continue
			}
			pairs++
			a := &list[i-1].Payload.Info
			if a.ProfileSubsessionCounter == b.ProfileSubsessionCounter || list[i-1].made > list[i].made {
				t.Fatalf("client %s: two pings of one subsession, or out of order: %+v and %+v", client, a, b)
			}
			if b.ProfileSubsessionCounter != a.ProfileSubsessionCounter+1 {
				continue // one in between arrived before or after
			}
			next++
			if b.PreviousSubsessionID != a.SubsessionID {
				t.Fatalf("client %s: the subsession before %+v is not %+v", client, b, a)
			}
			sameSession := b.SessionID == a.SessionID
			ended := a.Reason == "shutdown" || a.Reason == "aborted-session"
			if sameSession == ended || sameSession != (b.SubsessionCounter == a.SubsessionCounter+1) ||
				sameSession && b.SessionStartDate != a.SessionStartDate ||
				!sameSession && (b.PreviousSessionID != a.SessionID || b.SubsessionCounter != 1) {
				t.Fatalf("client %s: %+v after %+v", client, b, a)
			}
		}
	}
	if next < pairs*9/10 || pairs < 300 {
		t.Errorf("only %d of %d pings follow the one before", next, pairs)
	}
	for _, reason := range []string{"shutdown", "daily", "environment-change", "aborted-session"} {
		if reasons[reason] == 0 {
			t.Errorf("no ping of reason %s: %v", reason, reasons)
		}
	}
}

func TestStartDates(t *testing.T) {
	g := mustNew(t, Config{Seed: 7, Clients: 60, Days: 1, Damaged: -1, MeanBytes: 16_000})
	for _, list := range histories(t, g) {
		for i := range list {
			d := &list[i].Payload.Info
			at, err := time.Parse("2006-01-02T15:04:05.0-07:00", d.SubsessionStartDate)
			require.NoError(t, err)
			if _, offset := at.Zone(); offset != d.TimezoneOffset*60 || at.Minute() != 0 {
				t.Fatalf("start %s, offset %d minutes", d.SubsessionStartDate, d.TimezoneOffset)
			}
		}
	}
}

// TestOnceInALife counts the pings that a profile sends once.
func TestOnceInALife(t *testing.T) {
	g := mustNew(t, Config{Seed: 9, Clients: 2000, Days: 5, Duplicates: -1})
	announced, versions := map[uint32]int{}, map[uint32]int{}
	g.plan(func(e *entry) bool {
		switch {
		case e.kind == newProfilePing:
			if announced[e.client]++; announced[e.client] > 1 {
				t.Fatalf("client %d announces itself twice", e.client)
			}
			if c := g.client(int(e.client)); c.born < g.first-warmUp {
				t.Fatalf("client %d announces itself, but is old", e.client)
			}
		case e.kind == updatePing && e.reason == success:
			if e.previous < 0 || e.previous >= e.build {
				t.Fatalf("client %d was updated from build %d to %d", e.client, e.previous, e.build)
			}
			versions[e.client]++
		case e.kind == updatePing && e.previous <= e.build:
			t.Fatalf("client %d, build %d, is offered build %d", e.client, e.build, e.previous)
		}
		return true
	})
	if len(announced) < 50 || len(versions) < 100 {
		t.Errorf("%d new profiles, %d clients with updates", len(announced), len(versions))
	}
}

// TestUse looks at the spread of clients: some daily, some rarely.
func TestUse(t *testing.T) {
	g := mustNew(t, Config{Seed: 10, Clients: 1000, Days: 1, Damaged: -1, Duplicates: -1})
	count := map[uint32]int{}
	late := 0
	g.plan(func(e *entry) bool {
		if e.kind == mainPing {
			count[e.client]++
		}
		if e.made < g.from {
			late++
		}
		return true
	})
	most := 0
	for _, n := range count {
		most = max(most, n)
	}
	if len(count) < 300 || len(count) > 800 || most < 10 || late < 50 {
		t.Errorf("%d of 1000 clients on a day, %d pings of one, %d made before the day", len(count), most, late)
	}
}
