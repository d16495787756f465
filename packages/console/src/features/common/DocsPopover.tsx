import CircleHelp from 'lucide-react/icons/circle-help'
import { type ReactNode, useRef, useState } from 'react'
import { DocsPanel } from './DocsPanel.tsx'

interface Props {
  /** As in `Learn about projects`. */
  topic: string
  children: ReactNode
  links?: readonly { label: string; href: string }[]
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
