import { useState } from 'react'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { Button } from '#/ui/Button.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'

const PricesDialog = lazyPart(() => import('./PricesDialog.tsx'), 'PricesDialog')

export function PricesButton() {
  const whyNot = useWhyNotOnFleet()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button disabledReason={whyNot} onClick={() => setOpen(true)}>
        Edit prices
      </Button>
      {isOpen && <PricesDialog onClose={() => setOpen(false)} />}
    </>
  )
}
