#pragma once

// Catch2 2.13 (Debian 12) and 3 differ, for what these tests use, in their headers and in one matcher's name.
#include <string>

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
inline auto contains(const std::string& text) { return Catch::Matchers::ContainsSubstring(text); }
#else
#include <catch2/catch.hpp>
inline auto contains(const std::string& text) { return Catch::Matchers::Contains(text); }
#endif
