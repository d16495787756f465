import { CircleHelp, ExternalLink } from 'lucide-react'
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { tether } from '../../ui/place.ts'

interface Props {
  /** As in `Learn about projects`. */
  topic: string
  children: ReactNode
  links?: readonly { label: string; href: string }[]
}

const none: NonNullable<Props['links']> = []

/** What a kind of thing is for, beside the title of its page. Closes on Escape and on a click elsewhere. */
export function DocsPopover({ topic, children, links = none }: Props) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const name = `Learn about ${topic}`

  useLayoutEffect(() => {
    if (isOpen && panel.current && button.current) return tether(panel.current, button.current)
  }, [isOpen])

  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={name}
        aria-expanded={isOpen}
        popoverTarget={id}
        className="wash grid size-7 place-items-center rounded-control text-muted hover:text-strong coarse:size-11"
      >
        <CircleHelp aria-hidden strokeWidth={1.75} className="size-4" />
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        role="dialog"
        aria-labelledby={`${id}-title`}
        onToggle={(event) => setOpen(event.newState === 'open')}
        className="tethered w-[min(24rem,calc(100vw-2rem))] rounded-block bg-float px-4 py-3.5 text-sm text-text shadow-menu"
      >
        <h2 id={`${id}-title`} className="mb-1 text-base">
          {name}
        </h2>
        {children}
        {links.length > 0 && (
          <>
            <h3 className="mt-3 text-xs font-medium text-muted">Guides</h3>
            <ul className="mt-1 space-y-1">
              {links.map(({ label, href }) => (
                <li key={label}>
                  <a
                    href={href}
                    target="_blank"
                    rel="noreferrer"
                    className="link inline-flex items-center gap-1"
                  >
                    {label}
                    <ExternalLink aria-hidden className="size-3.5" />
                  </a>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </>
  )
}
