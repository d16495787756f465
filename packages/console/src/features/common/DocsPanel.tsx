import ExternalLink from 'lucide-react/icons/external-link'
import { type ReactNode, type RefObject, useId, useLayoutEffect, useRef } from 'react'
import { tether } from '#/ui/place.ts'

interface Props {
  name: string
  children: ReactNode
  links?: readonly { label: string; href: string }[]
  button: RefObject<HTMLButtonElement | null>
  onClose: () => void
}

const none: NonNullable<Props['links']> = []

export function DocsPanel({ name, children, links = none, button, onClose }: Props) {
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
  )
}
