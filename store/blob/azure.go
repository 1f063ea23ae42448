package blob

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/bloberror"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	cloud "gocloud.dev/blob"
	"gocloud.dev/blob/azureblob"
)

// azureService is Microsoft's. Its buckets are called containers.
type azureService struct {
	client *container.Client
	cloud  *cloud.Bucket
	scope  *string
}

// Variables of the environment that credentials come from, as Azure's own tools have them.
const (
	azureAccount = "AZURE_STORAGE_ACCOUNT"
	azureKey     = "AZURE_STORAGE_KEY"
	azureSAS     = "AZURE_STORAGE_SAS_TOKEN"
)

func (s *azureService) open(ctx context.Context, r root, web *web) (*cloud.Bucket, error) {
	account := r.get("account")
	if account == "" {
		account = os.Getenv(azureAccount)
	}
	if account == "" {
		return nil, fmt.Errorf("the storage account is not known: set %s, or account= in the URL", azureAccount)
	}
	if scope := r.get("encryption-scope"); scope != "" {
		s.scope = &scope
	}
	url := r.get("endpoint")
	if url == "" {
		url = "https://" + account + ".blob.core.windows.net"
	}
	var err error
	if s.client, err = azureClient(url+"/"+r.bucket, account, yes(r.get("anonymous")), web); err != nil {
		return nil, err
	}
	s.cloud, err = azureblob.OpenBucket(ctx, s.client, nil)
	return s.cloud, err
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

func (s *azureService) version(as func(any) bool) string {
	var got blob.DownloadStreamResponse
	var head blob.GetPropertiesResponse
	var tag *azcore.ETag
	switch {
	case as(&got):
		tag = got.ETag
	case as(&head):
		tag = head.ETag
	}
	if tag == nil {
		return ""
	}
	return string(*tag)
}

// only has a request fail unless the object has a version; "" is no object.
func only(version string) *blob.AccessConditions {
	tag, none := azcore.ETag(version), azcore.ETagAny
	if version == "" {
		return &blob.AccessConditions{ModifiedAccessConditions: &blob.ModifiedAccessConditions{IfNoneMatch: &none}}
	}
	return &blob.AccessConditions{ModifiedAccessConditions: &blob.ModifiedAccessConditions{IfMatch: &tag}}
}

func (s *azureService) reading(version string) *cloud.ReaderOptions {
	return &cloud.ReaderOptions{BeforeRead: func(as func(any) bool) error {
		var o *azblob.DownloadStreamOptions
		if !as(&o) {
			return errors.ErrUnsupported
		}
		o.AccessConditions = only(version)
		return nil
	}}
}

func (s *azureService) uploads(o *cloud.WriterOptions) { o.BeforeWrite = s.before(nil) }

func (s *azureService) writing(o *cloud.WriterOptions, version string) {
	o.BeforeWrite = s.before(only(version))
}

func (s *azureService) before(condition *blob.AccessConditions) func(func(any) bool) error {
	return func(as func(any) bool) error {
		var o *blockblob.UploadStreamOptions
		if !as(&o) {
			return errors.ErrUnsupported
		}
		o.AccessConditions = condition
		if s.scope != nil {
			o.CPKScopeInfo = &blob.CPKScopeInfo{EncryptionScope: s.scope}
		}
		return nil
	}
}

func (s *azureService) delete(ctx context.Context, key, version string) error {
	o := &blob.DeleteOptions{}
	if version != "" {
		o.AccessConditions = only(version)
	}
	_, err := s.client.NewBlobClient(key).Delete(ctx, o)
	return err
}

func (s *azureService) copy(ctx context.Context, from, to string) error {
	return s.cloud.Copy(ctx, to, from, nil)
}

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
