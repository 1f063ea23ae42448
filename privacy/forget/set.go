package forget

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"slices"
	"strings"
	"time"
)

// Hash identifies a client: the beginning of the SHA-256 of its id in lower
// case. Ids are random, so a hash does not reveal them.
type Hash [16]byte

// HashOf returns the hash of a client id.
func HashOf(id []byte) Hash {
	if slices.ContainsFunc(id, func(c byte) bool { return c-'A' < 26 }) {
		id = bytes.ToLower(id)
	}
	sum := sha256.Sum256(id)
	return Hash(sum[:16])
}

// Client is a forgotten client.
type Client struct {
	Hash      Hash
	Requested time.Time // whole seconds
	Removed   time.Time // when the rows were removed; zero: they are not yet
}

// Set is the clients that are forgotten at a moment. It does not change, and may
// be used by several goroutines. A nil Set is empty.
type Set struct {
	removed  []Client // by hash
	pending  []Client // by hash
	odd      [][]byte // ids of pending that have not the form of a UUID
	requests int
}

// Requests returns the number of requests ever made. Of two sets, the one with more requests includes the
// other's clients.
func (s *Set) Requests() int {
	if s == nil {
		return 0
	}
	return s.requests
}

// Len returns the number of clients, and how many of them still have rows.
func (s *Set) Len() (all, pending int) {
	if s == nil {
		return 0, 0
	}
	return len(s.removed) + len(s.pending), len(s.pending)
}

// Find returns the entry of a client.
func (s *Set) Find(id []byte) (Client, bool) {
	if s == nil || len(s.pending)+len(s.removed) == 0 {
		return Client{}, false
	}
	h := HashOf(id)
	for _, clients := range [][]Client{s.pending, s.removed} {
		if i, ok := slices.BinarySearchFunc(clients, h, Client.compare); ok {
			return clients[i], true
		}
	}
	return Client{}, false
}

func (c Client) compare(h Hash) int { return bytes.Compare(c.Hash[:], h[:]) }

// Has reports whether a client is forgotten.
func (s *Set) Has(id []byte) bool {
	_, ok := s.Find(id)
	return ok
}

// In reports whether the id of a forgotten client is somewhere in a text. For
// clients whose rows are removed, ids that are no UUIDs are not found.
func (s *Set) In(text []byte) bool {
	if s == nil {
		return false
	}
	for id := range uuids(text) {
		if s.Has(id) {
			return true
		}
	}
	return slices.ContainsFunc(s.odd, func(id []byte) bool { return bytes.Contains(text, id) })
}

// Redacted returns a text without the ids of forgotten clients, as far as In finds them.
func (s *Set) Redacted(text string) string {
	if !s.In([]byte(text)) {
		return text
	}
	for id := range uuids([]byte(text)) {
		if s.Has(id) {
			text = strings.ReplaceAll(text, string(id), redaction)
		}
	}
	for _, id := range s.odd {
		text = strings.ReplaceAll(text, string(id), redaction)
	}
	return text
}

// redaction is written in place of an id.
const redaction = "(forgotten client)"

// uuidLen is the length of a UUID as text.
const uuidLen = 36

// uuids yields all parts of a text that have the form of a UUID.
func uuids(text []byte) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for at := 0; ; at++ {
			n := bytes.IndexByte(text[at:], '-') // the first dash of a UUID is its ninth byte
			if n < 0 {
				return
			}
			at += n
			if from := at - 8; from >= 0 && from+uuidLen <= len(text) && isUUID(text[from:from+uuidLen]) {
				if !yield(text[from : from+uuidLen]) {
					return
				}
			}
		}
	}
}

func isUUID(b []byte) bool {
	for i, c := range b {
		switch i {
		case 8, 13, 18, 23:
			if c != '-' {
				return false
			}
		default:
			if c-'0' > 9 && (c|0x20)-'a' > 5 {
				return false
			}
		}
	}
	return len(b) == uuidLen
}

// newSet makes a set of removed clients and of requests.
func newSet(removed []Client, counted int, requests []*Request) *Set {
	s := &Set{removed: removed, requests: counted + len(requests)}
	for _, q := range requests {
		for _, id := range q.Clients {
			s.pending = append(s.pending, Client{Hash: HashOf([]byte(id)), Requested: q.Time.UTC().Truncate(time.Second)})
			if !isUUID([]byte(id)) {
				s.odd = append(s.odd, []byte(id))
			}
		}
	}
	s.pending = distinct(s.pending)
	return s
}

// distinct sorts clients and keeps the first entry of each, with the last
// time of its removal.
func distinct(clients []Client) []Client {
	slices.SortFunc(clients, func(x, y Client) int {
		return cmp.Or(x.compare(y.Hash), x.Requested.Compare(y.Requested), x.Removed.Compare(y.Removed))
	})
	var out []Client
	for _, c := range clients {
		if last := len(out) - 1; last >= 0 && out[last].Hash == c.Hash {
			if c.Removed.After(out[last].Removed) {
				out[last].Removed = c.Removed
			}
			continue
		}
		out = append(out, c)
	}
	return out
}

// Finder says of ids whether their hash is among some.
func Finder(hashes []Hash) func(id string) bool {
	set := make(map[Hash]struct{}, len(hashes))
	for _, h := range hashes {
		set[h] = struct{}{}
	}
	return func(id string) bool {
		_, ok := set[HashOf([]byte(id))]
		return ok
	}
}
