import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { useCurrentUser } from '#/data/current-user.ts'
import { useWhyNot } from '#/data/permissions.ts'
import { allQuery } from '#/data/queries.ts'
import { useOp } from '#/data/use-op.ts'
import { Expiry } from '#/features/access-tokens/Expiry.tsx'
import { confirmAction } from '#/kit/feedback/confirm.tsx'
import { usePaletteItems } from '#/kit/page/palette-items.ts'
import { SectionError } from '#/kit/page/SectionError.tsx'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { Button } from '#/ui/Button.tsx'
import { Card } from '#/ui/data/Card.tsx'
import { DateTime, RelativeTime } from '#/ui/data/DateTime.tsx'
import { formatNumber, plural } from '#/ui/data/format.ts'
import { MiniTable } from '#/ui/data/MiniTable.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'

type UserSession = OutputOf<'userSessionList'>['items'][number]
type UserToken = OutputOf<'userTokenList'>['items'][number]

/** The stream reports neither new nor used sessions. */
const credentialsPollMs = 30_000

const userSessions = (userId: string) => allQuery(op.userSessionList, { path: { userId } })
const userTokens = (userId: string) => allQuery(op.userTokenList, { path: { userId } })

const sessionColumns = [
  { header: 'Signed in', cell: ({ timeCreated }: UserSession) => <DateTime value={timeCreated} /> },
  {
    header: 'Last used',
    cell: ({ timeLastUsed }: UserSession) => <RelativeTime value={timeLastUsed} caption="Last used" ago />,
  },
]

const tokenColumns = [
  { header: 'Created', cell: ({ timeCreated }: UserToken) => <DateTime value={timeCreated} /> },
  {
    header: 'Expires',
    cell: ({ timeExpires }: UserToken) => (timeExpires ? <Expiry value={timeExpires} /> : 'Never'),
  },
]

/** The open sessions and access tokens of a user, which an administrator of the silo can end. */
export function CredentialsCard({ id, name }: { id: string; name: string }) {
  const me = useCurrentUser()
  const sessions = useQuery({ ...userSessions(id), refetchInterval: credentialsPollMs })
  const tokens = useQuery({ ...userTokens(id), refetchInterval: credentialsPollMs })
  const whyNotAllowed = useWhyNot({ action: 'modify', object: 'user_credentials' })
  const end = useOp(op.userLogout)
  const has = [
    ...countOf('ends', sessions.data?.length, 'session'),
    ...countOf('deletes', tokens.data?.length, 'access token'),
  ]
  const hasNone = sessions.data && tokens.data && has.length === 0 ? `${name} has none` : undefined
  const whyNot =
    whyNotAllowed ?? (id === me.id ? 'End your own sessions in your settings' : undefined) ?? hasNone

  const ask = (): void =>
    confirmAction({
      title: 'Confirm end all sessions',
      content: (
        <p>
          Every browser of <strong>{name}</strong> must sign in again, and programs need new access tokens.
          {has.length > 0 && ` This ${has.join(' and ')}.`}
        </p>
      ),
      kind: 'danger',
      confirmLabel: 'End all sessions',
      pendingLabel: 'Ending',
      errorTitle: 'Could not end sessions',
      success: successMessage('Sessions of', name, 'ended'),
      run: () => end.run({ path: { userId: id } }),
    })

  usePaletteItems(whyNot ? [] : [{ label: `End all sessions of ${name}`, run: ask }])

  return (
    <Card
      title="Sessions and access tokens"
      actions={
        <Button disabledReason={whyNot} onClick={ask}>
          End all sessions
        </Button>
      }
    >
      <div className="space-y-3">
        {sessions.error && <SectionError failure={sessions.error} onRetry={() => void sessions.refetch()} />}
        {sessions.data ? (
          <MiniTable
            label="Sessions"
            columns={sessionColumns}
            items={sessions.data}
            itemKey={({ id: key }) => key}
            empty="No open sessions"
          />
        ) : (
          !sessions.error && <Skeleton />
        )}
        {tokens.error && <SectionError failure={tokens.error} onRetry={() => void tokens.refetch()} />}
        {tokens.data ? (
          <MiniTable
            label="Access tokens"
            columns={tokenColumns}
            items={tokens.data}
            itemKey={({ id: key }) => key}
            empty="No access tokens"
          />
        ) : (
          !tokens.error && <Skeleton />
        )}
      </div>
    </Card>
  )
}

/** `ends 2 sessions`; nothing if there are none. */
const countOf = (verb: string, count: number | undefined, noun: string): string[] =>
  count ? [`${verb} ${formatNumber(count)} ${plural(noun, count)}`] : []
