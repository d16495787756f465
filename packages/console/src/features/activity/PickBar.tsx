// @chunk apart: of what users did, which few want as code.
import { useState } from 'react'
import { Button } from '#/ui/Button.tsx'
import { formatNumber } from '#/ui/data/format.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { passFocusTo } from '#/ui/overlays/focus.ts'
import type { ActivityEntry, ActivityScope, Picked } from './queries.ts'
import type { ActivitySearch } from './search.ts'

const OwnRequestsDialog = lazyPart(() => import('./OwnRequestsDialog.tsx'), 'OwnRequestsDialog')

interface Props {
  scope: ActivityScope
  search: ActivitySearch
  picked: Picked
  /** Those of the page that can be selected. */
  own: readonly ActivityEntry[]
  onPick: (next: Picked | undefined) => void
}

const passToMenu = passFocusTo(() => document.querySelector<HTMLElement>('main search [aria-haspopup=menu]'))

/** How many entries are selected, and what becomes of them. */
export function PickBar({ scope, search, picked, own, onPick }: Props) {
  const [isOpen, setOpen] = useState(false)
  const isRest = own.some(({ id }) => !picked.has(id))
  return (
    <div
      ref={passToMenu}
      role="toolbar"
      aria-label="Selected entries"
      className="mb-4 flex flex-wrap items-center gap-2"
    >
      <span role="status" className="font-medium text-strong">
        {formatNumber(picked.size)} selected
      </span>
      <Button
        disabledReason={picked.size === 0 ? 'Select entries of your own first' : undefined}
        onClick={() => setOpen(true)}
      >
        As a script or plan…
      </Button>
      {isRest && (
        <Button
          kind="quiet"
          onClick={() => onPick(new Map([...picked, ...own.map((entry) => [entry.id, entry] as const)]))}
        >
          Select all of yours on this page
        </Button>
      )}
      {picked.size > 0 && (
        <Button kind="quiet" onClick={() => onPick(new Map())}>
          Clear selection
        </Button>
      )}
      <Button kind="quiet" onClick={() => onPick(undefined)}>
        Cancel
      </Button>
      {isOpen && (
        <OwnRequestsDialog
          scope={scope}
          search={search}
          entries={[...picked.values()]}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}
