package blob

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/streaming"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/bloberror"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"

	"github.com/pingmill/pingmill/internal/clock"
)

// azureService is Microsoft's. Its buckets are called containers.
type azureService struct {
	client *container.Client
	scope  *blob.CPKScopeInfo
}

// Variables of the environment that credentials come from, as Azure's own tools have them.
const (
	azureAccount = "AZURE_STORAGE_ACCOUNT"
	azureKey     = "AZURE_STORAGE_KEY"
	azureSAS     = "AZURE_STORAGE_SAS_TOKEN"
)

func (s *azureService) open(_ context.Context, r root, web *web) (err error) {
	account := r.get("account")
	if account == "" {
		account = os.Getenv(azureAccount)
	}
	if account == "" {
		return fmt.Errorf("the storage account is not known: set %s, or account= in the URL", azureAccount)
	}
	if scope := r.get("encryption-scope"); scope != "" {
		s.scope = &blob.CPKScopeInfo{EncryptionScope: &scope}
	}
	url := r.get("endpoint")
	if url == "" {
		url = "https://" + account + ".blob.core.windows.net"
	}
	s.client, err = azureClient(url+"/"+r.bucket, account, yes(r.get("anonymous")), web)
	return err
}

// azureClient uses the first available credentials: a key, a token, the machine's or a signed-in user's.
func azureClient(url, account string, anonymous bool, web *web) (*container.Client, error) {
	counted := func(n int64) policy.Policy {
		return policyFunc(func(req *policy.Request) (*http.Response, error) {
			web.counter.tried(n)
			return req.Next()
		})
	}
	o := &container.ClientOptions{ClientOptions: azcore.ClientOptions{
		Transport:        web.client(),
		Retry:            policy.RetryOptions{MaxRetries: int32(web.attempts) - 1, RetryDelay: firstPause, MaxRetryDelay: longPause},
		PerCallPolicies:  []policy.Policy{counted(-1)},
		PerRetryPolicies: []policy.Policy{counted(1)}, // the difference is the number of retries
	}}
	key, token := os.Getenv(azureKey), os.Getenv(azureSAS)
	switch {
	case anonymous:
		return container.NewClientWithNoCredential(url, o)
	case key != "":
		c, err := container.NewSharedKeyCredential(account, key)
		if err != nil {
			return nil, errors.New(azureKey + " is not a key: it has to be Base64")
		}
		return container.NewClientWithSharedKeyCredential(url, c, o)
	case token != "":
		return container.NewClientWithNoCredential(url+"?"+token, o)
	}
	c, err := azidentity.NewDefaultAzureCredential(nil)
	if err != nil {
		return nil, err
	}
	return container.NewClient(url, c, o)
}

type policyFunc func(*policy.Request) (*http.Response, error)

// Do implements policy.Policy.
func (f policyFunc) Do(req *policy.Request) (*http.Response, error) { return f(req) }

func (s *azureService) list(ctx context.Context, prefix, delimiter, token string, most int) (p page, err error) {
	o := &container.ListBlobsHierarchyOptions{Prefix: &prefix, MaxResults: to.Ptr(int32(most))}
	if token != "" {
		o.Marker = &token
	}
	out, err := s.client.NewListBlobsHierarchyPager(delimiter, o).NextPage(ctx)
	if err != nil {
		return p, err
	}
	for _, b := range out.Segment.BlobItems {
		p.entries = append(p.entries, entry{name: value(b.Name), size: value(b.Properties.ContentLength)})
	}
	for _, f := range out.Segment.BlobPrefixes {
		p.entries = append(p.entries, entry{name: value(f.Name), folder: true})
	}
	sortEntries(p.entries)
	p.next = value(out.NextMarker)
	return p, nil
}

