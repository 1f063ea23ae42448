package loader

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/s2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/etltest"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
)

// preparedFiles returns the names and contents of all prepared rows.
func preparedFiles(t testing.TB, b store.Bucket) (names []string, contents [][]byte) {
	t.Helper()
	for e, err := range b.List(context.Background(), naming.Prepared+"/") {
		require.NoError(t, err)
		data, err := store.ReadFile(context.Background(), b, e.Name)
		require.NoError(t, err)
		names, contents = append(names, e.Name), append(contents, data)
	}
	return names, contents
}

// preparedService returns a service that prepares rows and has decoded records, in several loads.
func preparedService(t *testing.T, s *site.Site) *service {
	_, records := population(t, 40, 2)
	v := newService(t, s)
	v.opts.PublishEvery = time.Hour
	for part := range slices.Chunk(records, 1+len(records)/6) {
		v.start()
		v.send(part)
		v.finish()
	}
	v.start()
	v.clock.Set(time.Date(2018, 3, 3, 0, 1, 0, 0, time.UTC).UnixNano())
	v.finish()
	return v
}

// madeOf makes the tables of an archive in another installation, and returns its partitions and what the tasks logged.
func madeOf(t *testing.T, archive store.Bucket, workers int) (made map[string]*lake.Manifest, log string) {
	t.Helper()
	other := sitetest.Local(t)
	other.Archive = archive
	var text bytes.Buffer
	etltest.Run(t, other, etl.RunOptions{
		Tables: []string{"main_summary", "crash_summary", "clients_daily"}, Days: []string{"20180301", "20180302"},
		Workers: workers, Log: slog.New(slog.NewTextHandler(&text, nil)),
	})
	made = map[string]*lake.Manifest{}
	for _, table := range other.Tables {
		for _, day := range []string{"20180301", "20180302"} {
			if m := partition(t, other, table.Name, day); m != nil {
				made[table.Name+" "+day] = m
			}
		}
	}
	return made, text.String()
}

// TestPreparedRows: tables have the same bytes whether their rows come from documents or were prepared while these were
// decoded, also if some prepared rows are missing, damaged, of other files or of other definitions.
func TestPreparedRows(t *testing.T) {
	s := sitetest.Memory(t, store.NewMemory())
	preparedService(t, s)
	names, contents := preparedFiles(t, s.Archive)
	require.Greater(t, len(names), 3)
	made, log := madeOf(t, s.Archive, 1)
	require.NotContains(t, log, "prepared rows")
	require.NotNil(t, made["main_summary 20180301"])
	require.NotNil(t, made["crash_summary 20180301"])
	damaged := 0
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(28, seed))
		for i, name := range names {
			data := slices.Clone(contents[i])
			switch r.IntN(7) {
			case 0:
				require.NoError(t, s.Archive.Delete(context.Background(), name))
				continue
			case 1, 2:
				data[r.IntN(len(data))] ^= byte(1 + r.IntN(255))
			case 3:
				data = data[:r.IntN(len(data))]
			case 4:
				data = contents[r.IntN(len(contents))]
			case 5: // as a program with other definitions writes it
				data = withKey(data, "0123456789abcdef")
			}
			require.NoError(t, store.WriteFile(context.Background(), s.Archive, name, data))
		}
		got, log := madeOf(t, s.Archive, 1+int(seed%2))
		require.Equal(t, made, got, "seed %d", seed)
		if strings.Contains(log, "prepared rows are damaged") {
			damaged++
		}
	}
	assert.Greater(t, damaged, 6)
	require.NoError(t, store.DeleteTree(context.Background(), s.Archive, naming.Prepared))
	got, log := madeOf(t, s.Archive, 2)
	require.Equal(t, made, got)
	require.NotContains(t, log, "prepared rows")
}

// texts returns all prepared rows of an archive, unpacked.
func texts(t testing.TB, b store.Bucket) (all []byte) {
	t.Helper()
	_, contents := preparedFiles(t, b)
	for _, file := range contents {
		var end struct{ Blocks []struct{ Start, Bytes int } }
		size := int(binary.LittleEndian.Uint32(file[len(file)-12:]))
		require.NoError(t, json.Unmarshal(file[len(file)-16-size:len(file)-16], &end))
		for _, block := range end.Blocks {
			rows, err := s2.Decode(nil, file[block.Start:block.Start+block.Bytes])
			require.NoError(t, err)
			all = append(all, rows...)
		}
	}
	return all
}

