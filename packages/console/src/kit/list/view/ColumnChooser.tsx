// @chunk list-work: filters, totals and keys of lists, which are there once their rows are.
import GripVertical from 'lucide-react/icons/grip-vertical'
import Lock from 'lucide-react/icons/lock'
import { type PointerEvent, useLayoutEffect, useRef, useState } from 'react'
import { labelOf } from '#/ui/data/column.ts'
import { Checkbox } from '#/ui/inputs/Checkbox.tsx'
import type { MenuEntry } from '#/ui/overlays/Menu.tsx'
import { MenuButton } from '#/ui/overlays/MenuButton.tsx'
import { type Arranged, moved } from '../arrange-columns.ts'
import { columnWidths } from './column-width.ts'

interface Props {
  arranged: readonly Arranged<never>[]
  onChange: (next: readonly Arranged<never>[]) => void
}

/** Shows, hides, orders and sizes columns, by dragging, by menus and by keyboard. */
export function ColumnChooser({ arranged, onChange }: Props) {
  const list = useRef<HTMLUListElement>(null)
  const pressed = useRef<{ id: string; y: number }>(undefined)
  const [dragged, setDragged] = useState<string>()
  // Moving a row in the document takes the focus from its button.
  const focused = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (focused.current === undefined) return
    list.current?.querySelector<HTMLElement>(`[data-column="${CSS.escape(focused.current)}"] button`)?.focus()
    focused.current = undefined
  })
  const [said, setSaid] = useState('')
  const movable = arranged.filter(({ label }) => label !== undefined)

  function move(id: string, to: number): void {
    const at = Math.max(0, Math.min(to, movable.length - 1))
    const from = movable.findIndex(({ column }) => column.id === id)
    if (at === from) return
    onChange(moved(arranged, id, at))
    setSaid(`${movable[from]?.label} is column ${at + 1} of ${movable.length}`)
  }
  function change(id: string, with_: Partial<Arranged<never>>): void {
    onChange(arranged.map((each) => (each.column.id === id ? { ...each, ...with_ } : each)))
  }
  function size({ column, label }: Arranged<never>, width: number | undefined): void {
    change(column.id, { column: { ...column, ownWidth: width } })
    setSaid(width === undefined ? `${label} has its own width again` : `${label} is ${width} pixels wide`)
  }
  function onPointerMove({ clientY, pointerId }: PointerEvent): void {
    const { current: press } = pressed
    if (!press || !list.current) return
    if (dragged === undefined) {
      if (Math.abs(clientY - press.y) < dragFrom) return
      // From here on it is no click, which would open the menu.
      list.current.setPointerCapture(pointerId)
      setDragged(press.id)
    }
    const rows = [...list.current.querySelectorAll('[data-column]')]
    const over = rows.findIndex((row) => clientY < row.getBoundingClientRect().bottom)
    move(press.id, over === -1 ? rows.length - 1 : over)
  }
  function onPointerEnd(): void {
    pressed.current = undefined
    setDragged(undefined)
  }
  return (
    <>
      <ul
        ref={list}
        aria-label="Columns"
        className="max-h-[50dvh] overflow-y-auto"
        onPointerMove={onPointerMove}
        onPointerUp={onPointerEnd}
        onPointerCancel={onPointerEnd}
      >
        {arranged.map((each) => {
          const { column, label, isShown } = each
          if (label === undefined) {
            const name = labelOf(column)
            return (
              name !== undefined && (
                <li key={column.id} className="flex min-h-8 items-center gap-2 text-strong">
                  <Lock aria-hidden className="size-4 text-faint" />
                  {name}
                  <span className="ml-auto text-xs text-muted">always shown</span>
                </li>
              )
            )
          }
          const at = movable.indexOf(each)
          return (
            <li
              key={column.id}
              data-column={column.id}
              className={`flex min-h-8 items-center gap-2 rounded-tag ${dragged === column.id ? 'bg-selected' : ''}`}
            >
              <Checkbox
                checked={isShown}
                onChange={({ target }) => change(column.id, { isShown: target.checked })}
              >
                {label}
              </Checkbox>
              <MenuButton
                label={`${label} column`}
                align="end"
                entries={() => entriesOf(each, at, movable.length, move, size)}
              >
                {(trigger) => (
                  <button
                    {...trigger}
                    aria-label={`Move or size ${label}`}
                    aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown Alt+ArrowLeft Alt+ArrowRight"
                    className="wash ml-auto grid size-7 shrink-0 cursor-grab touch-none place-items-center rounded-control text-muted hover:text-strong coarse:size-11"
                    onPointerDown={({ clientY }) => {
                      trigger.onPointerDown()
                      pressed.current = { id: column.id, y: clientY }
                    }}
                    onKeyDown={(event) => {
                      const step = event.altKey && steps[event.key]
                      if (!step) return trigger.onKeyDown(event)
                      event.preventDefault()
                      focused.current = column.id
                      if (step.places) move(column.id, at + step.places)
                      else size(each, columnWidths.within(widthOf(each) + step.pixels))
                    }}
                  >
                    <GripVertical aria-hidden className="size-4" />
                  </button>
                )}
              </MenuButton>
            </li>
          )
        })}
      </ul>
      <p role="status" className="sr-only">
        {said}
      </p>
    </>
  )
}

/** A press that moves less than this many pixels is a click. */
const dragFrom = 4
const { step } = columnWidths
const steps: Readonly<Record<string, { places: number; pixels: number } | undefined>> = {
  ArrowUp: { places: -1, pixels: 0 },
  ArrowDown: { places: 1, pixels: 0 },
  ArrowLeft: { places: 0, pixels: -step },
  ArrowRight: { places: 0, pixels: step },
}

/** A guess for columns that have no width of their own and are not on screen. */
const unknownWidth = 160

function widthOf({ column, label }: Arranged<never>): number {
  if (column.ownWidth !== undefined) return column.ownWidth
  const heads = document.querySelectorAll<HTMLElement>('main thead th')
  const head = [...heads].find(({ textContent }) => textContent.trim() === label)
  return head ? Math.round(head.offsetWidth) : unknownWidth
}

function entriesOf(
  each: Arranged<never>,
  at: number,
  count: number,
  move: (id: string, to: number) => void,
  size: (each: Arranged<never>, width: number | undefined) => void,
): MenuEntry[] {
  const { column, isShown } = each
  const hidden = isShown ? {} : { disabled: 'Only shown columns have a width' }
  const by = (pixels: number) => () => size(each, columnWidths.within(widthOf(each) + pixels))
  return [
    {
      label: 'Move up',
      ...(at === 0 && { disabled: 'It is the first' }),
      onSelect: () => move(column.id, at - 1),
    },
    {
      label: 'Move down',
      ...(at === count - 1 && { disabled: 'It is the last' }),
      onSelect: () => move(column.id, at + 1),
    },
    'rule',
    { label: 'Wider', ...hidden, onSelect: by(2 * step) },
    { label: 'Narrower', ...hidden, onSelect: by(-2 * step) },
    {
      label: 'Reset width',
      ...(column.ownWidth === undefined && { disabled: 'It has no width of its own' }),
      onSelect: () => size(each, undefined),
    },
  ]
}
