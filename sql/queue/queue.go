// Package queue schedules queries when more are waiting than can run at once. Free slots go to persons in round-robin
// order; the queries of one person run first in, first out.
package queue

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// Options are the limits of a queue; 0 means no limit.
type Options struct {
	// Slots is the number of queries that run at once. With two slots or more the last free slot is reserved for a person
	// without a running query, so that no person can occupy all slots.
	Slots     int
	PerPerson int // queries of one person that run at once
	// Waiting is the maximum number of waiting queries. One person may have at most as many waiting queries as there are
	// free places, so alone half of all places.
	Waiting int
	// PersonLimit, if not nil, returns the limit of a person that replaces PerPerson, or 0 if the person has none.
	PersonLimit func(person string) int
}

func (o Options) perPerson(person string) int {
	if o.PersonLimit == nil {
		return o.PerPerson
	}
	return cmp.Or(o.PersonLimit(person), o.PerPerson)
}

// Slots returns a suitable number of slots: one for two cores, since each query uses all idle cores, but at least two,
// so that nobody waits for one other person's query, and no more than fit into memory if each query takes each bytes.
// It returns at least 1.
func Slots(cores int, memory, each int64) int {
	n := max(2, cores/2)
	if each > 0 {
		n = min(n, int(memory/each))
	}
	return max(1, n)
}

// ErrFull means the queue has no free place for this person.
var ErrFull = errors.New("too many queries are waiting: try again later")

// Queue assigns slots to queries. It is safe for concurrent use.
type Queue struct {
	o Options

	mu       sync.Mutex
	running  map[string]int // by person
	total    int
	waiting  map[string][]*waiter // by person, oldest first
	rotation []string             // persons with waiting queries, next first
}

// waiter is a waiting query.
type waiter struct {
	person string
	ready  chan struct{} // closed when it has its slot
	moved  chan int      // the newest position, until it is received
	last   int
}

// New returns an empty queue.
func New(o Options) *Queue {
	return &Queue{o: o, running: map[string]int{}, waiting: map[string][]*waiter{}}
}

// Acquire waits for a slot. moved, if not nil, is called in the same goroutine whenever the estimated position changes;
// 1 is next. release frees the slot; only its first call has an effect. The error is ErrFull or the cause of ctx.
func (q *Queue) Acquire(ctx context.Context, person string, moved func(position int)) (release func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	p, err := q.Enter(person)
	if err != nil {
		return nil, err
	}
	return p.Wait(ctx, moved)
}

// Place is a query's place in the queue. The caller must call either Wait or Leave, once.
type Place struct {
	q *Queue
	w *waiter
}

// Enter reserves a place without waiting for the slot, so that the caller learns at once if the queue is full. The
// error is ErrFull.
func (q *Queue) Enter(person string) (*Place, error) {
	w, err := q.enter(person)
	if err != nil {
		return nil, err
	}
	return &Place{q, w}, nil
}

// Leave frees the place.
func (p *Place) Leave() { p.q.forget(p.w) }

// Wait waits for the slot, as Acquire does. If it returns an error it has freed the place.
func (p *Place) Wait(ctx context.Context, moved func(position int)) (release func(), err error) {
	for {
		select {
		case <-p.w.ready:
			return sync.OnceFunc(func() { p.q.leave(p.w.person) }), nil
		default:
		}
		select {
		case <-p.w.ready:
		case n := <-p.w.moved:
			if moved != nil {
				moved(n)
			}
		case <-ctx.Done():
			p.q.forget(p.w)
			return nil, fmt.Errorf("wait for other queries: %w", context.Cause(ctx))
		}
	}
}

// Load returns the numbers of running and waiting queries.
func (q *Queue) Load() (running, waiting int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.total, q.count()
}

// count returns the number of waiting queries.
func (q *Queue) count() (n int) {
	for _, all := range q.waiting {
		n += len(all)
	}
	return n
}

// enter appends a query to its person's waiting queries.
func (q *Queue) enter(person string) (*waiter, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	w := &waiter{person: person, ready: make(chan struct{}), moved: make(chan int, 1)}
	if len(q.waiting[person]) == 0 {
		q.rotation = append(q.rotation, person)
	}
	q.waiting[person] = append(q.waiting[person], w)
	q.start()
	// Limiting each person to a share of the free places reserves some for persons who arrive later.
	if own := len(q.waiting[person]); q.o.Waiting > 0 && slices.Contains(q.waiting[person], w) && own-1 >= q.o.Waiting-(q.count()-1) {
		q.drop(w)
		return nil, ErrFull
	}
	q.notify()
	return w, nil
}

// leave frees a slot of a person.
func (q *Queue) leave(person string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.total--
	if q.running[person]--; q.running[person] == 0 {
		delete(q.running, person)
	}
	q.start()
	q.notify()
}

// forget removes a query that no longer waits. If it has just got a slot, forget frees the slot.
func (q *Queue) forget(w *waiter) {
	q.mu.Lock()
	if !slices.Contains(q.waiting[w.person], w) {
		q.mu.Unlock()
		q.leave(w.person)
		return
	}
	defer q.mu.Unlock()
	q.drop(w)
	q.start()
	q.notify()
}

// drop removes a query from the waiting ones.
func (q *Queue) drop(w *waiter) {
	all := q.waiting[w.person]
	i := slices.Index(all, w)
	if q.waiting[w.person] = slices.Delete(all, i, i+1); len(q.waiting[w.person]) == 0 {
		delete(q.waiting, w.person)
		q.rotation = slices.DeleteFunc(q.rotation, func(p string) bool { return p == w.person })
	}
}

// start assigns free slots to waiting persons in order.
func (q *Queue) start() {
	for q.o.Slots <= 0 || q.total < q.o.Slots {
		i := slices.IndexFunc(q.rotation, func(p string) bool {
			most := q.o.perPerson(p)
			return (most <= 0 || q.running[p] < most) && (q.running[p] == 0 || !q.last())
		})
		if i < 0 {
			return
		}
		person := q.rotation[i]
		w := q.waiting[person][0]
		q.drop(w)
		if len(q.waiting[person]) > 0 { // the others come first
			q.rotation = append(slices.Delete(q.rotation, i, i+1), person)
		}
		q.running[person]++
		q.total++
		close(w.ready)
	}
}

// last reports whether exactly one of several slots is free.
func (q *Queue) last() bool { return q.o.Slots > 1 && q.total == q.o.Slots-1 }

// notify sends each waiting query its position, assuming that every person starts one query per round.
func (q *Queue) notify() {
	position := 0
	for round, more := 0, true; more; round++ {
		more = false
		for _, person := range q.rotation {
			if round >= len(q.waiting[person]) {
				continue
			}
			more = true
			position++
			q.waiting[person][round].at(position)
		}
	}
}

// at records a position. It replaces a position that was not received yet.
func (w *waiter) at(position int) {
	if w.last == position {
		return
	}
	w.last = position
	select {
	case <-w.moved:
	default:
	}
	w.moved <- position
}
