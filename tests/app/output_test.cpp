#include "app/output.hpp"

#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>

#include "app/temporary_folder.hpp"
#include "catch.hpp"
#include "core/error.hpp"

namespace fs = std::filesystem;
using headroom::Error;
using headroom::Fault;
using headroom::app::check_output_file;
using headroom::app::create_output_folder;
using headroom::app::OutputFile;
using headroom::app::write_file;
using headroom::app::test::content;
using headroom::app::test::entries;
using headroom::app::test::TemporaryFolder;

namespace {

constexpr unsigned kNobody = 65534;

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    CHECK(error.fault() == Fault::input);
    return error.what();
  }
  return "no error";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// For the life of the object no file may grow beyond `bytes`: a failure in mid-write that needs no privilege.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

/// A real file system of a few kilobytes, where the test runs with the right to mount one.
class TinyDisk {
 public:
  explicit TinyDisk(const std::string& options)
      : mounted_(::mount("tmpfs", folder_.path().c_str(), "tmpfs", 0, options.c_str()) == 0) {}
  TinyDisk(const TinyDisk&) = delete;
  TinyDisk& operator=(const TinyDisk&) = delete;
  ~TinyDisk() {
    if (mounted_) ::umount(folder_.path().c_str());
  }
  [[nodiscard]] bool mounted() const { return mounted_; }
  [[nodiscard]] const fs::path& path() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
  bool mounted_;
};

/// Acts as an unprivileged user while it lives; root is above folder permissions.
class Unprivileged {
 public:
  Unprivileged() : root_(::geteuid() == 0) {
    if (root_ && ::seteuid(kNobody) != 0) root_ = false;
  }
  Unprivileged(const Unprivileged&) = delete;
  Unprivileged& operator=(const Unprivileged&) = delete;
  ~Unprivileged() {
    if (root_ && ::seteuid(0) != 0) std::abort();
  }

 private:
  bool root_;
};

}  // namespace

