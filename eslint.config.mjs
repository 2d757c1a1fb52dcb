// The page's script is one scope made of several files: `scripts/lint` puts them together as the page does.
export default [
  {
    languageOptions: {
      ecmaVersion: 2022,
      sourceType: "script",
      globals: Object.fromEntries(
        ["window", "document", "location", "history", "navigator", "localStorage", "IntersectionObserver", "requestAnimationFrame", "setTimeout"].map(
          (name) => [name, "readonly"],
        ),
      ),
    },
    rules: {
      "no-undef": "error",
      "no-unused-vars": "error",
      "no-shadow": ["error", { builtinGlobals: false }],
      "no-redeclare": "error",
      "prefer-const": "error",
      "no-var": "error",
      eqeqeq: "error",
      curly: ["error", "multi-line"],
      complexity: ["error", 12],
    },
  },
];
