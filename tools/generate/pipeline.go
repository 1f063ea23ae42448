package generate

import (
	"sync"

	"github.com/klauspost/compress/gzip"
)

// slot is the memory for one submission that is being written.
type slot struct {
	entry  entry
	writer writer
	line   []byte // what a file takes of the submission
	plain  []byte // the line before it is compressed
	gzip   *gzip.Writer
	err    error
	done   chan struct{}
}

// inOrder writes all submissions, on as many goroutines as are configured, does
// work on each of them there, and passes them on in order of arrival until pass
// returns false. An error of work is in its slot.
func (g *Generator) inOrder(work func(*slot) error, pass func(*slot) bool) {
	p := pipeline{
		free: make(chan *slot, 4*g.config.Workers), todo: make(chan *slot, 4*g.config.Workers),
		order: make(chan *slot, 4*g.config.Workers), stop: make(chan struct{}),
	}
	for range cap(p.free) {
		p.free <- &slot{writer: writer{g: g}, done: make(chan struct{}, 1)}
	}
	p.run(g, work, pass)
}

// pipeline passes slots around: free ones to the planner, from there to the
// goroutines that write and, in order, to the consumer, who frees them.
type pipeline struct {
	free, todo, order chan *slot
	stop              chan struct{}
	workers           sync.WaitGroup
}

func (p *pipeline) run(g *Generator, work func(*slot) error, pass func(*slot) bool) {
	for range g.config.Workers {
		p.workers.Go(func() {
			for s := range p.todo {
				s.writer.write(&s.entry)
				s.err = work(s)
				s.done <- struct{}{}
			}
		})
	}
	p.workers.Go(func() { p.plan(g) })
	defer p.workers.Wait()
	defer close(p.stop)
	for s := range p.order {
		<-s.done
		if !pass(s) {
			return
		}
		p.free <- s
	}
}

// plan hands out the planned submissions.
func (p *pipeline) plan(g *Generator) {
	defer close(p.todo)
	defer close(p.order)
	g.plan(func(e *entry) bool {
		select {
		case <-p.stop:
			return false
		case s := <-p.free:
			s.entry = *e
			p.order <- s
			p.todo <- s
			return true
		}
	})
}
