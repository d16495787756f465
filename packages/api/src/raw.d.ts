/** Files as text by their names, as provided by the bundler and the test runner. */
interface ImportMeta {
  glob<T>(
    patterns: string | readonly string[],
    options: { query: '?raw'; import: 'default'; eager: true },
  ): Record<string, T>
}
