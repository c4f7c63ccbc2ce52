#include "app/plot/pdf.hpp"

#include <cairo-pdf.h>
#include <librsvg/rsvg.h>

#include <memory>

#include "core/error.hpp"

namespace headroom::app::plot {
namespace {

constexpr double kDotsPerInch = 72;  // so that a point of the image is a point of the page

struct Unref {
  void operator()(RsvgHandle* handle) const { g_object_unref(handle); }
  void operator()(GError* error) const { g_error_free(error); }
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* context) const { cairo_destroy(context); }
};

[[noreturn]] void fail(const std::string& problem) {
  throw_input("cannot make a PDF: " + problem, "--figures", "the SVG files hold the same figures");
}

[[noreturn]] void fail(GError* error) {
  const std::unique_ptr<GError, Unref> owned(error);
  fail(owned ? owned->message : "librsvg gives no reason");
}

cairo_status_t append(void* text, const unsigned char* bytes, unsigned int size) {
  static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(bytes), size);
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace

std::string to_pdf(const std::string& svg, const std::string& title, const std::string& date) {
  GError* error = nullptr;
  const std::unique_ptr<RsvgHandle, Unref> image(
      rsvg_handle_new_from_data(reinterpret_cast<const guint8*>(svg.data()), svg.size(), &error));
  if (!image) fail(error);
  rsvg_handle_set_dpi(image.get(), kDotsPerInch);
  double width = 0;
  double height = 0;
  if (rsvg_handle_get_intrinsic_size_in_pixels(image.get(), &width, &height) == 0) fail("the image says no size");

  std::string pdf;
  const std::unique_ptr<cairo_surface_t, Unref> page(cairo_pdf_surface_create_for_stream(append, &pdf, width, height));
  cairo_pdf_surface_set_metadata(page.get(), CAIRO_PDF_METADATA_TITLE, title.c_str());
  if (!date.empty()) cairo_pdf_surface_set_metadata(page.get(), CAIRO_PDF_METADATA_CREATE_DATE, date.c_str());
  const std::unique_ptr<cairo_t, Unref> context(cairo_create(page.get()));
  const RsvgRectangle whole{0, 0, width, height};
  if (rsvg_handle_render_document(image.get(), context.get(), &whole, &error) == 0) fail(error);
  cairo_surface_finish(page.get());
  if (cairo_surface_status(page.get()) != CAIRO_STATUS_SUCCESS) {
    fail(cairo_status_to_string(cairo_surface_status(page.get())));
  }
  return pdf;
}

}  // namespace headroom::app::plot
