package kafka

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPartitionsBeforeRun: the group may give partitions to a process that does not decode yet, and take them back.
func TestPartitionsBeforeRun(t *testing.T) {
	t.Parallel()
	o := configOf(t, newCluster(t, 3, good))
	o.Session = 10 * time.Second
	c, err := NewConsumer(o)
	require.NoError(t, err)
	require.Eventually(t, func() bool { return c.Stats().Partitions == 3 }, 20*time.Second, 10*time.Millisecond)
	c.revoke([]int32{1}, false)
	decoded, stop, ended := make(chan int32, 3), make(chan struct{}), make(chan error)
	go func() {
		ended <- c.Run(t.Context(), stop, func(_ context.Context, stop <-chan struct{}, p *Partition) error {
			decoded <- p.id
			<-stop
			return nil
		})
	}()
	assert.ElementsMatch(t, []int32{0, 2}, []int32{<-decoded, <-decoded})
	close(stop)
	assert.NoError(t, <-ended)
}
