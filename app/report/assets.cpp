#include "app/report/assets.hpp"

#include "core/error.hpp"

#ifdef HEADROOM_WITH_REPORTS
extern "C" {
extern const char headroom_plotly_begin[];
extern const char headroom_plotly_end[];
extern const char headroom_page_script_begin[];
extern const char headroom_page_script_end[];
extern const char headroom_page_style_begin[];
extern const char headroom_page_style_end[];
}
#endif

namespace headroom::app {

PageAssets page_assets() {
#ifdef HEADROOM_WITH_REPORTS
  return {{headroom_plotly_begin, headroom_plotly_end},
          {headroom_page_script_begin, headroom_page_script_end},
          {headroom_page_style_begin, headroom_page_style_end}};
#else
  throw_input("reports are off: this program was built without Plotly", "report",
              "run scripts/setup where npm is, and build again; --figures works without");
#endif
}

}  // namespace headroom::app
