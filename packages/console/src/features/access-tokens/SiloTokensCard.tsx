import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useWhyNot } from '#/data/permissions.ts'
import { Button } from '#/ui/Button.tsx'
import { Card } from '#/ui/data/Card.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { SectionError } from '#/kit/page/SectionError.tsx'
import { lifetimeText } from './lifetime.ts'
import { authSettings } from './queries.ts'

const LifetimeDialog = lazyPart(() => import('./LifetimeDialog.tsx'), 'LifetimeDialog')

/** The token settings of a silo, which its administrators set for all users. */
export function SiloTokensCard() {
  const { data, error, refetch } = useQuery(authSettings)
  const [isOpen, setOpen] = useState(false)
  const seconds = data?.deviceTokenMaxTtlSeconds ?? null
  const whyNot = useWhyNot({ action: 'modify', object: 'silo' })
  return (
    <Card
      title="Access tokens in this silo"
      description="Applies to every new token in the silo. Without a limit, tokens last 30 days."
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
        <dt className="text-xs text-muted">Maximum lifetime</dt>
        <dd className="text-strong">
          {data ? (seconds === null ? 'Not set' : lifetimeText(seconds)) : !error && <Skeleton />}
        </dd>
      </dl>
      {isOpen && <LifetimeDialog seconds={seconds} onClose={() => setOpen(false)} />}
    </Card>
  )
}
