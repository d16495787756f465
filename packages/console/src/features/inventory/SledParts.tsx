import { cpuFamilyWords } from '@gantry/api/compute/cpu-platform.rules'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { Card } from '#/ui/data/Card.tsx'
import { classes } from '#/ui/classes.ts'
import { CopyableId } from '#/ui/CopyButton.tsx'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { Figure, Memory } from '#/ui/data/Figures.tsx'
import { formatNumber, sentenceCase } from '#/ui/data/format.ts'
import { Tag } from '#/ui/data/Tag.tsx'
import { PolicyKindTag, ProvisionPolicyTag, SledHealth } from './hardware-columns.tsx'
import { sledLink } from './links.ts'
import type { Sled, SledUse } from './queries.ts'
import { useLitSleds } from './rack/RackLights.tsx'

interface PlateProps {
  sled: Sled
  /** Undefined while its use is not known. */
  use: SledUse | undefined
}

/** The fields of a sled. */
export function SledPlate({ sled, use }: PlateProps) {
  const { id, baseboard, rackId, state, usableHardwareThreads, usablePhysicalRam } = sled
  return (
    <DataPlate
      summary={
        <span>
          <Figure value={formatNumber(usableHardwareThreads)} unit="threads" />,{' '}
          <Memory bytes={usablePhysicalRam} />
        </span>
      }
    >
      <DataItem label="Sled ID">
        <CopyableId id={id} max={24} />
      </DataItem>
      <DataItem label="Policy">
        <PolicyKindTag {...sled} />
      </DataItem>
      <DataItem label="Part">{baseboard.part}</DataItem>
      <DataItem label="Provision policy">
        <ProvisionPolicyTag {...sled} />
        {use?.condition === 'lost' && <span className="text-sm text-muted">not while it is lost</span>}
      </DataItem>
      <DataItem label="Serial">{baseboard.serial}</DataItem>
      <DataItem label="State">{use ? <SledHealth {...use} /> : <Tag>{sentenceCase(state)}</Tag>}</DataItem>
      <DataItem label="Revision">{formatNumber(baseboard.revision)}</DataItem>
      <DataItem label="Usable hardware threads">{formatNumber(usableHardwareThreads)}</DataItem>
      <DataItem label="Rack ID">
        <CopyableId id={rackId} max={24} />
      </DataItem>
      <DataItem label="Usable physical RAM">
        <Memory bytes={usablePhysicalRam} />
      </DataItem>
      {use?.cpuFamily && <DataItem label="Processors">{cpuFamilyWords[use.cpuFamily]}</DataItem>}
      {use?.engine && <DataItem label="Engine">{use.engine}</DataItem>}
    </DataPlate>
  )
}

/** A rack's sleds side by side, from the lowest slot up, to show where else an instance could run. */
export function RackStrip({ uses, current }: { uses: readonly SledUse[]; current: string }) {
  const lit = useLitSleds()
  const rackId = uses.find(({ sled }) => sled.id === current)?.sled.rackId
  return (
    <Card
      title="Rack"
      description="Point at an instance to light its sleds and those of its anti-affinity groups"
    >
      <ol aria-label="Sleds of the rack" className="flex flex-wrap gap-1">
        {uses
          .filter(({ sled }) => sled.rackId === rackId)
          .map(({ sled: { id, baseboard } }) => (
            <li
              key={id}
              data-lit={lit.has(id) || undefined}
              className={classes(
                'rounded-control border px-2 py-1 text-sm',
                lit.has(id)
                  ? 'border-accent-edge shadow-[inset_0_0_0_1px_var(--accent-edge)]'
                  : 'border-line',
                id === current && 'bg-selected',
              )}
            >
              <PageLink
                {...sledLink(id)}
                aria-current={id === current ? 'page' : undefined}
                className="link tabular-nums"
              >
                {baseboard.serial}
              </PageLink>
            </li>
          ))}
      </ol>
    </Card>
  )
}
