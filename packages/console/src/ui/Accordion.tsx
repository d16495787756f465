import ChevronRight from 'lucide-react/icons/chevron-right'
import { useRef, type ReactNode } from 'react'

type Props = { title: ReactNode; detail?: ReactNode; defaultOpen?: boolean; children: ReactNode }

/** A form section that is rarely opened. Its fields stay mounted while closed, so that they keep their values. */
export function Accordion({ title, detail, defaultOpen, children }: Props) {
  const wasPressed = useRef(false)
  return (
    <details
      open={defaultOpen}
      className="group border-t border-line last:border-b"
      onToggle={(event) => {
        // A section that is open from the start must not scroll the page.
        if (wasPressed.current && event.newState === 'open')
          event.currentTarget.scrollIntoView({ block: 'nearest', behavior: 'smooth' })
        wasPressed.current = false
      }}
    >
      <summary
        onClick={() => (wasPressed.current = true)}
        className="flex min-h-12 list-none items-center gap-2 py-2 font-semibold text-strong hover:text-accent-text [&::-webkit-details-marker]:hidden"
      >
        <ChevronRight
          aria-hidden
          className="size-4 shrink-0 text-muted transition-transform duration-(--time-quick) group-open:rotate-90"
        />
        <span className="grow text-md">{title}</span>
        {detail && <span className="text-sm font-normal text-muted">{detail}</span>}
      </summary>
      <div className="pt-1 pb-5 pl-6">{children}</div>
    </details>
  )
}
