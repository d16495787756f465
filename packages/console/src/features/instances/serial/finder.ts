import type { IMarker, Terminal } from '@xterm/xterm'
import { findMatches, type Match, nextMatch } from './search.ts'

interface Found {
  count: number
  /** Which of them is shown, from 1; 0 for none. */
  current: number
}

export interface Finder {
  /** Looks for other words, and goes to where they were printed last. */
  look: (words: string) => void
  next: () => void
  previous: () => void
  /** Forgets the words, and takes the highlight away. */
  stop: () => void
  found: () => Found
  /** Listens for other results: more is printed while somebody searches. */
  subscribe: (listener: () => void) => () => void
  dispose: () => void
}

const none: Found = { count: 0, current: 0 }
/** Output comes in bursts, and five thousand lines are not read for each. */
const settleMs = 150

/** Searches what is on the screen and above it. The match shown is selected, so it can be copied as well. */
export function createFinder(terminal: Terminal): Finder {
  const listeners = new Set<() => void>()
  let words = ''
  let found = none
  /** Where the match shown is, also when lines above it fall out of the history. */
  let here: { marker: IMarker | undefined; column: number } | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const matchesNow = (): Match[] => findMatches(terminal.buffer.active, words, terminal.cols)

  function tell(next: Found): void {
    if (next.count === found.count && next.current === found.current) return
    found = next
    for (const listener of listeners) listener()
  }

  function standing(): Pick<Match, 'row' | 'column'> | undefined {
    const row = here?.marker?.line ?? -1
    return here && row >= 0 ? { row, column: here.column } : undefined
  }

  function leave(): void {
    here?.marker?.dispose()
    here = undefined
  }

  function show(matches: readonly Match[], index: number): void {
    const match = matches[index]
    leave()
    if (!match) {
      terminal.clearSelection()
      return tell(none)
    }
    const { baseY, cursorY, viewportY } = terminal.buffer.active
    here = { marker: terminal.registerMarker(match.row - baseY - cursorY), column: match.column }
    terminal.select(match.column, match.row, match.cells)
    if (match.row < viewportY || match.row >= viewportY + terminal.rows)
      terminal.scrollToLine(Math.max(0, match.row - Math.floor(terminal.rows / 2)))
    tell({ count: matches.length, current: index + 1 })
  }

  function go(step: 1 | -1): void {
    const matches = matchesNow()
    show(matches, nextMatch(matches, standing(), step))
  }

  /** More was printed: there may be more of it, but nobody is moved from where they are. */
  function recount(): void {
    const matches = matchesNow()
    const at = standing()
    const index = at ? matches.findIndex(({ row, column }) => row === at.row && column === at.column) : -1
    tell({ count: matches.length, current: index + 1 })
  }

  const parsed = terminal.onWriteParsed(() => {
    if (words === '') return
    clearTimeout(timer)
    timer = setTimeout(recount, settleMs)
  })

  return {
    look(next) {
      words = next
      leave()
      const matches = matchesNow()
      show(matches, nextMatch(matches, undefined, -1))
    },
    next: () => go(1),
    previous: () => go(-1),
    stop() {
      words = ''
      leave()
      terminal.clearSelection()
      tell(none)
    },
    found: () => found,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    dispose() {
      clearTimeout(timer)
      parsed.dispose()
    },
  }
}
