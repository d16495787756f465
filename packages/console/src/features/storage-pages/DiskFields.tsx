import { imageLinkFrom } from '#/features/images/links.ts'
import { imageById } from '#/features/images/queries.ts'
import { deviceWords, firmwareWords } from '#/features/images/hardware-words.ts'
import { instanceLink } from '#/features/instances/links.ts'
import { instanceById } from '#/features/instances/queries.ts'
import { ProtectionItem } from '#/features/protection/ProtectionItem.tsx'
import { snapshotLink } from '#/features/snapshots/links.ts'
import { snapshotById } from '#/features/snapshots/queries.ts'
import { TagsItem } from '#/features/tags/TagsItem.tsx'
import { DescriptionItem, TimeItems } from '#/kit/page/plate-items.tsx'
import { ObjectById } from '#/kit/page/ObjectById.tsx'
import { CopyableId } from '#/ui/CopyButton.tsx'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { Size } from '#/ui/data/Figures.tsx'
import { formatBytes } from '#/ui/data/format.ts'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { DiskState } from '#/features/disks/DiskState.tsx'
import type { Disk } from '#/features/disks/queries.ts'

const SizeUsed = lazyPart(() => import('./SizeUsed.tsx'), 'SizeUsed')

/** A disk's fields, below its name. */
export function DiskFields({ project, disk }: { project: string; disk: Disk }) {
  const { id, description, size, blockSize, state, imageId, snapshotId, hardware } = disk
  return (
    <DataPlate
      summary={
        <>
          <DiskState disk={disk} />
          {formatBytes(size)}
        </>
      }
    >
      <DataItem label="State">
        <DiskState disk={disk} />
      </DataItem>
      <DataItem label="Attached to">
        {'instance' in state ? (
          <ObjectById
            query={instanceById(state.instance)}
            linkOf={({ name }) => instanceLink(project, name)}
          />
        ) : (
          <EmptyCell />
        )}
      </DataItem>
      <DataItem label="Size">
        <Size bytes={size} />
        <SizeUsed id={id} />
      </DataItem>
      <DataItem label="Block Size">{formatBytes(blockSize)}</DataItem>
      {hardware && (
        <DataItem label="Boots by">
          <p>{firmwareWords(hardware)}</p>
          <p className="text-sm text-muted">{deviceWords(hardware)}</p>
        </DataItem>
      )}
      <DataItem label="Created from">
        {imageId ? (
          <>
            Image
            <ObjectById query={imageById(imageId)} linkOf={(image) => imageLinkFrom(project, image)} />
          </>
        ) : snapshotId ? (
          <>
            Snapshot
            <ObjectById query={snapshotById(snapshotId)} linkOf={({ name }) => snapshotLink(project, name)} />
          </>
        ) : (
          'Blank'
        )}
      </DataItem>
      <DescriptionItem description={description} />
      <TimeItems of={disk} changed="Last Modified" />
      <DataItem label="Device Path">
        <span className="font-mono text-[0.8125rem]">{disk.devicePath}</span>
      </DataItem>
      <DataItem label="ID">
        <CopyableId id={id} max={24} />
      </DataItem>
      <ProtectionItem project={project} id={id} />
      <TagsItem kind="disk" id={id} />
    </DataPlate>
  )
}
