import { CopyableId } from '#/ui/CopyButton.tsx'
import { DataItem, DataPlate } from '#/ui/DataPlate.tsx'
import { Memory } from '#/ui/Figures.tsx'
import { formatNumber, sentenceCase } from '#/ui/format.ts'
import { Tag } from '#/ui/Tag.tsx'
import type { Sled } from './queries.ts'
import { PolicyKindTag, ProvisionPolicyTag } from './sled-words.tsx'

/** The fields of a sled. */
export function SledPlate({ sled }: { sled: Sled }) {
  const { id, baseboard, rackId, state, usableHardwareThreads, usablePhysicalRam } = sled
  return (
    <DataPlate>
      <DataItem label="Sled ID">
        <CopyableId id={id} max={24} />
      </DataItem>
      <DataItem label="Policy">
        <PolicyKindTag {...sled} />
      </DataItem>
      <DataItem label="Part">{baseboard.part}</DataItem>
      <DataItem label="Provision policy">
        <ProvisionPolicyTag {...sled} />
      </DataItem>
      <DataItem label="Serial">{baseboard.serial}</DataItem>
      <DataItem label="State">
        <Tag>{sentenceCase(state)}</Tag>
      </DataItem>
      <DataItem label="Revision">{formatNumber(baseboard.revision)}</DataItem>
      <DataItem label="Usable hardware threads">{formatNumber(usableHardwareThreads)}</DataItem>
      <DataItem label="Rack ID">
        <CopyableId id={rackId} max={24} />
      </DataItem>
      <DataItem label="Usable physical RAM">
        <Memory bytes={usablePhysicalRam} />
      </DataItem>
    </DataPlate>
  )
}
