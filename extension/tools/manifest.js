// The manifests of both browsers. They differ in the name of the background script and in a section of Firefox.

/** @typedef {"chrome" | "firefox"} Browser */

const ICONS = Object.fromEntries([16, 32, 48, 128].map((side) => [side, `icons/tamis-${side}.png`]));

const BOTH = {
  manifest_version: 3,
  name: "__MSG_extensionName__",
  short_name: "tamis",
  description: "__MSG_extensionDescription__",
  default_locale: "en",
  icons: ICONS,
  // activeTab: the active page, and only after a click or a key. There are no host permissions for other pages.
  permissions: ["activeTab", "scripting", "storage"],
  action: { default_popup: "panel.html", default_icon: ICONS, default_title: "__MSG_actionTitle__" },
  commands: {
    _execute_action: { suggested_key: { default: "Alt+Shift+M" }, description: "__MSG_commandPanel__" },
    highlight: { suggested_key: { default: "Alt+Shift+H" }, description: "__MSG_commandHighlight__" },
    isolate: { suggested_key: { default: "Alt+Shift+O" }, description: "__MSG_commandIsolate__" },
    reader: { suggested_key: { default: "Alt+Shift+E" }, description: "__MSG_commandReader__" },
    // Chrome allows four suggested keys; users can choose one for this.
    why: { description: "__MSG_commandWhy__" },
  },
  // Only our own scripts and WebAssembly, which runs the models, may run, and nothing may be loaded from elsewhere.
  content_security_policy: {
    extension_pages:
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; connect-src 'self'",
  },
};

const OWN = {
  // From 131 on custom highlights reach into shadow trees.
  chrome: { minimum_chrome_version: "131", background: { service_worker: "background.js" } },
  firefox: {
    background: { scripts: ["background.js"] },
    browser_specific_settings: {
      gecko: {
        id: "tamis@tamis.invalid",
        strict_min_version: "140.0", // the first with custom highlights
        data_collection_permissions: { required: ["none"] },
      },
      gecko_android: { strict_min_version: "142.0" },
    },
  },
};

/** @param {Browser} browser @param {string} version */
export function manifestFor(browser, version) {
  return { ...BOTH, version, ...OWN[browser] };
}
