import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useWhyNot } from '#/data/permissions.ts'
import { Button } from '#/ui/Button.tsx'
import { Card } from '#/ui/data/Card.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { SectionError } from '#/kit/page/SectionError.tsx'
import { siloSecondFactor } from './queries.ts'

const RequireDialog = lazyPart(() => import('./RequireDialog.tsx'), 'RequireDialog')

/** The silo's second factor rule for users who sign in with a password. */
export function SiloSecondFactorCard() {
  const { data, error, refetch } = useQuery(siloSecondFactor)
  const [isOpen, setOpen] = useState(false)
  const whyNot = useWhyNot({ action: 'modify', object: 'silo' })
  return (
    <Card
      title="Second factor in this silo"
      description="Applies to every user in the silo from their next sign-in."
      actions={
        data && (
          <Button disabledReason={whyNot} onClick={() => setOpen(true)}>
            Edit
          </Button>
        )
      }
    >
      {error && <SectionError failure={error} onRetry={() => void refetch()} />}
      <dl>
        <dt className="text-xs text-muted">Second factor</dt>
        <dd className="text-strong">
          {data ? (data.secondFactor === 'required' ? 'Required' : 'Optional') : !error && <Skeleton />}
        </dd>
      </dl>
      {isOpen && data && <RequireDialog rule={data.secondFactor} onClose={() => setOpen(false)} />}
    </Card>
  )
}
