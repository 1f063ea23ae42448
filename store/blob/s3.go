package blob

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/ratelimit"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/feature/s3/transfermanager"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/logging"
	smithyhttp "github.com/aws/smithy-go/transport/http"
	cloud "gocloud.dev/blob"
	"gocloud.dev/blob/s3blob"
)

// s3Service is Amazon's, and servers that speak its protocol.
type s3Service struct {
	client *s3.Client
	bucket string
	set    s3blob.Options
}

func (s *s3Service) open(ctx context.Context, r root, web *web) (*cloud.Bucket, error) {
	var opts []func(*config.LoadOptions) error
	if region := r.get("region"); region != "" {
		opts = append(opts, config.WithRegion(region))
	}
	if profile := r.get("profile"); profile != "" {
		opts = append(opts, config.WithSharedConfigProfile(profile))
	}
	if yes(r.get("anonymous")) {
		opts = append(opts, config.WithCredentialsProvider(aws.AnonymousCredentials{}))
	}
	if r.get("checksums") == "required" {
		opts = append(opts, config.WithRequestChecksumCalculation(aws.RequestChecksumCalculationWhenRequired))
	}
	cfg, err := config.LoadDefaultConfig(ctx, opts...)
	if err != nil {
		return nil, err
	}
	if cfg.Region == "" {
		cfg.Region = "us-east-1" // of servers that know no regions; Amazon's name the right one
	}
	s.bucket = r.bucket
	s.client = s3.NewFromConfig(cfg, func(o *s3.Options) {
		o.HTTPClient = web.client()
		o.Retryer = retryer(web)
		o.UsePathStyle = yes(r.get("path-style"))
		o.Logger = logging.Nop{} // what fails is returned
		if e := r.get("endpoint"); e != "" {
			o.BaseEndpoint = aws.String(e)
		}
	})
	s.set = s3blob.Options{
		EncryptionType: types.ServerSideEncryption(r.get("encryption")), KMSEncryptionID: r.get("kms-key"),
		RequestChecksumCalculation: cfg.RequestChecksumCalculation,
	}
	return s3blob.OpenBucket(ctx, s.client, r.bucket, &s.set)
}

func yes(value string) bool {
	is, _ := strconv.ParseBool(value)
	return is
}

// beside is the error of versitygw for a moment if a neighbour of an object is removed while the object is
// written; and always for an object with the name of a directory.
const beside = "ExistingObjectIsDirectory"

// conflicts lists the errors of concurrent requests, whatever their conditions are.
var conflicts = []string{"ConditionalRequestConflict", "OperationAborted", beside}

func apiCode(err error) string {
	var api smithy.APIError
	if errors.As(err, &api) {
		return api.ErrorCode()
	}
	return ""
}

// retryer tries again what may succeed then, with our pauses, and counts it.
func retryer(web *web) aws.Retryer {
	return retry.NewStandard(func(o *retry.StandardOptions) {
		o.MaxAttempts = web.attempts
		o.RateLimiter = ratelimit.None
		o.Backoff = retry.BackoffDelayerFunc(func(attempt int, err error) (time.Duration, error) {
			web.counter.retried()
			if apiCode(err) == beside {
				return pause(attempt-1) / 20, nil
			}
			return pause(attempt - 1), nil
		})
		o.Retryables = append(o.Retryables, retry.IsErrorRetryableFunc(func(err error) aws.Ternary {
			if cut(err) || slices.Contains(conflicts, apiCode(err)) {
				return aws.TrueTernary
			}
			return aws.UnknownTernary
		}))
	})
}

func (s *s3Service) version(as func(any) bool) string {
	var got s3.GetObjectOutput
	var head s3.HeadObjectOutput
	switch {
	case as(&got):
		return aws.ToString(got.ETag)
	case as(&head):
		return aws.ToString(head.ETag)
	}
	return ""
}

func (s *s3Service) reading(version string) *cloud.ReaderOptions {
	return &cloud.ReaderOptions{BeforeRead: func(as func(any) bool) error {
		var in *s3.GetObjectInput
		if !as(&in) {
			return errors.ErrUnsupported
		}
		in.IfMatch = aws.String(version)
		return nil
	}}
}

func (s *s3Service) uploads(o *cloud.WriterOptions) {
	o.BeforeWrite = s.before("", false)
}

func (s *s3Service) writing(o *cloud.WriterOptions, version string) {
	o.BeforeWrite = s.before(version, true)
}

func (s *s3Service) before(version string, conditional bool) func(func(any) bool) error {
	return func(as func(any) bool) error {
		var in *transfermanager.UploadObjectInput
		var client *transfermanager.Client
		if !as(&in) {
			return errors.ErrUnsupported
		}
		switch {
		case conditional && version == "":
			in.IfNoneMatch = aws.String("*")
		case conditional:
			in.IfMatch = aws.String(version)
		}
		if as(&client) {
			*client = *transfermanager.New(s.client, func(o *transfermanager.Options) {
				o.PartSizeBytes, o.MultipartUploadThreshold, o.Concurrency = partSize, partSize, partsAtOnce
				o.RequestChecksumCalculation = s.set.RequestChecksumCalculation
				o.FailTimeout = usualStall // for the end of an upload that was given up
			})
		}
		return nil
	}
}

func (s *s3Service) delete(ctx context.Context, key, version string) error {
	in := &s3.DeleteObjectInput{Bucket: &s.bucket, Key: &key}
	if version != "" {
		in.IfMatch = &version
	}
	_, err := s.client.DeleteObject(ctx, in)
	return err
}

// tidy lists the unfinished uploads of a prefix.
func (s *s3Service) tidy(ctx context.Context, prefix string, before time.Time) error {
	pages := s3.NewListMultipartUploadsPaginator(s.client, &s3.ListMultipartUploadsInput{Bucket: &s.bucket, Prefix: &prefix})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return err
		}
		for _, u := range page.Uploads {
			if !strings.HasPrefix(aws.ToString(u.Key), prefix) || !before.IsZero() && !aws.ToTime(u.Initiated).Before(before) {
				continue
			}
			_, err := s.client.AbortMultipartUpload(ctx, &s3.AbortMultipartUploadInput{Bucket: &s.bucket, Key: u.Key, UploadId: u.UploadId})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *s3Service) failure(err error) (code string, status int) {
	var resp *smithyhttp.ResponseError
	if errors.As(err, &resp) {
		status = resp.HTTPStatusCode()
	}
	return apiCode(err), status
}
