import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { useWatch } from 'react-hook-form'
import { useCurrentUser } from '../../../data/current-user.ts'
import { classes } from '../../../ui/classes.ts'
import { bytesToGib, bytesToTib, formatSeries } from '../../../ui/format-amounts.ts'
import { formatNumber } from '../../../ui/format.ts'
import { Gauge } from '../../../ui/Gauge.tsx'
import { Note } from '../../../ui/Note.tsx'
import { utilizationView } from '../../utilization/queries.ts'
import { addedBy, overQuota } from './quota.ts'
import type { InstanceValues } from './values.ts'

/** What the silo has left, and what this instance would take of it. Left out where the server does not tell. */
export function QuotaAside() {
  const id = useId()
  const { siloName } = useCurrentUser()
  const { data } = useQuery(utilizationView)
  const values = useWatch<InstanceValues>() as InstanceValues
  if (!data) return null
  const { provisioned, capacity } = data
  const added = addedBy(values)
  const over = overQuota(provisioned, added, capacity)
  return (
    <aside aria-labelledby={id} className="rounded-block border border-line bg-sunken">
      <h2 id={id} className="px-4 pt-3 text-base">
        Quota headroom
      </h2>
      <p className="px-4 pb-2 text-sm text-muted">
        Silo {siloName}, with this instance.
        {!values.start && ' CPU and memory are used once it starts.'}
      </p>
      <div role="status" className="px-4">
        {over.length > 0 && <OverNote over={over} />}
      </div>
      <Quota label="CPU" unit="vCPU" used={provisioned.cpus} added={added.cpus} of={capacity.cpus} />
      <Quota
        label="Memory"
        unit="GiB"
        used={bytesToGib(provisioned.memory)}
        added={bytesToGib(added.memory)}
        of={bytesToGib(capacity.memory)}
      />
      <Quota
        label="Storage"
        unit="TiB"
        used={bytesToTib(provisioned.storage)}
        added={bytesToTib(added.storage)}
        of={bytesToTib(capacity.storage)}
      />
    </aside>
  )
}

/** Without storage nothing is made; without CPU and memory the instance is made and cannot start. */
function OverNote({ over }: { over: ReturnType<typeof overQuota> }) {
  return (
    <Note kind="busy" className="mb-3" title={`${formatSeries(over.map(({ by }) => by))} over the quota`}>
      {over.some(({ kind }) => kind === 'storage')
        ? 'The instance would not be created. Choose smaller disks, or delete unused disks and snapshots.'
        : 'The instance would be created but not start. Choose a smaller size, or stop unused instances.'}{' '}
      The operator can raise the quota.
    </Note>
  )
}

interface Props {
  label: string
  unit: string
  used: number
  added: number
  of: number
}

function Quota({ label, unit, used, added, of }: Props) {
  const left = Math.round((of - used - added) * 100) / 100
  const share = (amount: number) => (of === 0 ? 0 : (amount / of) * 100)
  const text = `${formatNumber(used)} + ${formatNumber(added)} of ${formatNumber(of)} ${unit}`
  const rest: ReactNode =
    left < 0 ? (
      <strong className="text-fail-text">
        {formatNumber(-left)} {unit} over
      </strong>
    ) : (
      `${formatNumber(left)} ${unit} left`
    )
  return (
    <div className="border-t border-line px-4 pt-2.5 pb-3">
      <div className="mb-1.5 flex items-baseline text-sm">
        <span className="grow font-medium text-strong">{label}</span>
        <span className={classes('tabular-nums', left < 0 ? 'text-fail-text' : 'text-muted')}>
          {formatNumber(used)} + <strong>{formatNumber(added)}</strong> of {formatNumber(of)} {unit}
        </span>
      </div>
      <Gauge
        label={label}
        used={share(used)}
        added={share(added)}
        text={`${text}, ${left < 0 ? `${formatNumber(-left)} ${unit} over` : `${formatNumber(left)} left`}`}
        ruler
        scale={['0', rest, formatNumber(of)]}
      />
    </div>
  )
}
