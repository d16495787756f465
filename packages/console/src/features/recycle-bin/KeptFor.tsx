import { useState } from 'react'
import { useWhyNot } from '#/data/permissions.ts'
import { Button } from '#/ui/Button.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'

const KeptForDialog = lazyPart(() => import('./KeptForDialog.tsx'), 'KeptForDialog')

/** Opens for how long the silo keeps what is deleted. */
export function KeptFor({ hours }: { hours: number }) {
  const whyNot = useWhyNot({ action: 'modify', object: 'silo' })
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button disabledReason={whyNot} onClick={() => setOpen(true)}>
        Edit
      </Button>
      {isOpen && <KeptForDialog hours={hours} onClose={() => setOpen(false)} />}
    </>
  )
}
