"""An S3 server with an installation in a bucket."""

import os
import pathlib
import subprocess

KEY, SECRET, REGION = "pingmill-engines", "pingmill-engines-secret", "us-east-1"
ROOT = "s3://lake/installation"


class Gateway:
    """versitygw, which keeps the objects of the bucket lake as files of a folder; sets the environment for pingmill."""

    def __init__(self, program, folder, port):
        self.program, self.folder, self.endpoint = program, folder, f"http://127.0.0.1:{port}"
        self.before = dict(os.environ)

    def __enter__(self):
        (self.folder / "lake").mkdir(parents=True)
        self.process = subprocess.Popen(
            [self.program, "--port", self.endpoint.removeprefix("http://"), "--access", KEY, "--secret", SECRET, "--quiet", "--keep-alive", "posix", self.folder],
            stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT,
        )
        os.environ |= {
            "AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": SECRET, "AWS_REGION": REGION, "AWS_EC2_METADATA_DISABLED": "true",
            "AWS_CONFIG_FILE": os.devnull, "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
            "PINGMILL_DATA": str(self.folder.parent / "of-bucket"),
            "PINGMILL_GLEAN_DEFINITIONS": f"firefox,{self.folder.parent}/demo/definitions", "PINGMILL_STORAGE_URL": f"{ROOT}?endpoint={self.endpoint}&path-style=true",
        }
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        for name in set(os.environ) - set(self.before):
            del os.environ[name]
        os.environ |= self.before

    def fill(self, pings):
        days = ["--from", "20180301", "--to", "20180303"]
        for command in (["load", pings], ["run", "all", *days], ["run", "longitudinal", "--date", "20180303"]):
            done = subprocess.run(["pingmill", *command], capture_output=True, text=True)
            if done.returncode != 0:
                raise RuntimeError(f"pingmill {command[0]} with a bucket: {done.stderr[-1500:]}")

    def local(self, url):
        """The file of an object."""
        return str(self.folder / url.removeprefix("s3://"))

    def trino_catalog(self):
        return (
            "connector.name=hive\nhive.metastore=file\nhive.metastore.catalog.dir=s3://lake/metastore\n"
            f"fs.native-s3.enabled=true\ns3.endpoint={self.endpoint}\ns3.region={REGION}\ns3.path-style-access=true\n"
            f"s3.aws-access-key={KEY}\ns3.aws-secret-key={SECRET}\n"
            "hive.recursive-directories=true\nhive.ignore-absent-partitions=true\n"
        )

    def spark_conf(self, jars):
        return {
            "spark.jars": ",".join(str(j) for j in pathlib.Path(jars).glob("*.jar")),
            "spark.hadoop.fs.s3a.endpoint": self.endpoint,
            "spark.hadoop.fs.s3a.path.style.access": "true",
            "spark.hadoop.fs.s3a.connection.ssl.enabled": "false",
        }
