#include "app/run_record.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

#include "app/run.hpp"
#include "catch.hpp"

using namespace headroom::app;
using headroom::app::test::content;
using headroom::app::test::TemporaryFolder;

TEST_CASE("the record of a run has the digest of every file the model is in") {
  const TemporaryFolder folder;
  // FIPS 180-2, the digests of "abc" and of nothing.
  const std::string abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  const std::string nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  std::filesystem::create_directory(folder.path() / "parts");
  std::ofstream(folder / "model.onnx") << "abc";
  std::ofstream(folder / "model.onnx.data") << "abc";
  std::ofstream(folder / "parts/last.bin") << "";
  RunRecord run("a schema");
  run.model(folder / "model.onnx", {"model.onnx.data", "parts/last.bin"}, 2, 8);
  run.write(folder / "run.json");
  const nlohmann::json model = nlohmann::json::parse(content(folder / "run.json")).at("model");
  CHECK(model.at("sha256") == abc);
  REQUIRE(model.at("data").size() == 2);
  CHECK(model.at("data").at(0).at("file") == folder / "model.onnx.data");
  CHECK(model.at("data").at(0).at("sha256") == abc);
  CHECK(model.at("data").at(1).at("file") == folder / "parts/last.bin");
  CHECK(model.at("data").at(1).at("sha256") == nothing);

  run.model(folder / "model.onnx", {}, 2, 8);
  run.write(folder / "whole.json");
  CHECK_FALSE(nlohmann::json::parse(content(folder / "whole.json")).at("model").contains("data"));
}
