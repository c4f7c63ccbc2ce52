#pragma once

// Catch2 2.13 (Debian 12) and 3 differ in their headers only, for what these tests use.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif
