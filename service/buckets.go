package service

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/pingmill/pingmill/store/blob"
)

// buckets collects the number of requests of this process to object storage, which is billed by request.
type buckets struct{}

var (
	bucketRequests = prometheus.NewDesc("pingmill_bucket_requests_total", "Requests to object storage, each try, by what they are billed as.",
		[]string{"kind"}, nil)
	bucketRetries = prometheus.NewDesc("pingmill_bucket_retries_total", "Requests to object storage that are another one tried again.", nil,
		nil)
	bucketErrors = prometheus.NewDesc("pingmill_bucket_errors_total", "Requests to object storage that failed or got no answer.", nil, nil)
	bucketBytes  = prometheus.NewDesc("pingmill_bucket_bytes_total", "Bytes from and to object storage.", []string{"direction"}, nil)
)

func (buckets) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{bucketRequests, bucketRetries, bucketErrors, bucketBytes} {
		to <- d
	}
}

func (buckets) Collect(to chan<- prometheus.Metric) {
	counter := func(d *prometheus.Desc, n int64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(n), labels...)
	}
	c := blob.Totals()
	for _, kind := range blob.Kinds {
		counter(bucketRequests, c.Requests[kind], kind)
	}
	counter(bucketRetries, c.Retries)
	counter(bucketErrors, c.Errors)
	counter(bucketBytes, c.In, "in")
	counter(bucketBytes, c.Out, "out")
}
