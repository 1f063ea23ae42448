"""Makes main_summary from lines of {"meta", "ping"} with Spark in one thread. The job is a file of JSON; the rows that were written and Spark's
version are JSON on standard output."""

import json
import sys

from pyspark.sql import SparkSession

with open(sys.argv[1]) as file:
    job = json.load(file)
spark = (
    SparkSession.builder.config("spark.sql.parquet.compression.codec", "zstd")
    .config("spark.sql.shuffle.partitions", "1")
    .getOrCreate()
)
pings = spark.read.schema(job["schema"]).json(job["input"])
pings.selectExpr(*job["columns"]).write.parquet(job["output"])
print(json.dumps({"rows": spark.read.parquet(job["output"]).count(), "version": spark.version}))
