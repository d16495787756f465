import * as op from '@gantry/api/client/operations.gen'
import { outageStartsAtOnce } from '@gantry/api/system/hardware.rules'
import Play from 'lucide-react/icons/play'
import { type ReactNode, useState } from 'react'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmAction } from '#/kit/feedback/confirm.tsx'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { SelectedNames } from '#/kit/list/SelectBoxes.tsx'
import { Button } from '#/ui/Button.tsx'
import { formatCount } from '#/ui/data/format-amounts.ts'
import { formatNumber } from '#/ui/data/format.ts'
import { Note } from '#/ui/feedback/Note.tsx'
import { isProvisionable } from '../hardware-columns.tsx'
import { type Outage, sledAt, type SledUse } from '../queries.ts'

type Started = { id: string; name: string; error: string | null }

interface OutageStart {
  button: ReactNode
  /** The outcome of each start. */
  results: ReactNode
}

/** Starts what failed with the sled on other sleds. */
export function useOutageStart(sledId: string, outage: Outage, uses: readonly SledUse[]): OutageStart {
  const whyNotAllowed = useWhyNotOnFleet()
  const start = useOp(op.sledOutageStart)
  const [started, setStarted] = useState<readonly Started[]>()
  const failed = outage.instances.filter(({ outcome }) => outcome === 'failed')
  const instances = formatCount(failed.length, 'instance')

  async function run(): Promise<void> {
    const results: Started[] = []
    for (let from = 0; from < failed.length; from += outageStartsAtOnce) {
      const some = failed.slice(from, from + outageStartsAtOnce)
      const { items } = await start.run({ ...sledAt(sledId), body: { instances: some.map(({ id }) => id) } })
      const errors = new Map(items.map(({ instanceId, error }) => [instanceId, error]))
      for (const { id, name } of some) {
        const error = errors.get(id)
        results.push({ id, name, error: error ? failureText(error) : null })
      }
      setStarted([...results])
    }
  }

  const ask = (): void =>
    confirmAction({
      title: `Start ${instances} on other sleds`,
      content: (
        <>
          <p>
            Start <SelectedNames names={failed.map(({ name }) => name)} /> on other sleds?
          </p>
          <p>Their disks and addresses come along. Those that fit on no sled stay failed.</p>
        </>
      ),
      pendingLabel: 'Starting',
      errorTitle: `Could not start ${instances}`,
      // The results say what becomes of each.
      run,
    })

  return {
    button: (
      <Button disabledReason={whyNotAllowed ?? whyNotStart(sledId, failed, uses)} onClick={ask}>
        <Play aria-hidden strokeWidth={1.75} className="-ml-0.5 size-4" />
        Start on other sleds…
      </Button>
    ),
    results: started && <Results started={started} />,
  }
}

function whyNotStart(
  sledId: string,
  failed: readonly unknown[],
  uses: readonly SledUse[],
): string | undefined {
  if (failed.length === 0) return 'None of these instances is failed'
  const takesInstances = ({ sled, condition }: SledUse): boolean =>
    sled.id !== sledId && condition === 'active' && isProvisionable(sled)
  return uses.some(takesInstances) ? undefined : 'No other sled takes new instances'
}

function Results({ started }: { started: readonly Started[] }) {
  const refused = started.filter(({ error }) => error !== null)
  const count = started.length - refused.length
  return (
    <div role="status" className="mx-3.5 mb-3">
      <Note
        kind={refused.length > 0 ? 'busy' : 'note'}
        title={
          refused.length > 0
            ? `${formatNumber(count)} of ${formatCount(started.length, 'instance')} started on other sleds`
            : `${formatCount(count, 'instance')} started on other sleds`
        }
      >
        {refused.length > 0 && (
          <ul className="max-h-40 overflow-y-auto overscroll-contain">
            {refused.map(({ id, name, error }) => (
              // Instances of several projects can share a name.
              <li key={id}>
                <span className="font-medium text-strong">{name}</span> {error}
              </li>
            ))}
          </ul>
        )}
      </Note>
    </div>
  )
}
