/** Files as text by their names, as the bundler and the test runner give them. */
interface ImportMeta {
  glob<T>(pattern: string, options: { query: '?raw'; import: 'default'; eager: true }): Record<string, T>
}
