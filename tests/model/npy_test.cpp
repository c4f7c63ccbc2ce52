#include "model/npy.hpp"

#include <cmath>
#include <fstream>
#include <limits>
#include <string>

#include "catch.hpp"
#include "core/error.hpp"
#include "model/npy_write.hpp"

using headroom::Error;
using headroom::Fault;
using namespace headroom::model;

namespace {

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

NpyArray parse(const std::string& text) { return parse_npy(bytes_of(text), "a.npy"); }

std::string version_1(const std::string& header, const std::string& data) {
  std::string text = "\x93NUMPY";
  text += {'\1', '\0', static_cast<char>(header.size() & 255U), static_cast<char>(header.size() >> 8U)};
  return text + header + data;
}

std::string plain(const std::string& descr, const std::string& order, const std::string& shape,
                  const std::string& data) {
  return version_1("{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }\n", data);
}

/// The message of the input error that reading `text` must give.
std::string refusal(const std::string& text) {
  try {
    static_cast<void>(parse(text));
  } catch (const Error& error) {
    CHECK(error.fault() == Fault::input);
    return error.what();
  }
  FAIL("read without an error");
  return {};
}

/// element(i, j, k) of the array the fixtures hold; exact in float16.
double fixture_value(std::size_t i, std::size_t j, std::size_t k) {
  return static_cast<double>(100 * i + 10 * j + k) / 8.0 - 3.0;
}

}  // namespace

TEST_CASE("what numpy.save writes is read exactly: every type, byte order, memory order and header version") {
  for (const std::string type : {"f2", "f4", "f8"}) {
    for (const std::string endian : {"little", "big"}) {
      for (const std::string order : {"c", "fortran"}) {
        const std::string file = type + "-" + endian + "-" + order + ".npy";
        INFO(file);
        const NpyArray array = read_npy(HEADROOM_SOURCE "/tests/model/fixtures/npy/" + file);
        REQUIRE(array.shape == std::vector<std::size_t>{2, 3, 4});
        for (std::size_t i = 0; i < 2; ++i) {
          for (std::size_t j = 0; j < 3; ++j) {
            for (std::size_t k = 0; k < 4; ++k) CHECK(array.values[(i * 3 + j) * 4 + k] == fixture_value(i, j, k));
          }
        }
      }
    }
  }
  for (const std::string version : {"version-2", "version-3"}) {
    const NpyArray array = read_npy(HEADROOM_SOURCE "/tests/model/fixtures/npy/" + version + ".npy");
    CHECK(array.shape == std::vector<std::size_t>{3});
    CHECK(array.values == std::vector<double>{1.5, -2.0, 1e-300});
  }
}

TEST_CASE("every float16 is widened to its own value") {
  std::string data;
  for (unsigned bits = 0; bits < 65536; ++bits) data += {static_cast<char>(bits & 255U), static_cast<char>(bits >> 8U)};
  const NpyArray array = parse(plain("'<f2'", "False", "(65536,)", data));
  CHECK(array.values[0x0001] == std::ldexp(1.0, -24));
  CHECK(array.values[0x03ff] == std::ldexp(1023.0, -24));
  CHECK(array.values[0x0400] == std::ldexp(1.0, -14));
  CHECK(array.values[0x3c00] == 1.0);
  CHECK(array.values[0x3555] == std::ldexp(1365.0, -12));
  CHECK(array.values[0x7bff] == 65504.0);
  CHECK(array.values[0x7c00] == std::numeric_limits<double>::infinity());
  CHECK(std::isnan(array.values[0x7e01]));
  bool increasing = true;
  bool odd = std::signbit(array.values[0x8000]);
  for (unsigned bits = 1; bits <= 0x7c00; ++bits) {
    increasing = increasing && array.values[bits] > array.values[bits - 1];
    odd = odd && array.values[bits + 0x8000] == -array.values[bits];
  }
  CHECK(increasing);
  CHECK(odd);
}

TEST_CASE("a file larger than one piece is read like its bytes") {
  // Odd sizes, so that pieces end within elements.
  const std::vector<std::size_t> shape = {3, 7, 11, 1301};
  std::vector<double> values(3 * 7 * 11 * 1301);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sqrt(static_cast<double>(i));
  std::string bytes = npy_bytes(shape, values);
  const std::string file = "headroom_npy_test.npy";
  for (const std::string order : {"False", "True "}) {
    bytes.replace(bytes.find("False"), 5, order);
    std::ofstream(file, std::ios::binary) << bytes;
    const NpyArray streamed = read_npy(file);
    const NpyArray parsed = parse(bytes);
    CHECK(streamed.shape == shape);
    CHECK(streamed.values == parsed.values);
    CHECK((parsed.values == values) == (order == "False"));
  }
  std::filesystem::remove(file);
}

