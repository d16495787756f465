import { useRouter } from '@tanstack/react-router'
import Search from 'lucide-react/icons/search'
import CircleDot from 'lucide-react/icons/circle-dot'
import X from 'lucide-react/icons/x'
import { useEffect, useId, useRef, useState } from 'react'
import { recordingLabels } from '#/data/recording/labels.ts'
import { loadRecorder } from '#/data/recording/load.ts'
import { recording } from '#/data/recording/recording.ts'
import { hrefOf } from '#/kit/links/link-target.ts'
import {
  closePalette,
  type PaletteItem,
  registeredItems,
  stopKeeping,
  typedAhead,
} from '#/kit/page/palette-items.ts'
import { recentObjects } from '#/kit/page/recent-objects.ts'
import { useStore } from '#/store.ts'
import { loadWithRetry } from '#/ui/lazy-part.tsx'
import { Kbd } from '#/ui/Kbd.tsx'
import { Modal } from '#/ui/overlays/Modal.tsx'
import { paletteItems, type Result, useResults } from './palette-results.ts'
import { PaletteList } from './PaletteList.tsx'
import { recentItemOf, useFavouriteItems } from './registry.tsx'

/** How many objects that were opened before are offered. */
const shownRecent = 8

/** The command palette: all actions and pages in reach, by fuzzy search. */
export function Palette() {
  const router = useRouter()
  // What was typed while this was loading, until more is.
  const ahead = useStore(typedAhead)
  const [own, setTyped] = useState<string>()
  const typed = own ?? ahead.text
  const [selected, setSelected] = useState(0)
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  // Rows that load while the palette is open add their items.
  const registered = useStore(registeredItems)
  const path = router.state.location.pathname
  const favourite = useFavouriteItems()
  const known = new Set(favourite.map(({ link }) => link && hrefOf(link)))
  const recent = useStore(recentObjects)
    .flatMap((each) => recentItemOf(each) ?? [])
    .filter(({ link }) => link && !known.has(hrefOf(link)))
    .slice(0, shownRecent)
  const { results, isSearching } = useResults(
    typed,
    paletteItems(
      [
        { level: 'page', items: [...favourite, ...recent] },
        ...registered.values(),
        { level: 'global', items: [recordingItem()] },
      ],
      path,
    ),
  )
  const current = results[Math.min(selected, results.length - 1)]
  const currentIndex = current ? results.indexOf(current) : -1

  // Enter was pressed before its result arrived.
  const isAwaited = useRef(false)
  useEffect(() => {
    if (isSearching || !(isAwaited.current || (own === undefined && ahead.isEntered))) return
    isAwaited.current = false
    if (current) run(current)
  })

  function type(text: string): void {
    isAwaited.current = false
    setTyped(text)
    setSelected(0)
  }

  function run(item: Result): void {
    closePalette()
    if (!item.link) return item.run()
    const { link, over = false } = item
    void router.navigate({ ...link, search: link.search ?? over, resetScroll: !over })
  }

  function act(item: Result): void {
    closePalette()
    item.actions?.()
  }

  function onKeyDown(event: React.KeyboardEvent<HTMLInputElement>): void {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && results.length > 0) {
      event.preventDefault()
      setSelected((currentIndex + step + results.length) % results.length)
    }
    const { selectionStart, value } = event.currentTarget
    if (event.key === 'ArrowRight' && current?.actions && selectionStart === value.length) {
      event.preventDefault()
      act(current)
    }
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    swallowEnter()
    if (current) run(current)
    else isAwaited.current = isSearching
  }

  return (
    <Modal
      aria-label="Jump to"
      onRequestClose={closePalette}
      className="mx-auto mt-[14vh] mb-0 w-[min(40rem,calc(100vw-2rem))] overflow-hidden rounded-float bg-float text-text shadow-dialog outline-none forced:border"
    >
      <div className="flex h-12 items-center gap-2.5 border-b border-line pr-3 pl-4">
        <Search aria-hidden strokeWidth={1.75} className="size-4 shrink-0 text-muted" />
        <input
          ref={input}
          data-initial-focus
          role="combobox"
          aria-label="Search"
          aria-expanded={results.length > 0}
          aria-controls={listId}
          aria-activedescendant={current ? `${listId}-${currentIndex}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          placeholder="Search"
          value={typed}
          onFocus={stopKeeping}
          className="min-w-0 grow bg-transparent text-md text-strong outline-none"
          onChange={(event) => type(event.target.value)}
          onKeyDown={onKeyDown}
        />
        {typed && (
          <button
            type="button"
            aria-label="Clear search"
            className="wash grid size-6 place-items-center rounded-control text-muted coarse:size-11"
            onClick={() => {
              type('')
              input.current?.focus()
            }}
          >
            <X aria-hidden className="size-4" />
          </button>
        )}
        <button
          type="button"
          className="min-h-6 rounded-tag coarse:min-h-11 coarse:px-3"
          onClick={closePalette}
        >
          <span className="sr-only">Dismiss</span>
          <span aria-hidden>
            <Kbd>Esc</Kbd>
          </span>
        </button>
      </div>
      <PaletteList
        id={listId}
        results={results}
        selected={currentIndex}
        onChoose={setSelected}
        onRun={run}
        onAct={act}
      />
      <footer className="flex gap-4 border-t border-faint-line bg-sunken px-4 py-2 text-xs text-muted">
        <span className="flex items-center gap-1">
          <Kbd>↑</Kbd> <Kbd>↓</Kbd> select
        </span>
        <span className="flex items-center gap-1">
          <Kbd>Enter</Kbd> submit
        </span>
        {current?.actions && (
          <span className="flex items-center gap-1">
            <Kbd>→</Kbd> actions
          </span>
        )}
        <span className="flex items-center gap-1">
          <Kbd>Esc</Kbd> close
        </span>
      </footer>
    </Modal>
  )
}

const recordingItem = (): PaletteItem => ({
  label: recordingLabels[recording.get()],
  icon: CircleDot,
  run: () => void loadWithRetry(loadRecorder).then(({ stepRecording }) => stepRecording()),
})

/** The Enter key that selected a form is still down when the form opens, and must not submit it. */
function swallowEnter(): void {
  const swallow = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    event.stopPropagation()
  }
  const release = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return
    removeEventListener('keydown', swallow, true)
    removeEventListener('keyup', release, true)
  }
  addEventListener('keydown', swallow, true)
  addEventListener('keyup', release, true)
}