// value returns what a member of an answer points to; the zero value if the server did not send it.
func value[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

func (s *azureService) head(ctx context.Context, key string) (object, error) {
	out, err := s.client.NewBlobClient(key).GetProperties(ctx, nil)
	if err != nil {
		return object{}, err
	}
	o := object{size: value(out.ContentLength), version: string(value(out.ETag)), changed: value(out.LastModified)}
	for name, mark := range out.Metadata {
		if strings.EqualFold(name, markKey) { // they are headers, in any case
			o.mark = value(mark)
		}
	}
	return o, nil
}

func (s *azureService) get(ctx context.Context, key, version string, off, length int64) (io.ReadCloser, object, error) {
	o := &blob.DownloadStreamOptions{Range: blob.HTTPRange{Offset: off, Count: max(1, length)}}
	if version != "" {
		o.AccessConditions = only(version)
	}
	out, err := s.client.NewBlobClient(key).DownloadStream(ctx, o)
	if err != nil {
		return nil, object{}, err
	}
	return out.Body, object{size: wholeSize(value(out.ContentLength), value(out.ContentRange)), version: string(value(out.ETag))}, nil
}

// only has a request fail unless the object has a version; "" is no object.
func only(version string) *blob.AccessConditions {
	tag, none := azcore.ETag(version), azcore.ETagAny
	if version == "" {
		return &blob.AccessConditions{ModifiedAccessConditions: &blob.ModifiedAccessConditions{IfNoneMatch: &none}}
	}
	return &blob.AccessConditions{ModifiedAccessConditions: &blob.ModifiedAccessConditions{IfMatch: &tag}}
}

func (s *azureService) put(ctx context.Context, key string, data []byte, mark string, must *condition) (string, error) {
	o := &blockblob.UploadOptions{
		HTTPHeaders: &blob.HTTPHeaders{BlobContentType: to.Ptr(objectType)}, Metadata: map[string]*string{markKey: &mark}, CPKScopeInfo: s.scope,
	}
	if must != nil {
		o.AccessConditions = only(must.version)
	}
	out, err := s.client.NewBlockBlobClient(key).Upload(ctx, streaming.NopCloser(bytes.NewReader(data)), o)
	return string(value(out.ETag)), err
}

func (s *azureService) upload(ctx context.Context, key string, in io.Reader, mark string) error {
	_, err := s.client.NewBlockBlobClient(key).UploadStream(ctx, in, &blockblob.UploadStreamOptions{
		BlockSize: partSize, Concurrency: partsAtOnce, CPKScopeInfo: s.scope,
		HTTPHeaders: &blob.HTTPHeaders{BlobContentType: to.Ptr(objectType)}, Metadata: map[string]*string{markKey: &mark},
	})
	return err
}

func (s *azureService) delete(ctx context.Context, key, version string) error {
	o := &blob.DeleteOptions{}
	if version != "" {
		o.AccessConditions = only(version)
	}
	_, err := s.client.NewBlobClient(key).Delete(ctx, o)
	return err
}

func (s *azureService) copy(ctx context.Context, from, name string) error {
	target := s.client.NewBlobClient(name)
	out, err := target.StartCopyFromURL(ctx, s.client.NewBlobClient(from).URL(), nil)
	if err != nil {
		return err
	}
	for state := value(out.CopyStatus); state != blob.CopyStatusTypeSuccess; {
		if state != blob.CopyStatusTypePending {
			return fmt.Errorf("the server has not copied the object: %s", state)
		}
		if err := clock.Wait(ctx, copyPause); err != nil {
			return err
		}
		now, err := target.GetProperties(ctx, nil)
		if err != nil {
			return err
		}
		state = value(now.CopyStatus)
	}
	return nil
}

// copyPause is the time between questions whether a copy is complete.
const copyPause = 500 * time.Millisecond

// tidy does nothing: parts of unfinished uploads go by themselves after a week.
func (s *azureService) tidy(context.Context, string, time.Time) error { return nil }

func (s *azureService) failure(err error) (code string, status int) {
	var api *azcore.ResponseError
	if !errors.As(err, &api) {
		return "", 0
	}
	if bloberror.HasCode(err, bloberror.BlobAlreadyExists) { // not where no object was the condition
		return api.ErrorCode, http.StatusPreconditionFailed
	}
	return api.ErrorCode, api.StatusCode
}
