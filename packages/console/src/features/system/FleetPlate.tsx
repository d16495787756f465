import type { ReactNode } from 'react'
import { classes } from '#/ui/classes.ts'
import { formatNumber, plural } from '#/ui/data/format.ts'
import { type StateFamily, StateMark } from '#/ui/data/StatePlate.tsx'
import type { SystemOverview } from './queries.ts'

/** The health of the fleet in figures: each with what is wrong below it. */
export function FleetPlate({ overview: { fleet, instances, silos } }: { overview: SystemOverview }) {
  return (
    <dl className="grid grid-cols-2 overflow-hidden rounded-block border border-line md:grid-cols-5">
      <Figure
        label="Sleds"
        value={fleet.sleds - fleet.lost}
        unit={`of ${formatNumber(fleet.sleds)} in service`}
        states={[
          [fleet.lost, 'fail', 'lost'],
          [fleet.draining, 'busy', 'draining'],
          [fleet.notProvisionable, 'gone', 'not provisionable'],
          [fleet.uninitialized, 'idle', 'not added yet'],
        ]}
        fine="All provisionable"
      />
      <Figure
        label="Instances"
        value={instances.running}
        unit={`of ${formatNumber(instances.total)} running`}
        states={[[instances.failed, 'fail', 'failed']]}
        fine="None failed"
      />
      <Figure label="Silos" value={silos} />
      <Figure label="Racks" value={fleet.racks} />
      <Figure
        label="Fleet"
        wide
        {...(fleet.isSimulated
          ? { value: 'Simulated', unit: 'nothing here runs real software' }
          : {
              value: fleet.engines.join(', ') || 'None',
              unit: fleet.engines.length > 0 ? `on ${plural('host', fleet.sleds)}` : 'no hosts found yet',
            })}
      />
    </dl>
  )
}

interface FigureProps {
  label: string
  value: number | string
  unit?: string
  /** Zero counts are omitted. */
  states?: readonly (readonly [count: number, family: StateFamily, word: string])[]
  /** Said if there are none. */
  fine?: string
  /** On a phone it takes a whole row. */
  wide?: boolean
}

const none: NonNullable<FigureProps['states']> = []

function Figure({ label, value, unit, states = none, fine, wide }: FigureProps) {
  const some = states.filter(([count]) => count > 0)
  return (
    <div
      className={classes(
        'min-w-0 bg-page px-3.5 pt-2.5 pb-3 shadow-[0_0_0_1px_var(--line-faint)]',
        wide && 'max-md:col-span-full',
      )}
    >
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="tabular-nums">
        <span className="text-lg font-semibold text-strong">
          {typeof value === 'number' ? formatNumber(value) : value}
        </span>{' '}
        {unit && <span className="text-sm text-muted">{unit}</span>}
        {some.map(([count, family, word]) => (
          <Mark key={word} family={family}>
            {formatNumber(count)} {word}
          </Mark>
        ))}
        {some.length === 0 && fine && <Mark family="ok">{fine}</Mark>}
      </dd>
    </div>
  )
}

const Mark = ({ family, children }: { family: StateFamily; children: ReactNode }) => (
  <span className="mt-0.5 flex items-center gap-1.5 text-sm text-text">
    <StateMark family={family} />
    {children}
  </span>
)
