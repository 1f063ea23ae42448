package blob_test

import (
	"testing"

	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/blob/blobtest"
	"github.com/pingmill/pingmill/store/storetest"
)

func TestGCS(t *testing.T) {
	storetest.Accept(t, func(t *testing.T) store.Bucket { return open(t, blobtest.GCS(t)) })
}

func TestAzure(t *testing.T) {
	storetest.Accept(t, func(t *testing.T) store.Bucket { return open(t, blobtest.Azure(t)) })
}
