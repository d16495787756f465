import { fourEyesKinds, fourEyesWords } from '@gantry/api/history/four-eyes.rules'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useWhyNot } from '#/data/permissions.ts'
import { formatSeries } from '#/ui/data/format-amounts.ts'
import { Button } from '#/ui/Button.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { fourEyesSettings } from './queries.ts'

const FourEyesDialog = lazyPart(() => import('./FourEyesDialog.tsx'), 'FourEyesDialog')

/** Opens what the silo demands a second person for. */
export function FourEyes() {
  const { data } = useSuspenseQuery(fourEyesSettings)
  const whyNot = useWhyNot({ action: 'modify', object: 'silo' })
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button disabledReason={whyNot} onClick={() => setOpen(true)}>
        Four eyes…
      </Button>
      {isOpen && <FourEyesDialog kinds={data.kinds} onClose={() => setOpen(false)} />}
    </>
  )
}

/** What the silo demands, for everybody to read. */
export function FourEyesText() {
  const { data } = useSuspenseQuery(fourEyesSettings)
  const words = fourEyesKinds.filter((kind) => data.kinds.includes(kind)).map((kind) => fourEyesWords[kind])
  return (
    <p className="mb-3 text-sm text-muted">
      {words.length === 0
        ? 'The silo demands a second person for no change. Plans can be committed by their authors, too.'
        : `In this silo, changes of these are made by plans only, which somebody else than the author commits: ${formatSeries(words)}.`}
    </p>
  )
}
