#include "tests/fuzz/onnx_mutator.hpp"

#include <google/protobuf/message.h>

#include <array>
#include <limits>
#include <string>
#include <vector>

namespace headroom::fuzz {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

class Mutation {
 public:
  explicit Mutation(std::minstd_rand& random) : random_(random) {}

  void run(Message& message) {
    collect(message);
    if (fields_.empty()) return;
    const Place place = any(fields_);
    change(*place.message, *place.field);
  }

 private:
  struct Place {
    Message* message;
    const FieldDescriptor* field;
  };

  std::size_t below(std::size_t n) { return random_() % n; }

  template <class T>
  T any(const std::vector<T>& from) {
    return from[below(from.size())];
  }

  void collect(Message& message) {
    const Reflection& reflection = *message.GetReflection();
    std::vector<const FieldDescriptor*> present;
    reflection.ListFields(message, &present);
    for (const FieldDescriptor* field : present) {
      fields_.push_back({&message, field});
      const bool text = field->cpp_type() == FieldDescriptor::CPPTYPE_STRING;
      const bool nested = field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
      if (!field->is_repeated()) {
        if (text && reflection.GetString(message, field).size() < 100) {
          names_.push_back(reflection.GetString(message, field));
        }
        if (nested) collect(*reflection.MutableMessage(&message, field));
        continue;
      }
      for (int i = 0; i < reflection.FieldSize(message, field); ++i) {
        if (text) names_.push_back(reflection.GetRepeatedString(message, field, i));
        if (nested) collect(*reflection.MutableRepeatedMessage(&message, field, i));
      }
    }
  }

  std::int64_t number() {
    static constexpr std::array<std::int64_t, 12> kEdges = {
        0, 1, 2, -1, 3, 7, 10, 16, 1LL << 31U, 1LL << 40U, 1LL << 62U, std::numeric_limits<std::int64_t>::min()};
    return kEdges[below(kEdges.size())];
  }

  std::string text() {
    if (names_.empty() || below(8) == 0) return std::string(below(3), static_cast<char>(below(256)));
    return any(names_);
  }

  void change(Message& message, const FieldDescriptor& field) {
    const Reflection& reflection = *message.GetReflection();
    if (field.is_repeated()) return change_elements(message, field);
    if (below(4) == 0) return reflection.ClearField(&message, &field);
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_INT32:
        return reflection.SetInt32(&message, &field, static_cast<std::int32_t>(number()));
      case FieldDescriptor::CPPTYPE_INT64:
        return reflection.SetInt64(&message, &field, number());
      case FieldDescriptor::CPPTYPE_ENUM:
        return reflection.SetEnumValue(&message, &field, static_cast<int>(below(16)));
      case FieldDescriptor::CPPTYPE_FLOAT:
        return reflection.SetFloat(&message, &field, static_cast<float>(number()));
      case FieldDescriptor::CPPTYPE_STRING:
        return reflection.SetString(&message, &field, text());
      default:
        return reflection.ClearField(&message, &field);
    }
  }

  void change_elements(Message& message, const FieldDescriptor& field) {
    const Reflection& reflection = *message.GetReflection();
    const auto size = static_cast<std::size_t>(reflection.FieldSize(message, &field));
    const int one = static_cast<int>(below(size));
    const int other = static_cast<int>(below(size));
    switch (below(4)) {
      case 0:
        reflection.SwapElements(&message, &field, one, static_cast<int>(size - 1));
        return reflection.RemoveLast(&message, &field);
      case 1:
        return reflection.SwapElements(&message, &field, one, other);
      default:
        break;
    }
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_INT64:
        return below(2) == 0 ? reflection.AddInt64(&message, &field, number())
                             : reflection.SetRepeatedInt64(&message, &field, one, number());
      case FieldDescriptor::CPPTYPE_INT32:
        return reflection.SetRepeatedInt32(&message, &field, one, static_cast<std::int32_t>(number()));
      case FieldDescriptor::CPPTYPE_STRING:
        return below(4) == 0 ? reflection.AddString(&message, &field, text())
                             : reflection.SetRepeatedString(&message, &field, one, text());
      case FieldDescriptor::CPPTYPE_MESSAGE: {
        const Message& original = reflection.GetRepeatedMessage(message, &field, one);
        return reflection.AddMessage(&message, &field)->CopyFrom(original);
      }
      default:
        return;
    }
  }

  std::minstd_rand& random_;
  std::vector<Place> fields_;
  std::vector<std::string> names_;
};

}  // namespace

void mutate(Message& message, std::minstd_rand& random) { Mutation(random).run(message); }

}  // namespace headroom::fuzz
