// @chunk list-work: filters, totals and keys of lists, which are there once their rows are.
import * as op from '@gantry/api/client/operations.gen'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import Columns3 from 'lucide-react/icons/columns-3'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { isAbsent } from '#/data/extensions.ts'
import {
  type ColumnChoice,
  listPreference,
  sharedColumns,
  untouched,
  useListPreference,
} from '#/data/list-preferences.ts'
import { changeListPreference, savedPreferences } from '#/data/saved-preferences.ts'
import { Button, buttonClass } from '#/ui/Button.tsx'
import { classes } from '#/ui/classes.ts'
import type { Column } from '#/ui/data/column.ts'
import { loadWithRetry } from '#/ui/lazy-part.tsx'
import { Segmented } from '#/ui/inputs/Segmented.tsx'
import { Select } from '#/ui/inputs/Select.tsx'
import { Popover, type PopoverTriggerProps } from '#/ui/overlays/Popover.tsx'
import { loadCode } from '../../code/load-code.ts'
import { useColumnChoices, viewNamed } from '../use-column-choices.ts'
import { arrange, choicesFor, shownColumns } from '../arrange-columns.ts'
import { useHasHeads } from '../SortHead.tsx'
import type { FindSearch } from '../use-list-page.ts'
import { ColumnChooser } from './ColumnChooser.tsx'
import { barChanges, viewSlot } from './view-slots.ts'
import { watchEdges } from './watch-edges.ts'

interface Props {
  /** The id of the list. */
  list: string
  /** All columns, by default in this order. */
  columns: readonly Column<never>[]
  hasPages: boolean
}

const pageSizes = [25, 50, 100, 200] as const
/** A list with a bar of filters has this in the bar, which may load a moment later. */
const barMs = 500

/** The button that opens columns, density and page size of a list, and the widths of its columns. */
export function ListView(props: Props) {
  const anchor = useRef<HTMLSpanElement>(null)
  useWidths(anchor, props)
  // Follows what the user chooses on other devices.
  useQuery(savedPreferences)
  const slot = viewSlot(props.list)
  const [isAlone, setAlone] = useState(false)
  useEffect(() => {
    const follow = (): void => setAlone(!slot.isConnected)
    const timer = setTimeout(follow, barMs)
    const unfollow = barChanges.subscribe(follow)
    return () => {
      clearTimeout(timer)
      unfollow()
    }
  }, [slot])
  const hasHeads = useHasHeads()
  return (
    <>
      <span ref={anchor} hidden />
      {isAlone
        ? // On a phone, heads are for screen readers only.
          hasHeads && <Settings {...props} trigger={headButton} />
        : createPortal(<Settings {...props} hasBar trigger={barButton} />, slot)}
    </>
  )
}

const barButton = (trigger: PopoverTriggerProps): ReactNode => (
  <Button {...trigger}>
    <Columns3 aria-hidden strokeWidth={1.75} className="-ml-0.5 size-4" />
    Columns
  </Button>
)

const headButton = (trigger: PopoverTriggerProps): ReactNode => (
  <button
    {...trigger}
    aria-label="Columns"
    className={classes(buttonClass({ kind: 'quiet', icon: true }), 'size-7! text-muted')}
  >
    <Columns3 aria-hidden strokeWidth={1.75} className="size-4" />
  </button>
)

function Settings({
  list,
  columns,
  hasPages,
  hasBar = false,
  trigger,
}: Props & {
  /** Which offers code with the export. */ hasBar?: boolean
  trigger: (props: PopoverTriggerProps) => ReactNode
}) {
  const preference = useListPreference(list)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const choices = useColumnChoices(list)
  const setColumns = useSetColumns(list)
  const arranged = arrange(columns, choices)
  const isOwn = preference.isDense || choices.length > 0 || preference.pageSize !== untouched.pageSize
  function resize(pageSize: number): void {
    changeListPreference(list, { pageSize })
    // A page of another size begins elsewhere.
    void navigate({
      to: '.',
      search: ({ page: _page, ...search }) => search,
      replace: true,
      resetScroll: false,
    })
  }
  return (
    <Popover label="Columns" align="end" trigger={trigger}>
      <div className="grid w-88 max-w-full gap-3 p-3 text-left whitespace-normal">
        <p className="text-xs text-muted">
          Columns, in this order. Kept for you{' '}
          {isAbsent(op.listPreferenceList) ? 'in this browser' : 'on every device'}.
        </p>
        <ColumnChooser arranged={arranged} onChange={(next) => setColumns(choicesFor(next, choices))} />
        <div className="flex flex-wrap items-center gap-2 border-t border-line pt-3">
          <Segmented
            label="Density"
            options={densities}
            value={preference.isDense ? 'compact' : 'comfortable'}
            onChange={(density) => changeListPreference(list, { isDense: density === 'compact' })}
          />
          {hasPages && (
            <Select
              small
              aria-label="Rows per page"
              options={pageSizes.map((size) => ({ value: String(size), label: `${size} rows a page` }))}
              value={String(preference.pageSize)}
              onChange={(size) => resize(Number(size))}
            />
          )}
        </div>
        {!hasBar && (
          <Button
            kind="quiet"
            className="justify-self-start"
            onClick={() => void loadWithRetry(loadCode).then(({ showList }) => showList(queryClient, list))}
          >
            Show as code
          </Button>
        )}
        <Button
          kind="quiet"
          className="justify-self-start"
          {...(!isOwn && { disabledReason: 'The list is as it is by default' })}
          onClick={() => {
            if (preference.pageSize !== untouched.pageSize) resize(untouched.pageSize)
            changeListPreference(list, { isDense: false })
            setColumns([])
          }}
        >
          Reset
        </Button>
      </div>
    </Popover>
  )
}

const densities = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact' },
] as const

/** Changes the columns of the view that is open, or else of the list. */
function useSetColumns(list: string): (columns: ColumnChoice[]) => void {
  const { view }: FindSearch = useSearch({ strict: false })
  return (columns) => {
    const preference = listPreference(list)
    const open = viewNamed(preference, view)
    const { saved, changed } = sharedColumns.get()
    // Of a shared view, until it is saved for all.
    if (
      !open &&
      view !== undefined &&
      (saved[view] ?? preference.sharedViews.some(({ id }) => id === view))
    ) {
      sharedColumns.set({ saved, changed: { ...changed, [view]: columns } })
      return
    }
    changeListPreference(
      list,
      open
        ? { views: preference.views.map((each) => (each === open ? { ...each, columns } : each)) }
        : { columns },
    )
  }
}

/** Lets the edges of heads be dragged. */
function useWidths(anchor: { current: HTMLElement | null }, { list, columns }: Props): void {
  const choices = useColumnChoices(list)
  const setColumns = useSetColumns(list)
  const latest = useRef({ columns, choices, setColumns })
  useLayoutEffect(() => {
    latest.current = { columns, choices, setColumns }
  })
  useLayoutEffect(() => {
    const table = anchor.current?.closest('table')
    if (!table) return
    return watchEdges(table, (widths) => {
      const { current: now } = latest
      const shown = shownColumns(now.columns, now.choices)
      const byId = new Map([...widths].map(([index, width]) => [shown[index]?.id, width]))
      const next = arrange(now.columns, now.choices).map((each) =>
        byId.has(each.column.id)
          ? { ...each, column: { ...each.column, ownWidth: byId.get(each.column.id) } }
          : each,
      )
      now.setColumns(choicesFor(next, now.choices))
    })
  }, [anchor])
}
