// The lint rules for the extension, its tools and its tests. Paths are relative to the project: `npm run lint` starts
// ESLint there. Types and undefined names are checked by tsc (tsconfig.json).

import js from "@eslint/js";
import { defineConfig } from "eslint/config";

export default defineConfig([
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "consistent-return": "error",
      eqeqeq: "error",
      "no-control-regex": "off", // pages have control characters, and patterns are about them
      "no-implicit-coercion": "error",
      "no-undef": "off",
      "no-unused-vars": ["error", { varsIgnorePattern: "^_$", argsIgnorePattern: "^_$" }],
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "require-yield": "off", // a view hides in steps, some in a single one
    },
  },
  { files: ["extension/**", "npm/**"], rules: { "no-shadow": "error" } },
  { files: ["extension/src/core/**"], rules: { "no-console": "error" } },
]);
