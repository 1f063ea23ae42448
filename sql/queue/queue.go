// Package queue decides which queries run when there are more than can run at once: persons take turns, the queries of one
// person run in their order.
package queue

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// Options are the limits of a queue; 0 is no limit.
type Options struct {
	// Slots is how many queries run at once. With two slots or more the last free one is reserved for a person who has no query
	// running, so nobody can hold all of them.
	Slots     int
	PerPerson int // queries of one person that run at once
	// Waiting is how many queries wait at most. A person may have as many waiting as places are free, so half of them alone.
	Waiting int
	// Of, if not nil, gives the number for a person where it is not PerPerson, else 0.
	PersonLimit func(person string) int
}

func (o Options) perPerson(person string) int {
	if o.PersonLimit == nil {
		return o.PerPerson
	}
	return cmp.Or(o.PersonLimit(person), o.PerPerson)
}

// Slots is how many queries run well at once: one for two cores, since each uses all it finds, but two at least, so that nobody
// waits for the query of one other person, and no more than have the memory that each may take.
func Slots(cores int, memory, each int64) int {
	n := max(2, cores/2)
	if each > 0 {
		n = min(n, int(memory/each))
	}
	return max(1, n)
}

// ErrFull means there is no place to wait.
var ErrFull = errors.New("too many queries are waiting: try again later")

// Queue gives slots. It is safe for concurrent use.
type Queue struct {
	o Options

	mu      sync.Mutex
	running map[string]int // by person
	total   int
	waiting map[string][]*waiter // by person, those who came first in front
	turns   []string             // persons with waiting queries, whose turn is next in front
}

// waiter is a query that waits.
type waiter struct {
	person string
	ready  chan struct{} // closed when it has its slot
	moved  chan int      // its newest position, if nobody has heard of it
	last   int
}

// New makes a queue.
func New(o Options) *Queue {
	return &Queue{o: o, running: map[string]int{}, waiting: map[string][]*waiter{}}
}

// Acquire waits for a slot. moved, if not nil, is called by the same goroutine with the position when that changes: 1 is next,
// as far as one can tell. release gives the slot back, once, however often it is called. The error is ErrFull, or why ctx ended.
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

// Place is a query's place in the queue. Either Wait or Leave must be called, once.
type Place struct {
	q *Queue
	w *waiter
}

// Enter takes a place without waiting for the slot, so that the caller knows at once whether there is one. The error is ErrFull.
func (q *Queue) Enter(person string) (*Place, error) {
	w, err := q.enter(person)
	if err != nil {
		return nil, err
	}
	return &Place{q, w}, nil
}

// Leave gives the place back.
func (p *Place) Leave() { p.q.forget(p.w) }

// Wait waits for the slot, as Acquire does. After an error the place is given back.
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

// Load says how many queries run and wait.
func (q *Queue) Load() (running, waiting int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.total, q.count()
}

// count is how many queries wait.
func (q *Queue) count() (n int) {
	for _, all := range q.waiting {
		n += len(all)
	}
	return n
}

// enter puts a query at the end of its person's.
func (q *Queue) enter(person string) (*waiter, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	w := &waiter{person: person, ready: make(chan struct{}), moved: make(chan int, 1)}
	if len(q.waiting[person]) == 0 {
		q.turns = append(q.turns, person)
	}
	q.waiting[person] = append(q.waiting[person], w)
	q.start()
	// A bound on each person's share of the free places leaves some to those who come later.
	if own := len(q.waiting[person]); q.o.Waiting > 0 && slices.Contains(q.waiting[person], w) && own-1 >= q.o.Waiting-(q.count()-1) {
		q.drop(w)
		return nil, ErrFull
	}
	q.notify()
	return w, nil
}

// leave gives back the slot of a person.
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

// forget takes out a query that waits no more; if it just got a slot, that is given back.
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

// drop takes a query out of the waiting ones.
func (q *Queue) drop(w *waiter) {
	all := q.waiting[w.person]
	i := slices.Index(all, w)
	if q.waiting[w.person] = slices.Delete(all, i, i+1); len(q.waiting[w.person]) == 0 {
		delete(q.waiting, w.person)
		q.turns = slices.DeleteFunc(q.turns, func(p string) bool { return p == w.person })
	}
}

// start gives free slots to those whose turn it is.
func (q *Queue) start() {
	for q.o.Slots <= 0 || q.total < q.o.Slots {
		i := slices.IndexFunc(q.turns, func(p string) bool {
			most := q.o.perPerson(p)
			return (most <= 0 || q.running[p] < most) && (q.running[p] == 0 || !q.last())
		})
		if i < 0 {
			return
		}
		person := q.turns[i]
		w := q.waiting[person][0]
		q.drop(w)
		if len(q.waiting[person]) > 0 { // the others come first
			q.turns = append(slices.Delete(q.turns, i, i+1), person)
		}
		q.running[person]++
		q.total++
		close(w.ready)
	}
}

// last says whether one slot is left of several.
func (q *Queue) last() bool { return q.o.Slots > 1 && q.total == q.o.Slots-1 }

// tell tells those who wait where they are now: in each round every person has one turn.
func (q *Queue) notify() {
	position := 0
	for round, more := 0, true; more; round++ {
		more = false
		for _, person := range q.turns {
			if round >= len(q.waiting[person]) {
				continue
			}
			more = true
			position++
			q.waiting[person][round].at(position)
		}
	}
}

// at notes a position; one that nobody has heard of is replaced.
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
