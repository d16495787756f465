import { useMatches } from '@tanstack/react-router'
import FlaskConical from 'lucide-react/icons/flask-conical'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { IconButton } from '#/ui/Button.tsx'
import { passFocusTo, surroundings } from '#/ui/overlays/focus.ts'

const key = 'gantry-simulated-dismissed'

const passOn = passFocusTo(surroundings)

/** Announces at the foot of every page that the rack is simulated, until dismissed for the session. */
export function SimulatedStrip() {
  const [isDismissed, setDismissed] = useState(() => sessionStorage.getItem(key) !== null)
  const isAlways = useMatches({
    select: (matches) => matches.some(({ staticData }) => staticData.saysSimulated),
  })
  if (isDismissed && !isAlways) return null
  const dismiss = (): void => {
    sessionStorage.setItem(key, 'yes')
    setDismissed(true)
  }
  return (
    <aside
      ref={passOn}
      aria-label="Simulated rack"
      data-print="hide"
      className="flex min-h-9 shrink-0 items-center gap-2 border-t border-line bg-sunken px-gutter py-1 text-sm text-muted"
    >
      <FlaskConical aria-hidden strokeWidth={1.75} className="size-4 shrink-0" />
      <p className="grow">
        <strong className="font-medium text-text">Simulated rack.</strong> Instances run no real software.
      </p>
      {!isAlways && (
        <IconButton label="Dismiss" kind="quiet" onClick={dismiss}>
          <X aria-hidden className="size-4" />
        </IconButton>
      )}
    </aside>
  )
}
