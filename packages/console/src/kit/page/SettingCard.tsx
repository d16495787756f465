import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Failure } from '#/data/failure.ts'
import { Button } from '#/ui/Button.tsx'
import { Card } from '#/ui/data/Card.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { SectionError } from './SectionError.tsx'

interface Props<Settings> {
  title: string
  description: string
  label: string
  query: Pick<UseQueryResult<Settings, Failure>, 'data' | 'error' | 'refetch'>
  valueOf: (settings: Settings) => string
  whyNot: string | undefined
  renderDialog: (settings: Settings, close: () => void) => ReactNode
}

/** One setting with its value, which a dialog changes. */
export function SettingCard<Settings>({
  query,
  valueOf,
  whyNot,
  renderDialog,
  label,
  ...card
}: Props<Settings>) {
  const { data, error, refetch } = query
  const [isOpen, setOpen] = useState(false)
  return (
    <Card
      {...card}
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
        <dt className="text-xs text-muted">{label}</dt>
        <dd className="text-strong">{data ? valueOf(data) : !error && <Skeleton />}</dd>
      </dl>
      {isOpen && data && renderDialog(data, () => setOpen(false))}
    </Card>
  )
}
