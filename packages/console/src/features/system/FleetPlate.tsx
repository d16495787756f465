import type { ReactNode } from 'react'
import { DataItem, DataPlate } from '#/ui/DataPlate.tsx'
import { formatNumber } from '#/ui/format.ts'
import type { SystemOverview } from './queries.ts'

/** The health of the fleet in figures. */
export function FleetPlate({ overview: { fleet, instances, silos } }: { overview: SystemOverview }) {
  return (
    <DataPlate>
      <DataItem label="Sleds">
        <Counts
          total={fleet.sleds}
          parts={[
            [fleet.provisionable, 'provisionable'],
            [fleet.notProvisionable, 'not provisionable'],
            [fleet.draining, 'draining'],
            [fleet.lost, 'lost'],
            [fleet.uninitialized, 'uninitialized'],
          ]}
        />
      </DataItem>
      <DataItem label="Instances">
        <Counts
          total={instances.total}
          parts={[
            [instances.running, 'running'],
            [instances.failed, 'failed'],
          ]}
        />
      </DataItem>
      <DataItem label="Silos">{formatNumber(silos)}</DataItem>
      <DataItem label="Racks">{formatNumber(fleet.racks)}</DataItem>
      <DataItem label="Fleet">{fleetWords(fleet)}</DataItem>
    </DataPlate>
  )
}

const fleetWords = ({ isSimulated, engines }: SystemOverview['fleet']): string =>
  isSimulated ? 'Simulated: nothing here runs real software' : engines.join(', ') || 'No hosts found yet'

interface CountsProps {
  total: number
  /** Zero counts are omitted. */
  parts: readonly (readonly [count: number, word: string])[]
}

function Counts({ total, parts }: CountsProps): ReactNode {
  const some = parts.filter(([count]) => count > 0)
  return (
    <span className="tabular-nums">
      {formatNumber(total)}
      {some.length > 0 && (
        <span className="text-sm text-muted">
          {' '}
          ({some.map(([count, word]) => `${formatNumber(count)} ${word}`).join(', ')})
        </span>
      )}
    </span>
  )
}
