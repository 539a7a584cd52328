# The Homebrew formula. release/gather.sh fills it in; the result belongs into a tap.
class @class@ < Formula
  desc "Find out why Kubernetes objects hang in Terminating, and fix it"
  homepage "@homepage@"
  version "@version@"
  license "@license@"

  on_macos do
    on_arm do
      url "@url darwin-arm64@"
      sha256 "@sha256 darwin-arm64@"
    end
    on_intel do
      url "@url darwin-amd64@"
      sha256 "@sha256 darwin-amd64@"
    end
  end

  on_linux do
    on_arm do
      url "@url linux-arm64@"
      sha256 "@sha256 linux-arm64@"
    end
    on_intel do
      url "@url linux-amd64@"
      sha256 "@sha256 linux-amd64@"
    end
  end

  def install
    bin.install "@program@", "@complete@"
    man1.install Dir["man/*.1"]
    generate_completions_from_executable(bin/"@program@", "completion", shells: [:bash, :zsh, :fish])
  end

  test do
    assert_match "Namespace shop", shell_output("#{bin}/@program@ demo", 1)
  end
end