TEST_CASE("arrays without elements and scalars are arrays") {
  CHECK(parse(plain("'<f8'", "False", "()", std::string(8, '\0'))).values == std::vector<double>{0.0});
  const NpyArray none = parse(plain("'<f8'", "True", "(0, 5)", ""));
  CHECK(none.shape == std::vector<std::size_t>{0, 5});
  CHECK(none.values.empty());
}

TEST_CASE("any spelling of the header that Python reads the same way is read") {
  const std::string data(16, '\0');
  CHECK(parse(version_1("{\"shape\":(2,),\"fortran_order\":True,\"descr\":\"=f8\"}", data)).shape[0] == 2);
  CHECK(parse(version_1(" { 'shape' : ( 1 , 2 , ) , 'descr' : '>f8' , 'fortran_order' : False }  \n", data)).shape[1] ==
        2);
}

TEST_CASE("a header that claims more or less than the file holds is refused before anything is allocated") {
  const std::string data(16, '\0');
  for (const std::string shape :
       {"(3,)", "(1,)", "()", "(1000000000000,)", "(4611686018427387904, 4)", "(18446744073709551615,)",
        "(0, 9223372036854775807)", "(4294967296, 4294967296)", "(99999999999999999999999999,)"}) {
    INFO(shape);
    CHECK_THAT(refusal(plain("'<f8'", "False", shape, data)), Catch::Matchers::StartsWith("a.npy: "));
  }
  CHECK_THAT(refusal(plain("'<f8'", "False", "(2,)", data + "x")), Catch::Matchers::Contains("17 bytes of data"));
  CHECK_THAT(refusal(plain("'<f8'", "False", "(2,)", data.substr(1))), Catch::Matchers::Contains("truncated"));
}

TEST_CASE("elements that are not real floating-point numbers are refused by their type") {
  for (const std::string type : {"'<i4'", "'|O'", "'<c16'", "'<f16'", "'|b1'", "'<U3'", "''", "'<f8x'"}) {
    INFO(type);
    CHECK_THAT(refusal(plain(type, "False", "(0,)", "")), Catch::Matchers::Contains("float64"));
  }
  CHECK_THAT(refusal(plain("[('x', '<f8')]", "False", "(0,)", "")), Catch::Matchers::Contains("records"));
}

TEST_CASE("a malformed header is an error, whatever is wrong with it") {
  const std::string data(8, '\0');
  for (const std::string header :
       {"", "{", "}", "{}", "[]", "{'descr': '<f8'}", "{'descr': '<f8', 'fortran_order': False, 'shape': (1)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1 1)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), 'shape': (1,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), 'more': 1}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)} x",
        "{'descr': '<f8', 'fortran_order': 0, 'shape': (1,)}", "{'descr': '<f8, 'fortran_order': False}",
        "{'descr': '<f8' 'fortran_order': False, 'shape': (1,)}", "{'descr': '<f8",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1, 1, 1, 1)}"}) {
    INFO(header);
    CHECK_THAT(refusal(version_1(header, data)), Catch::Matchers::StartsWith("a.npy: "));
  }
  CHECK_THAT(refusal("PK\3\4 an archive"), Catch::Matchers::Contains("not a .npy file"));
  CHECK_THAT(refusal(std::string("\x93NUMPY\4\0\0\0", 10)), Catch::Matchers::Contains("version 4.0"));
  CHECK_THAT(refusal(std::string("\x93NUMPY\2\0\xff\xff\xff\xff", 12)), Catch::Matchers::Contains("4294967295 bytes"));
}

TEST_CASE("every truncation of a file is an error, and no flipped byte is worse than one") {
  const std::string whole = plain("'<f4'", "False", "(2, 1)", "12345678");
  for (std::size_t size = 0; size < whole.size(); ++size) refusal(whole.substr(0, size));
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ (1U << bit));
      std::size_t count = 0;
      try {
        count = parse(damaged).values.size();
      } catch (const Error&) {
      }
      CHECK(count <= 4);
    }
  }
}

TEST_CASE("a missing file and a folder are named") {
  CHECK_THROWS_WITH(read_npy("no/such.npy"), Catch::Matchers::StartsWith("no/such.npy: no such file"));
  CHECK_THROWS_WITH(read_npy(HEADROOM_SOURCE), Catch::Matchers::Contains("is a folder"));
}

TEST_CASE("an index is shown in brackets, a scalar's as none") {
  CHECK(index_text(std::vector<std::size_t>{1, 0, 12}) == "[1, 0, 12]");
  CHECK(index_text({}) == "[]");
}
