// @chunk list-work: filters, totals and keys of lists, which are there once their rows are.
import { columnWidths } from './column-width.ts'

/** How near to the edge of a head a press resizes its column, in pixels. */
const reach = 6

/** Widths by the index of the column; undefined resets one. */
export type Widths = ReadonlyMap<number, number | undefined>

interface Drag {
  index: number
  /** Where the pointer was, and how wide the column. */
  from: number
  start: number
  /** Of the column and of those before it. */
  widths: Map<number, number>
  /** Their widths before, as styles. */
  was: string[]
}

/**
 * Resizes columns by dragging the edges of their heads; a double click on an edge resets the width. The columns before
 * keep their present widths, so that the edge stays at the pointer. Returns the function that ends it.
 */
export function watchEdges(table: HTMLTableElement, onWidths: (widths: Widths) => void): () => void {
  let edge: HTMLTableCellElement | undefined
  let drag: Drag | undefined
  let hasDragged = false

  function mark(next: HTMLTableCellElement | undefined): void {
    if (next === edge) return
    edge?.removeAttribute('data-edge')
    next?.setAttribute('data-edge', '')
    edge = next
  }
  function onMove(event: PointerEvent): void {
    if (!drag) return mark(event.pointerType === 'touch' ? undefined : edgeAt(event))
    const width = columnWidths.within(drag.start + event.clientX - drag.from)
    if (!hasDragged && width === drag.start) return
    if (!hasDragged) for (const [index, present] of drag.widths) showWidth(table, index, `${present}px`)
    hasDragged = true
    drag.widths.set(drag.index, width)
    showWidth(table, drag.index, `${width}px`)
  }
  function onDown(event: PointerEvent): void {
    if (!edge || event.button !== 0 || event.pointerType === 'touch') return
    // Neither selects text nor presses the button that sorts.
    event.preventDefault()
    hasDragged = false
    const heads = [...(edge.closest('tr')?.cells ?? [])].slice(0, edge.cellIndex + 1).filter(canResize)
    drag = {
      index: edge.cellIndex,
      from: event.clientX,
      start: widthOf(edge),
      widths: new Map(heads.map((head) => [head.cellIndex, widthOf(head)])),
      was: heads.map((head) => head.style.getPropertyValue('--own-width')),
    }
    table.setPointerCapture(event.pointerId)
  }
  function onUp(): void {
    if (!drag) return
    const { widths } = drag
    drag = undefined
    if (hasDragged) onWidths(widths)
  }
  function onCancel(): void {
    if (drag && hasDragged)
      for (const [place, index] of [...drag.widths.keys()].entries())
        showWidth(table, index, drag.was[place] ?? '')
    drag = undefined
    hasDragged = false
  }
  function onKey(event: KeyboardEvent): void {
    if (event.key === 'Escape' && drag) onCancel()
  }
  function onDouble(event: MouseEvent): void {
    if (!edge) return
    event.preventDefault()
    showWidth(table, edge.cellIndex, '')
    onWidths(new Map([[edge.cellIndex, undefined]]))
  }
  /** A press on an edge is no press on the head, which may sort. */
  function onClick(event: MouseEvent): void {
    if (!edge) return
    event.preventDefault()
    event.stopPropagation()
  }
  const onLeave = (): void => {
    if (!drag) mark(undefined)
  }
  const ending = new AbortController()
  const { signal } = ending
  table.addEventListener('pointermove', onMove, { signal })
  table.addEventListener('pointerdown', onDown, { signal })
  table.addEventListener('pointerup', onUp, { signal })
  table.addEventListener('pointercancel', onCancel, { signal })
  table.addEventListener('pointerleave', onLeave, { signal })
  table.addEventListener('dblclick', onDouble, { signal })
  table.addEventListener('click', onClick, { signal, capture: true })
  document.addEventListener('keydown', onKey, { signal })
  return () => {
    mark(undefined)
    ending.abort()
  }
}

/** The head whose right edge is at the pointer. */
function edgeAt({ target, clientX }: MouseEvent): HTMLTableCellElement | undefined {
  const head = target instanceof Element ? target.closest('th') : null
  if (!head) return undefined
  const { left, right } = head.getBoundingClientRect()
  const found = right - clientX <= reach ? head : clientX - left <= reach ? head.previousElementSibling : null
  return found instanceof HTMLTableCellElement && canResize(found) ? found : undefined
}

const widthOf = (head: HTMLElement): number => Math.round(head.getBoundingClientRect().width)
const canResize = ({ dataset: { part } }: HTMLElement): boolean => part !== 'select' && part !== 'menu'

/** Shows a width while it is dragged. */
function showWidth(table: HTMLTableElement, index: number, width: string): void {
  for (const row of table.rows) {
    const cell = row.cells[index]
    if (!cell) continue
    cell.toggleAttribute('data-width', width !== '')
    if (width === '') cell.style.removeProperty('--own-width')
    else cell.style.setProperty('--own-width', width)
  }
}