TEST_CASE("a file appears whole, under its final name, and nothing else stays") {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "a.csv";
  const std::string bytes = std::string("x\0y\n", 4) + std::string(200'000, 'z');
  {
    OutputFile file(path);
    file.write("head ");
    file.write(bytes);
    file.write(" tail");
    CHECK_FALSE(fs::exists(path));
    file.commit();
  }
  CHECK(content(path) == "head " + bytes + " tail");
  CHECK(entries(folder.path()) == 1);
}

TEST_CASE("a file that was not committed never appears and leaves no trace") {
  const TemporaryFolder folder;
  { OutputFile(folder.path() / "a.csv").write("half"); }
  CHECK(entries(folder.path()) == 0);
}

TEST_CASE("a file is replaced only by a complete one") {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "a.csv";
  write_file(path, "old");
  {
    const FileSizeLimit limit(1000);
    const std::string message = message_of([&] { write_file(path, std::string(100'000, 'x')); });
    CHECK(contains(message, path.string()));
    CHECK(contains(message, "File too large"));
  }
  CHECK(content(path) == "old");
  CHECK(entries(folder.path()) == 1);
  write_file(path, "new");
  CHECK(content(path) == "new");
}

TEST_CASE("a full disk is reported with file, reason and remedy, and no file appears") {
  const TinyDisk disk("size=64k");
  if (!disk.mounted()) {
    WARN("no right to mount a file system here: a full disk is not tried on a real one");
    return;
  }
  const fs::path path = disk.path() / "a.csv";
  const std::string message = message_of([&] { write_file(path, std::string(1'000'000, 'x')); });
  CHECK(contains(message, path.string()));
  CHECK(contains(message, "No space left on device"));
  CHECK(contains(message, "free some space"));
  CHECK(entries(disk.path()) == 0);

  write_file(path, std::string(65'536, 'x'));
  CHECK(contains(message_of([&] { create_output_folder(disk.path()); }), "No space left on device"));
  CHECK(contains(message_of([&] { check_output_file(disk.path() / "b"); }), "No space left on device"));
  CHECK(entries(disk.path()) == 1);
}

TEST_CASE("a full device is reported too, though nothing can be renamed there") {
  if (!fs::exists("/dev/full")) return;
  const std::string message = message_of([] { write_file("/dev/full", "x"); });
  CHECK(contains(message, "/dev/full"));
  CHECK(contains(message, "No space left on device"));
}

TEST_CASE("a device is written to, not replaced by a file") {
  write_file("/dev/null", "x");
  CHECK(fs::is_character_file("/dev/null"));
  CHECK_NOTHROW(check_output_file("/dev/null"));
}

TEST_CASE("a symbolic link survives and its target receives the file") {
  const TemporaryFolder folder;
  write_file(folder.path() / "target", "old");
  fs::create_symlink("target", folder.path() / "link");
  write_file(folder.path() / "link", "new");
  CHECK(fs::is_symlink(folder.path() / "link"));
  CHECK(content(folder.path() / "target") == "new");
}

TEST_CASE("the longest name the file system takes is taken") {
  const TemporaryFolder folder;
  const std::string name(255, 'n');
  write_file(folder.path() / name, "x");
  CHECK(content(folder.path() / name) == "x");
  CHECK(contains(message_of([&] { write_file(folder.path() / (name + "n"), "x"); }), "File name too long"));
  CHECK(entries(folder.path()) == 1);
}

TEST_CASE("a place that cannot take the file is named, with the reason") {
  const TemporaryFolder folder;
  CHECK(contains(message_of([&] { write_file(folder.path() / "none" / "a", "x"); }), "No such file or directory"));
  CHECK(contains(message_of([&] { write_file(folder.path(), "x"); }), "Is a directory"));
  CHECK(contains(message_of([&] { check_output_file(folder.path()); }), "Is a directory"));
  CHECK(contains(message_of([&] { check_output_file(folder.path() / "none" / "a"); }), "No such file"));
  CHECK(contains(message_of([] { write_file("", "x"); }), "empty"));
  CHECK(contains(message_of([] { create_output_folder(""); }), "empty"));
  write_file(folder.path() / "file", "x");
  CHECK(contains(message_of([&] { create_output_folder(folder.path() / "file"); }), "(a part of the path is a file"));
  CHECK(contains(message_of([&] { create_output_folder(folder.path() / "file" / "sub"); }), "Not a directory"));
}

TEST_CASE("an output folder is created with its parents, and is empty after the check") {
  const TemporaryFolder folder;
  const fs::path deep = folder.path() / "a" / "b" / "c";
  create_output_folder(deep);
  CHECK(fs::is_directory(deep));
  CHECK(entries(deep) == 0);
  CHECK_NOTHROW(create_output_folder(deep));
  CHECK_NOTHROW(create_output_folder(deep.string() + "/"));
}

TEST_CASE("a folder without the right to write is refused before the work starts") {
  const TemporaryFolder folder;
  fs::permissions(folder.path(),
                  fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read | fs::perms::others_exec);
  std::string existing;
  std::string below;
  {
    const Unprivileged user;
    existing = message_of([&] { create_output_folder(folder.path()); });
    below = message_of([&] { create_output_folder(folder.path() / "sub"); });
  }
  fs::permissions(folder.path(), fs::perms::owner_all);
  CHECK(contains(existing, "Permission denied"));
  CHECK(contains(existing, "name a folder you may write to"));
  CHECK(contains(below, "Permission denied"));
}

TEST_CASE("a read-only file system is refused before the work starts") {
  const TinyDisk disk("size=64k,ro");
  if (!disk.mounted()) {
    WARN("no right to mount a file system here: a read-only one is not tried");
    return;
  }
  CHECK(contains(message_of([&] { create_output_folder(disk.path()); }), "Read-only file system"));
}