// requireSameFromDocuments makes the tables with prepared rows and without.
func requireSameFromDocuments(t *testing.T, b store.Bucket) {
	t.Helper()
	names, contents := preparedFiles(t, b)
	with, log := madeOf(t, b, 1)
	require.NotContains(t, log, "prepared rows")
	require.NoError(t, store.DeleteTree(context.Background(), b, naming.Prepared))
	without, _ := madeOf(t, b, 2)
	require.Equal(t, without, with)
	for i, name := range names {
		require.NoError(t, store.WriteFile(context.Background(), b, name, contents[i]))
	}
}

// TestPreparedRowsOfForgottenClients: with the files of pings that a removal replaces go their prepared rows, also if the
// removal comes from an earlier program, which leaves them. The others stay.
func TestPreparedRowsOfForgottenClients(t *testing.T) {
	for _, earlier := range []bool{false, true} {
		s := sitetest.Local(t)
		v := preparedService(t, s)
		etltest.Run(t, s, etl.RunOptions{Tables: []string{"main_summary"}, Days: []string{"20180301"}})
		client := sitetest.RowsOf(t, s, "main_summary", "20180301")[0]["client_id"].(string)
		require.Contains(t, string(texts(t, s.Archive)), client)
		before, contents := preparedFiles(t, s.Archive)
		sitetest.AskToForget(t, s, "a", time.Now(), client)
		mustForget(t, s)
		if earlier {
			for i, name := range before {
				require.NoError(t, store.WriteFile(context.Background(), s.Archive, name, contents[i]))
			}
			requireSameFromDocuments(t, s.Archive) // nobody reads them
			v.clock.Ns.Add(int64(2 * time.Hour))
			v.start()
			v.finish()
		}
		after, _ := preparedFiles(t, s.Archive)
		require.NotContains(t, string(texts(t, s.Archive)), client)
		require.NotEmpty(t, after)
		require.Less(t, len(after), len(before))
		requireSameFromDocuments(t, s.Archive)
	}
}

// TestPreparedRowsGo: they go once the tables of their day are published, and after some days in any case.
func TestPreparedRowsGo(t *testing.T) {
	s := sitetest.Local(t)
	v := preparedService(t, s)
	v.round()
	after, _ := preparedFiles(t, s.Archive)
	require.Empty(t, after)
	sameAsWithoutLive(t, s, v.clock.Now, "20180301", "20180302")

	s = sitetest.Local(t)
	v = preparedService(t, s)
	before, _ := preparedFiles(t, s.Archive)
	v.clock.Ns.Add(int64(24 * time.Hour))
	v.start()
	v.finish()
	after, _ = preparedFiles(t, s.Archive)
	require.Equal(t, before, after)
	v.clock.Ns.Add(int64(24 * time.Hour)) // more than three days after the first one
	v.start()
	v.finish()
	after, _ = preparedFiles(t, s.Archive)
	require.NotEmpty(t, after)
	require.Less(t, len(after), len(before))
}

// TestPreparedRowsSurviveFaults: whatever operation of the disk fails or is the last one of a process, the tables have the
// same rows with prepared rows and without.
func TestPreparedRowsSurviveFaults(t *testing.T) {
	g, records := population(t, 8, 2)
	want := loaded(t, g)
	total, made := 0, 0
	for at := 1; at == 1 || at < total; at += max(1, total/7) {
		arch := storetest.NewFaults(store.NewMemory())
		s := sitetest.Memory(t, arch)
		v := newService(t, s)
		v.start()
		v.send(records)
		if at%2 == 0 {
			arch.FailAt(arch.Ops()+at, errors.New("injected"))
			v.finish()
		} else {
			arch.StopAfter(at)
			close(v.stop)
			<-v.ended
			arch.Revive()
			v.start()
			v.finish()
		}
		total = arch.Ops()
		sameCounts(t, fmt.Sprint("archive, fault at ", at), archivedCounts(t, s), want)
		names, _ := preparedFiles(t, s.Archive)
		made += len(names)
		requireSameFromDocuments(t, s.Archive)
	}
	require.Positive(t, made)
}

// withKey returns a file of prepared rows whose tables have another key.
func withKey(file []byte, key string) []byte {
	size := int(binary.LittleEndian.Uint32(file[len(file)-12:]))
	end := file[len(file)-16-size : len(file)-16]
	for at := range end {
		if rest, is := bytes.CutPrefix(end[at:], []byte(`"key":"`)); is {
			copy(rest, key)
		}
	}
	binary.LittleEndian.PutUint32(file[len(file)-16:], crc32.Checksum(end, crc32.MakeTable(crc32.Castagnoli)))
	return file
}
