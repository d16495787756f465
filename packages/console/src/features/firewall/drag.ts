/** The drop position of a dragged row, and the position of its indicator line. */
export interface Drop {
  /** Its index in the list without the dragged row. */
  to: number
  line: { top: number; left: number; width: number }
}

/** The part of a row's rectangle needed to drop another beside it. */
export type Box = Pick<DOMRect, 'top' | 'bottom' | 'left' | 'width'>

/** The gap between rows nearest to a height on screen. */
export function dropAt(boxes: readonly Box[], from: number, y: number): Drop | undefined {
  const gap = boxes.filter(({ top, bottom }) => (top + bottom) / 2 < y).length
  const beside = boxes[Math.min(gap, boxes.length - 1)]
  if (!beside) return undefined
  const top = gap < boxes.length ? beside.top : beside.bottom
  return { to: gap > from ? gap - 1 : gap, line: { top, left: beside.left, width: beside.width } }
}

const edge = 56
const stepPx = 12

/** How far to scroll the list while dragging near its edge; 0 elsewhere. */
export const scrollStep = (y: number, { top, bottom }: Pick<DOMRect, 'top' | 'bottom'>): number =>
  y < top + edge ? -stepPx : y > bottom - edge ? stepPx : 0

interface Drag {
  /** The row elements, in order. */
  rows: () => readonly Element[]
  from: number
  onMove: (drop: Drop | undefined) => void
  /** The gap at which the row was dropped; undefined after Escape. */
  onEnd: (drop: Drop | undefined) => void
}

/** Tracks a pointer until it is released. Escape cancels, and a list longer than the page scrolls along. */
export function followPointer({ rows, from, onMove, onEnd }: Drag): void {
  const pane = document.getElementById('content')
  const stop = new AbortController()
  const { signal } = stop
  let y: number | undefined
  let drop: Drop | undefined

  const update = (): void => {
    if (y === undefined) return
    drop = dropAt(
      rows().map((row) => row.getBoundingClientRect()),
      from,
      y,
    )
    onMove(drop)
  }
  const scrolling = setInterval(() => {
    const by = pane && y !== undefined ? scrollStep(y, pane.getBoundingClientRect()) : 0
    if (by === 0) return
    pane?.scrollBy(0, by)
    update()
  }, 16)
  const end = (result: Drop | undefined): void => {
    stop.abort()
    clearInterval(scrolling)
    onEnd(result)
  }

  addEventListener(
    'pointermove',
    (event) => {
      y = event.clientY
      update()
    },
    { signal },
  )
  addEventListener('pointerup', () => end(drop), { signal })
  addEventListener('pointercancel', () => end(undefined), { signal })
  addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape') return
      // Escape ends the drag only, not the dialog around it.
      event.stopPropagation()
      event.preventDefault()
      end(undefined)
    },
    { signal, capture: true },
  )
}
