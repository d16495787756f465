import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { usePolling } from '#/data/live.ts'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmAction } from '#/kit/feedback/confirm.tsx'
import { pollWhile } from '#/kit/page/poll-while.ts'
import { SectionError } from '#/kit/page/SectionError.tsx'
import { Button } from '#/ui/Button.tsx'
import { Card } from '#/ui/data/Card.tsx'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { formatCount, percentOf } from '#/ui/data/format-amounts.ts'
import { Progress } from '#/ui/data/Progress.tsx'
import { type StateFamily, StatePlate } from '#/ui/data/StatePlate.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { type Membership, rackMembership } from '../queries.ts'

const states: Record<Membership['state'], { family: StateFamily; text: string }> = {
  in_progress: { family: 'busy', text: 'Changing' },
  committed: { family: 'ok', text: 'Committed' },
  aborted: { family: 'gone', text: 'Aborted' },
}

const poll = pollWhile<Membership>(({ state }) => state === 'in_progress')

/** The sleds that are members of a rack, and how far a change of them is. */
export function MembersCard({ rackId }: { rackId: string }) {
  const isLive = usePolling(1) === false
  const { data, error, refetch } = useQuery({
    ...rackMembership(rackId),
    refetchInterval: ({ state }) => (isLive ? false : poll(state.data ? [state.data] : [])),
  })
  const whyNot = useWhyNotOnFleet()
  const abort = useOp(op.rackMembershipAbort)
  // A server of a former version.
  if (error?.statusCode === 404) return null
  if (!data)
    return (
      <Card title="Members">
        {error ? <SectionError failure={error} onRetry={() => void refetch()} /> : <Skeleton />}
      </Card>
    )
  const { state, members, unacknowledgedMembers, version } = data
  const confirmed = members.length - unacknowledgedMembers.length
  const waiting = unacknowledgedMembers.map(({ serialNumber }) => serialNumber).join(', ')
  return (
    <Card
      title="Members"
      description={`Version ${version}`}
      actions={
        state === 'in_progress' && (
          <Button
            disabledReason={whyNot}
            onClick={() =>
              confirmAction({
                title: 'Abort change',
                content: <p>The sleds that are being added stay uninitialized.</p>,
                confirmLabel: 'Abort change',
                pendingLabel: 'Aborting',
                errorTitle: 'Could not abort the change',
                success: 'Change of the members aborted',
                run: () => abort.run({ path: { rackId } }),
              })
            }
          >
            Abort change
          </Button>
        )
      }
    >
      <div className="space-y-2 text-sm">
        <StatePlate family={states[state].family}>{states[state].text}</StatePlate>
        {state === 'in_progress' && (
          <Progress label="Confirmed" percent={percentOf(confirmed, members.length) ?? 0} />
        )}
        <p>
          {state === 'aborted'
            ? 'The last change was aborted.'
            : `${confirmed} of ${formatCount(members.length, 'sled')} confirmed`}
        </p>
        {state !== 'aborted' && waiting !== '' && <p className="text-muted">Waiting for {waiting}</p>}
        <p className="text-muted">
          Since <DateTime value={data.timeAborted ?? data.timeCommitted ?? data.timeCreated} />
        </p>
      </div>
    </Card>
  )
}
