// @chunk apart: a card below others, whose contents the guest reports.
import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { guestAgentAdvice, guestAgentInstalls, guestAgentWords } from '@gantry/api/compute/guest-agent.rules'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useWhyLacking } from '#/data/fleet.ts'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { opQuery } from '#/data/queries.ts'
import { SectionError } from '#/kit/page/SectionError.tsx'
import { Button } from '#/ui/Button.tsx'
import { CopyButton } from '#/ui/CopyButton.tsx'
import { Card } from '#/ui/data/Card.tsx'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { Size } from '#/ui/data/Figures.tsx'
import { MiniTable } from '#/ui/data/MiniTable.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { instanceAt } from '../queries.ts'

const GuestPasswordDialog = lazyPart(() => import('./GuestPasswordDialog.tsx'), 'GuestPasswordDialog')
const GuestKeysDialog = lazyPart(() => import('./GuestKeysDialog.tsx'), 'GuestKeysDialog')

type Answer = OutputOf<'instanceGuestAgentView'>
type Reported = NonNullable<Answer['reported']>
type Columns<Item> = readonly { header: string; cell: (item: Item) => ReactNode }[]

const said = (text: string | null): ReactNode => text || <EmptyCell />
const bytes = (count: number | null): ReactNode => (count === null ? <EmptyCell /> : <Size bytes={count} />)
const code = (text: string | null): ReactNode => <span className="font-mono">{said(text)}</span>
const copied = (text: string): ReactNode => (
  <span className="flex items-center gap-1 font-mono">
    {text}
    <CopyButton text={text} />
  </span>
)

const installColumns: Columns<(typeof guestAgentInstalls)[number]> = [
  { header: 'System', cell: ({ system }) => system },
  { header: 'Command', cell: ({ command }) => copied(command) },
]
const systemColumns: Columns<Reported> = [
  { header: 'Hostname', cell: ({ hostname }) => said(hostname) },
  { header: 'System', cell: ({ os }) => said(os) },
  { header: 'Kernel', cell: ({ kernel }) => said(kernel) },
  { header: 'Agent', cell: ({ agentVersion }) => said(agentVersion) },
]
const interfaceColumns: Columns<Reported['interfaces'][number]> = [
  { header: 'Interface', cell: ({ name }) => said(name) },
  { header: 'MAC address', cell: ({ mac }) => code(mac) },
  { header: 'Addresses', cell: ({ addresses }) => code(addresses.join(', ')) },
]
const fileSystemColumns: Columns<Reported['fileSystems'][number]> = [
  { header: 'Mounted at', cell: ({ mountPoint }) => said(mountPoint) },
  { header: 'Type', cell: ({ type }) => said(type) },
  { header: 'Used', cell: ({ used }) => bytes(used) },
  { header: 'Size', cell: ({ size }) => bytes(size) },
]

/** A guest changes without a word to the control plane. */
const askEveryMs = 30_000
const soonMs = 5000

interface Props {
  project: string
  instance: string
}

/** What the guest says of itself, and what its agent can be asked for. */
export function GuestAgentCard({ project, instance }: Props) {
  const whyLacking = useWhyLacking('guest_agents')
  const whyNotAllowed = useWhyNotInProject(project)
  const [open, setOpen] = useState<'password' | 'keys'>()
  const { data, error, refetch } = useQuery({
    ...opQuery(op.instanceGuestAgentView, instanceAt(project, instance)),
    enabled: !whyLacking,
    refetchInterval: ({ state }) => (state.data?.reported ? askEveryMs : soonMs),
  })
  const offers = data?.reported?.offers
  const whyNot = (offer: 'password' | 'ssh_keys'): string | undefined =>
    whyNotAllowed ??
    (data && data.state !== 'answers' ? guestAgentWords[data.state] : undefined) ??
    (offers && !offers.includes(offer) ? 'The agent of this guest does not offer that' : undefined)
  const close = () => setOpen(undefined)
  return (
    <>
      <Card
        title="Guest agent"
        description="What the guest reports about itself, without any network."
        actions={
          !whyLacking && (
            <>
              <Button onClick={() => setOpen('keys')} disabledReason={whyNot('ssh_keys')}>
                Add SSH keys
              </Button>
              <Button onClick={() => setOpen('password')} disabledReason={whyNot('password')}>
                Set password
              </Button>
            </>
          )
        }
        footer={
          data?.reported && (
            <>
              Reported by the guest, <DateTime value={data.time} />. A guest can report anything.
            </>
          )
        }
      >
        {whyLacking ? (
          <p className="text-sm text-muted">{whyLacking}.</p>
        ) : data ? (
          <Answered answer={data} />
        ) : error ? (
          <SectionError failure={error} onRetry={() => void refetch()} />
        ) : (
          <Skeleton />
        )}
      </Card>
      {open === 'password' && <GuestPasswordDialog project={project} instance={instance} onClose={close} />}
      {open === 'keys' && <GuestKeysDialog project={project} instance={instance} onClose={close} />}
    </>
  )
}

function Answered({ answer: { state, reported } }: { answer: Answer }) {
  if (reported) return <Report of={reported} />
  if (state === 'answers') return null
  return (
    <div className="space-y-3 text-sm">
      <p className="text-muted">
        {guestAgentWords[state]}. {guestAgentAdvice[state]}
      </p>
      {state === 'absent' && (
        <MiniTable
          label="How to install the guest agent"
          items={guestAgentInstalls}
          itemKey={({ system }) => system}
          columns={installColumns}
        />
      )}
    </div>
  )
}

function Report({ of }: { of: Reported }) {
  return (
    <div className="space-y-3">
      <MiniTable
        label="System, reported by the guest"
        items={[of]}
        itemKey={() => 'system'}
        columns={systemColumns}
      />
      <MiniTable
        label="Interfaces, reported by the guest"
        items={of.interfaces.map((one, at) => ({ ...one, at }))}
        itemKey={({ at }) => String(at)}
        columns={interfaceColumns}
        empty="The guest reports no interfaces."
      />
      <MiniTable
        label="File systems, reported by the guest"
        items={of.fileSystems.map((one, at) => ({ ...one, at }))}
        itemKey={({ at }) => String(at)}
        columns={fileSystemColumns}
        empty="The guest reports no file systems."
      />
      {of.isTruncated && (
        <p className="text-sm text-muted">The guest reports more interfaces, addresses or file systems.</p>
      )}
    </div>
  )
}
