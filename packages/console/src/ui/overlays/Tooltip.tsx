import {
  cloneElement,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type ReactElement,
  type ReactNode,
} from 'react'

import { classes } from '../classes.ts'
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

export function Tooltip({ content, children, side, describes = true }: Props) {
  const id = useId()
  const described = classes(children.props['aria-describedby'], describes && id)
  return (
    <>
      <Bubble id={id} content={content} side={side} describes={describes} />
      {describes ? cloneElement(children, { 'aria-describedby': described }) : children}
    </>
  )
}

type BubbleProps = Pick<Props, 'content' | 'side' | 'describes'> & { id: string }

/**
 * The tooltip of the element after it. Shows on hover after 250 ms, at once on keyboard focus, and on a tap; Escape
 * hides it. Beside its element, so that a tooltip that appears or goes does not replace a button that has the focus;
 * before it, so that the element stays the last child, which has no margin below.
 */
export function Bubble({ id, content, side = 'below', describes }: BubbleProps) {
  const bubble = useRef<HTMLSpanElement>(null)
  const [open, setOpen] = useState(false)

  useEffect(() => {
    const target = bubble.current?.nextElementSibling
    return target instanceof HTMLElement ? followTarget(target, setOpen, describes) : undefined
  }, [describes])
  // With the commit that empties a bubble: the box alone could be painted otherwise.
  useLayoutEffect(() => {
    const shown = bubble.current
    const target = shown?.nextElementSibling
    if (!open || !shown || !target) return
    let isWanted = true
    let release: (() => void) | undefined
    void loadBubble().then(({ showBubble }) => {
      if (isWanted) release = showBubble(shown, target, side, () => setOpen(false))
    })
    return () => {
      isWanted = false
      release?.()
    }
  }, [open, side])

  return (
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
      {/* A description is always rendered, because screen readers miss one that appears late. */}
      {(open || describes) && content}
    </span>
  )
}

/**
 * Reports when pointer and focus open or close a target's tooltip, until the returned function is called. A description
 * also opens if they are there already, as on a button that a press has disabled.
 */
function followTarget(target: HTMLElement, setOpen: (isOpen: boolean) => void, describes = false) {
  const listeners = new AbortController()
  const { signal } = listeners
  let timer: ReturnType<typeof setTimeout> | undefined
  const set = (isOpen: boolean) => {
    clearTimeout(timer)
    setOpen(isOpen)
  }
  const onMouse = (type: 'pointerenter' | 'pointerleave' | 'pointerdown', listener: () => void) =>
    target.addEventListener(type, ({ pointerType }) => pointerType === 'mouse' && listener(), { signal })

  const openSoon = () => {
    void loadBubble()
    timer = setTimeout(set, DELAY_MS, true)
  }
  onMouse('pointerenter', openSoon)
  onMouse('pointerleave', () => set(false))
  onMouse('pointerdown', () => set(false))
  // On release, because a press may also begin a scroll, which cancels the pointer.
  target.addEventListener('pointerup', ({ pointerType }) => pointerType !== 'mouse' && set(true), { signal })
  target.addEventListener(
    'focusin',
    ({ target: focused }) => focused instanceof Element && focused.matches(':focus-visible') && set(true),
    { signal },
  )
  target.addEventListener('focusout', () => set(false), { signal })
  if (describes && target.matches(':focus-visible')) set(true)
  else if (describes && target.matches(':hover')) openSoon()
  return () => {
    clearTimeout(timer)
    listeners.abort()
  }
}
