// The page's script is one scope made of several files: `scripts/lint` puts them together as the page does.
const rules = {
  "no-undef": "error",
  "no-unused-vars": "error",
  "no-shadow": ["error", { builtinGlobals: false }],
  "no-redeclare": "error",
  "prefer-const": "error",
  "no-var": "error",
  eqeqeq: "error",
  curly: ["error", "multi-line"],
  complexity: ["error", 12],
};

function allow(names) {
  return Object.fromEntries(names.map((name) => [name, "readonly"]));
}

export default [
  {
    files: ["web/**/*.js"],
    languageOptions: {
      ecmaVersion: 2024,
      sourceType: "module",
      globals: allow(["window", "document", "fetch", "setTimeout", "CSS", "Highlight", "URLSearchParams"]),
    },
    rules,
  },
  {
    files: ["build/**/*.js"],
    languageOptions: {
      ecmaVersion: 2022,
      sourceType: "script",
      globals: allow([
        "window", "document", "location", "history", "navigator", "localStorage", "IntersectionObserver", "requestAnimationFrame", "setTimeout",
      ]),
    },
    rules,
  },
];
