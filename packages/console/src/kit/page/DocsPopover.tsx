import CircleHelp from 'lucide-react/icons/circle-help'
import { type ReactNode, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react'
import { tether } from '#/ui/overlays/tether.ts'
import { RouteAnchor } from '../links/PageLink.tsx'

interface Props {
  /** As in `Learn about projects`. */
  topic: string
  /** The page of the documentation that says more, with its anchor. */
  page: string
  children: ReactNode
}

/** Explains a kind, beside the page's title. Closes on Escape and on a click elsewhere. */
export function DocsPopover({ topic, ...props }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  const [isOpen, setOpen] = useState(false)
  const name = `Learn about ${topic}`
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={name}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        className="wash grid size-7 place-items-center rounded-control text-muted hover:text-strong coarse:size-11"
        // Pressing outside closes the panel before the click arrives; without this, the click would open it again.
        onPointerDown={() => (wasOpen.current = isOpen)}
        onClick={() => {
          setOpen(!wasOpen.current && !isOpen)
          wasOpen.current = false
        }}
      >
        <CircleHelp aria-hidden strokeWidth={1.75} className="size-4" />
      </button>
      {isOpen && <DocsPanel {...props} name={name} button={button} onClose={() => setOpen(false)} />}
    </>
  )
}

interface DocsPanelProps {
  name: string
  page: string
  children: ReactNode
  button: RefObject<HTMLButtonElement | null>
  onClose: () => void
}

function DocsPanel({ name, page, children, button, onClose }: DocsPanelProps) {
  const id = useId()
  const panel = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    if (!panel.current || !button.current) return
    const release = tether(panel.current, button.current)
    if (!panel.current.matches(':popover-open')) panel.current.showPopover()
    return release
  }, [button])

  return (
    <div
      ref={panel}
      popover="auto"
      role="dialog"
      aria-labelledby={id}
      onToggle={(event) => event.newState === 'closed' && onClose()}
      className="tethered w-[min(24rem,calc(100vw-2rem))] rounded-block bg-float px-4 py-3.5 text-sm text-text shadow-menu"
    >
      <h2 id={id} className="mb-1 text-base">
        {name}
      </h2>
      {children}
      <p className="mt-2">
        <RouteAnchor href={`/docs/${page}`} className="link" onClick={onClose}>
          Read more
        </RouteAnchor>
      </p>
    </div>
  )
}
