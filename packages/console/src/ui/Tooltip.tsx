import {
  cloneElement,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
  type ReactElement,
  type ReactNode,
} from 'react'

import { classes } from './classes.ts'
import type { Side } from './tether.ts'

const DELAY_MS = 250

/** Loads on hover, because no page needs it at first. */
const loadBubble = () => import('./tooltip-bubble.ts')

type Described = { 'aria-describedby'?: string }

type Props = {
  content: ReactNode
  /** One element that receives `aria-describedby`. */
  children: ReactElement<Described>
  side?: Side
  /** False if the tooltip only repeats the accessible name, as on icon buttons. */
  describes?: boolean
}

/** Shows on hover after 250 ms, and at once on keyboard focus or touch; Escape hides it. */
export function Tooltip({ content, children, side = 'below', describes = true }: Props) {
  const id = useId()
  const anchor = useRef<HTMLSpanElement>(null)
  const bubble = useRef<HTMLSpanElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [open, setOpen] = useState(false)

  const show = () => {
    clearTimeout(timer.current)
    setOpen(true)
  }
  const hide = useCallback(() => {
    clearTimeout(timer.current)
    setOpen(false)
  }, [])

  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    const target = anchor.current?.firstElementChild
    if (!open || !bubble.current || !target) return
    const shown = bubble.current
    let isWanted = true
    let release: (() => void) | undefined
    void loadBubble().then(({ showBubble }) => {
      if (isWanted) release = showBubble(shown, target, side, hide)
    })
    return () => {
      isWanted = false
      release?.()
    }
  }, [open, side, hide])

  const described = classes(children.props['aria-describedby'], describes && id)
  return (
    <span
      ref={anchor}
      className="contents"
      onPointerEnter={(event) => {
        if (event.pointerType !== 'mouse') return
        void loadBubble()
        timer.current = setTimeout(show, DELAY_MS)
      }}
      onPointerLeave={(event) => event.pointerType === 'mouse' && hide()}
      onPointerDown={(event) => (event.pointerType === 'mouse' ? hide() : show())}
      onFocus={(event) => event.target.matches(':focus-visible') && show()}
      onBlur={hide}
    >
      {describes ? cloneElement(children, { 'aria-describedby': described }) : children}
      {/* Always rendered, because screen readers miss a description that appears late. */}
      {(open || describes) && (
        <span
          ref={bubble}
          id={id}
          role="tooltip"
          popover="manual"
          className={classes(
            'tethered pointer-events-none w-max max-w-68 rounded-control bg-strong px-2.5 py-1.75 forced:border',
            'text-left font-sans text-xs font-normal whitespace-normal text-page',
          )}
        >
          {content}
        </span>
      )}
    </span>
  )
}
