/** Generated from `docs` by build/documentation/plugin.ts. */
declare module 'virtual:docs/contents' {
  export const version: string
  export const sections: readonly import('./features/docs/document.ts').DocSection[]
  export const pages: Readonly<
    Record<string, () => Promise<{ default: import('./features/docs/document.ts').DocPage }>>
  >
}
declare module 'virtual:docs/search' {
  export const titles: Readonly<Record<string, { title: string; section: string }>>
  export const entries: readonly import('./features/docs/document.ts').DocEntry[]
}
