import { type ISearchOptions, SearchAddon } from '@xterm/addon-search'
import type { Terminal } from '@xterm/xterm'
import { createStore, type ReadableStore } from '#/store.ts'

interface Found {
  count: number
  /** There may be more: the addon stops counting. */
  hasMore: boolean
  /** The highlighted match, from 1; 0 for none. */
  current: number
}

export interface Finder {
  /** Searches for text and goes to the match printed last. */
  look: (words: string) => void
  next: () => void
  previous: () => void
  /** Clears the search and its highlights. */
  stop: () => void
  /** Changes without a search too: output continues. */
  found: ReadableStore<Found>
  /** Notifies after each search, also one repeated for new output; returns how to stop. */
  onSearched: (listener: () => void) => () => void
}

/** Every counted match has an outline, which is a DOM element. */
const maxCounted = 1000
const none: Found = { count: 0, hasMore: false, current: 0 }

/** Searches the screen and its scrollback. Selects the current match, so that it can be copied. */
export function createFinder(terminal: Terminal): Finder {
  const addon = new SearchAddon({ highlightLimit: maxCounted })
  terminal.loadAddon(addon)
  const found = createStore(none)
  let words = ''

  function publish(next: Found): void {
    const { count, current } = found.get()
    if (next.count !== count || next.current !== current) found.set(next)
  }
  addon.onDidChangeResults(({ resultCount, resultIndex }) =>
    publish({ count: resultCount, hasMore: resultCount === maxCounted, current: resultIndex + 1 }),
  )

  /** The addon repeats the search after each output and selects a match, which would replace the user's selection. */
  function pause(): void {
    addon.clearDecorations()
    publish({ ...found.get(), current: 0 })
  }
  terminal.element?.addEventListener('mousedown', pause)
  terminal.onData(pause)

  return {
    look(next) {
      words = next
      terminal.clearSelection()
      if (words === '') publish(none)
      addon.findPrevious(words, options(terminal))
    },
    next: () => addon.findNext(words, options(terminal)),
    previous: () => addon.findPrevious(words, options(terminal)),
    stop() {
      words = ''
      addon.clearDecorations()
      terminal.clearSelection()
      publish(none)
    },
    found,
    onSearched(listener) {
      const listening = addon.onDidChangeResults(listener)
      return () => listening.dispose()
    },
  }
}

function options({ options: { theme = {} } }: Terminal): ISearchOptions {
  const { brightBlack = '', brightBlue = '' } = theme
  return {
    decorations: {
      matchBorder: brightBlack,
      matchOverviewRuler: brightBlack,
      activeMatchBorder: brightBlue,
      activeMatchColorOverviewRuler: brightBlue,
    },
  }
}
