import { ProtectionItem } from '#/features/protection/ProtectionItem.tsx'
import { TagsItem } from '#/features/tags/TagsItem.tsx'
import type { LinkTarget } from '#/kit/links/link-target.ts'
import { ReadOnlyText } from '#/kit/page/ReadOnlyText.tsx'
import { TimeItems, WideIdItem } from '#/kit/page/plate-items.tsx'
import { ViewPanel } from '#/kit/page/ViewPanel.tsx'
import { CopyableId } from '#/ui/CopyButton.tsx'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { Size } from '#/ui/data/Figures.tsx'
import type { Image } from './queries.ts'

/** A read-only image panel: images are immutable. */
export function ImagePanel({ image, closeTo }: { image: Image; closeTo: LinkTarget }) {
  const { id, name, description, os, version, size, digest, projectId } = image
  return (
    <ViewPanel title={projectId ? 'Project image' : 'Silo image'} context={name} closeTo={closeTo}>
      <DataPlate narrow>
        <DataItem label="Shared with">{projectId ? 'Project' : 'Silo'}</DataItem>
        <DataItem label="Size">
          <Size bytes={size} />
        </DataItem>
        <ProtectionItem project={projectId ?? undefined} id={id} />
        <TagsItem kind="image" id={id} />
        <WideIdItem id={id} />
        {digest && (
          <DataItem label={`Digest (${digest.type})`} wide>
            <CopyableId id={digest.value} />
          </DataItem>
        )}
        <TimeItems of={image} changed="Updated" />
      </DataPlate>
      <ReadOnlyText label="Name" value={name} />
      <ReadOnlyText label="Description" value={description} isLong />
      <ReadOnlyText label="OS" value={os} />
      <ReadOnlyText label="Version" value={version} />
    </ViewPanel>
  )
}
