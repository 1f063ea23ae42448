class Pingmill < Formula
  desc "Telemetry pings into tables, and SQL on them"
  homepage "https://github.com/pingmill/pingmill"
  url "https://github.com/pingmill/pingmill.git", tag: "VERSION", revision: "COMMIT"
  license "MPL-2.0"

  depends_on "go" => :build

  def install
    system "make", "install", "PREFIX=#{prefix}", "VERSION=v#{version}", "COMMIT=#{Utils.git_head}"
    pkgshare.install "packaging/alerts.yaml", "packaging/grafana-dashboard.json"
    (etc/"pingmill").install "packaging/pingmill.example.yaml" => "pingmill.yaml"
  end

  service do
    run [opt_bin/"pingmill", "serve", "--config", etc/"pingmill/pingmill.yaml", "--data", var/"pingmill"]
    keep_alive successful_exit: false
  end

  test do
    system bin/"pingmill", "generate", "--clients", "3", "--days", "1", "--output", "pings"
    system bin/"pingmill", "load", "--data", "data", "pings"
    system bin/"pingmill", "run", "all", "--data", "data", "--date", "20180301"
    assert_match "rows", shell_output("#{bin}/pingmill query --data data --format csv 'SELECT count(*) AS rows FROM main_summary'")
  end
end
