import { useLayoutEffect, useRef, useState, type ReactNode } from 'react'

const SCROLL_SETTLE_MS = 125

type Props = {
  label: string
  busy?: boolean
  tall?: boolean
  dense?: boolean
  tight?: boolean
  inset?: boolean
  steady?: boolean
  children: ReactNode
}

/**
 * The bordered sheet around a table. It scrolls sideways only if it must, because a scroll container would keep the
 * head from sticking to the page. While it scrolls it can be focused, and edge shadows show that there is more.
 */
export function Sheet({ label, busy, tall, dense, tight, inset, steady, children }: Props) {
  const sheet = useRef<HTMLDivElement>(null)
  const table = useRef<HTMLTableElement>(null)
  const [overflows, setOverflows] = useState(false)

  useLayoutEffect(() => {
    const [box, content] = [sheet.current, table.current]
    if (!box || !content) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const markEdges = () => {
      timer = undefined
      box.toggleAttribute('data-before', box.scrollLeft > 1)
      box.toggleAttribute('data-after', box.scrollLeft + box.clientWidth < box.scrollWidth - 1)
    }
    const onScroll = () => (timer ??= setTimeout(markEdges, SCROLL_SETTLE_MS))
    let didOverflow = false
    const onResize = () => {
      const doesOverflow = content.offsetWidth > box.clientWidth + 1
      // Setting the same state again can render the table again.
      if (doesOverflow !== didOverflow) setOverflows(doesOverflow)
      didOverflow = doesOverflow
      markEdges()
    }
    const observer = new ResizeObserver(onResize)
    observer.observe(box)
    observer.observe(content)
    box.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      clearTimeout(timer)
      observer.disconnect()
      box.removeEventListener('scroll', onScroll)
    }
  }, [])

  return (
    <div
      ref={sheet}
      className="sheet"
      data-overflows={flag(overflows)}
      data-tall={flag(tall)}
      data-dense={flag(dense)}
      data-tight={flag(tight)}
      data-inset={flag(inset)}
      data-steady={flag(steady)}
      {...(overflows && { role: 'region', 'aria-label': label, tabIndex: 0 })}
    >
      <table ref={table} aria-label={label} aria-busy={busy || undefined}>
        {children}
      </table>
    </div>
  )
}

/** A boolean data attribute. */
const flag = (on?: boolean) => (on ? '' : undefined)
