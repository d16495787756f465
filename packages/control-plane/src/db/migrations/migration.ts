export interface Migration {
  /** Sorts by number; never renamed, and never edited once released. */
  id: string
  statements: readonly string[]
}
