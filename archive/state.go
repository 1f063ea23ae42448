package archive

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"path"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/archive/rowfile"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// States returns a name for the state of every day since from that has pings, or should have them: another name
// means that files were added or removed. It lists folders and reads no files, so it can be called often; a
// load that is being published may change a name twice.
func States(ctx context.Context, b store.Bucket, from ping.Day) (map[ping.Day]string, error) {
	days, err := knownDays(ctx, b, KindPings, from)
	if err != nil {
		return nil, err
	}
	expired, err := ExpiredDays(ctx, b, KindPings)
	if err != nil {
		return nil, err
	}
	states := map[ping.Day]string{}
	for _, day := range days {
		h := sha256.New()
		n, err := hashNames(ctx, b, naming.Pings+"/"+naming.DayKey+string(day)+"/", h)
		if err != nil {
			return nil, err
		}
		if n == 0 && expired[day] {
			continue
		}
		noted, err := hashNames(ctx, b, indexed{rowfile.Pings.Name(), string(day)}.dir()+"/", h)
		if err != nil {
			return nil, err
		}
		if n+noted > 0 { // else a folder that is just being made or removed
			states[day] = hex.EncodeToString(h.Sum(nil)[:16])
		}
	}
	return states, nil
}

// KnownDays lists the days that have a folder of a kind, or files in the index, in order; "" stands for
// rejected submissions of no known day. It includes damaged days.
func KnownDays(ctx context.Context, b store.Bucket, k Kind) ([]ping.Day, error) {
	days, err := knownDays(ctx, b, k, "")
	if err != nil || k == KindPings {
		return days, err
	}
	for _, dir := range []string{(partition{kind: rowfile.Rejected}).dayDir(), indexed{kind: rowfile.Rejected.Name()}.dir() + "/"} {
		for _, err := range b.List(ctx, dir) {
			if err != nil {
				return nil, fmt.Errorf("list archive days: %w", err)
			}
			return append([]ping.Day{""}, days...), nil
		}
	}
	return days, nil
}

// knownDays lists the days from a day on that have a folder of a kind, or files by
// the index, in order.
func knownDays(ctx context.Context, b store.Bucket, k Kind, from ping.Day) ([]ping.Day, error) {
	days, err := dayFolders(ctx, b, k, from)
	if err != nil {
		return nil, err
	}
	noted, err := indexedDays(ctx, b, k)
	if err != nil {
		return nil, err
	}
	for _, day := range noted {
		if day >= from {
			days = append(days, day)
		}
	}
	slices.Sort(days)
	return slices.Compact(days), nil
}

// dayFolders lists the days from a day on that have a folder of a kind, in order.
func dayFolders(ctx context.Context, b store.Bucket, k Kind, from ping.Day) (days []ping.Day, err error) {
	for e, err := range store.Children(ctx, b, k.Dir()) {
		if err != nil {
			return nil, fmt.Errorf("list archive days: %w", err)
		}
		day, ok := strings.CutPrefix(path.Base(strings.TrimSuffix(e.Name, "/")), naming.DayKey)
		if ok && naming.ValidDay([]byte(day)) && ping.Day(day) >= from {
			days = append(days, ping.Day(day))
		}
	}
	return days, nil
}

// Oldest returns the first day since from that has pings and for which wanted returns true, "" if there is
// none. It examines only wanted days, so it can be called often.
func Oldest(ctx context.Context, b store.Bucket, from ping.Day, wanted func(ping.Day) bool) (ping.Day, error) {
	days, err := knownDays(ctx, b, KindPings, from)
	if err != nil {
		return "", err
	}
	for _, day := range days {
		if !wanted(day) {
			continue
		}
		types, err := DocTypes(ctx, b, day)
		if err != nil && !IsDamage(err) {
			return "", err
		}
		if len(types) > 0 || err != nil {
			return day, nil
		}
	}
	return "", nil
}

// hashNames adds the names and sizes under a prefix to h and counts them.
func hashNames(ctx context.Context, b store.Bucket, prefix string, h hash.Hash) (n int, err error) {
	for e, err := range b.List(ctx, prefix) {
		if err != nil {
			return 0, fmt.Errorf("list archive days: %w", err)
		}
		fmt.Fprintf(h, "%s\x00%d\n", e.Name, e.Size)
		n++
	}
	return n, nil
}
